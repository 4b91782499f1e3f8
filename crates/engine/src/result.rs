//! [`ExecutionResult`]: the result of a statement: void, a result set, a keyspace or a schema
//! change, with warnings.

use std::sync::Arc;

use cql::types::Type;
use cql::{SchemaChange, TraceId};
use schema::bind::select::BoundSelect;
use storage::commit_log::LogPosition;

/// The result of executing a statement.
#[derive(Clone, Debug, Default)]
pub struct ExecutionResult {
    /// The result message.
    pub outcome: ResultMessage,
    /// Warnings for the client.
    pub warnings: Vec<String>,
    /// The id of its session in `system_traces`, if it was traced.
    pub trace_id: Option<TraceId>,
    /// The position of the log that must be acknowledged before the client gets the result
    /// ([`Database::acknowledge`]); always `None` unless the session defers this.
    ///
    /// [`Database::acknowledge`]: crate::Database::acknowledge
    pub unacknowledged: Option<LogPosition>,
}

/// The kinds of results, as Cassandra's `ResultMessage`.
#[derive(Clone, Debug, Default)]
pub enum ResultMessage {
    /// No result.
    #[default]
    Void,
    /// A result set.
    Rows(ResultSet),
    /// USE: the keyspace that is now in use.
    Keyspace(Box<str>),
    /// A schema change.
    Schema(SchemaChange),
}

/// A column of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultColumn {
    /// The keyspace of its table.
    pub keyspace: Box<str>,
    /// The name of its table.
    pub table: Box<str>,
    /// The name of the column.
    pub name: Box<str>,
    /// The type of its values.
    pub ty: Type,
}

impl ResultColumn {
    /// The columns of a SELECT's result.
    pub(crate) fn for_select(select: &BoundSelect) -> Arc<[Self]> {
        let columns = select.selection.result_columns().into_iter().map(|(name, ty)| Self {
            keyspace: select.table.keyspace.clone(),
            table: select.table.name.clone(),
            name: name.into(),
            ty,
        });
        columns.collect()
    }
}

/// The rows of a result, in the encoding of the protocol.
#[derive(Clone, Debug, Default)]
pub struct ResultSet {
    /// The columns.
    pub columns: Arc<[ResultColumn]>,
    /// The number of rows.
    pub count: usize,
    /// The values, row by row, each preceded by a length of four bytes (-1 for null).
    pub values: Vec<u8>,
    /// The paging state, if there may be another page.
    pub paging_state: Option<Vec<u8>>,
}

impl ResultSet {
    /// A result without rows.
    pub fn new(columns: Arc<[ResultColumn]>) -> Self {
        Self { columns, ..Self::default() }
    }

    /// Adds a value; after as many as there are columns, call `end_row`.
    pub fn push(&mut self, value: Option<&[u8]>) {
        match value {
            None => self.values.extend((-1_i32).to_be_bytes()),
            Some(value) => {
                let length = i32::try_from(value.len()).unwrap_or(i32::MAX);
                self.values.extend(length.to_be_bytes());
                self.values.extend_from_slice(value);
            }
        }
    }

    /// Ends a row.
    pub(crate) fn end_row(&mut self) {
        self.count += 1;
    }

    /// The rows, each with as many values as there are columns.
    pub fn iter(&self) -> impl Iterator<Item = Vec<Option<&[u8]>>> {
        let mut rest = &self.values[..];
        (0..self.count)
            .map(move |_| (0..self.columns.len()).map(|_| take_value(&mut rest)).collect())
    }
}

fn take_value<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let (length, tail) = rest.split_first_chunk()?;
    *rest = tail;
    let length = usize::try_from(i32::from_be_bytes(*length)).ok()?;
    let (value, tail) = rest.split_at_checked(length)?;
    *rest = tail;
    Some(value)
}
