//! DM005: tables that no statement uses.

use std::collections::{BTreeMap, BTreeSet};

use cql::statement::write::WriteKind;
use cql::{QualifiedName, StatementKind};

use crate::facts::tables::is_registry;
use crate::project::StatementOutcome;
use crate::{
    Check, Confidence, Project, ReplayedStatement, Reporter, RuleEntry, TableFacts, TextKind,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm005_unused_table.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let named = refusal_table_names(project);
    let views: BTreeSet<(&str, &str)> = project
        .tables
        .iter()
        .filter(|facts| !facts.reads.is_empty())
        .filter_map(|facts| Some((&*facts.table.keyspace, &*facts.view.as_ref()?.base_table)))
        .collect();
    let is_used = |facts: &TableFacts| {
        let key = (&*facts.table.keyspace, &*facts.table.name);
        !facts.queries.is_empty()
            || !facts.writes.is_empty()
            || named.contains(key.1)
            || views.contains(&key)
    };
    let own = || project.tables.iter().filter(|facts| facts.view.is_none());
    let mut used: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for facts in own() {
        let counts = used.entry(&facts.table.keyspace).or_default();
        counts.0 += usize::from(is_used(facts));
        counts.1 += 1;
    }
    // A program may build statements that cannot be found in its source.
    let guesses = project.texts.iter().any(|text| text.kind == TextKind::Program);
    let confidence = if guesses { Confidence::Low } else { Confidence::Medium };
    for facts in own().filter(|facts| !is_used(facts) && !is_registry(facts)) {
        // If the statements use few of the tables, they are not the whole workload.
        let Some((some, all)) =
            used.get(&*facts.table.keyspace).filter(|(some, all)| some * 4 >= all * 3)
        else {
            continue;
        };
        reporter
            .report(facts.place, format!("No statement reads or writes {}.", facts.table.name))
            .with_table(&facts.table)
            .confidence(confidence)
            .note(format!("{some} of {all} tables of {} are used", facts.table.keyspace))
            .help(format!(
                "check that no other program uses it, then DROP TABLE {}",
                facts.table.qualified_name()
            ));
    }
}

/// Table names in rejected statements, which are evidence of use.
fn refusal_table_names<'p>(project: &'p Project<'_>) -> BTreeSet<&'p str> {
    let refused = |seen: &&ReplayedStatement| matches!(seen.outcome, StatementOutcome::Refused(_));
    let statements = project
        .definitions()
        .map(|(_, seen)| seen)
        .filter(refused)
        .filter_map(|seen| project.syntax(seen));
    let mut names = BTreeSet::new();
    let mut add = |name: &'p QualifiedName| {
        names.insert(&*name.name.text);
    };
    for statement in statements {
        match &statement.kind {
            StatementKind::Select(select) => add(&select.table),
            StatementKind::Insert(insert) => add(&insert.table),
            StatementKind::Update(update) => add(&update.table),
            StatementKind::Delete(delete) => add(&delete.table),
            StatementKind::Batch(batch) => {
                for one in &batch.statements {
                    match &one.kind {
                        WriteKind::Insert(insert) => add(&insert.table),
                        WriteKind::Update(update) => add(&update.table),
                        WriteKind::Delete(delete) => add(&delete.table),
                    }
                }
            }
            _ => {}
        }
    }
    names
}
