//! QP001: ALLOW FILTERING over the whole table.

use cql::statement::select::Select;
use model::figures::format_count;
use schema::access::{FilterScope, Partitions};

use super::qp003_allow_filtering_small_table::is_frequent;
use crate::facts::tables::{is_registry, is_system_table, is_test_schema};
use crate::project::StatementOutcome;
use crate::remedies::query_table;
use crate::vocabulary::matcher::matches_any;
use crate::{
    Check, Confidence, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp001_allow_filtering_scan.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(select) = project.select(seen) else { return };
    let Some(read) = seen.read() else { return check_unknown(project, seen, select, reporter) };
    if read.filtering.scope != FilterScope::Everywhere || is_system_table(project, &read.table) {
        return;
    }
    let facts = project.facts(&read.table);
    let is_small = facts.is_some_and(is_registry);
    if is_small && !is_frequent(seen, reporter) {
        return;
    }
    let span = select.allow_filtering.unwrap_or(select.table.span());
    let place = Location { text: seen.place.text, span };
    let (what, severity) = match read.partitions {
        Partitions::TokenRange { .. } => ("a token range of", Severity::Medium),
        _ if is_small => ("every partition of", Severity::High),
        _ => ("every partition of", Severity::Critical),
    };
    let for_tests = is_test_schema(project, place, &read.table.keyspace);
    let severity = if for_tests { Severity::Info } else { severity };
    let message = format!(
        "{} scans {what} {} on every node and filters the rows in memory.",
        seen.display_name(),
        read.table.name
    );
    let one = reporter.report(place, message);
    one.with_table(&read.table).severity(severity);
    if let Some(rows) = facts.and_then(|facts| facts.volume.rows) {
        one.note(format!("each execution reads {} rows", format_count(rows)));
    }
    one.help(match facts.and_then(|facts| query_table(facts, select)) {
        Some(table) => format!(
            "read from a table whose key is the restricted columns, and write both tables in one LOGGED batch:\n{table}"
        ),
        None => "read from a table whose key is the restricted columns; for rare queries, create an SAI index".to_owned(),
    });
}

/// A query of a table that none of the files creates: what restricts it is no key by its name, so that it reads the whole table.
fn check_unknown(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    select: &Select,
    reporter: &mut Reporter<'_>,
) {
    let StatementOutcome::Refused(refusal) = &seen.outcome else { return };
    let Some(span) = select.allow_filtering.filter(|_| refusal.rule() == "SV028") else { return };
    let mut restricted = select.relations.iter().flat_map(|relation| relation.kind.columns());
    if project.is_program(seen.place) || restricted.any(|column| can_be_key(&column.text)) {
        return;
    }
    let place = Location { text: seen.place.text, span };
    let table = &select.table.name.text;
    reporter
        .report(place, format!("{} scans {table}, unless its partition key is among the conditions.", seen.display_name()))
        .confidence(Confidence::Low)
        .note("none of the files creates the table, and no condition has the name of a key")
        .help("pass the files that create the table; a table whose key is the restricted columns is read from one partition");
}

/// Whether a column may be a partition key by its name: an id, a name, or a span of time.
fn can_be_key(column: &str) -> bool {
    const KEYS: &[&str] = &[
        "*id",
        "*key",
        "*name",
        "*number",
        "*no",
        "*code",
        "*hash",
        "*email",
        "*url",
        "*slug",
        "*uuid",
        "*token",
        "sku",
        "isbn",
        "login",
        "user",
        "day",
        "date",
        "*_day",
        "*_date",
        "hour",
        "week",
        "month",
        "year*",
        "*bucket*",
        "*shard*",
        "*partition*",
    ];
    matches_any(column, KEYS)
}
