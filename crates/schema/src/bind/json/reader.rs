//! The JSON parser: strict JSON, at most [`MAX_DEPTH`] levels deep; what follows the first value is
//! ignored.

use super::{Json, JsonObject, ObjectBuilder};
use crate::refusal::json_fault::{
    CharacterFault, EndOfInput, JsonContainer, JsonFault, JsonFaultKind, JsonPlace, StringPart,
};

/// The maximum nesting of arrays and objects.
const MAX_DEPTH: usize = 1000;
/// The maximum length of a word in messages.
const WORD_MAX: usize = 256;

/// Parses any value.
pub fn read(text: &str) -> Result<Json, JsonFault> {
    let mut reader = JsonReader { text, at: 0, depth: 0 };
    reader.start()?;
    reader.value()
}

/// Parses an object, or `null` as `None`.
pub(crate) fn read_object(text: &str) -> Result<Option<JsonObject>, JsonFault> {
    let mut reader = JsonReader { text, at: 0, depth: 0 };
    reader.start()?;
    let place = reader.place(reader.at);
    if reader.peek() == Some('[') {
        return Err(not_an_object("Array value (token `JsonToken.START_ARRAY`)", place));
    }
    let what = match reader.value()? {
        Json::Object(members) => return Ok(Some(members)),
        Json::Null => return Ok(None),
        Json::Text(text) if text.trim().is_empty() => {
            return Err(JsonFault { kind: JsonFaultKind::EmptyStringForObject, place });
        }
        Json::Text(text) => {
            return Err(JsonFault { kind: JsonFaultKind::StringForObject(text), place });
        }
        Json::Boolean(true) => "Boolean value (token `JsonToken.VALUE_TRUE`)",
        Json::Boolean(false) => "Boolean value (token `JsonToken.VALUE_FALSE`)",
        Json::Double(_) => "Floating-point value (token `JsonToken.VALUE_NUMBER_FLOAT`)",
        _ => "Integer value (token `JsonToken.VALUE_NUMBER_INT`)",
    };
    Err(not_an_object(what, place))
}

fn not_an_object(token: &'static str, place: JsonPlace) -> JsonFault {
    JsonFault { kind: JsonFaultKind::NoObject(token), place }
}

pub(super) struct JsonReader<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
}

