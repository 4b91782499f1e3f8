//! A statement of a workload.

/// A statement and how it is sent.
#[derive(Clone, Debug)]
pub(super) struct WorkloadStatement {
    pub(super) text: String,
    /// The timestamp that comes beside the text.
    pub(super) timestamp: Option<i64>,
    /// Rows in a page of the answer.
    pub(super) page_size: Option<i32>,
    /// The tables it is about, by their numbers.
    pub(super) tables: Vec<usize>,
}

impl WorkloadStatement {
    /// A statement that changes a table.
    pub(super) fn write(text: String, tables: Vec<usize>) -> Self {
        Self { text, timestamp: None, page_size: None, tables }
    }

    /// A question about a table.
    pub(super) fn read(text: String, table: usize, page_size: Option<i32>) -> Self {
        Self { text, timestamp: None, page_size, tables: vec![table] }
    }

    /// The statement to paste, with a word on what the text does not say.
    pub(super) fn spell(&self) -> String {
        let beside = self.timestamp.map(|micros| format!(" -- timestamp {micros} beside it"));
        let pages = self.page_size.map(|rows| format!(" -- pages of {rows}"));
        format!("{};{}{}", self.text, beside.unwrap_or_default(), pages.unwrap_or_default())
    }
}
