//! JSON, read as far as it goes: of a document that is cut off, everything before the end is kept.

use super::value::DocumentValue;

/// The maximum nesting.
const DEPTH_MAX: usize = 64;

/// Reads a document, with the reason why it could not be read to its end.
pub(super) fn read(text: &str) -> (DocumentValue, Option<&'static str>) {
    let mut reader = JsonText { text, at: 0, error: None };
    let value = reader.read_value(0);
    (value.unwrap_or(DocumentValue::Null), reader.error)
}

struct JsonText<'a> {
    text: &'a str,
    at: usize,
    error: Option<&'static str>,
}

impl JsonText<'_> {
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        let blanks = rest.iter().position(|byte| !byte.is_ascii_whitespace())?;
        self.at += blanks;
        rest.get(blanks).copied()
    }

    fn fail<T>(&mut self, reason: &'static str) -> Option<T> {
        self.error.get_or_insert(reason);
        None
    }

    /// Reads a value; what is inside a list or map before an error is part of it.
    fn read_value(&mut self, depth: usize) -> Option<DocumentValue> {
        if depth > DEPTH_MAX {
            return self.fail("it is nested too deeply");
        }
        match self.peek() {
            None => self.fail("it ends before it is complete"),
            Some(b'{') => Some(self.read_map(depth)),
            Some(b'[') => Some(self.read_list(depth)),
            Some(b'"') => self.read_string().map(DocumentValue::Scalar),
            Some(_) => self.read_word(),
        }
    }

    fn read_map(&mut self, depth: usize) -> DocumentValue {
        let mut entries = Vec::new();
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'}') => {
                    self.at += 1;
                    break;
                }
                Some(b',') => self.at += 1,
                Some(b'"') => {
                    let Some(name) = self.read_string() else { break };
                    if self.peek() != Some(b':') {
                        self.fail::<()>("a colon is missing");
                        break;
                    }
                    self.at += 1;
                    let Some(value) = self.read_value(depth + 1) else { break };
                    entries.push((name, value));
                }
                Some(_) => {
                    self.fail::<()>("a name is missing");
                    break;
                }
                None => {
                    self.fail::<()>("it ends before it is complete");
                    break;
                }
            }
            if self.error.is_some() {
                break;
            }
        }
        DocumentValue::Map(entries)
    }

    fn read_list(&mut self, depth: usize) -> DocumentValue {
        let mut elements = Vec::new();
        self.at += 1;
        while self.error.is_none() {
            match self.peek() {
                Some(b']') => {
                    self.at += 1;
                    break;
                }
                Some(b',') => self.at += 1,
                _ => match self.read_value(depth + 1) {
                    Some(element) => elements.push(element),
                    None => break,
                },
            }
        }
        DocumentValue::List(elements)
    }

    /// Reads a string from its opening quote.
    fn read_string(&mut self) -> Option<String> {
        self.at += 1;
        let mut string = String::new();
        let rest = self.text.get(self.at..)?;
        let mut signs = rest.char_indices();
        while let Some((at, sign)) = signs.next() {
            match sign {
                '"' => {
                    self.at += at + 1;
                    return Some(string);
                }
                '\\' => match signs.next()?.1 {
                    'n' => string.push('\n'),
                    't' => string.push('\t'),
                    'r' => string.push('\r'),
                    'u' => {
                        let digits: String =
                            signs.by_ref().take(4).map(|(_, digit)| digit).collect();
                        let code = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                        string.push(code.unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                    other => string.push(other),
                },
                other => string.push(other),
            }
        }
        self.fail("it ends before it is complete")
    }

    /// Reads a number or one of the words.
    fn read_word(&mut self) -> Option<DocumentValue> {
        let rest = self.text.get(self.at..)?;
        let is_part = |sign: char| sign.is_ascii_alphanumeric() || matches!(sign, '+' | '-' | '.');
        let end = rest.find(|sign| !is_part(sign)).unwrap_or(rest.len());
        let word = rest.get(..end)?;
        self.at += end;
        match word {
            "" => self.fail("a value is missing"),
            "null" => Some(DocumentValue::Null),
            _ => Some(DocumentValue::Scalar(word.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents() {
        let (value, error) = read(r#"{"a": {"b": [1, -2.5e3, "x\"A\n"], "c": null}, "d": true}"#);
        assert_eq!(error, None);
        let list = value.find("a").unwrap().find("b").unwrap().elements();
        assert_eq!(list[1], DocumentValue::Scalar("-2.5e3".to_owned()));
        assert_eq!(list[2], DocumentValue::Scalar("x\"A\n".to_owned()));
        assert_eq!(value.find("d").unwrap().text(), Some("true"));
    }

    #[test]
    fn damaged_documents_keep_their_beginning() {
        let (value, error) = read(r#"{"a": {"b": 1, "c": "unfin"#);
        assert_eq!(error, Some("it ends before it is complete"));
        assert_eq!(value.find("a").unwrap().count("b"), Some(1));
        let (value, error) = read(r#"{"a": 1, b: 2}"#);
        assert_eq!((value.count("a"), error), (Some(1), Some("a name is missing")));
        assert!(read(&"[".repeat(100_000)).1.is_some());
        assert!(read("").1.is_some());
    }
}
