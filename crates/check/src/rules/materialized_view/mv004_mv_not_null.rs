//! MV004: a view whose key columns may be null, or whose other columns are restricted.

use cql::StatementKind;
use cql::statement::view::CreateView;

use crate::{Check, Finding, FixKind, Location, Project, ReplayedStatement, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mv004_mv_not_null.md"), Check::ServerFix(fix));

fn fix(project: &Project<'_>, seen: &ReplayedStatement, finding: &mut Finding) {
    let Some(statement) = project.syntax(seen) else { return };
    let StatementKind::CreateView(create) = &statement.kind else { return };
    let missing: Vec<String> = missing_key_columns(create);
    if missing.is_empty() {
        return;
    }
    let said = missing.iter().map(|name| format!("{name} IS NOT NULL"));
    let words = said.collect::<Vec<_>>().join(" AND ");
    let (at, start) = match create.relations.last() {
        Some(last) => (last.span.end, " AND "),
        None => (create.table.span().end, " WHERE "),
    };
    let place = Location { text: seen.place.text, span: cql::Span::new(at, at) };
    finding.help(format!("add to WHERE: {words}"));
    finding.fix(FixKind::Safe, "add IS NOT NULL", place, format!("{start}{words}"));
}

/// The columns of the key that WHERE does not name.
fn missing_key_columns(create: &CreateView) -> Vec<String> {
    let names = create.primary_key.partition.iter().chain(&create.primary_key.clustering);
    let is_named =
        |name: &cql::Name| create.relations.iter().any(|one| one.kind.columns().contains(name));
    names.filter(|name| !is_named(name)).map(|name| cql::printer::identifier(&name.text)).collect()
}
