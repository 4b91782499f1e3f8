//! The parsing of JSON strings. They are UTF-16 in the library: half of a surrogate pair may occur
//! alone, and becomes a question mark when it is stored or printed.

use super::reader::JsonReader;
use crate::refusal::json_fault::{
    CharacterFault, EndOfInput, JsonFault, JsonFaultKind, StringPart,
};

impl JsonReader<'_> {
    /// The rest of a string after its opening quote.
    pub(super) fn string(&mut self, part: StringPart) -> Result<Box<str>, JsonFault> {
        let mut units: Vec<u16> = Vec::new();
        loop {
            let at = self.at;
            match self.next() {
                None => return Err(self.end_fault(EndOfInput::String(part))),
                Some('"') => {
                    let text = char::decode_utf16(units).map(|unit| unit.unwrap_or('?'));
                    return Ok(text.collect::<String>().into());
                }
                Some('\\') => units.push(self.escape()?),
                Some(control) if control < ' ' => {
                    return Err(self.fault(JsonFaultKind::ControlInString(control, part), at));
                }
                Some(other) => units.extend_from_slice(other.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self) -> Result<u16, JsonFault> {
        let at = self.at;
        let unit = match self.next() {
            None => return Err(self.end_fault(EndOfInput::Escape)),
            Some(same @ ('"' | '\\' | '/')) => same,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode_escape(),
            Some(other) => {
                return Err(self.fault(JsonFaultKind::UnknownEscape(other), at));
            }
        };
        Ok(unit as u16)
    }

    fn unicode_escape(&mut self) -> Result<u16, JsonFault> {
        let mut unit = 0;
        for _ in 0..4 {
            let at = self.at;
            let found = self.next().ok_or_else(|| self.end_fault(EndOfInput::Escape))?;
            let digit = found
                .to_digit(16)
                .and_then(|digit| u16::try_from(digit).ok())
                .ok_or_else(|| self.character_fault(found, at, CharacterFault::HexDigit))?;
            unit = unit << 4 | digit;
        }
        Ok(unit)
    }
}
