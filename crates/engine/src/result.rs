//! What a statement answers.

use std::sync::Arc;

use cql::types::Type;
use cql::{SchemaChange, TraceId};
use schema::bind::select::BoundSelect;

/// The answer to a request.
#[derive(Clone, Debug, Default)]
pub struct ExecutionResult {
    /// What came of it.
    pub outcome: ResultMessage,
    /// Warnings for the client.
    pub warnings: Vec<String>,
    /// The session under which `system_traces` tells of it, if that was asked for.
    pub trace_id: Option<TraceId>,
}

/// What came of a statement.
#[derive(Clone, Debug, Default)]
pub enum ResultMessage {
    /// It is done.
    #[default]
    Void,
    /// Rows.
    Rows(ResultSet),
    /// The session uses another keyspace.
    Keyspace(Box<str>),
    /// The schema changed.
    Schema(SchemaChange),
}

/// A column of a result.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultColumn {
    /// The keyspace of the table it is of.
    pub keyspace: Box<str>,
    /// The table.
    pub table: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// Its type.
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

/// Rows of a result, in the form in which the protocol sends them.
#[derive(Clone, Debug, Default)]
pub struct ResultSet {
    /// The columns.
    pub columns: Arc<[ResultColumn]>,
    /// How many rows there are.
    pub count: usize,
    /// Row after row, value after value: a length of four bytes (-1 for null) and the bytes.
    pub values: Vec<u8>,
    /// Where the next page begins, if there is one.
    pub paging_state: Option<Vec<u8>>,
}

impl ResultSet {
    /// No rows of these columns.
    pub fn new(columns: Arc<[ResultColumn]>) -> Self {
        Self { columns, ..Self::default() }
    }

    /// Adds a value; after as many as there are columns, call [`Self::end_row`].
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
    pub fn end_row(&mut self) {
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
