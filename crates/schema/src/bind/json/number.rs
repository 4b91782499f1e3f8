//! Numbers of JSON, and of Java's printing of them.

use super::Json;
use super::fault::Fault;
use super::read::Reader;

/// Numbers have no more characters.
const MAX_NUMBER: usize = 1000;

impl Reader<'_> {
    fn digits(&mut self) -> bool {
        let start = self.at;
        while matches!(self.peek(), Some('0'..='9')) {
            self.at += 1;
        }
        self.at > start
    }

    pub(super) fn number(&mut self) -> Result<Json, Fault> {
        let start = self.at;
        if self.peek() == Some('-') {
            self.at += 1;
            self.after_minus(start)?;
            if !matches!(self.peek(), Some('0'..='9')) {
                return self.word(start);
            }
        }
        let whole_start = self.at;
        self.digits();
        let whole = self.text.get(whole_start..self.at).unwrap_or_default();
        if whole.len() > 1 && whole.starts_with('0') {
            let place = self.place(whole_start + 1);
            return Err(Fault::syntax("Invalid numeric value: Leading zeroes not allowed", place));
        }
        // The library counts columns from where it left its fast path.
        let blamed = if whole == "0" { self.at + 1 } else { self.at };
        let has_fraction = self.fraction(blamed)?;
        let is_double = self.exponent(blamed)? || has_fraction;
        let digits = self.text.get(start..self.at).unwrap_or_default();
        if digits.len() > MAX_NUMBER {
            return Err(Fault::limit(format!(
                "Number value length ({}) exceeds the maximum allowed ({MAX_NUMBER}, from \
                 `StreamReadConstraints.getMaxNumberLength()`)",
                digits.len()
            )));
        }
        if is_double {
            Ok(Json::Double(digits.parse().unwrap_or(f64::NAN)))
        } else {
            Ok(of_digits(digits))
        }
    }

    /// Behind a minus sign; the word `-Infinity` is left to the caller.
    fn after_minus(&self, start: usize) -> Result<(), Fault> {
        match self.peek() {
            Some('0'..='9') => Ok(()),
            None => Err(self.end("No digit following sign")),
            Some('.') => Err(self.unexpected_value('.', self.at)),
            Some('I') if start + 2 < self.text.len() => Ok(()),
            Some('I') => Err(self.end(" in a Number value")),
            Some(other) => {
                let why = " in numeric value: expected digit (0-9) to follow minus sign, for valid numeric value";
                Err(self.unexpected(other, self.at, why))
            }
        }
    }

    fn fraction(&mut self, blamed: usize) -> Result<bool, Fault> {
        if self.peek() != Some('.') {
            return Ok(false);
        }
        self.at += 1;
        if !self.digits() {
            let found = self.peek().unwrap_or('.');
            return Err(self.unexpected(
                found,
                blamed,
                " in numeric value: Decimal point not followed by a digit",
            ));
        }
        Ok(true)
    }

    fn exponent(&mut self, blamed: usize) -> Result<bool, Fault> {
        if !matches!(self.peek(), Some('e' | 'E')) {
            return Ok(false);
        }
        self.at += 1;
        if matches!(self.peek(), Some('+' | '-')) {
            self.at += 1;
        }
        if self.digits() {
            return Ok(true);
        }
        match self.peek() {
            None => Err(self.end("expected a digit for number exponent")),
            Some(found) => {
                let why = " in numeric value: Exponent indicator not followed by a digit";
                Err(self.unexpected(found, blamed, why))
            }
        }
    }
}

/// The value of a number without fraction and exponent.
fn of_digits(digits: &str) -> Json {
    if let Ok(value) = digits.parse::<i32>() {
        return Json::Integer(value);
    }
    if let Ok(value) = digits.parse::<i64>() {
        return Json::Long(value);
    }
    Json::Big(digits.into())
}

/// As Java prints a double: plain from a thousandth up to ten million, with an exponent otherwise.
pub(super) fn java_double(value: f64) -> String {
    if value.is_nan() {
        return "NaN".to_owned();
    }
    if value.is_infinite() {
        return if value > 0.0 { "Infinity".to_owned() } else { "-Infinity".to_owned() };
    }
    let magnitude = value.abs();
    if value == 0.0 || (1e-3..1e7).contains(&magnitude) {
        return format!("{value:?}");
    }
    let text = format!("{value:e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let point = if mantissa.contains('.') { "" } else { ".0" };
    format!("{mantissa}{point}E{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_print_as_java_prints_them() {
        let seen = [
            (1e16, "1.0E16"),
            (1e-5, "1.0E-5"),
            (0.001, "0.001"),
            (12_345_678.9, "1.23456789E7"),
            (-0.0, "-0.0"),
            (1e10, "1.0E10"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (0.002, "0.002"),
            (1e-300, "1.0E-300"),
            (f64::INFINITY, "Infinity"),
        ];
        for (value, text) in seen {
            assert_eq!(java_double(value), text);
        }
    }
}
