//! What a node answers: results, refusals and the warnings that come with either.

use std::fmt::Write;
use std::io;

use cql::types::Type;

use super::bytes::{AnswerReader, format_error};
use super::types;

const ERROR: u8 = 0x00;
const READY: u8 = 0x02;
const RESULT: u8 = 0x08;

const FLAG_TRACING: u8 = 0x02;
const FLAG_PAYLOAD: u8 = 0x04;
const FLAG_WARNING: u8 = 0x08;

/// The header of an answer, as far as it matters for its body.
pub(super) struct AnswerHeader {
    pub(super) version: u8,
    pub(super) flags: u8,
    pub(super) opcode: u8,
}

/// The whole answer to one request.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// Warnings, in the order sent.
    pub(crate) warnings: Vec<String>,
    /// The result or the refusal.
    pub(crate) result: Result<Answer, Refusal>,
}

/// An ERROR message; the fields beyond code and text are not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: u32,
    pub(crate) message: String,
}

/// A result.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// Done; nothing to show (also the answer to STARTUP, USE and schema changes).
    Done,
    Rows(Page),
    Prepared(PreparedStatement),
}

/// A column of a result, or a bind marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColumnSpec {
    pub(crate) name: String,
    pub(crate) ty: Type,
}

/// One page of rows; the cells are serialised values, nothing is null.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    pub(crate) columns: Vec<ColumnSpec>,
    pub(crate) rows: Vec<Vec<Option<Vec<u8>>>>,
    /// Where the next page begins, if there may be one.
    pub(crate) paging_state: Option<Vec<u8>>,
}

/// What PREPARE tells of a statement.
#[derive(Clone, Debug)]
pub(crate) struct PreparedStatement {
    pub(crate) id: Vec<u8>,
    /// The id of the result columns; v5 only.
    pub(crate) result_id: Vec<u8>,
    pub(crate) markers: Vec<ColumnSpec>,
    /// Which markers form the partition key, in its order; empty when they do not.
    pub(crate) key_markers: Vec<u16>,
    pub(crate) columns: Vec<ColumnSpec>,
}

impl PreparedStatement {
    /// The markers in a line: `pk int, v text | key 0`.
    pub(crate) fn markers_line(&self) -> String {
        let mut line = spell(&self.markers);
        if !self.key_markers.is_empty() {
            let key: Vec<_> = self.key_markers.iter().map(ToString::to_string).collect();
            let _ = write!(line, " | key {}", key.join(" "));
        }
        line
    }

    /// The result columns in a line: `pk int, v text`.
    pub(crate) fn columns_line(&self) -> String {
        spell(&self.columns)
    }
}

/// Columns in a line.
pub(crate) fn spell(columns: &[ColumnSpec]) -> String {
    columns
        .iter()
        .map(|column| format!("{} {}", column.name, types::spell(&column.ty)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Reads an answer's body.
pub(super) fn decode(frame: &AnswerHeader, reader: &mut AnswerReader<'_>) -> io::Result<Outcome> {
    if frame.flags & FLAG_TRACING != 0 {
        reader.take(16)?;
    }
    let mut warnings = Vec::new();
    if frame.flags & FLAG_WARNING != 0 {
        for _ in 0..reader.short()? {
            warnings.push(reader.string()?);
        }
    }
    if frame.flags & FLAG_PAYLOAD != 0 {
        for _ in 0..reader.short()? {
            reader.string()?;
            reader.bytes()?;
        }
    }
    let result = match frame.opcode {
        ERROR => Err(Refusal { code: reader.int()?.cast_unsigned(), message: reader.string()? }),
        READY => Ok(Answer::Done),
        RESULT => Ok(decode_result(frame.version, reader)?),
        _ => return Err(format_error("an answer of an unknown kind")),
    };
    Ok(Outcome { warnings, result })
}

fn decode_result(version: u8, reader: &mut AnswerReader<'_>) -> io::Result<Answer> {
    match reader.int()? {
        1 | 3 | 5 => Ok(Answer::Done),
        2 => decode_rows(reader).map(Answer::Rows),
        4 => decode_prepared(version, reader).map(Answer::Prepared),
        _ => Err(format_error("a result of an unknown kind")),
    }
}

fn decode_rows(reader: &mut AnswerReader<'_>) -> io::Result<Page> {
    let (columns, paging_state) = decode_metadata(reader)?;
    let count = reader.count()?;
    let mut rows = Vec::new();
    for _ in 0..count {
        rows.push(columns.iter().map(|_| reader.bytes()).collect::<io::Result<Vec<_>>>()?);
    }
    Ok(Page { columns, rows, paging_state })
}

fn decode_prepared(version: u8, reader: &mut AnswerReader<'_>) -> io::Result<PreparedStatement> {
    let id = reader.short_bytes()?;
    let result_id = if version >= 5 { reader.short_bytes()? } else { Vec::new() };
    let flags = reader.int()?;
    let count = reader.count()?;
    let key_markers =
        (0..reader.count()?).map(|_| reader.short()).collect::<io::Result<Vec<_>>>()?;
    let markers = decode_columns(reader, flags, count)?;
    let (columns, _) = decode_metadata(reader)?;
    Ok(PreparedStatement { id, result_id, markers, key_markers, columns })
}

/// The columns of a result and where its next page begins; a changed id comes with them, which nobody here asks for.
fn decode_metadata(
    reader: &mut AnswerReader<'_>,
) -> io::Result<(Vec<ColumnSpec>, Option<Vec<u8>>)> {
    let flags = reader.int()?;
    let count = reader.count()?;
    let paging_state = if flags & 2 == 0 { None } else { reader.bytes()? };
    if flags & 8 != 0 {
        reader.short_bytes()?;
    }
    let columns = if flags & 4 != 0 { Vec::new() } else { decode_columns(reader, flags, count)? };
    Ok((columns, paging_state))
}

fn decode_columns(
    reader: &mut AnswerReader<'_>,
    flags: i32,
    count: usize,
) -> io::Result<Vec<ColumnSpec>> {
    let one_table = flags & 1 != 0;
    if one_table {
        reader.string()?;
        reader.string()?;
    }
    (0..count).map(|_| decode_column(reader, one_table)).collect()
}

fn decode_column(reader: &mut AnswerReader<'_>, one_table: bool) -> io::Result<ColumnSpec> {
    if !one_table {
        reader.string()?;
        reader.string()?;
    }
    Ok(ColumnSpec { name: reader.string()?, ty: types::read(reader)? })
}
