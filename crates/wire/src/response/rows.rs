//! [`Rows`]: a page of rows with its columns; the values stay encoded.

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
    /// The metadata of the rows.
    pub columns: ResultMetadata,
    /// The paging state, if there may be another page.
    pub paging_state: Option<Cow<'a, [u8]>>,
    /// The number of rows.
    pub count: usize,
    /// All values, row by row, each preceded by its length in four bytes; -1 is null.
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

    /// The values, row by row; `None` is null.
    pub fn values(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let mut reader = Reader::new(&self.content);
        (0..self.count.saturating_mul(self.columns.count())).map_while(move |_| reader.bytes().ok())
    }
}

/// The part of a response with rows before their values.
#[derive(Clone, Copy, Debug)]
pub struct RowsHead<'a> {
    /// The encoded columns.
    pub columns: &'a ColumnBlock,
    /// Whether the client already knows the columns.
    pub skip_columns: bool,
    /// The paging state, if there may be another page.
    pub paging_state: Option<&'a [u8]>,
    /// The number of rows.
    pub count: usize,
}

/// Appends a whole frame of rows; columns and values are copied without decoding.
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
