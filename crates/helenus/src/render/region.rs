//! A span as a file with lines and columns, for formats that machines read.

use cql::Span;
use serde_json::{Map, Value, json};

use crate::source::{LineColumn, Source};

/// The location of a span.
pub(crate) struct Region<'a> {
    pub(crate) file: &'a str,
    pub(crate) start: LineColumn,
    pub(crate) end: LineColumn,
}

impl<'a> Region<'a> {
    /// The location of a span in a source.
    pub(crate) fn new(source: &'a Source, span: Span) -> Self {
        let position = |offset: u32| source.line_column(offset as usize);
        Self { file: &source.name, start: position(span.start), end: position(span.end) }
    }

    /// Its fields in our JSON objects.
    pub(crate) fn json_fields(&self) -> Map<String, Value> {
        let fields: [(&str, Value); 5] = [
            ("file", self.file.into()),
            ("line", self.start.line.into()),
            ("column", self.start.column.into()),
            ("endLine", self.end.line.into()),
            ("endColumn", self.end.column.into()),
        ];
        fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The server's error code, as messages print it.
pub(crate) fn server_code(error: Option<cql::ErrorCode>) -> Value {
    json!(error.map(|error| format!("0x{:04X}", error.number())))
}
