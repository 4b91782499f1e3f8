//! Searches by a prefix: at worst of one character, and without wildcards.

use model::id::IdList;
use model::plan::topic::ReadTopic;
use model::plan::{Note, NoteKind, NoteSubject, PlannedTable};
use model::workload::{Predicate, Read};

use super::note;
use super::review::Review;
use crate::volume::{self, LETTERS};

/// Rows that a search may return without a LIMIT: a few pages.
const ROWS_MAX: f64 = 5_000.0;

/// An assumption for each search by a prefix, and a warning for one that may return far more rows
/// than anyone reads.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, read, plan) in review.reads() {
        let main = plan.steps.member(plan.main);
        let table = main.and_then(|step| review.design.tables.member(step.table));
        let (Some(table), Some(attribute)) = (table, find_attribute(review, read)) else {
            continue;
        };
        let (name, of) = (read.name.clone(), attribute.clone());
        let literal = ReadTopic::LiteralPrefix { read: name, attribute: of };
        notes.push(note(NoteKind::Assumption, NoteSubject::Read(at), literal));
        let at_most = rows_at_most(review, table);
        if read.limit.is_none() && at_most > ROWS_MAX {
            let topic = ReadTopic::PrefixSearch { read: read.name.clone(), attribute, at_most };
            notes.push(note(NoteKind::Warning, NoteSubject::Read(at), topic));
        }
    }
    notes
}

/// The name of the attribute that a read searches by a prefix.
fn find_attribute(review: Review<'_>, read: &Read) -> Option<String> {
    let column = read.conditions.iter().find_map(|condition| match &condition.predicate {
        Predicate::Prefix { column, value: model::workload::Value::Parameter(_) } => Some(*column),
        _ => None,
    })?;
    let source = read.sources.member(column.source)?;
    let entity = review.context.concept.entities.member(source.entity)?;
    entity.attributes.member(column.attribute).map(|attribute| attribute.name.clone())
}

/// Rows of the largest partition with the same first character.
fn rows_at_most(review: Review<'_>, table: &PlannedTable) -> f64 {
    let days = volume::horizon(review.context, table);
    let largest = table.volume.rows_after(days).max;
    let is_prefix = |derivation| matches!(derivation, &model::plan::Derivation::Prefix(..));
    let by_first = table.partition_key().any(|column| is_prefix(&column.derivation));
    if by_first { largest } else { largest / LETTERS }
}
