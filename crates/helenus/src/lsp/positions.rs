//! Conversions between byte offsets and the editor's lines and characters.

use cql::Span;
use serde_json::{Value, json};

/// The unit in which the editor counts characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum PositionEncoding {
    Utf8,
    #[default]
    Utf16,
}

/// The offsets at which the lines of a text start.
#[derive(Debug, Default)]
pub(super) struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    pub(super) fn new(text: &str) -> Self {
        let ends = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        Self { starts: std::iter::once(0).chain(ends.map(|(at, _)| at + 1)).collect() }
    }

    /// The offset of an editor's position; positions beyond the line or text are moved to its end.
    pub(super) fn offset(&self, text: &str, position: &Value, encoding: PositionEncoding) -> usize {
        let number = |value: &Value| usize::try_from(value.as_u64().unwrap_or(0)).unwrap_or(0);
        let (line, character) = (number(&position["line"]), number(&position["character"]));
        let Some(start) = self.starts.get(line).copied() else { return text.len() };
        let rest = text.get(start..).unwrap_or_default();
        let rest = rest.split('\n').next().unwrap_or_default();
        let mut counted = 0;
        for (at, character_at) in rest.char_indices() {
            if counted >= character {
                return start + at;
            }
            counted += match encoding {
                PositionEncoding::Utf8 => character_at.len_utf8(),
                PositionEncoding::Utf16 => character_at.len_utf16(),
            };
        }
        start + rest.len()
    }

    /// The editor's position of an offset.
    pub(super) fn position(&self, text: &str, offset: usize, encoding: PositionEncoding) -> Value {
        let offset = offset.min(text.len());
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let before = text.get(start..offset).unwrap_or_default();
        let character = match encoding {
            PositionEncoding::Utf8 => before.len(),
            PositionEncoding::Utf16 => before.encode_utf16().count(),
        };
        json!({ "line": line, "character": character })
    }

    /// The editor's range of a span.
    pub(super) fn range(&self, text: &str, span: Span, encoding: PositionEncoding) -> Value {
        json!({
            "start": self.position(text, span.start as usize, encoding),
            "end": self.position(text, span.end as usize, encoding),
        })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{LineIndex, PositionEncoding};

    #[test]
    fn offsets_and_positions_are_inverse() {
        let text = "a\né𝄞b\n\nlast";
        let lines = LineIndex::new(text);
        for encoding in [PositionEncoding::Utf8, PositionEncoding::Utf16] {
            for (at, _) in text.char_indices() {
                let position = lines.position(text, at, encoding);
                assert_eq!(lines.offset(text, &position, encoding), at, "{position}");
            }
        }
        let beyond = json!({"line": 9, "character": 0});
        assert_eq!(lines.offset(text, &beyond, PositionEncoding::Utf16), text.len());
        let position = lines.position(text, text.find('b').unwrap(), PositionEncoding::Utf16);
        assert_eq!(position, json!({"line": 1, "character": 3}));
    }
}
