//! MV001: a materialized view.

use cql::StatementKind;

use crate::facts::tables::is_test_schema;
use crate::facts::volumes::partition_key_cardinality;
use crate::project::StatementOutcome;
use crate::remedies::view_table;
use crate::{
    Check, FixKind, Location, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
    TableFacts,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mv001_materialized_view_used.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    for facts in &project.tables {
        check_view(project, facts, reporter);
    }
    for (_, seen) in project.definitions() {
        check_refused_view(project, seen, reporter);
    }
}

/// How bad a view is; `None` where there are none.
fn view_severity(project: &Project<'_>, place: Location, keyspace: &str) -> Option<Severity> {
    let target = project.settings.target;
    Some(match target.product {
        // Keyspaces does not support views, which PT001 reports.
        Product::Keyspaces => return None,
        Product::Apache if is_test_schema(project, place, keyspace) => Severity::Low,
        Product::Apache if target.is_apache_from((4, 0)) => Severity::High,
        Product::Apache => Severity::Medium,
        Product::Dse | Product::Astra | Product::Scylla => Severity::Info,
    })
}

/// A view whose definition the server refuses: mended, it is a view all the same.
fn check_refused_view(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    reporter: &mut Reporter<'_>,
) {
    let Some(StatementKind::CreateView(create)) = project.syntax(seen).map(|known| &known.kind)
    else {
        return;
    };
    let keyspace = create.name.keyspace.as_ref().map(|name| &*name.text);
    let keyspace = keyspace.or(seen.keyspace.as_deref()).unwrap_or_default();
    let is_refused = matches!(seen.outcome, StatementOutcome::Refused(_));
    let is_there = project.table(keyspace, &create.name.name.text).is_some();
    let Some(severity) = view_severity(project, seen.place, keyspace) else { return };
    let target = project.settings.target;
    if !is_refused || is_there || target.product != Product::Apache {
        return;
    }
    let name = &create.name.name;
    let place = Location { text: seen.place.text, span: name.span };
    let message = format!(
        "{} is a materialized view, an experimental feature of {}.",
        name.text,
        target.name()
    );
    let finding = reporter.report(place, message).severity(severity);
    finding.with_keyspace(keyspace).subject.table = Some(name.text.clone());
    finding.help("create a separate table, and write it with the base table in a logged batch");
}

fn check_view(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let Some(view) = &facts.view else { return };
    let target = project.settings.target;
    let Some(severity) = view_severity(project, facts.place, &facts.table.keyspace) else { return };
    let name = &facts.table.name;
    let message = if target.product == Product::Apache {
        format!("{name} is a materialized view, an experimental feature of {}.", target.name())
    } else {
        format!("{name} makes each write to {} read the row first.", view.base_table)
    };
    let written = project.view_creation(facts).map(|create| cql::printer::print(&create.name));
    let table = view_table(&facts.table, &written.unwrap_or_default());
    let finding = reporter.report(facts.place, message);
    finding.with_table(&facts.table).severity(severity).help(format!(
        "create a separate table, and write it with {} in a logged batch:\n{table}",
        view.base_table
    ));
    if target.is_apache_from((4, 0)) {
        finding.note(
            "materialized views are disabled unless materialized_views_enabled is true in cassandra.yaml",
        );
    }
    // A table in a handful of partitions is no better than such a view.
    let spreads = partition_key_cardinality(facts).is_none_or(|keys| keys.values >= 10_000.0);
    if let (true, Some(seen)) = (spreads, project.statements.get(facts.statement)) {
        finding.fix(FixKind::Plan, "use a separate table", seen.place, table);
    }
}
