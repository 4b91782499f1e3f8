//! IX015: a SASI index.

use cql::StatementKind;

use crate::project::{ObjectChange, StatementOutcome};

use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix015_sasi_used.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(StatementKind::CreateIndex(create)) = project.syntax(seen).map(|known| &known.kind)
    else {
        return;
    };
    let is_sasi = create.class.as_deref().is_some_and(|class| class.ends_with("SASIIndex"));
    let still_there = match &seen.outcome {
        StatementOutcome::Changes(Some(ObjectChange::Table { after: Some(after), .. })) => {
            let now = project.catalog.table(&after.keyspace, &after.name);
            let made = after.indexes.last();
            now.is_some_and(|now| made.is_some_and(|made| now.indexes.contains(made)))
        }
        StatementOutcome::Changes(None) => false,
        _ => true,
    };
    if !is_sasi || !still_there {
        return;
    }
    let instead = if project.settings.target.is_apache_from((5, 0)) {
        "replace it USING 'sai'; for LIKE '%x%', use a search engine"
    } else {
        "create a lookup table; for LIKE '%x%', use a search engine"
    };
    let place = Location { text: seen.place.text, span: create.table.span() };
    let one = reporter.report(place, "SASI indexes are experimental.");
    one.note("Cassandra 4.0 and later reject them unless sasi_indexes_enabled is set")
        .help(instead);
    let keyspace = create.table.keyspace.as_ref().map(|name| &name.text);
    one.subject.keyspace = keyspace.cloned().or_else(|| seen.keyspace.as_deref().map(Into::into));
    one.subject.table = Some(create.table.name.text.clone());
    one.subject.column = create.targets.first().map(|target| target.column.text.clone());
}
