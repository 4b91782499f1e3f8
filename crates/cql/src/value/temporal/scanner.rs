//! [`Scanner`]: parses the parts of a date from the start of a text.

/// The rest of a text.
#[derive(Clone, Copy)]
pub(super) struct Scanner<'a>(pub(super) &'a str);

impl Scanner<'_> {
    /// Takes a character.
    pub(super) fn literal(&mut self, expected: char) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    /// A number of 1 to 19 digits.
    pub(super) fn number(&mut self) -> Option<i64> {
        let count = self.0.bytes().take(19).take_while(u8::is_ascii_digit).count();
        self.digits(count)
    }

    /// A number of exactly this many digits.
    pub(super) fn digits(&mut self, count: usize) -> Option<i64> {
        let digits = self.0.get(..count).filter(|text| !text.is_empty())?;
        if !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        self.0 = self.0.get(count..)?;
        digits.parse().ok()
    }

    /// A year of four digits, or of up to `most` digits after a sign. `-0000` is invalid.
    pub(super) fn year(&mut self, most: usize) -> Option<i64> {
        let sign = self.0.chars().next().filter(|c| matches!(c, '+' | '-'));
        if let Some(sign) = sign {
            self.literal(sign)?;
        }
        let count = self.0.bytes().take(most).take_while(u8::is_ascii_digit).count();
        let allowed = match sign {
            None => count == 4,
            Some('+') => count > 4,
            Some(_) => count >= 4,
        };
        let year = if allowed { self.digits(count)? } else { return None };
        match sign {
            Some('-') if year == 0 => None,
            Some('-') => Some(-year),
            _ => Some(year),
        }
    }

    /// A point and up to nine digits: the milliseconds, truncated. `None` if there is no point.
    pub(super) fn fraction(&mut self) -> Option<i64> {
        self.literal('.')?;
        let count = self.0.bytes().take(9).take_while(u8::is_ascii_digit).count();
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        let padded = format!("{digits:0<3}");
        padded.get(..3).and_then(|millis| millis.parse().ok())
    }

    /// A sign, two digits of hours, and minutes and seconds as the form requires: the offset in
    /// seconds.
    pub(super) fn offset(&mut self, form: OffsetForm) -> Option<i64> {
        let negative = self.0.starts_with('-');
        let mut ahead = Scanner(self.0.strip_prefix(['+', '-'])?);
        let hours = ahead.sixtieth(false)?;
        let (minutes, seconds) = match form {
            OffsetForm::Plain => (ahead.sixtieth(false).unwrap_or(0), 0),
            OffsetForm::Colons => (ahead.sixtieth(true)?, 0),
            OffsetForm::Seconds => (ahead.sixtieth(true)?, ahead.sixtieth(true).unwrap_or(0)),
        };
        let offset = hours * 3600 + minutes * 60 + seconds;
        if hours > 23 || offset > 18 * 3600 {
            return None;
        }
        *self = ahead;
        Some(if negative { -offset } else { offset })
    }

    /// Two digits below 60, optionally after a colon; nothing is taken if they are missing.
    fn sixtieth(&mut self, colon: bool) -> Option<i64> {
        let mut ahead = *self;
        if colon {
            ahead.literal(':')?;
        }
        let value = ahead.digits(2).filter(|value| *value < 60)?;
        *self = ahead;
        Some(value)
    }
}

/// The notation of a time zone offset.
#[derive(Clone, Copy)]
pub(super) enum OffsetForm {
    /// `+01` or `+0130`
    Plain,
    /// `+01:30`
    Colons,
    /// `+01:30` or `+01:30:15`
    Seconds,
}
