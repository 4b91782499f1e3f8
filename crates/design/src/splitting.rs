//! Buckets and shards, where the bound or the heat asks for them.

use model::plan::{Note, PlannedTable};

use crate::Context;

/// Gives every table from position `from` on its volume and, where the bound or the heat asks, a bucket, shards and the table
/// that remembers its oldest bucket (appended).
pub(crate) fn split(
    _context: Context<'_>,
    _tables: &mut Vec<PlannedTable>,
    _from: usize,
    _notes: &mut Vec<Note>,
) {
}
