//! Tables for a read, by the mapping rules of the method, with the settled points where the method leaves a choice:
//!
//! 1. MR1: what is returned is stored, with what the client needs for conditions that no key serves.
//! 2. MR2: everything given by equality is the partition key, in the order the query writes it (a tenant leads). A list of
//!    values is an equality unless the result is ordered by that column first and something else is given. Constants restrict
//!    which rows are stored.
//! 3. MR3: then the range; GROUP BY attributes that are not given stand before it.
//! 4. MR4: then the order, with its directions. A column that follows from those before it changes no order and is left out.
//! 5. MR5: then the key attributes that are missing, in the order the key declares them, ascending. What follows from the
//!    columns so far is not missing.
//! 6. Static columns: those of an entity of which a key lies inside the partition key, where a partition has many rows.

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

pub(crate) use candidate_keys::{MOST_KEYS, keys_for};
pub(crate) use side_tables::is_too_large;

use crate::Context;
use key::KeyBuilder;
use read_shape::ReadShape;

/// The tables that the mapping rules give a read, without buckets, shards, options and names; or why there are none.
///
/// The first one has the rows ([`model::plan::ReadPart::Rows`]); more follow only for counter attributes and for arrays too large for a
/// collection. `position` is the read's in the workload, `None` for a read that a write needs.
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

/// Groups by what may be null: a key column cannot be. (An order by such a column is judged with the whole design.)
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

/// Which rows a table holds cannot hang on a counter: an increment does not know what it makes of it.
fn check_counter_filters(shape: &ReadShape<'_>) -> Result<(), Box<Note>> {
    let counter = shape.holds.filters.iter().find_map(|condition| {
        let mut columns = columns::predicate_columns(&condition.predicate);
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

/// What a table serves of a read that it was made for.
fn read_parts(shape: &ReadShape<'_>, part: ReadPart) -> Vec<ServedRead> {
    let sources = shape.read.sources.ids().map(Some).collect();
    shape.position.map(|read| ServedRead { read, sources, part }).into_iter().collect()
}

/// No table for a read, and why.
fn refuse<T>(shape: &ReadShape<'_>, topic: KeyTopic) -> Result<T, Box<Note>> {
    Err(Box::new(Note {
        kind: NoteKind::Refusal,
        about: shape.position.map_or(NoteSubject::Design, NoteSubject::Read),
        topic: topic.into(),
        span: Some(shape.read.span),
    }))
}
