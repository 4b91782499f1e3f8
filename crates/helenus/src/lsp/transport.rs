//! Messages on the wire: a header that says how long, and JSON.

use std::io::{self, BufRead, Write};

use serde_json::Value;

/// The longest message that is taken.
const MESSAGE_BYTES_MAX: usize = 256 << 20;
/// The longest line of a header.
const HEADER_LINE_BYTES_MAX: u64 = 4096;

/// The next message; `None` at the end.
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
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidData, what);
    let length =
        length.filter(|length| *length <= MESSAGE_BYTES_MAX).ok_or_else(|| wrong("no length"))?;
    let mut bytes = vec![0; length];
    input.read_exact(&mut bytes)?;
    // What is no JSON is no message of ours: the next may be.
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
    fn messages_come_back_as_they_were() {
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
