//! [`Batch`]: several statements in one request.

use cql::BatchKind;
use cql::protocol::MarkerValue;

use super::QueryOptions;
use crate::protocol_version::ProtocolVersion;
use crate::reader::{DecodeError, Reader};
use crate::{values, writer};

/// A batch. Named values are not allowed: the names are in the options, but the values come before
/// them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch<'a> {
    /// Logged, unlogged or counter.
    pub kind: BatchKind,
    /// The statements, in order.
    pub statements: Vec<BatchStatement<'a>>,
    /// The options of the whole batch.
    pub options: QueryOptions<'a>,
}

/// A statement of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchStatement<'a> {
    /// The text or id of the statement.
    pub text: StatementRef<'a>,
    /// The values of its markers.
    pub values: Vec<MarkerValue<'a>>,
}

/// A statement by its text, or by the id under which it was prepared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementRef<'a> {
    /// The text of a statement.
    Text(&'a str),
    /// The id of a prepared statement.
    Prepared(&'a [u8]),
}

impl<'a> Batch<'a> {
    pub(super) fn read(
        reader: &mut Reader<'a>,
        version: ProtocolVersion,
    ) -> Result<Self, DecodeError> {
        let kind = reader.byte()?;
        let count = reader.short()?;
        let statements = (0..count).map(|_| BatchStatement::read(reader, version));
        let statements = statements.collect::<Result<_, _>>()?;
        let options = QueryOptions::read(reader, version)?;
        let kind = match kind {
            0 => BatchKind::Logged,
            1 => BatchKind::Unlogged,
            2 => BatchKind::Counter,
            _ => {
                let number = kind.cast_signed();
                return Err(DecodeError::protocol(format!("Invalid BATCH message type {number}")));
            }
        };
        Ok(Self { kind, statements, options })
    }

    pub(super) fn put(&self, out: &mut Vec<u8>, version: ProtocolVersion) {
        out.push(match self.kind {
            BatchKind::Logged => 0,
            BatchKind::Unlogged => 1,
            BatchKind::Counter => 2,
        });
        let count = writer::short_count(out, self.statements.len());
        for statement in self.statements.iter().take(count) {
            match statement.text {
                StatementRef::Text(text) => {
                    out.push(0);
                    writer::long_string(out, text);
                }
                StatementRef::Prepared(id) => {
                    out.push(1);
                    writer::short_bytes(out, id);
                }
            }
            values::put_positional(out, &statement.values);
        }
        self.options.put(out, version);
    }
}

impl<'a> BatchStatement<'a> {
    fn read(reader: &mut Reader<'a>, version: ProtocolVersion) -> Result<Self, DecodeError> {
        let text = match reader.byte()? {
            0 => StatementRef::Text(reader.long_string()?),
            1 => StatementRef::Prepared(reader.short_bytes()?),
            kind => {
                return Err(DecodeError::protocol(format!(
                    "Invalid query kind in BATCH messages. Must be 0 or 1 but got {}",
                    kind.cast_signed()
                )));
            }
        };
        Ok(Self { text, values: values::read_positional(reader, version)? })
    }
}
