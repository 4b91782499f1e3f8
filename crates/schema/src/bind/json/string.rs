//! Strings of JSON. They are UTF-16 to the library: half of a pair may stand alone, and
//! becomes a question mark as soon as it is stored or printed.

use super::fault::Fault;
use super::read::{Reader, describe};

impl Reader<'_> {
    /// The rest of a string, behind its opening quote.
    pub(super) fn string(&mut self, kind: &str, unclosed: &str) -> Result<Box<str>, Fault> {
        let mut units: Vec<u16> = Vec::new();
        loop {
            let at = self.at;
            match self.next() {
                None => return Err(self.end(unclosed)),
                Some('"') => {
                    let text = char::decode_utf16(units).map(|unit| unit.unwrap_or('?'));
                    return Ok(text.collect::<String>().into());
                }
                Some('\\') => units.push(self.escape()?),
                Some(control) if control < ' ' => {
                    let message = format!(
                        "Illegal unquoted character ({}): has to be escaped using backslash to be included in {kind}",
                        describe(control)
                    );
                    return Err(Fault::syntax(message, self.place(at)));
                }
                Some(other) => units.extend_from_slice(other.encode_utf16(&mut [0; 2])),
            }
        }
    }

    fn escape(&mut self) -> Result<u16, Fault> {
        let at = self.at;
        let unit = match self.next() {
            None => return Err(self.end(" in character escape sequence")),
            Some(same @ ('"' | '\\' | '/')) => same,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.unicode_escape(),
            Some(other) => {
                let message = format!("Unrecognized character escape {}", describe(other));
                return Err(Fault::syntax(message, self.place(at)));
            }
        };
        Ok(unit as u16)
    }

    fn unicode_escape(&mut self) -> Result<u16, Fault> {
        let mut unit = 0;
        for _ in 0..4 {
            let at = self.at;
            let found = self.next().ok_or_else(|| self.end(" in character escape sequence"))?;
            let digit = found.to_digit(16).and_then(|digit| u16::try_from(digit).ok()).ok_or_else(
                || {
                    self.unexpected(
                        found,
                        at,
                        ": expected a hex-digit for character escape sequence",
                    )
                },
            )?;
            unit = unit << 4 | digit;
        }
        Ok(unit)
    }
}
