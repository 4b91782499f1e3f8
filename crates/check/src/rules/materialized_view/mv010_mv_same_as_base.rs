//! MV010: a view that adds nothing.

use std::collections::BTreeMap;

use cql::relation::RelationKind;
use schema::catalog::{Column, Table};

use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mv010_mv_same_as_base.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    if project.tables.iter().all(|facts| facts.view.is_none()) {
        return;
    }
    let mut known: BTreeMap<String, Vec<&TableFacts>> = BTreeMap::new();
    for facts in &project.tables {
        let same = known.entry(key_signature(&facts.table)).or_default();
        if facts.view.is_some()
            && has_all_rows(facts)
            && let Some(other) = same.iter().find(|other| can_answer(other, facts))
        {
            let (view, other_name) = (&facts.table.name, &other.table.name);
            reporter
                .report(
                    facts.place,
                    format!("{view} is redundant: {other_name} has the same key and its columns."),
                )
                .with_table(&facts.table)
                .with_related(other.place, "the same key")
                .help(format!("drop {view} and read {other_name}"));
        }
        same.push(facts);
    }
}

/// The key as text, for comparison.
fn key_signature(table: &Table) -> String {
    let words = |columns: &[Column]| {
        let one = |column: &Column| format!("{} {} {}", column.name, column.ty, column.descending);
        columns.iter().map(one).collect::<Vec<_>>().join(",")
    };
    format!("{}/{}/{}", table.keyspace, words(table.partition_key()), words(table.clustering()))
}

/// Whether a view has all rows of its base table that have its key.
fn has_all_rows(facts: &TableFacts) -> bool {
    let relations = facts.view.iter().flat_map(|view| &view.relations);
    relations.into_iter().all(|one| matches!(one.kind, RelationKind::IsNotNull(_)))
}

/// Whether another table can answer what a view answers: its own base table, a view of that, or a
/// table with its columns.
fn can_answer(other: &TableFacts, view: &TableFacts) -> bool {
    let columns = view.table.columns().iter();
    let has_all = columns.into_iter().all(|column| {
        let same = other.table.column(&column.name);
        same.is_some_and(|same| same.ty == column.ty)
    });
    // A view of another table holds other rows, whatever its columns are called.
    let base = |facts: &TableFacts| facts.view.as_ref().map(|view| view.base_table.clone());
    let is_related = other.view.is_none() || base(other) == base(view);
    has_all && is_related && has_all_rows(other)
}
