//! The framing of messages: a header with the length, then JSON.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// The longest message that is accepted.
const MESSAGE_BYTES_MAX: usize = 256 << 20;
/// The longest line of a header.
const HEADER_LINE_BYTES_MAX: u64 = 4096;

/// Reads the next message; `None` at the end of the input.
pub(super) fn read(input: &mut dyn BufRead) -> io::Result<Option<Value>> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if io::Read::take(&mut *input, HEADER_LINE_BYTES_MAX).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("Content-Length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length
        .filter(|length| *length <= MESSAGE_BYTES_MAX)
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "invalid Content-Length"))?;
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    // A message that is not JSON is ignored; the next one may be valid.
    Ok(Some(serde_json::from_slice(&bytes).unwrap_or(Value::Null)))
}

/// Writes a message.
pub(super) fn write(output: &mut dyn Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{read, write};

    #[test]
    fn messages_survive_a_round_trip() {
        let mut bytes = Vec::new();
        write(&mut bytes, &json!({"é": 1})).unwrap();
        write(&mut bytes, &json!([2])).unwrap();
        let mut input = bytes.as_slice();
        assert_eq!(read(&mut input).unwrap(), Some(json!({"é": 1})));
        assert_eq!(read(&mut input).unwrap(), Some(json!([2])));
        assert_eq!(read(&mut input).unwrap(), None);
        assert!(read(&mut "Content-Length: x\r\n\r\n".as_bytes()).is_err());
        assert!(read(&mut "Content-Length: 99999999999\r\n\r\n".as_bytes()).is_err());
    }
}
