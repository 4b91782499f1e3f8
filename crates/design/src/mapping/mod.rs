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

mod apart;
mod asked;
mod candidates;
mod collision;
mod columns;
mod counted;
mod forced;
mod key;
#[cfg(test)]
mod tests;

use model::concept::AttributeRef;
use model::id::{Numbered, ReadId};
use model::plan::topic::{KeyTopic, NullTopic, NullUse};
use model::plan::{About, Note, NoteKind, Part, PlannedTable, Reason, Rule, Served};
use model::workload::{Column, Read};

pub(crate) use collision::{collision, dependencies_of};
pub(crate) use columns::reason_of;
pub(crate) use key::known;

pub(crate) use apart::is_too_large;
pub(crate) use candidates::{MOST_KEYS, keys_for};

use crate::Context;
use asked::Asked;
use key::Key;

/// The tables that the mapping rules give a read, without buckets, shards, options and names; or why there are none.
///
/// The first one has the rows ([`Part::Rows`]); more follow only for counter attributes and for arrays too large for a
/// collection. `position` is the read's in the workload, `None` for a read that a write needs.
pub(crate) fn tables_for(
    context: Context<'_>,
    read: &Read,
    position: Option<ReadId>,
    notes: &mut Vec<Note>,
) -> Result<Vec<PlannedTable>, Box<Note>> {
    let asked = Asked::new(context, read, position);
    no_constant_counters(&asked)?;
    notes.extend(null_groups(&asked));
    if let Some(forced) = forced::key(&asked)? {
        return apart::tables(&asked, forced, notes);
    }
    let why_rows = match counted::table(&asked, &[])? {
        Ok(table) => return Ok(vec![table]),
        Err(why) => why,
    };
    let mut key = Key::of_rows(&asked)?.columns;
    if asked.aggregates()
        && let Some(first) = key.first_mut()
    {
        let text = format!("rows are stored and the client counts them, since {why_rows}");
        first.reasons.push(Reason { rule: Rule::Aggregate, read: position, text });
    }
    apart::tables(&asked, key, notes)
}

/// Groups by what may be null: a key column cannot be. (An order by such a column is judged with the whole design.)
fn null_groups(asked: &Asked<'_>) -> Vec<Note> {
    let note = |column: &Column| {
        let attribute = asked.attribute(*column);
        let taken = attribute.nullable && !asked.holds.not_null.contains(column);
        let topic = NullTopic::NeverNull {
            read: asked.read.name.clone(),
            name: attribute.name.clone(),
            attribute: AttributeRef {
                entity: asked.read.sources[column.source].entity,
                attribute: column.attribute,
            },
            by: NullUse::Group,
        };
        taken.then(|| Note {
            kind: NoteKind::Assumption,
            about: asked.position.map_or(About::Design, About::Read),
            topic: topic.into(),
            span: Some(attribute.span),
        })
    };
    asked.read.group.iter().filter_map(note).collect()
}

/// Which rows a table holds cannot hang on a counter: an increment does not know what it makes of it.
fn no_constant_counters(asked: &Asked<'_>) -> Result<(), Box<Note>> {
    let counter = asked.holds.filters.iter().find_map(|condition| {
        let mut columns = columns::of_test(&condition.test);
        columns.find(|column| asked.attribute(*column).counter)
    });
    let Some(column) = counter else { return Ok(()) };
    let (entity, attribute) = (asked.dependencies.entity(column.source), asked.attribute(column));
    let topic = KeyTopic::CounterFilter {
        read: asked.read.name.clone(),
        entity: entity.name.clone(),
        attribute: attribute.name.clone(),
    };
    refuse(asked, topic)
}

/// What a table serves of a read that it was made for.
fn served(asked: &Asked<'_>, part: Part) -> Vec<Served> {
    let sources = asked.read.sources.ids().map(Some).collect();
    asked.position.map(|read| Served { read, sources, part }).into_iter().collect()
}

/// No table for a read, and why.
fn refuse<T>(asked: &Asked<'_>, topic: KeyTopic) -> Result<T, Box<Note>> {
    Err(Box::new(Note {
        kind: NoteKind::Refusal,
        about: asked.position.map_or(About::Design, About::Read),
        topic: topic.into(),
        span: Some(asked.read.span),
    }))
}
