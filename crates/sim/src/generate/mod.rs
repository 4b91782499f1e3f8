//! A seeded generator of facts and of parameters.

mod facts;
mod random;

use model::concept::Concept;
use model::plan::Design;
use model::workload::Workload;

pub(crate) use self::facts::Facts;
pub(crate) use self::random::Random;

use crate::data::{Data, Datum};
use crate::prove::Settings;

/// Values for the parameters of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// A value for each parameter.
    pub(crate) values: Vec<Datum>,
    /// What they were chosen for.
    pub(crate) kind: Kind,
}

/// What values were chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// Those of a row that is there.
    Present,
    /// A key that is not there.
    Absent,
    /// The most popular key.
    Hot,
    /// A range that begins or ends at a value that is there, or directly beside it.
    Edge,
    /// A position or an order that several rows share.
    Tie,
}

/// The facts that a proof begins with.
pub(crate) fn data(
    concept: &Concept,
    workload: &Workload,
    design: &Design,
    settings: &Settings,
) -> Data {
    let _ = (workload, design, settings);
    Data { rows: vec![Vec::new(); concept.entities.len()] }
}

/// Values for one run of a read.
pub(crate) fn read_arguments(
    concept: &Concept,
    workload: &Workload,
    read: usize,
    now: &Facts,
    random: &mut Random,
) -> Arguments {
    let _ = (concept, now, random);
    let parameters = workload.reads.get(read).map_or(0, |read| read.parameters.len());
    Arguments { values: vec![None; parameters], kind: Kind::Absent }
}

/// Values for one run of a write that meet what its plan asks for; `None` where the facts at hand allow none.
pub(crate) fn write_arguments(
    concept: &Concept,
    workload: &Workload,
    write: usize,
    now: &Facts,
    random: &mut Random,
) -> Option<Arguments> {
    let _ = (concept, workload, write, now, random);
    None
}
