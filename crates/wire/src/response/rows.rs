//! [`Rows`]: a page of rows with its columns; the values stay encoded.

use std::borrow::Cow;

use super::metadata::{ColumnBlock, PageHead, ResultMetadata};
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
    /// The id of the columns, if it is not the one in the request; from version 5 on.
    pub metadata_id: Option<Cow<'a, [u8]>>,
    /// The number of rows.
    pub count: usize,
    /// All values, row by row, each preceded by its length in four bytes; -1 is null.
    pub content: Cow<'a, [u8]>,
}

impl<'a> Rows<'a> {
    pub(super) fn read(reader: &mut Reader<'a>) -> Result<Self, DecodeError> {
        let (columns, head) = ResultMetadata::read(reader)?;
        let count = reader.count(columns.count().saturating_mul(4))?;
        let content = reader.rest();
        let mut values = Reader::new(content);
        for _ in 0..count.saturating_mul(columns.count()) {
            values.bytes()?;
        }
        let length = content.len() - values.rest().len();
        let content = Cow::Borrowed(reader.take(length)?);
        let paging_state = head.state.map(Cow::Borrowed);
        let metadata_id = head.metadata_id.map(Cow::Borrowed);
        Ok(Self { columns, paging_state, metadata_id, count, content })
    }

    pub(super) fn put(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        writer::int(out, ROWS);
        let (state, metadata_id) = (self.paging_state.as_deref(), self.metadata_id.as_deref());
        self.columns.put(out, version, PageHead { state, metadata_id });
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
    /// The id of the columns, if it is not the one in the request; from version 5 on.
    pub metadata_id: Option<&'a [u8]>,
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
        let head = PageHead { state: rows.paging_state, metadata_id: rows.metadata_id };
        rows.columns.put(out, rows.skip_columns, head);
        writer::count(out, rows.count);
        out.extend_from_slice(content);
    });
}
