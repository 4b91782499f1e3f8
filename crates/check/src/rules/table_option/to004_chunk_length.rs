//! TO004: compression chunks that are too long for small reads.

use model::figures;

use crate::facts::workload::is_time_series;
use crate::{Check, Confidence, FixKind, Limit, Project, Reporter, RuleEntry, TableFacts};

const CHUNK: Limit =
    Limit::new("chunk-kilobytes", 16.0).describe("chunk length in kilobytes for small reads");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("to004_chunk_length.md"), Check::Table(check))
        .with_limits(&[CHUNK]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let stated = table
        .params
        .compression
        .get("chunk_length_in_kb")
        .and_then(|text| text.parse::<f64>().ok());
    let Some(chunk) = stated.filter(|chunk| *chunk > reporter.limit(&CHUNK)) else { return };
    if table.is_view || is_time_series(project, facts) {
        return;
    }
    // Without volumes a partition is known to be small only if it is one row.
    let read = match facts.volume.partition_rows() {
        Some(rows) => facts.volume.partition_bytes(rows.mean),
        None if table.clustering().is_empty() => facts.volume.partition_bytes(1.0),
        None => return,
    };
    let is_known = facts.volume.rows.is_some() || facts.volume.each.is_some();
    let confidence = if is_known { Confidence::High } else { Confidence::Low };
    if read >= reporter.limit(&CHUNK) * 1024.0 {
        return;
    }
    let entry = project.option_entry_location(facts, "compression", "chunk_length_in_kb");
    let place = entry.unwrap_or_else(|| project.option_location(facts, "compression"));
    let finding =
        reporter.report(place, format!("Each read of {} decompresses {chunk} KB.", table.name));
    finding
        .with_table(table)
        .confidence(confidence)
        .note(format!("a partition takes about {}", figures::format_bytes(read)))
        .help("use 'chunk_length_in_kb': '16', the default since 4.0");
    if entry.is_some() {
        finding.fix(FixKind::Unsafe, "use a chunk length of 16 KB", place, "'16'");
    }
}
