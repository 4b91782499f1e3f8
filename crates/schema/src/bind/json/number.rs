//! The parsing of JSON numbers.

use super::Json;
use super::reader::JsonReader;
use crate::refusal::json_fault::{CharacterFault, EndOfInput, JsonFault, JsonFaultKind, JsonPlace};

/// The maximum length of numbers.
const MAX_NUMBER: usize = 1000;

impl JsonReader<'_> {
    fn skip_digits(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), Some('0'..='9')) {
            self.at += 1;
        }
        self.at > start
    }

    pub(super) fn number(&mut self) -> Result<Json, JsonFault> {
        let start = self.at;
        if self.peek() == Some('-') {
            self.at += 1;
            self.check_sign(start)?;
            if !matches!(self.peek(), Some('0'..='9')) {
                return self.word(start);
            }
        }
        let whole_start = self.at;
        self.skip_digits();
        let whole = self.text.get(whole_start..self.at).unwrap_or_default();
        if whole.len() > 1 && whole.starts_with('0') {
            return Err(self.fault(JsonFaultKind::LeadingZeros, whole_start + 1));
        }
        // The library counts columns from where it left its fast path.
        let blamed = if whole == "0" { self.at + 1 } else { self.at };
        let has_fraction = self.fraction(blamed)?;
        let is_double = self.exponent(blamed)? || has_fraction;
        let digits = self.text.get(start..self.at).unwrap_or_default();
        if digits.len() > MAX_NUMBER {
            let kind = JsonFaultKind::NumberTooLong { length: digits.len(), most: MAX_NUMBER };
            return Err(JsonFault { kind, place: JsonPlace::None });
        }
        if is_double {
            Ok(Json::Double(digits.parse().unwrap_or(f64::NAN)))
        } else {
            Ok(parse_integer(digits))
        }
    }

    /// Checks what follows a minus sign; the word `-Infinity` is left to the caller.
    fn check_sign(&self, start: usize) -> Result<(), JsonFault> {
        match self.peek() {
            Some('0'..='9') => Ok(()),
            None => Err(self.end_fault(EndOfInput::Sign)),
            Some('.') => Err(self.character_fault('.', self.at, CharacterFault::Value)),
            Some('I') if start + 2 < self.text.len() => Ok(()),
            Some('I') => Err(self.end_fault(EndOfInput::Number)),
            Some(other) => Err(self.character_fault(other, self.at, CharacterFault::Minus)),
        }
    }

    fn fraction(&mut self, blamed: usize) -> Result<bool, JsonFault> {
        if self.peek() != Some('.') {
            return Ok(false);
        }
        self.at += 1;
        if !self.skip_digits() {
            let found = self.peek().unwrap_or('.');
            return Err(self.character_fault(found, blamed, CharacterFault::Point));
        }
        Ok(true)
    }

    fn exponent(&mut self, blamed: usize) -> Result<bool, JsonFault> {
        if !matches!(self.peek(), Some('e' | 'E')) {
            return Ok(false);
        }
        self.at += 1;
        if matches!(self.peek(), Some('+' | '-')) {
            self.at += 1;
        }
        if self.skip_digits() {
            return Ok(true);
        }
        match self.peek() {
            None => Err(self.end_fault(EndOfInput::Exponent)),
            Some(found) => Err(self.character_fault(found, blamed, CharacterFault::Exponent)),
        }
    }
}

/// The value of a number without fraction and exponent.
fn parse_integer(digits: &str) -> Json {
    if let Ok(value) = digits.parse::<i32>() {
        return Json::Integer(value);
    }
    if let Ok(value) = digits.parse::<i64>() {
        return Json::Long(value);
    }
    Json::Big(digits.into())
}
