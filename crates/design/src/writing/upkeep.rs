//! What writes do to keep one table up, and what they must read first: for the search, which has no tables yet.

use std::collections::BTreeSet;

use model::plan::{Effort, PlannedTable};
use model::workload::{Column, Read};

use super::request::Request;
use crate::Context;
use crate::search::frame::Frame;

/// What a write does to keep one table up.
#[derive(Clone, Debug)]
pub(crate) struct Upkeep {
    /// The write.
    pub(crate) write: usize,
    /// What its statements on the table take, with reads of the very table, each time the write runs.
    pub(crate) effort: Effort,
    /// What it must read first, from whichever table has it.
    pub(crate) wishes: Vec<Wish>,
}

/// Rows that a write must read first.
#[derive(Clone, Debug)]
pub(crate) struct Wish {
    /// The write.
    pub(crate) write: usize,
    /// The same for all wishes of the write that one statement can fulfil, whatever columns each wants.
    pub(crate) like: String,
    request: Request,
}

/// How a frame fulfils a wish.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    /// Columns that the frame must have beside its key.
    pub(crate) columns: BTreeSet<Column>,
    /// What the read takes, each time the write runs.
    pub(crate) effort: Effort,
}

/// What each write does to keep a table up, in the order of the writes; only those that touch it. `None` when one cannot.
pub(crate) fn of(context: Context<'_>, table: &PlannedTable) -> Option<Vec<Upkeep>> {
    let _ = (context, table);
    Some(Vec::new())
}

impl Wish {
    /// How a frame fulfils it, if it does.
    pub(crate) fn answer(&self, context: Context<'_>, frame: &Frame) -> Option<Answer> {
        let _ = (context, frame, &self.request);
        None
    }

    /// As a read, for which frames can be made; `None` when there can be none.
    pub(crate) fn read(&self, context: Context<'_>) -> Option<Read> {
        let _ = (context, &self.request);
        None
    }
}
