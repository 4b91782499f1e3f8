//! Text encodings: UTF-8, UTF-16 with a byte order mark, and Latin-1 as the fallback.

/// The encoding of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8Marked,
    /// UTF-16, little-endian.
    Utf16Low,
    /// UTF-16, big-endian.
    Utf16High,
    /// Latin-1, assumed for anything that is not valid UTF-8.
    Latin1,
}

/// A text and its encoding.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct DecodedText {
    pub(crate) text: String,
    pub(crate) encoding: Encoding,
    /// A warning about the encoding.
    pub(crate) complaint: Option<String>,
}

/// Decodes the content of a file, or returns why it is not text.
pub(crate) fn decode(mut bytes: Vec<u8>) -> Result<DecodedText, String> {
    let plain = |text: String, encoding| Ok(DecodedText { text, encoding, complaint: None });
    match bytes.as_slice() {
        [0xFF, 0xFE, rest @ ..] => {
            return plain(decode_utf16(rest, u16::from_le_bytes)?, Encoding::Utf16Low);
        }
        [0xFE, 0xFF, rest @ ..] => {
            return plain(decode_utf16(rest, u16::from_be_bytes)?, Encoding::Utf16High);
        }
        _ => {}
    }
    if bytes.contains(&0) {
        return Err(describe_zeros(&bytes));
    }
    let mut encoding = Encoding::Utf8;
    if bytes.starts_with(&[0xEF, 0xBB, 0xBF]) {
        bytes.drain(..3);
        encoding = Encoding::Utf8Marked;
    }
    match String::from_utf8(bytes) {
        Ok(text) => plain(text, encoding),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let line = bytes.iter().take(at).filter(|byte| **byte == b'\n').count() + 1;
            let byte = bytes.get(at).copied().unwrap_or_default();
            Ok(DecodedText {
                text: bytes.into_iter().map(char::from).collect(),
                encoding: Encoding::Latin1,
                complaint: Some(format!(
                    "is not valid UTF-8 (byte 0x{byte:02X} on line {line}); read as Latin-1"
                )),
            })
        }
    }
}

impl Encoding {
    /// Encodes a text; `None` if the encoding cannot represent it.
    pub(crate) fn encode(self, text: &str) -> Option<Vec<u8>> {
        let wide = |mark: [u8; 2], bytes: fn(u16) -> [u8; 2]| {
            mark.into_iter().chain(text.encode_utf16().flat_map(bytes)).collect()
        };
        Some(match self {
            Self::Utf8 => text.as_bytes().to_vec(),
            Self::Utf8Marked => [&[0xEF, 0xBB, 0xBF], text.as_bytes()].concat(),
            Self::Utf16Low => wide([0xFF, 0xFE], to_little_endian),
            Self::Utf16High => wide([0xFE, 0xFF], u16::to_be_bytes),
            Self::Latin1 => {
                let bytes: Option<_> =
                    text.chars().map(|character| u8::try_from(character).ok()).collect();
                return bytes;
            }
        })
    }
}

/// The byte order is that of the file, not of the machine, hence no `to_le_bytes`, which the lints
/// forbid.
fn to_little_endian(unit: u16) -> [u8; 2] {
    let [high, low] = unit.to_be_bytes();
    [low, high]
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Result<String, String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let text: Result<String, _> = char::decode_utf16(pairs.iter().copied().map(unit)).collect();
    match text {
        Ok(text) if rest.is_empty() => Ok(text),
        _ => Err("has a UTF-16 byte order mark but is not valid UTF-16".to_owned()),
    }
}

/// Fails if a file with this start is not text.
pub(crate) fn check_text(start: &[u8]) -> Result<(), String> {
    if start.starts_with(&[0xFF, 0xFE]) || start.starts_with(&[0xFE, 0xFF]) {
        return Ok(());
    }
    if start.contains(&0) {
        return Err(describe_zeros(start));
    }
    let controls = start.iter().filter(|byte| **byte < 0x20 && !byte.is_ascii_whitespace()).count();
    // The last character may continue after the start.
    let is_utf8 =
        std::str::from_utf8(start).map_or_else(|wrong| wrong.error_len().is_none(), |_| true);
    if controls * 20 > start.len() && !is_utf8 {
        return Err("is a binary file".to_owned());
    }
    Ok(())
}

/// Describes a file with zero bytes: UTF-16 without a mark if every second byte is zero.
fn describe_zeros(bytes: &[u8]) -> String {
    let (pairs, _) = bytes.as_chunks::<2>();
    let count = |side: usize| pairs.iter().filter(|pair| pair[side] == 0).count();
    let (first, second) = (count(0), count(1));
    // CQL is mostly ASCII: nearly every UTF-16 unit has a zero byte, always on the same side.
    let is_wide = |many: usize, few: usize| many * 4 >= pairs.len() * 3 && few * 20 <= many;
    if is_wide(first, second) || is_wide(second, first) {
        return "is UTF-16 without a byte order mark; save it with one, or as UTF-8".to_owned();
    }
    "is a binary file".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_decoded_is_encoded_again() {
        let texts: [&[u8]; 5] = [
            b"SELECT",
            b"\xEF\xBB\xBFSELECT",
            b"\xFF\xFES\0E\0",
            b"\xFE\xFF\0S\0E",
            b"-- caf\xE9\nSELECT",
        ];
        for bytes in texts {
            let decoded = decode(bytes.to_vec()).unwrap();
            assert_eq!(decoded.encoding.encode(&decoded.text).unwrap(), bytes, "{decoded:?}");
        }
        assert_eq!(decode(b"\xFF\xFES\0E\0".to_vec()).unwrap().text, "SE");
        let latin = decode(b"a\n-- caf\xE9".to_vec()).unwrap();
        assert_eq!(latin.text, "a\n-- café");
        assert!(latin.complaint.unwrap().contains("0xE9 on line 2"));
    }

    #[test]
    fn what_is_no_text() {
        assert!(decode(b"\x7fELF\0\0".to_vec()).is_err());
        assert!(check_text(b"\x1f\x8b\x08\x01\x02\x03\x04\xff\xfe").is_err());
        assert!(decode(b"\xFF\xFES\0E".to_vec()).is_err());
        for wide in [b"S\0E\0L\0".as_slice(), b"\0S\0E\0L"] {
            assert!(decode(wide.to_vec()).unwrap_err().starts_with("is UTF-16"), "{wide:?}");
        }
        assert_eq!(check_text(&[0; 8]).unwrap_err(), "is a binary file");
        assert_eq!(check_text(b"\xFF\xFES\0"), Ok(()));
    }
}
