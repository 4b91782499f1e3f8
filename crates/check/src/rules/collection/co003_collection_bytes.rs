//! CO003: collections of many bytes.

use model::concept::Origin;
use model::figures;

use crate::remedies::child_table;
use crate::severity::elements_severity;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const LARGE: Limit =
    Limit::new("collection-bytes", 64e3).describe("size in bytes at which a collection is large");
const LARGER: Limit = Limit::new("collection-bytes-medium", 1e6)
    .describe("size in bytes at which a collection should be a table");
const HUGE: Limit = Limit::new("collection-bytes-high", 5e6)
    .describe("size in bytes at which a collection must be a table");
const TOO_LARGE: Limit = Limit::new("collection-bytes-critical", 10e6)
    .describe("size in bytes at which reads of a collection fail");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co003_collection_bytes.md"), Check::Table(check))
        .with_limits(&[LARGE, LARGER, HUGE, TOO_LARGE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if facts.view.is_some() {
        return;
    }
    for (column, volume) in table.columns().iter().zip(&facts.volume.columns) {
        let is_said = [volume.bytes, volume.items].map(|stated| stated.origin != Origin::Assumed);
        if !column.ty.is_collection() || is_said == [false, false] {
            continue;
        }
        let bytes = volume.bytes.value * volume.items.value;
        let Some(severity) = severity(bytes, reporter) else { continue };
        // CO002 reports it with the same severity by the number of elements.
        let by_elements = elements_severity(volume.items.value, [100.0, 1_000.0, 10_000.0]);
        if is_said[1] && by_elements.is_some_and(|other| other >= severity) {
            continue;
        }
        let (name, size) = (&column.name, figures::format_bytes(bytes));
        let (items, each) =
            (figures::format_count(volume.items.value), figures::format_bytes(volume.bytes.value));
        let is_sure = is_said == [true, true];
        let finding = reporter.report(
            project.column_location(facts, name),
            format!("Collection `{name}` takes {size}."),
        );
        finding
            .with_column(table, column)
            .severity(severity)
            .confidence(if is_sure { Confidence::High } else { Confidence::Medium })
            .note(format!("{items} elements of {each}"));
        if let Some(child) = child_table(table, column) {
            finding.help(format!("store each element as a row:\n{child}"));
        }
    }
}

fn severity(bytes: f64, found: &Reporter<'_>) -> Option<Severity> {
    let steps = [
        (&TOO_LARGE, Severity::Critical),
        (&HUGE, Severity::High),
        (&LARGER, Severity::Medium),
        (&LARGE, Severity::Low),
    ];
    let reached = steps.into_iter().find(|(limit, _)| bytes >= found.limit(limit));
    reached.map(|(_, severity)| severity)
}
