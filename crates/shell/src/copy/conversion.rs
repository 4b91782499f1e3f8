//! Converts the fields of CSV files into values.

use std::cmp::Ordering;

use cql::types::{NativeType, Type};
use cql::value;

use super::super::cell::CellFormat;
use super::super::timestamp;

/// Converts fields in the format in which COPY TO writes them.
pub(super) struct FieldConverter<'a> {
    pub(super) format: &'a CellFormat,
    /// Whether the user gave a pattern for timestamps.
    pub(super) has_pattern: bool,
}

type ConversionResult = Result<Vec<u8>, String>;

impl FieldConverter<'_> {
    /// The serialised value of a field; `None` for null.
    pub(crate) fn convert_field(&self, ty: &Type, text: &str) -> Result<Option<Vec<u8>>, String> {
        if text == self.format.null {
            return Ok(None);
        }
        // If another text stands for null, an empty field is an empty text; other types have no
        // empty values.
        let is_text =
            matches!(ty, Type::Native(NativeType::Text | NativeType::Ascii | NativeType::Blob));
        if text.is_empty() && !is_text {
            return Ok(None);
        }
        self.convert_value(ty, text)
            .map(Some)
            .map_err(|reason| format!("Failed to parse {text} : {reason}"))
    }

    fn convert_value(&self, ty: &Type, text: &str) -> ConversionResult {
        match ty {
            Type::Native(native) => self.convert_native(*native, text),
            Type::List(element, _) => join(ty, &self.elements(text, element)?),
            Type::Set(element, _) => {
                let mut elements = self.elements(text, element)?;
                elements.sort_by(|a, b| compare(element, a.as_deref(), b.as_deref()));
                elements.dedup();
                join(ty, &elements)
            }
            Type::Map(entry, _) => self.map(ty, entry, text),
            Type::Tuple(types) => {
                let parts = split(text, ',')?;
                let read = |(ty, part): (&Type, &str)| self.convert_optional(ty, part);
                let parts: Result<Vec<_>, _> = types.iter().zip(parts).map(read).collect();
                join(ty, &parts?)
            }
            Type::User(user, _) => {
                let mut fields = Vec::new();
                for entry in split(text, ',')? {
                    let (name, value) = pair(entry)?;
                    fields.push((unquote(name), value));
                }
                let read = |(name, ty): &(Box<str>, Type)| {
                    let given = fields.iter().find(|(known, _)| **known == **name);
                    given.map_or(Ok(None), |(_, value)| self.convert_optional(ty, value))
                };
                let parts: Result<Vec<_>, _> = user.fields.iter().map(read).collect();
                join(ty, &parts?)
            }
            Type::Vector(element, dimension) => {
                let elements = self.elements(text, element)?;
                if u32::try_from(elements.len()) != Ok(*dimension) {
                    return Err(format!(
                        "The length of given vector value '{}' is not equal to the vector size from the type definition '{dimension}'",
                        elements.len()
                    ));
                }
                join(ty, &elements)
            }
            Type::Custom(_) => self.convert_native(NativeType::Blob, text),
        }
    }

    fn map(&self, ty: &Type, entry: &(Type, Type), text: &str) -> ConversionResult {
        let mut entries = Vec::new();
        for part in split(text, ',')? {
            let (key, value) = pair(part)?;
            let key = self.convert_value(&entry.0, &unquote(key))?;
            entries.push((key, self.convert_value(&entry.1, &unquote(value))?));
        }
        entries.sort_by(|a, b| compare(&entry.0, Some(&a.0), Some(&b.0)));
        entries.dedup_by(|a, b| a.0 == b.0);
        let parts: Vec<_> = entries.into_iter().flat_map(|(k, v)| [Some(k), Some(v)]).collect();
        join(ty, &parts)
    }

    fn elements(&self, text: &str, ty: &Type) -> Result<Vec<Option<Vec<u8>>>, String> {
        split(text, ',')?
            .into_iter()
            .map(|part| self.convert_value(ty, &unquote(part)).map(Some))
            .collect()
    }

    /// Converts a component of a tuple or user type, which may be null.
    fn convert_optional(&self, ty: &Type, text: &str) -> Result<Option<Vec<u8>>, String> {
        let is_quoted = text.trim().starts_with('\'');
        let text = unquote(text);
        if !is_quoted && (text == "None" || text == "null" || text == self.format.null) {
            return Ok(None);
        }
        self.convert_value(ty, &text).map(Some)
    }

    fn convert_native(&self, native: NativeType, text: &str) -> ConversionResult {
        let (yes, no) = &self.format.booleans;
        let (point, thousands) = &self.format.separators;
        let read = |native: NativeType, text: &str| {
            let bytes = value::from_text(&Type::Native(native), text, 0);
            bytes.map_err(|error| error.to_string())
        };
        let number = |text: &str| {
            let text = text.trim();
            let text =
                if thousands.is_empty() { text.to_owned() } else { text.replace(&**thousands, "") };
            if point == "." || point.is_empty() { text } else { text.replace(&**point, ".") }
        };
        match native {
            NativeType::Text | NativeType::Ascii => read(native, text),
            NativeType::Blob => match text.strip_prefix("0x") {
                Some(digits) => read(native, digits),
                None if text.is_empty() => Ok(Vec::new()),
                None => Err("a blob must start with 0x".to_owned()),
            },
            NativeType::Boolean if text.eq_ignore_ascii_case(yes) => Ok(vec![1]),
            NativeType::Boolean if text.eq_ignore_ascii_case(no) => Ok(vec![0]),
            NativeType::Boolean => Err(format!("expected {yes} or {no}")),
            NativeType::Counter => read(NativeType::Bigint, &number(text)),
            _ if native.is_number() => read(native, &number(text)),
            NativeType::Timestamp => self.timestamp(text.trim()),
            _ => read(native, text.trim()),
        }
    }

    /// Parses a timestamp by the user's pattern, by cqlsh's, or as a CQL literal.
    fn timestamp(&self, text: &str) -> ConversionResult {
        let by_pattern = || timestamp::parse(text, &self.format.timestamp_pattern);
        let by_default = || timestamp::parse(text, timestamp::DEFAULT_PATTERN);
        let millis = if self.has_pattern { by_pattern().or_else(by_default) } else { by_default() };
        if let Some(millis) = millis {
            return Ok(millis.to_be_bytes().to_vec());
        }
        let bytes = value::from_text(&Type::Native(NativeType::Timestamp), text, 0);
        bytes.map_err(|error| error.to_string())
    }
}

