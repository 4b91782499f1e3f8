//! PS008: rows that take megabytes.

use model::figures;

use super::ps009_large_cell;
use crate::settings::server_bytes;
use crate::{Check, Limit, Product, Project, Reporter, RuleEntry, Severity, TableFacts};

const ROW: Limit =
    Limit::new("row-bytes", 1e6).describe("size in bytes above which a row is large");
const HUGE: Limit = Limit::new("row-bytes-huge", 10e6)
    .describe("size in bytes above which reading a row exhausts the heap");
/// The maximum row size of Amazon Keyspaces.
const KEYSPACES_ROW: f64 = 1_048_576.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps008_large_row.md"), Check::Table(check))
        .with_limits(&[ROW, HUGE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let (table, bytes) = (&facts.table, facts.volume.row_bytes);
    let most = mutation_bytes(project);
    let is_keyspaces = project.settings.target.product == Product::Keyspaces;
    let severity = if bytes > most || is_keyspaces && bytes > KEYSPACES_ROW {
        Severity::Error
    } else if bytes > reporter.limit(&HUGE) {
        Severity::High
    } else if bytes > reporter.limit(&ROW) {
        Severity::Medium
    } else {
        return;
    };
    // PS009 reports a single value that is the cause.
    if severity < Severity::Error
        && ps009_large_cell::worst_severity(reporter, facts).is_some_and(|cell| cell >= severity)
    {
        return;
    }
    let message = format!("Rows of {} take {} each.", table.name, figures::format_bytes(bytes));
    let finding = reporter
        .report(facts.place, message)
        .with_table(table)
        .severity(severity)
        .help("split the content into rows (id, chunk_no), or store it in an object store");
    if bytes > most {
        finding.note(format!(
            "mutations larger than {} are rejected: half a commit log segment",
            figures::format_bytes(most)
        ));
    }
}

/// The maximum size of a mutation in bytes.
pub(super) fn mutation_bytes(project: &Project<'_>) -> f64 {
    let said = server_bytes(project.settings, "max_mutation_size");
    let segment =
        || server_bytes(project.settings, "commitlog_segment_size").map(|bytes| bytes / 2.0);
    said.or_else(segment).unwrap_or(16.0 * 1_048_576.0)
}
