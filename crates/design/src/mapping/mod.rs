//! Tables for a read by Chebotko's mapping rules, with decisions where the rules leave a choice:
//!
//! 1. MR1: what is returned is stored, with what the client needs for conditions that no key
//!    serves.
//!
//! 2. MR2: everything given by equality is the partition key, in the order of the query (a tenant
//!    comes first). A list of values is an equality unless the result is ordered by that column
//!    first and something else is given. Constants restrict which rows are stored.
//!
//! 3. MR3: then the range; GROUP BY attributes that are not given come before it.
//!
//! 4. MR4: then the order, with its directions. A column that is determined by those before it
//!    changes no order and is left out.
//!
//! 5. MR5: then the missing key attributes, in the order of the key's declaration, ascending. What
//!    is determined by the columns so far is not missing.
//!
//! 6. Static columns: those of an entity with a key inside the partition key, where a partition has
//!    many rows.
//!
//! `read_shape` classifies the conditions of a read, `key` builds the key rule by rule, `columns`
//! adds what is stored beside it, `aggregates` and `side_tables` decide about counters and large
//! arrays, `key_override` applies `--key`, `collision` proves keys unique, and `candidate_keys`
//! varies the rules' decisions for the search.

mod aggregates;
mod candidate_keys;
mod collision;
mod columns;
mod key;
mod key_override;
mod read_shape;
mod side_tables;
#[cfg(test)]
mod tests;

use model::concept::AttributeRef;
use model::id::{IdList, ReadId};
use model::plan::topic::{KeyTopic, NullTopic, NullUse};
use model::plan::{
    MappingReason, MappingRule, Note, NoteKind, NoteSubject, PlannedTable, ReadPart, ServedRead,
};
use model::workload::{Column, Read};

pub(crate) use collision::{dependencies_of, find_collision};
pub(crate) use columns::column_reason;
pub(crate) use key::as_known;

pub(crate) use candidate_keys::{DROPPED_ROWS, MOST_KEYS, keys_for};
pub(crate) use side_tables::is_too_large;

use crate::Context;
use key::KeyBuilder;
use read_shape::ReadShape;

/// The tables that the mapping rules give a read, without buckets, shards, options and names; or
/// why there are none.
///
/// The first one has the rows ([`model::plan::ReadPart::Rows`]); more follow only for counter
/// attributes and for arrays too large for a collection. `position` is the read's in the workload,
/// `None` for a read that a write needs.
pub(crate) fn tables_for(
    context: Context<'_>,
    read: &Read,
    position: Option<ReadId>,
    notes: &mut Vec<Note>,
) -> Result<Vec<PlannedTable>, Box<Note>> {
    let shape = ReadShape::new(context, read, position);
    check_counter_filters(&shape)?;
    notes.extend(null_group_notes(&shape));
    if let Some(forced) = key_override::find_override(&shape)? {
        return side_tables::build_tables(&shape, forced, notes);
    }
    let why_rows = match aggregates::counter_table(&shape, &[])? {
        Ok(table) => return Ok(vec![table]),
        Err(why) => why,
    };
    let mut key = KeyBuilder::for_rows(&shape)?.columns;
    if shape.is_aggregate()
        && let Some(first) = key.first_mut()
    {
        let text = format!("rows are stored and aggregated by the client, because {why_rows}");
        first.reasons.push(MappingReason { rule: MappingRule::Aggregate, read: position, text });
    }
    side_tables::build_tables(&shape, key, notes)
}

/// Notes on GROUP BY columns that may be null, which key columns cannot be. (ORDER BY columns are
/// reviewed with the whole design.)
fn null_group_notes(shape: &ReadShape<'_>) -> Vec<Note> {
    let note = |column: &Column| {
        let attribute = shape.attribute(*column);
        let taken = attribute.nullable && !shape.holds.not_null.contains(column);
        let topic = NullTopic::NeverNull {
            read: shape.read.name.clone(),
            name: attribute.name.clone(),
            attribute: AttributeRef {
                entity: shape.read.sources[column.source].entity,
                attribute: column.attribute,
            },
            by: NullUse::Group,
        };
        taken.then(|| Note {
            kind: NoteKind::Assumption,
            about: shape.position.map_or(NoteSubject::Design, NoteSubject::Read),
            topic: topic.into(),
            span: Some(attribute.span),
        })
    };
    shape.read.group.iter().filter_map(note).collect()
}

/// Rows cannot be selected by the value of a counter: an increment does not return the new value.
fn check_counter_filters(shape: &ReadShape<'_>) -> Result<(), Box<Note>> {
    let counter = shape.holds.filters.iter().find_map(|condition| {
        let mut columns = condition.predicate.columns().iter().copied();
        columns.find(|column| shape.attribute(*column).counter)
    });
    let Some(column) = counter else { return Ok(()) };
    let (entity, attribute) = (shape.dependencies.entity(column.source), shape.attribute(column));
    let topic = KeyTopic::CounterFilter {
        read: shape.read.name.clone(),
        entity: entity.name.clone(),
        attribute: attribute.name.clone(),
    };
    refuse(shape, topic)
}

/// The part of a read that its own table serves.
fn read_parts(shape: &ReadShape<'_>, part: ReadPart) -> Vec<ServedRead> {
    let sources = shape.read.sources.ids().map(Some).collect();
    shape.position.map(|read| ServedRead { read, sources, part }).into_iter().collect()
}

/// Refuses a table for a read.
fn refuse<T>(shape: &ReadShape<'_>, topic: KeyTopic) -> Result<T, Box<Note>> {
    Err(Box::new(Note {
        kind: NoteKind::Refusal,
        about: shape.position.map_or(NoteSubject::Design, NoteSubject::Read),
        topic: topic.into(),
        span: Some(shape.read.span),
    }))
}
