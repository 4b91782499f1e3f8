//! A seeded generator of facts and of parameters.

mod calendar;
mod change;
mod condition;
mod counts;
mod crowd;
mod domain;
mod facts;
mod random;
mod read;
mod rows;
mod store;
#[cfg(test)]
mod tests;
mod times;
mod usage;
mod value;
mod witness;
mod write;

use model::concept::Concept;
use model::id::{Numbered, ReadId, WriteId};
use model::plan::Design;
use model::workload::Workload;

pub(crate) use self::crowd::LIMIT_MOST;
pub(crate) use self::facts::Facts;
pub(crate) use self::random::Random;

use crate::data::{Data, Datum};
use crate::subject::Settings;

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
    let mut facts = Facts::empty(concept, workload, design, settings);
    let mut random = Random::new(settings.seed);
    rows::fill(concept, &mut facts, &mut random);
    crowd::gather(concept, workload, &mut facts, &mut random);
    crowd::add_twins(concept, &mut facts, &mut random);
    facts.into_data()
}

/// Values for one run of a read.
pub(crate) fn read_arguments(
    concept: &Concept,
    workload: &Workload,
    read: ReadId,
    now: &Facts,
    random: &mut Random,
) -> Arguments {
    match workload.reads.at(read) {
        Some(read) => read::arguments(concept, read, now, random),
        None => Arguments { values: Vec::new(), kind: Kind::Absent },
    }
}

/// Values for one run of a write that meet what its plan asks for; `None` where the facts at hand allow none.
pub(crate) fn write_arguments(
    concept: &Concept,
    workload: &Workload,
    write: WriteId,
    now: &Facts,
    random: &mut Random,
) -> Option<Arguments> {
    let appends_new = now.appends_new.get(write.index()).copied().unwrap_or(false);
    let write = workload.writes.at(write)?;
    let entity = concept.entities.at(write.entity)?;
    write::Wanted { concept, write, entity, appends_new, facts: now }.arguments(random)
}
