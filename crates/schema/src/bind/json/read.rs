//! The reader: strict JSON, at most [`MAX_DEPTH`] levels deep, and whatever follows the first value is ignored.

use super::fault::{Fault, Place};
use super::{Json, Members, Object};

/// Arrays and objects nest no deeper.
const MAX_DEPTH: usize = 1000;
/// Of a longer word, a message shows this much.
const MAX_WORD: usize = 256;
const EXPECTED_VALUE: &str =
    "(JSON String, Number, Array, Object or token 'null', 'true' or 'false')";

/// Reads any value.
pub fn read(text: &str) -> Result<Json, Fault> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    reader.start()?;
    reader.value()
}

/// Reads an object, or `null` as `None`.
pub fn read_object(text: &str) -> Result<Option<Object>, Fault> {
    let mut reader = Reader { text, at: 0, depth: 0 };
    reader.start()?;
    let place = reader.place(reader.at);
    if reader.peek() == Some('[') {
        return Err(not_an_object("Array value (token `JsonToken.START_ARRAY`)", place));
    }
    let what = match reader.value()? {
        Json::Object(members) => return Ok(Some(members)),
        Json::Null => return Ok(None),
        Json::Text(text) if text.trim().is_empty() => {
            let message = "Cannot coerce empty String (\"\") to element of `java.util.LinkedHashMap` (but could if \
                           coercion was enabled using `CoercionConfig`)";
            return Err(Fault::format(message, place));
        }
        Json::Text(text) => {
            let message = format!(
                "Cannot construct instance of `java.util.LinkedHashMap` (although at least one Creator exists): no \
                 String-argument constructor/factory method to deserialize from String value ('{text}')"
            );
            return Err(Fault::mismatch(message, place));
        }
        Json::Boolean(true) => "Boolean value (token `JsonToken.VALUE_TRUE`)",
        Json::Boolean(false) => "Boolean value (token `JsonToken.VALUE_FALSE`)",
        Json::Double(_) => "Floating-point value (token `JsonToken.VALUE_NUMBER_FLOAT`)",
        _ => "Integer value (token `JsonToken.VALUE_NUMBER_INT`)",
    };
    Err(not_an_object(what, place))
}

fn not_an_object(what: &str, place: Place) -> Fault {
    let wanted = "Cannot deserialize value of type `java.util.LinkedHashMap<java.lang.Object,java.lang.Object>`";
    Fault::mismatch(format!("{wanted} from {what}"), place)
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
}

