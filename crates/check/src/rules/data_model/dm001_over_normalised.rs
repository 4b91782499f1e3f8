//! DM001: reads that join tables in the client.

use std::collections::BTreeSet;

use schema::access::{Partitions, ReadPlan};

use crate::facts::tables::{EntityTables, find_detached_children};
use crate::facts::workload::{is_same_use_case, read_rate, write_rate};
use crate::{
    Check, Confidence, Limit, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts,
};

const TABLES: Limit = Limit::new("joined-tables", 3.0)
    .describe("number of tables read one after the other to serve one request");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm001_over_normalised.md"), Check::Project(check))
        .with_limits(&[TABLES]);

/// More SELECTs in a row are a list of statements, not one use case.
const RUN_MAX: usize = 6;

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let entities = EntityTables::new(project);
    let mut run: Vec<KeyRead<'_>> = Vec::new();
    for seen in &project.statements {
        let read = seen.read().filter(|read| read.partitions.is_by_key());
        let read =
            read.and_then(|plan| Some(KeyRead { seen, plan, facts: project.facts(&plan.table)? }));
        let follows = run.iter().any(|earlier| is_declared_after(seen, earlier.seen));
        let goes_on =
            follows || run.last().is_some_and(|last| is_same_use_case(project, last.seen, seen));
        if !goes_on || read.is_none() {
            report(project, &entities, &run, reporter);
            run.clear();
        }
        run.extend(read);
    }
    report(project, &entities, &run, reporter);
    for keyspace in project.catalog.keyspaces.keys() {
        report_schema(project, &entities, keyspace, reporter);
    }
}

/// Without statements: every table is keyed by its own id, and nothing finds the rows of several by what they refer to.
fn report_schema(
    project: &Project<'_>,
    entities: &EntityTables<'_>,
    keyspace: &str,
    reporter: &mut Reporter<'_>,
) {
    let detached = find_detached_children(project, entities, keyspace);
    let tables: BTreeSet<usize> =
        detached.iter().flat_map(|one| [one.child.statement, one.parent.statement]).collect();
    let children: BTreeSet<usize> = detached.iter().map(|one| one.child.statement).collect();
    let count = f64::from(u32::try_from(tables.len()).unwrap_or(u32::MAX));
    let Some(first) = detached.first().filter(|_| children.len() > 1) else { return };
    if count < reporter.limit(&TABLES) {
        return;
    }
    let references: Vec<String> = detached
        .iter()
        .map(|one| format!("{}.{}", one.child.table.name, one.column.name))
        .collect();
    let message = format!(
        "Every table is keyed by its own id, and nothing finds rows by {}: the client has to join, and to scan.",
        references.join(", ")
    );
    let finding = reporter.report(first.child.place, message).with_table(&first.child.table);
    finding.severity(Severity::High).confidence(Confidence::Medium);
    for one in &detached {
        let place = project.column_location(one.child, &one.column.name);
        finding.with_related(place, format!("this refers to {}", one.parent.table.name));
    }
    finding.help("create a table for each query, keyed by what the query knows, and copy the columns that it shows into it");
}

/// One SELECT by key.
struct KeyRead<'p> {
    seen: &'p ReplayedStatement,
    plan: &'p ReadPlan,
    facts: &'p TableFacts,
}

/// Whether a comment says that a statement follows another: `@after GetOrder`.
fn is_declared_after(seen: &ReplayedStatement, earlier: &ReplayedStatement) -> bool {
    let name = earlier.annotations.name.as_ref();
    name.is_some_and(|name| seen.annotations.after.contains(name))
}

impl KeyRead<'_> {
    /// Whether it reads an id of what another table holds, or the other's rows refer to its own.
    fn is_joined_with(&self, entities: &EntityTables<'_>, other: &TableFacts) -> bool {
        // DM003 reports tables that only find the rows of another.
        if is_same_entity(&self.facts.table.name, &other.table.name) {
            return false;
        }
        let refers = |column| {
            let target = entities.reference_target(&other.table, column);
            target.is_some_and(|target| target.statement == self.facts.statement)
        };
        self.is_reference_to(entities, other) || other.table.regulars().iter().any(refers)
    }

    /// Whether it reads an id of what another table holds.
    fn is_reference_to(&self, entities: &EntityTables<'_>, other: &TableFacts) -> bool {
        let table = &self.facts.table;
        let columns = self.plan.columns.iter().filter_map(|at| table.columns().get(*at));
        let mut targets = columns.filter_map(|column| entities.reference_target(table, column));
        targets.any(|target| target.statement == other.statement)
    }
}

/// Whether two tables hold the same things: `users`, `users_by_email`.
fn is_same_entity(one: &str, other: &str) -> bool {
    let entity = |name: &str| name.split("_by_").next().unwrap_or_default().to_lowercase();
    entity(one) == entity(other)
}

fn report(
    project: &Project<'_>,
    entities: &EntityTables<'_>,
    run: &[KeyRead<'_>],
    reporter: &mut Reporter<'_>,
) {
    if run.len() < 2 || run.len() > RUN_MAX {
        return;
    }
    let mut joined: Vec<&KeyRead<'_>> = Vec::new();
    let mut has_list = false;
    for (at, read) in run.iter().enumerate() {
        let Some(from) =
            run.iter().take(at).find(|earlier| earlier.is_joined_with(entities, read.facts))
        else {
            continue;
        };
        for one in [from, read] {
            if joined.iter().all(|known| known.facts.statement != one.facts.statement) {
                joined.push(one);
            }
        }
        has_list |= matches!(read.plan.partitions, Partitions::Several(_));
    }
    let count = f64::from(u32::try_from(joined.len()).unwrap_or(u32::MAX));
    let Some((last, others)) =
        joined.split_last().filter(|_| has_list || count >= reporter.limit(&TABLES))
    else {
        return;
    };
    // Data that changes more often than it is read should not be copied.
    let changes = |facts: &TableFacts| {
        let rates = write_rate(project, facts).zip(read_rate(project, facts));
        rates.is_some_and(|(writes, reads)| writes > reads)
    };
    if joined.iter().any(|read| changes(read.facts)) {
        return;
    }
    let names: Vec<&str> = joined.iter().map(|read| &*read.facts.table.name).collect();
    let message = format!(
        "These statements join {} tables in the client: {}.",
        names.len(),
        names.join(", ")
    );
    let finding = reporter.report(last.seen.place, message).with_table(&last.facts.table);
    finding.confidence(Confidence::Medium);
    for read in others {
        finding.with_related(read.seen.place, format!("{} is read here", read.facts.table.name));
    }
    finding.help("create a table for this query, and copy the columns of all of them into it");
}
