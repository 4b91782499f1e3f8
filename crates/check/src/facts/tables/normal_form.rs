//! Schemas that are normalised: every table is keyed by its own id, and refers to others by theirs.

use schema::catalog::{Column, Table};

use super::EntityTables;
use crate::vocabulary::entity_names::is_named_after;
use crate::{Project, TableFacts};

/// Rows that refer to others, and that nothing finds by what they refer to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DetachedChild<'p> {
    /// The table of the rows.
    pub(crate) child: &'p TableFacts,
    /// Their reference.
    pub(crate) column: &'p Column,
    /// The table that they refer to.
    pub(crate) parent: &'p TableFacts,
}

/// The rows of a keyspace that nothing finds by what they refer to, if all its tables are keyed by their own ids. Statements might tell
/// how rows are found: there must be none.
pub(crate) fn find_detached_children<'p>(
    project: &'p Project<'_>,
    entities: &EntityTables<'p>,
    keyspace: &str,
) -> Vec<DetachedChild<'p>> {
    let own: Vec<&TableFacts> =
        project.tables.iter().filter(|facts| *facts.table.keyspace == *keyspace).collect();
    let is_entity = |facts: &TableFacts| {
        facts.view.is_none()
            && facts.table.partition_key().len() == 1
            && facts.table.clustering().is_empty()
            && facts.table.indexes.is_empty()
    };
    if project.has_queries() || !own.iter().all(|facts| is_entity(facts)) {
        return Vec::new();
    }
    let mut found = Vec::new();
    for child in own {
        for column in child.table.regulars() {
            let Some(parent) = entities.reference_target(&child.table, column) else { continue };
            if !has_child_ids(&parent.table, &child.table) {
                found.push(DetachedChild { child, column, parent });
            }
        }
    }
    found
}

/// Whether a table holds ids of what another holds: one of them, or a collection.
fn has_child_ids(parent: &Table, child: &Table) -> bool {
    let thing = child.name.as_ref();
    parent.regulars().iter().any(|column| {
        let stem = column.name.trim_end_matches("ids").trim_end_matches("id");
        is_named_after(thing, stem.trim_end_matches('_'))
    })
}