impl Reader<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// Line and column of a byte.
    pub(super) fn place(&self, at: usize) -> Place {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
        let breaks = before.matches('\n').count() + before.matches('\r').count()
            - before.matches("\r\n").count();
        Place::At(breaks + 1, before[line_start..].encode_utf16().count() + 1)
    }

    pub(super) fn unexpected(&self, found: char, at: usize, why: &str) -> Fault {
        Fault::syntax(format!("Unexpected character ({}){why}", describe(found)), self.place(at))
    }

    pub(super) fn unexpected_value(&self, found: char, at: usize) -> Fault {
        self.unexpected(found, at, &format!(": expected a valid value {EXPECTED_VALUE}"))
    }

    pub(super) fn end(&self, what: &str) -> Fault {
        Fault::end(format!("Unexpected end-of-input{what}"), self.place(self.text.len()))
    }

    /// Skips white space. Comments and control characters are refused wherever it may stand.
    fn skip_space(&mut self) -> Result<Option<char>, Fault> {
        loop {
            let at = self.at;
            match self.peek() {
                Some(' ' | '\t' | '\n' | '\r') => self.at += 1,
                Some('/') => {
                    let why = ": maybe a (non-standard) comment? (not recognized as one since Feature \
                               'ALLOW_COMMENTS' not enabled for parser)";
                    return Err(self.unexpected('/', at, why));
                }
                Some(control) if control < ' ' => {
                    let message = format!(
                        "Illegal character ({}): only regular white space (\\r, \\n, \\t) is allowed between tokens",
                        describe(control)
                    );
                    return Err(Fault::syntax(message, self.place(at + 1)));
                }
                other => return Ok(other),
            }
        }
    }

    fn start(&mut self) -> Result<(), Fault> {
        match self.skip_space()? {
            None => Err(Fault::mismatch("No content to map due to end-of-input", Place::FirstLine)),
            Some(close @ (']' | '}')) => {
                let kind = if close == ']' { "Array" } else { "Object" };
                let message = format!("Unexpected close marker '{close}': no open {kind} to close");
                Err(Fault::syntax(message, self.place(self.at)))
            }
            Some(_) => Ok(()),
        }
    }

    /// The value that starts here.
    fn value(&mut self) -> Result<Json, Fault> {
        let at = self.at;
        match self.peek() {
            None => Err(self.end("")),
            Some('{') => self.nested(Self::object),
            Some('[') => self.nested(Self::array),
            Some('"') => {
                self.at += 1;
                Ok(Json::Text(
                    self.string(
                        "string value",
                        ": was expecting closing quote for a string value",
                    )?,
                ))
            }
            Some('-' | '0'..='9') => self.number().and_then(|number| self.check_root_space(number)),
            Some('+') if at + 1 >= self.text.len() => Err(self.end(" in a Number value")),
            Some('+') => {
                let why = " in numeric value: JSON spec does not allow numbers to have plus signs: enable \
                           `JsonReadFeature.ALLOW_LEADING_PLUS_SIGN_FOR_NUMBERS` to allow";
                Err(self.unexpected('+', at + 1, why))
            }
            Some(letter) if is_word(letter) => self.word(at),
            Some(other) => Err(self.unexpected_value(other, at)),
        }
    }

    /// Outside of arrays and objects, white space must follow a number.
    fn check_root_space(&self, number: Json) -> Result<Json, Fault> {
        match self.peek() {
            None | Some(' ' | '\t' | '\n' | '\r') => Ok(number),
            Some(_) if self.depth > 0 => Ok(number),
            Some(found) => Err(self.unexpected(
                found,
                self.at,
                ": Expected space separating root-level values",
            )),
        }
    }

    fn nested(&mut self, inside: fn(&mut Self) -> Result<Json, Fault>) -> Result<Json, Fault> {
        if self.depth == MAX_DEPTH {
            return Err(Fault::limit(format!(
                "Document nesting depth ({}) exceeds the maximum allowed ({MAX_DEPTH}, from \
                 `StreamReadConstraints.getMaxNestingDepth()`)",
                MAX_DEPTH + 1
            )));
        }
        self.depth += 1;
        let value = inside(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Result<Json, Fault> {
        let open = self.at;
        self.at += 1;
        let mut elements = Vec::new();
        if self.skip_space()? == Some(']') {
            self.at += 1;
            return Ok(Json::List(elements));
        }
        if self.peek().is_none() {
            return Err(self.unclosed("Array", open));
        }
        loop {
            elements.push(self.value()?);
            if !self.separator(']', "Array", open)? {
                return Ok(Json::List(elements));
            }
            if self.skip_space()?.is_none() {
                return Err(self.end(" within/between Array entries"));
            }
        }
    }

    fn object(&mut self) -> Result<Json, Fault> {
        let open = self.at;
        self.at += 1;
        let mut members = Members::default();
        if self.skip_space()? == Some('}') {
            self.at += 1;
            return Ok(Json::Object(Vec::new()));
        }
        if self.peek().is_none() {
            return Err(self.unclosed("Object", open));
        }
        loop {
            let name = self.name()?;
            let value = self.value()?;
            members.put(name, value);
            if !self.separator('}', "Object", open)? {
                return Ok(Json::Object(members.into_vec()));
            }
            if self.skip_space()?.is_none() {
                let place = self.place(self.text.len());
                return Err(Fault::syntax(
                    "Unexpected end-of-input within/between Object entries",
                    place,
                ));
            }
        }
    }

    /// A name and its colon.
    fn name(&mut self) -> Result<Box<str>, Fault> {
        let at = self.at;
        match self.next() {
            Some('"') => {}
            Some(other) => {
                return Err(self.unexpected(
                    other,
                    at,
                    ": was expecting double-quote to start field name",
                ));
            }
            None => return Err(self.end(" within/between Object entries")),
        }
        let name = self.string("name", " in field name")?;
        match self.skip_space()? {
            Some(':') => self.at += 1,
            Some(other) => {
                let why = ": was expecting a colon to separate field name and value";
                return Err(self.unexpected(other, self.at, why));
            }
            None => return Err(self.end(" within/between Object entries")),
        }
        match self.skip_space()? {
            Some(_) => Ok(name),
            None => Err(self.end(" within/between Object entries")),
        }
    }

    /// Behind an entry: whether another one follows.
    fn separator(&mut self, close: char, kind: &str, open: usize) -> Result<bool, Fault> {
        let found = self.skip_space()?;
        let at = self.at;
        match found {
            None => Err(self.unclosed(kind, open)),
            Some(',') => {
                self.at += 1;
                Ok(true)
            }
            Some(found) if found == close => {
                self.at += 1;
                Ok(false)
            }
            Some(found @ (']' | '}')) => {
                let start = self.place(open);
                let message = format!(
                    "Unexpected close marker '{found}': expected '{close}' (for {kind} starting at {start})"
                );
                Err(Fault::syntax(message, self.place(at)))
            }
            Some(other) => {
                let why = format!(": was expecting comma to separate {kind} entries");
                Err(self.unexpected(other, at, &why))
            }
        }
    }

    fn unclosed(&self, kind: &str, open: usize) -> Fault {
        let start = self.place(open);
        self.end(&format!(": expected close marker for {kind} (start marker at {start})"))
    }

    /// A bare word: one of the three that JSON knows, or a refusal.
    pub(super) fn word(&mut self, start: usize) -> Result<Json, Fault> {
        let mut length = 0;
        while length < MAX_WORD && self.peek().is_some_and(is_word) {
            self.next();
            length += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        let message = match word {
            "true" => return Ok(Json::Boolean(true)),
            "false" => return Ok(Json::Boolean(false)),
            "null" => return Ok(Json::Null),
            "NaN" | "Infinity" | "-Infinity" => {
                format!(
                    "Non-standard token '{word}': enable `JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS` to allow"
                )
            }
            _ => {
                let dots = if length == MAX_WORD { "..." } else { "" };
                format!("Unrecognized token '{word}{dots}': was expecting {EXPECTED_VALUE}")
            }
        };
        Err(Fault::syntax(message, self.place(self.at)))
    }
}

/// What Java takes for part of an identifier, near enough for a message.
fn is_word(letter: char) -> bool {
    (letter.is_alphanumeric() && u32::from(letter) < 0x1_0000)
        || matches!(letter, '$' | '_' | '€' | '£' | '¥' | '¢')
}

/// A character as messages show it. Characters beyond 16 bits appear as the first half of their pair.
pub(super) fn describe(found: char) -> String {
    let code = u32::from(found);
    if found.is_ascii_control() && code < 0x20 {
        return format!("(CTRL-CHAR, code {code})");
    }
    if code > 0xffff {
        let unit = 0xd800 + ((code - 0x1_0000) >> 10);
        return format!("'?' (code {unit} / 0x{unit:x})");
    }
    if code > 255 {
        format!("'{found}' (code {code} / 0x{code:x})")
    } else {
        format!("'{found}' (code {code})")
    }
}
