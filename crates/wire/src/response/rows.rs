//! Rows: their columns, and values that are already bytes.

use std::borrow::Cow;

use super::metadata::{ColumnBlock, ResultMetadata};
use super::{ROWS, ResponseHead, encode_with};
use crate::opcode::Opcode;
use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::writer;

/// One page of rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows<'a> {
    /// Their columns.
    pub columns: ResultMetadata,
    /// Where the next page starts, if there is one.
    pub paging_state: Option<Cow<'a, [u8]>>,
    /// How many rows.
    pub count: usize,
    /// All values, row by row, each after its length in four bytes; -1 is null.
    pub content: Cow<'a, [u8]>,
}

impl<'a> Rows<'a> {
    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let (columns, paging_state) = ResultMetadata::read(reader)?;
        let count = reader.count(columns.count().saturating_mul(4))?;
        let content = reader.rest();
        let mut values = Reader::new(content);
        for _ in 0..count.saturating_mul(columns.count()) {
            values.bytes()?;
        }
        let length = content.len() - values.rest().len();
        let content = Cow::Borrowed(reader.take(length)?);
        Ok(Self { columns, paging_state: paging_state.map(Cow::Borrowed), count, content })
    }

    pub(super) fn put(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        writer::int(out, ROWS);
        self.columns.put(out, version, self.paging_state.as_deref());
        writer::count(out, self.count);
        out.extend_from_slice(&self.content);
    }

    /// The values, row after row; none is null.
    pub fn values(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let mut reader = Reader::new(&self.content);
        (0..self.count.saturating_mul(self.columns.count())).map_while(move |_| reader.bytes().ok())
    }
}

/// What an answer of rows says before their values.
#[derive(Clone, Copy, Debug)]
pub struct RowsHead<'a> {
    /// The columns, encoded before.
    pub columns: &'a ColumnBlock,
    /// Whether the client knows them already.
    pub skip_columns: bool,
    /// Where the next page starts, if there is one.
    pub paging_state: Option<&'a [u8]>,
    /// How many rows.
    pub count: usize,
}

/// Appends a whole frame of rows: columns and values are copied as they are.
pub fn encode_rows(
    head: &ResponseHead<'_>,
    rows: &RowsHead<'_>,
    content: &[u8],
    out: &mut Vec<u8>,
) {
    encode_with(head, Opcode::Result, out, |out| {
        writer::int(out, ROWS);
        rows.columns.put(out, rows.skip_columns, rows.paging_state);
        writer::count(out, rows.count);
        out.extend_from_slice(content);
    });
}
