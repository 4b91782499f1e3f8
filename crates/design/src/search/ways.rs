//! How a read can be answered from candidate tables.

use std::collections::BTreeSet;

use model::plan::{Effort, Part};
use model::workload::{Column, Read};

use super::frame::Frame;
use crate::Context;

/// A way to answer a read from a frame, perhaps with more reads before or after.
#[derive(Clone, Debug)]
pub(crate) struct ReadWay {
    /// The frame that has the rows; `None` where the rows, too, are one of the reads asked for.
    pub(crate) main: Option<Main>,
    /// What is read beside it.
    pub(crate) asks: Vec<Asks>,
    /// A few words for reports, such as `index and 20 lookups`.
    pub(crate) words: String,
}

/// The frame that has the rows of a read.
#[derive(Clone, Debug)]
pub(crate) struct Main {
    /// The frame's position.
    pub(crate) frame: usize,
    /// For each source of the read the source of the frame that it is; `None` where it is left to a lookup.
    pub(crate) sources: Vec<Option<usize>>,
    /// Columns that it must have beside its key.
    pub(crate) columns: BTreeSet<Column>,
    /// What its statements take, each time the read runs.
    pub(crate) effort: Effort,
    /// The table would be larger than the bound, or hotter, and nothing splits it: why it cannot be used.
    pub(crate) beyond: Option<String>,
}

/// A further read that a way asks for.
#[derive(Clone, Debug)]
pub(crate) struct Asks {
    /// The read, made for this.
    pub(crate) read: Read,
    /// For each of its sources the source of the read that it is made for.
    pub(crate) sources: Vec<usize>,
    /// How often it runs each time the read runs, all at once (`crate::cost::at_once`).
    pub(crate) times: f64,
    /// What it is for.
    pub(crate) part: Part,
}

/// The ways to answer a read from these frames. `parts`: also those that ask for further reads.
pub(crate) fn ways(
    context: Context<'_>,
    frames: &[Frame],
    read: &Read,
    parts: bool,
) -> Vec<ReadWay> {
    let _ = (context, frames, read, parts);
    Vec::new()
}

/// The further reads that ways of a read may ask for: what frames are to be made for beside the read itself.
pub(crate) fn further(context: Context<'_>, read: &Read) -> Vec<Asks> {
    let _ = (context, read);
    Vec::new()
}