impl JsonReader<'_> {
    pub(super) fn peek(&self) -> Option<char> {
        self.text.get(self.at..)?.chars().next()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let next = self.peek()?;
        self.at += next.len_utf8();
        Some(next)
    }

    /// The line and column of a byte.
    pub(super) fn place(&self, at: usize) -> JsonPlace {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line_start = before.rfind(['\n', '\r']).map_or(0, |newline| newline + 1);
        let breaks = before.matches('\n').count() + before.matches('\r').count()
            - before.matches("\r\n").count();
        JsonPlace::At(breaks + 1, before[line_start..].encode_utf16().count() + 1)
    }

    pub(super) fn fault(&self, kind: JsonFaultKind, at: usize) -> JsonFault {
        JsonFault { kind, place: self.place(at) }
    }

    pub(super) fn character_fault(&self, found: char, at: usize, why: CharacterFault) -> JsonFault {
        self.fault(JsonFaultKind::Character(found, why), at)
    }

    pub(super) fn end_fault(&self, within: EndOfInput) -> JsonFault {
        self.fault(JsonFaultKind::End(within), self.text.len())
    }

    /// Skips white space. Comments and control characters are refused wherever it may occur.
    fn skip_space(&mut self) -> Result<Option<char>, JsonFault> {
        loop {
            let at = self.at;
            match self.peek() {
                Some(' ' | '\t' | '\n' | '\r') => self.at += 1,
                Some('/') => {
                    return Err(self.character_fault('/', at, CharacterFault::Comment));
                }
                Some(control) if control < ' ' => {
                    let kind = JsonFaultKind::ControlBetweenTokens(control);
                    return Err(self.fault(kind, at + 1));
                }
                other => return Ok(other),
            }
        }
    }

    fn start(&mut self) -> Result<(), JsonFault> {
        match self.skip_space()? {
            None => Err(JsonFault { kind: JsonFaultKind::NoContent, place: JsonPlace::FirstLine }),
            Some(close @ (']' | '}')) => {
                Err(self.fault(JsonFaultKind::CloseMarkerAlone(close), self.at))
            }
            Some(_) => Ok(()),
        }
    }

    /// The value that starts here.
    fn value(&mut self) -> Result<Json, JsonFault> {
        let at = self.at;
        match self.peek() {
            None => Err(self.end_fault(EndOfInput::Value)),
            Some('{') => self.with_depth(Self::object),
            Some('[') => self.with_depth(Self::array),
            Some('"') => {
                self.at += 1;
                Ok(Json::Text(self.string(StringPart::Value)?))
            }
            Some('-' | '0'..='9') => self.number().and_then(|number| self.check_root_space(number)),
            Some('+') if at + 1 >= self.text.len() => Err(self.end_fault(EndOfInput::Number)),
            Some('+') => Err(self.character_fault('+', at + 1, CharacterFault::Plus)),
            Some(letter) if is_word(letter) => self.word(at),
            Some(other) => Err(self.character_fault(other, at, CharacterFault::Value)),
        }
    }

    /// Outside of arrays and objects, a number must be followed by white space.
    fn check_root_space(&self, number: Json) -> Result<Json, JsonFault> {
        match self.peek() {
            None | Some(' ' | '\t' | '\n' | '\r') => Ok(number),
            Some(_) if self.depth > 0 => Ok(number),
            Some(found) => Err(self.character_fault(found, self.at, CharacterFault::RootSpace)),
        }
    }

    fn with_depth(
        &mut self,
        inside: fn(&mut Self) -> Result<Json, JsonFault>,
    ) -> Result<Json, JsonFault> {
        if self.depth == MAX_DEPTH {
            let kind = JsonFaultKind::TooDeep(MAX_DEPTH);
            return Err(JsonFault { kind, place: JsonPlace::None });
        }
        self.depth += 1;
        let value = inside(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Result<Json, JsonFault> {
        let open = self.at;
        self.at += 1;
        let mut elements = Vec::new();
        if self.skip_space()? == Some(']') {
            self.at += 1;
            return Ok(Json::List(elements));
        }
        if self.peek().is_none() {
            return Err(self.close_fault(JsonContainer::Array, open));
        }
        loop {
            elements.push(self.value()?);
            if !self.separator(JsonContainer::Array, open)? {
                return Ok(Json::List(elements));
            }
            if self.skip_space()?.is_none() {
                return Err(self.end_fault(EndOfInput::Entries(JsonContainer::Array)));
            }
        }
    }

    fn object(&mut self) -> Result<Json, JsonFault> {
        let open = self.at;
        self.at += 1;
        let mut members = ObjectBuilder::default();
        if self.skip_space()? == Some('}') {
            self.at += 1;
            return Ok(Json::Object(Vec::new()));
        }
        if self.peek().is_none() {
            return Err(self.close_fault(JsonContainer::Object, open));
        }
        loop {
            let name = self.name()?;
            let value = self.value()?;
            members.put(name, value);
            if !self.separator(JsonContainer::Object, open)? {
                return Ok(Json::Object(members.into_vec()));
            }
            if self.skip_space()?.is_none() {
                return Err(self.fault(JsonFaultKind::EndBehindComma, self.text.len()));
            }
        }
    }

    /// A name and its colon.
    fn name(&mut self) -> Result<Box<str>, JsonFault> {
        let at = self.at;
        match self.next() {
            Some('"') => {}
            Some(other) => {
                return Err(self.character_fault(other, at, CharacterFault::FieldName));
            }
            None => return Err(self.end_fault(EndOfInput::Entries(JsonContainer::Object))),
        }
        let name = self.string(StringPart::Name)?;
        match self.skip_space()? {
            Some(':') => self.at += 1,
            Some(other) => {
                return Err(self.character_fault(other, self.at, CharacterFault::Colon));
            }
            None => return Err(self.end_fault(EndOfInput::Entries(JsonContainer::Object))),
        }
        match self.skip_space()? {
            Some(_) => Ok(name),
            None => Err(self.end_fault(EndOfInput::Entries(JsonContainer::Object))),
        }
    }

    /// After an entry: whether another one follows.
    fn separator(&mut self, container: JsonContainer, open: usize) -> Result<bool, JsonFault> {
        let found = self.skip_space()?;
        let at = self.at;
        match found {
            None => Err(self.close_fault(container, open)),
            Some(',') => {
                self.at += 1;
                Ok(true)
            }
            Some(found) if found == container.close() => {
                self.at += 1;
                Ok(false)
            }
            Some(found @ (']' | '}')) => {
                let start = self.place(open);
                Err(self.fault(JsonFaultKind::CloseMarker { found, container, start }, at))
            }
            Some(other) => Err(self.character_fault(other, at, CharacterFault::Comma(container))),
        }
    }

    fn close_fault(&self, container: JsonContainer, open: usize) -> JsonFault {
        self.end_fault(EndOfInput::Close(container, self.place(open)))
    }

    /// A bare word: one of the three that JSON has, or an error.
    pub(super) fn word(&mut self, start: usize) -> Result<Json, JsonFault> {
        let mut length = 0;
        while length < WORD_MAX && self.peek().is_some_and(is_word) {
            self.next();
            length += 1;
        }
        let word = self.text.get(start..self.at).unwrap_or_default();
        let kind = match word {
            "true" => return Ok(Json::Boolean(true)),
            "false" => return Ok(Json::Boolean(false)),
            "null" => return Ok(Json::Null),
            "NaN" | "Infinity" | "-Infinity" => JsonFaultKind::NonStandardToken(word.to_owned()),
            _ => JsonFaultKind::UnknownToken { word: word.to_owned(), is_cut: length == WORD_MAX },
        };
        Err(self.fault(kind, self.at))
    }
}

/// Whether Java accepts a character in an identifier; an approximation for messages.
fn is_word(letter: char) -> bool {
    (letter.is_alphanumeric() && u32::from(letter) < 0x1_0000)
        || matches!(letter, '$' | '_' | '€' | '£' | '¥' | '¢')
}
