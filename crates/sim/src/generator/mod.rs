//! A seeded generator of facts and of values for parameters.
//!
//! - `usage` collects how the workload and the design use each attribute; `domain`, `time_domain`,
//!   `calendar` and `value` derive the values that it may have, with many ties and bucket borders;
//!   `boundary` adds those at the borders of its type.
//! - `counts` distributes the rows over the entities, `rows` and `extra_rows` generate them into a
//!   `store`.
//! - `read` and `witness` choose values for reads, `write`, `upsert`, `new_row`, `assignment`,
//!   `condition` and `change` those for writes.
//! - `constraint` has what the tables demand of rows, `limit` what types demand of values; `violation`
//!   draws rows and values that violate them.
//! - `facts` are the current rows, `random` the source of randomness.

mod assignment;
mod boundary;
mod calendar;
mod change;
mod condition;
mod constraint;
mod counts;
mod domain;
mod extra_rows;
mod facts;
mod limit;
mod new_row;
mod random;
mod read;
mod rows;
mod store;
#[cfg(test)]
mod tests;
mod time_domain;
mod upsert;
mod usage;
mod value;
mod violation;
mod witness;
mod write;

use std::cell::Cell;

use model::concept::{Concept, Constraint};
use model::id::{IdList, ReadId, WriteId};
use model::plan::{Design, Precondition};
use model::workload::Workload;

pub(crate) use self::boundary::is_boundary;
pub(crate) use self::extra_rows::LIMIT_MAX;
pub(crate) use self::facts::Facts;
pub(crate) use self::random::Random;
pub(crate) use self::violation::{find_violations, list_constraints};

use self::write::WriteArgumentChooser;

use crate::dataset::{Dataset, Datum};
use crate::record::DrawObstacle;
use crate::subject::ProofSettings;

/// Values for the parameters of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Arguments {
    /// A value for each parameter.
    pub(crate) values: Vec<Datum>,
    /// What they are chosen for.
    pub(crate) kind: ArgumentKind,
}

/// What values are chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ArgumentKind {
    /// The values of an existing row.
    Present,
    /// A key that does not exist.
    Absent,
    /// The most popular key.
    Hot,
    /// A range that begins or ends at an existing value, or next to it.
    Edge,
    /// A position or an order that several rows share.
    Tie,
    /// The key of a row that was written before.
    Repeated,
    /// The key of a row that was deleted, inserted again.
    Deleted,
}

/// What the values of a write are wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ArgumentWish {
    /// Anything that meets its preconditions.
    Any,
    /// A key that does not exist.
    Absent,
}

/// The facts that a proof begins with.
pub(crate) fn generate_dataset(
    concept: &Concept,
    workload: &Workload,
    design: &Design,
    settings: &ProofSettings,
) -> Dataset {
    let mut facts = Facts::empty(concept, workload, design, settings);
    let mut random = Random::new(settings.seed);
    rows::fill(concept, &mut facts, &mut random);
    extra_rows::add_limit_rows(concept, workload, &mut facts, &mut random);
    extra_rows::add_twins(concept, &mut facts, &mut random);
    facts.into_data()
}

/// Values for one run of a read.
pub(crate) fn draw_read_arguments(
    concept: &Concept,
    workload: &Workload,
    read: ReadId,
    now: &Facts,
    random: &mut Random,
) -> Arguments {
    match workload.reads.member(read) {
        Some(read) => read::draw_arguments(concept, read, now, random),
        None => Arguments { values: Vec::new(), kind: ArgumentKind::Absent },
    }
}

/// Values for one run of a write that meet its preconditions, or why none were found with the
/// current facts.
pub(crate) fn draw_write_arguments(
    concept: &Concept,
    workload: &Workload,
    write: WriteId,
    wish: ArgumentWish,
    now: &Facts,
    random: &mut Random,
) -> Result<Arguments, DrawObstacle> {
    let chooser = make_chooser(concept, workload, write, now).ok_or(DrawObstacle::Conditions)?;
    let drawn = chooser.draw_arguments(wish, random).map(|mut arguments| {
        chooser.add_digits(&mut arguments.values);
        arguments
    });
    drawn.ok_or_else(|| chooser.obstacle.into_inner())
}

/// Values for a write that violate a constraint and meet the preconditions of the write, for each
/// of its parts that can violate it.
pub(crate) fn draw_violations(
    concept: &Concept,
    workload: &Workload,
    write: WriteId,
    (constraint, preconditions): (Constraint, &[&Precondition]),
    now: &Facts,
    random: &mut Random,
) -> Vec<Vec<Datum>> {
    let chooser = make_chooser(concept, workload, write, now);
    chooser.map_or_else(Vec::new, |it| it.draw_violations(constraint, preconditions, random))
}

fn make_chooser<'a>(
    concept: &'a Concept,
    workload: &'a Workload,
    write: WriteId,
    now: &'a Facts,
) -> Option<WriteArgumentChooser<'a>> {
    let states = |all: &[bool]| all.get(write.index()).copied().unwrap_or(false);
    let appends_new = states(&now.appends_new);
    let no_self_references = states(&now.no_self_references);
    let write = workload.writes.member(write)?;
    Some(WriteArgumentChooser {
        concept,
        write,
        entity: concept.entities.member(write.entity)?,
        appends_new,
        no_self_references,
        facts: now,
        obstacle: Cell::new(DrawObstacle::Conditions),
    })
}
