//! QP001: ALLOW FILTERING over the whole table.

use model::figures::format_count;
use schema::access::{FilterScope, Partitions};

use super::qp003_allow_filtering_small_table::is_frequent;
use crate::facts::tables::{is_registry, is_system_table, is_test_schema};
use crate::remedies::query_table;

use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp001_allow_filtering_scan.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
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