fn compare(ty: &Type, a: Option<&[u8]>, b: Option<&[u8]>) -> Ordering {
    value::compare(ty, a.unwrap_or_default(), b.unwrap_or_default())
}

fn join(ty: &Type, parts: &[Option<Vec<u8>>]) -> ConversionResult {
    value::join(ty, parts).map_err(|error| error.to_string())
}

/// The key and the value of `key: value`.
fn pair(entry: &str) -> Result<(&str, &str), String> {
    let parts = split_open(entry, ':');
    match parts[..] {
        [key, value] => Ok((key, value)),
        _ => Err(format!("expected 'key: value', found '{entry}'")),
    }
}

/// Splits the text between the outermost brackets at a separator.
fn split(text: &str, separator: char) -> Result<Vec<&str>, String> {
    let text = text.trim();
    let within = [("[", "]"), ("{", "}"), ("(", ")")].into_iter().find_map(|(open, close)| {
        text.strip_prefix(open).and_then(|text| text.strip_suffix(close))
    });
    match within {
        Some(within) if within.trim().is_empty() => Ok(Vec::new()),
        Some(within) => Ok(split_open(within, separator)),
        None => Err(format!(
            "Invalid composite string, it should start and end with matching parentheses: {text}"
        )),
    }
}

/// Splits a text at a separator outside quotes and brackets; at the first one only if it is a
/// colon.
fn split_open(text: &str, separator: char) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut level, mut is_quoted) = (0, 0_i32, false);
    for (at, character) in text.char_indices() {
        match character {
            '\'' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            '[' | '{' | '(' => level += 1,
            ']' | '}' | ')' => level -= 1,
            _ if character == separator && level == 0 && (separator != ':' || parts.is_empty()) => {
                parts.push(text.get(start..at).unwrap_or_default());
                start = at + character.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default());
    parts
}

/// Removes the quotes around a part.
fn unquote(text: &str) -> String {
    let text = text.trim();
    match text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        Some(within) => within.replace("''", "'"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::CopyOptions;
    use super::*;

    /// Types, each with formatted values.
    fn types() -> Vec<(Type, Vec<&'static str>)> {
        use cql::types::Frozenness;
        let native = Type::Native;
        let list = |ty: Type| Type::List(ty.into(), Frozenness::Yes);
        let pair = |a: NativeType, b: Type| Type::Map((native(a), b).into(), Frozenness::Yes);
        vec![
            (native(NativeType::Int), vec!["-5"]),
            (native(NativeType::Text), vec!["a\\b\n'", "[x"]),
            (native(NativeType::Blob), vec!["0x00ff"]),
            (native(NativeType::Boolean), vec!["True", "False"]),
            (native(NativeType::Timestamp), vec!["2026-01-01 12:00:00.123+0000"]),
            (native(NativeType::Double), vec!["3.14159265359", "NaN", "-Infinity", "1e+100"]),
            (native(NativeType::Duration), vec!["1mo2d3h"]),
            (list(native(NativeType::Text)), vec!["['x', 'it''s, {so}', '']", "[]"]),
            (Type::Set(native(NativeType::Int).into(), Frozenness::Yes), vec!["{1, 2}"]),
            (
                pair(NativeType::Text, list(native(NativeType::Int))),
                vec!["{'a:b': [1, 2], 'c': []}"],
            ),
            (
                pair(NativeType::Timestamp, native(NativeType::Inet)),
                vec!["{'2026-01-01 00:00:00.000+0000': '::1'}"],
            ),
            (
                Type::Tuple([native(NativeType::Int), native(NativeType::Text)].into()),
                vec!["(1, 'x')", "(None, None)", "(1, 'None')"],
            ),
            (Type::Vector(native(NativeType::Float).into(), 2), vec!["[1, 0.5]"]),
        ]
    }

    #[test]
    fn values_survive_a_round_trip() {
        let options = CopyOptions::default();
        let converter = FieldConverter { format: &options.format, has_pattern: false };
        for (ty, texts) in types() {
            for text in texts {
                let bytes = converter.convert_field(&ty, text).unwrap();
                assert_eq!(options.format.value(&ty, bytes.as_deref()).text, text);
            }
            assert_eq!(converter.convert_field(&ty, ""), Ok(None));
        }
    }

    #[test]
    fn invalid_fields_are_errors() {
        let options = CopyOptions::default();
        let converter = FieldConverter { format: &options.format, has_pattern: false };
        for (ty, text) in [
            (Type::Native(NativeType::Int), "x"),
            (Type::Native(NativeType::Boolean), "maybe"),
            (Type::Native(NativeType::Blob), "00"),
            (Type::Vector(Type::Native(NativeType::Float).into(), 2), "[1]"),
            (Type::List(Type::Native(NativeType::Int).into(), cql::types::Frozenness::Yes), "1"),
        ] {
            assert!(converter.convert_field(&ty, text).is_err(), "{text}");
        }
    }
}
