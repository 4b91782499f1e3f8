//! Numbers, durations, uuids and blobs.

use super::{ByteClass, Lexer, Token, TokenKind};

impl Lexer<'_> {
    /// A token that starts with a digit.
    pub(super) fn number(&mut self) -> Token {
        let start = self.position;
        if self.byte(0) == b'0' && matches!(self.byte(1), b'x' | b'X') {
            self.position += 2;
            while self.byte(0).is_ascii_hexdigit() {
                self.position += 1;
            }
            return self.mark(TokenKind::Hex, start);
        }
        let hex_digits = (0..9).take_while(|&ahead| self.byte(ahead).is_ascii_hexdigit()).count();
        if hex_digits == 8 && self.byte(8) == b'-' && !self.is_exponent() {
            return self.uuid();
        }
        self.number_from(start)
    }

    /// Whether seven digits, an `e`, a minus and what follows are a number: `1234567e-8`, not
    /// `1234567e-8abc` or `1234567e-1234-`, which start a uuid.
    fn is_exponent(&self) -> bool {
        let is_number = (0..7).all(|ahead| self.byte(ahead).is_ascii_digit())
            && matches!(self.byte(7), b'e' | b'E');
        let digits = (9..14).take_while(|&ahead| self.byte(ahead).is_ascii_digit()).count();
        let next = self.byte(9 + digits);
        let is_uuid = digits == 0
            || (digits < 4 && next.is_ascii_hexdigit())
            || (digits == 4 && next == b'-');
        is_number && !is_uuid
    }

    /// A number or duration whose sign, if any, is at `start`; the position is at its first digit.
    fn number_from(&mut self, start: usize) -> Token {
        self.skip_digits();
        match self.byte(0) {
            b'.' if self.byte(1) == b'.' && self.byte(2) != b'.' => {
                self.mark(TokenKind::Integer, start)
            }
            b'.' => {
                self.position += 1;
                self.skip_digits();
                self.exponent(start, TokenKind::Float)
            }
            b'e' | b'E' => self.exponent(start, TokenKind::Float),
            _ => self.duration_or_integer(start),
        }
    }

    /// An exponent, if an `e` follows. After an `e` there must be digits.
    fn exponent(&mut self, start: usize, kind: TokenKind) -> Token {
        if !matches!(self.byte(0), b'e' | b'E') {
            return self.mark(kind, start);
        }
        self.position += 1;
        if matches!(self.byte(0), b'+' | b'-') {
            self.position += 1;
        }
        let kind = if self.skip_digits() > 0 { kind } else { TokenKind::Error };
        self.mark(kind, start)
    }

    fn duration_or_integer(&mut self, start: usize) -> Token {
        let Some(unit) = self.duration_unit() else {
            // To the server, a hexadecimal letter after the digits can only be a uuid.
            let kind = match self.byte(0) {
                b'a'..=b'f' | b'A'..=b'F' | b'u' | b'U' | b'n' | b'N' => TokenKind::Error,
                _ => TokenKind::Integer,
            };
            return self.mark(kind, start);
        };
        self.position += unit;
        while self.class_at(self.position) == ByteClass::Digit {
            self.skip_digits();
            match self.duration_unit() {
                Some(unit) => self.position += unit,
                None => return self.mark(TokenKind::Error, start),
            }
        }
        self.mark(TokenKind::Duration, start)
    }

    /// The length of the unit at the position.
    fn duration_unit(&self) -> Option<usize> {
        let lower = |ahead: usize| self.byte(ahead).to_ascii_lowercase();
        match (lower(0), lower(1)) {
            (b'm', b'o' | b's') | (b'u' | b'n', b's') => Some(2),
            (b'y' | b'w' | b'd' | b'h' | b'm' | b's', _) => Some(1),
            // The micro sign is two bytes long.
            (0xc2, 0xb5) if lower(2) == b's' => Some(3),
            _ => None,
        }
    }

    /// `-`: a sign of a number, of an ISO duration, of NaN or Infinity, or an operator.
    pub(super) fn minus(&mut self) -> Token {
        let start = self.position;
        self.position += 1;
        match self.byte(0) {
            b'0'..=b'9' => self.number_from(start),
            b'=' => {
                self.position += 1;
                self.mark(TokenKind::MinusEqual, start)
            }
            b'n' | b'N' => self.negative_word(start, "nan", TokenKind::NegativeNan),
            b'i' | b'I' => self.negative_word(start, "infinity", TokenKind::NegativeInfinity),
            b'P' => {
                while self.byte(0).is_ascii_alphanumeric() {
                    self.position += 1;
                }
                let kind =
                    self.iso_duration(start + 1).map_or(TokenKind::Error, |token| token.kind);
                self.mark(kind, start)
            }
            _ => self.mark(TokenKind::Minus, start),
        }
    }

    fn negative_word(&mut self, start: usize, word: &str, kind: TokenKind) -> Token {
        let end = self.position + word.len();
        let found = self
            .bytes
            .get(self.position..end)
            .is_some_and(|text| text.eq_ignore_ascii_case(word.as_bytes()));
        self.position = if found { end } else { self.position + 1 };
        self.mark(if found { kind } else { TokenKind::Error }, start)
    }

    /// A duration such as `P1Y2DT3H` or `P0001-02-03T04:05:06` that starts at `start` with the
    /// letter P; the position is after its word. `None`, with the position restored, if the word is
    /// a plain name.
    pub(super) fn iso_duration(&mut self, start: usize) -> Option<Token> {
        let end = self.position;
        let word = self.bytes.get(start + 1..end).unwrap_or_default();
        if self.byte(0) == b'-' && word.len() == 4 && word.iter().all(u8::is_ascii_digit) {
            let kind =
                if self.skip_alternative_format() { TokenKind::Duration } else { TokenKind::Error };
            return Some(self.mark(kind, start));
        }
        is_designator_format(word).then(|| self.mark(TokenKind::Duration, start))
    }

    /// Skips the rest `-mm-ddThh:mm:ss` of the alternative format.
    fn skip_alternative_format(&mut self) -> bool {
        let pattern = b"-00-00T00:00:00";
        let rest = self.bytes.get(self.position..self.position + pattern.len()).unwrap_or_default();
        let same = |(&byte, &form): (&u8, &u8)| {
            if form == b'0' { byte.is_ascii_digit() } else { byte == form }
        };
        let found = rest.len() == pattern.len() && rest.iter().zip(pattern).all(same);
        if found {
            self.position += pattern.len();
        }
        found
    }

    /// A uuid of eight, four, four, four and twelve hexadecimal digits; the caller has seen the
    /// first eight and a dash.
    pub(super) fn uuid(&mut self) -> Token {
        let start = self.position;
        let complete = (0..36).all(|ahead| match ahead {
            8 | 13 | 18 | 23 => self.byte(ahead) == b'-',
            _ => self.byte(ahead).is_ascii_hexdigit(),
        });
        self.position += if complete { 36 } else { 9 };
        self.mark(if complete { TokenKind::Uuid } else { TokenKind::Error }, start)
    }

    fn skip_digits(&mut self) -> usize {
        let start = self.position;
        while self.class_at(self.position) == ByteClass::Digit {
            self.position += 1;
        }
        self.position - start
    }
}

/// Whether `rest`, which follows the P, is `nW`, or numbers with Y, M, D in order and after a T
/// with H, M, S in order.
fn is_designator_format(rest: &[u8]) -> bool {
    let mut order: &[u8] = b"YMD";
    let mut time = false;
    let mut fields = 0;
    let mut bytes = rest;
    while !bytes.is_empty() {
        if let Some(rest) = bytes.strip_prefix(b"T").filter(|_| !time) {
            (time, order, fields) = (true, b"HMS", 0);
            bytes = rest;
            continue;
        }
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let Some(&unit) = bytes.get(digits) else { return false };
        if digits == 0 {
            return false;
        }
        if !time && fields == 0 && unit == b'W' {
            return bytes.len() == digits + 1;
        }
        let Some(place) = order.iter().position(|&known| known == unit) else { return false };
        order = order.get(place + 1..).unwrap_or_default();
        fields += 1;
        bytes = bytes.get(digits + 1..).unwrap_or_default();
    }
    fields > 0
}
