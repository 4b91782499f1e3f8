//! What a write returns.

use super::{ComputedOutput, Output, OutputValue, Source};
use crate::id::AttributeId;

/// RETURNING: a row for each row that the write inserts, changes or deletes. Values are those after
/// the write; those before it where the row is deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Returning {
    /// The table written.
    pub source: Source,
    /// The columns, of source 0.
    pub outputs: Vec<Output>,
    /// What the client computes from them; empty where it returns them as they are.
    pub computed: Vec<ComputedOutput>,
    /// `:many`: all rows are returned; else the first.
    pub many: bool,
}

impl Returning {
    /// The attributes that are returned, in the order of the outputs.
    pub fn attributes(&self) -> impl Iterator<Item = AttributeId> + '_ {
        self.outputs.iter().filter_map(|output| match output.value {
            OutputValue::Column(column) => Some(column.attribute),
            _ => None,
        })
    }

    /// The names of what is returned.
    pub fn names(&self) -> Vec<&str> {
        if self.computed.is_empty() {
            return self.outputs.iter().map(|output| output.name.as_str()).collect();
        }
        self.computed.iter().map(|result| result.name.as_str()).collect()
    }
}
