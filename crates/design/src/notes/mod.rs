//! Review of a finished design: refusals, warnings, assumptions, alternatives, and the
//! checklists.
//!
//! Each topic is a module with a function from the design to its notes; [`TOPICS`] lists them.
//! `review` is what they share, `tally` what is counted once for all of them. The sentences are
//! written by [`model::plan::topic`]; here are the facts and figures.

mod aggregate_choice;
mod allowances;
mod bounds;
mod capacity;
mod cardinality;
mod cascades;
mod checklists;
mod collections;
mod consistency;
mod counters;
mod duplication;
mod empty_keys;
mod fan_out;
mod future_times;
mod heat;
mod in_lists;
mod indexes;
mod large_rows;
mod missing_writes;
mod mixed_conditions;
mod mutable_keys;
mod null_arrays;
mod nulls;
mod overwrites;
mod prefix_searches;
mod queues;
mod returned_rows;
mod review;
mod skew;
mod supply;
mod tally;
mod time_keys;
mod tombstones;
mod uniqueness;
mod unread_entities;
mod views;
mod wide_partitions;

#[cfg(test)]
mod tests;

use model::plan::{
    Allowance, Checklist, Design, Note, NoteKind, NoteSubject, PlannedTable, RejectedAlternative,
    Topic,
};

use crate::Context;
use review::Review;
use tally::Tally;

/// The topics, in the order in which their notes are listed within one kind.
const TOPICS: [fn(Review<'_>) -> Vec<Note>; 33] = [
    nulls::notes,
    empty_keys::notes,
    null_arrays::notes,
    uniqueness::notes,
    bounds::notes,
    capacity::notes,
    wide_partitions::notes,
    large_rows::notes,
    queues::notes,
    fan_out::notes,
    prefix_searches::notes,
    returned_rows::notes,
    in_lists::notes,
    heat::notes,
    time_keys::notes,
    cardinality::notes,
    skew::notes,
    mutable_keys::notes,
    tombstones::notes,
    collections::notes,
    overwrites::notes,
    duplication::notes,
    cascades::notes,
    mixed_conditions::notes,
    consistency::notes,
    unread_entities::notes,
    missing_writes::notes,
    supply::notes,
    counters::notes,
    aggregate_choice::notes,
    views::notes,
    future_times::notes,
    indexes::notes,
];

/// Reviews finished designs of one application.
pub(crate) struct Reviewer<'a> {
    context: Context<'a>,
    unforced: &'a dyn Fn() -> Vec<PlannedTable>,
}

impl<'a> Reviewer<'a> {
    /// `unforced` derives the tables without forced keys; it is called only where a forced key is
    /// refused.
    pub(crate) fn new(context: Context<'a>, unforced: &'a dyn Fn() -> Vec<PlannedTable>) -> Self {
        Self { context, unforced }
    }

    /// Warnings and alternatives of a design.
    pub(crate) fn notes(&self, design: &Design) -> Vec<Note> {
        let tally = Tally::new(self.context, design);
        let review = self.review(design, &tally);
        TOPICS.iter().flat_map(|topic| topic(review)).collect()
    }

    /// The parts of a design of this price that are refused.
    pub(crate) fn rejections(&self, design: &Design, price: f64) -> Vec<RejectedAlternative> {
        let tally = Tally::new(self.context, design);
        queues::rejections(self.review(design, &tally), price)
    }

    /// The decisions of a design that `helenus check` would report.
    pub(crate) fn allowances(&self, design: &Design) -> Vec<Allowance> {
        let tally = Tally::new(self.context, design);
        allowances::find_allowances(self.review(design, &tally))
    }

    /// The checklists, ticked with evidence.
    pub(crate) fn checklists(&self, design: &Design) -> Vec<Checklist> {
        let tally = Tally::new(self.context, design);
        checklists::all(self.review(design, &tally))
    }

    fn review<'r>(&'r self, design: &'r Design, tally: &'r Tally) -> Review<'r> {
        Review { context: self.context, design, tally, unforced: self.unforced }
    }
}

/// A note without a position in the model file.
fn note(kind: NoteKind, about: NoteSubject, topic: impl Into<Topic>) -> Note {
    Note { kind, about, topic: topic.into(), span: None }
}
