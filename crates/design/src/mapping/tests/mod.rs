//! The mapping rules: the published patterns of the method, then the settled points.

mod decisions;
mod patterns;

use model::concept::Concept;
use model::id::ReadId;
use model::plan::{Note, PlannedTable};
use model::workload::{Read, Workload};

use super::tables_for;
use crate::sample::marks;
use crate::{Context, Options};

/// The tables of a read, and what is to be said about them.
fn map_read(concept: &Concept, read: &Read, options: &Options) -> (Vec<PlannedTable>, Vec<Note>) {
    let workload = Workload::default();
    let context = Context { concept, workload: &workload, options };
    let mut notes = Vec::new();
    match tables_for(context, read, Some(ReadId::new(0)), &mut notes) {
        Ok(tables) => (tables, notes),
        Err(note) => (Vec::new(), vec![*note]),
    }
}

/// The tables of a read, in marks.
fn tables(concept: &Concept, read: &Read) -> Vec<String> {
    let (tables, notes) = map_read(concept, read, &Options::default());
    assert!(notes.is_empty(), "{notes:?}");
    tables.iter().map(marks).collect()
}

/// The only table of a read, in marks.
fn table(concept: &Concept, read: &Read) -> String {
    let tables = tables(concept, read);
    assert_eq!(tables.len(), 1);
    tables.into_iter().next().unwrap()
}

/// Why a read has no table.
fn refusal(concept: &Concept, read: &Read) -> String {
    let (tables, notes) = map_read(concept, read, &Options::default());
    assert!(tables.is_empty());
    notes.into_iter().map(|note| note.topic.to_string()).collect()
}
