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

mod asked;
mod columns;
mod key;
mod names;
#[cfg(test)]
mod tests;

use model::plan::{About, Note, NoteKind, Part, PlannedTable, Served};
use model::workload::Read;

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
    position: Option<usize>,
    _notes: &mut Vec<Note>,
) -> Result<Vec<PlannedTable>, Box<Note>> {
    let asked = Asked::new(context, read, position);
    let key = Key::of_rows(&asked)?;
    let table = columns::assemble(&asked, key.columns)?;
    Ok(vec![table])
}

/// What a table serves of a read that it was made for.
fn served(asked: &Asked<'_>, part: Part) -> Vec<Served> {
    let sources = (0..asked.read.sources.len()).map(Some).collect();
    asked.position.map(|read| Served { read, sources, part }).into_iter().collect()
}

/// No table for a read, and why.
fn refuse<T>(asked: &Asked<'_>, message: String, help: String) -> Result<T, Box<Note>> {
    Err(Box::new(Note {
        kind: NoteKind::Refusal,
        about: asked.position.map_or(About::Design, About::Read),
        message,
        help: Some(help),
        span: Some(asked.read.span),
    }))
}
