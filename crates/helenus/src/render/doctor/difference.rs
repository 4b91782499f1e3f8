//! What changed between two reports.

use std::io::{self, Write};

use serde_json::json;

use super::figures::{describe_evidence, describe_figure};
use crate::diagnosis::{FindingChange, FindingEntry, ReportDifference};

/// Writes a difference for people.
pub(crate) fn write_difference(
    difference: &ReportDifference<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    for (word, findings) in [("new", &difference.new), ("gone", &difference.gone)] {
        for finding in findings {
            writeln!(out, "{word:<6} {}: {}", title(finding), describe_evidence(finding))?;
        }
    }
    for (word, changes) in [("worse", &difference.worse), ("better", &difference.better)] {
        for FindingChange { before, after } in changes {
            writeln!(out, "{word:<6} {}: {} -> {}", title(after), figure(before), figure(after))?;
        }
    }
    writeln!(
        out,
        "{} new, {} gone, {} worse, {} better, {} unchanged",
        difference.new.len(),
        difference.gone.len(),
        difference.worse.len(),
        difference.better.len(),
        difference.unchanged
    )
}

/// Writes a difference for programs.
pub(crate) fn write_difference_json(
    difference: &ReportDifference<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let changes = |changes: &[FindingChange<'_>]| {
        let pair =
            |change: &FindingChange<'_>| json!({ "before": change.before, "after": change.after });
        changes.iter().map(pair).collect::<Vec<_>>()
    };
    let object = json!({
        "new": difference.new,
        "gone": difference.gone,
        "worse": changes(&difference.worse),
        "better": changes(&difference.better),
        "unchanged": difference.unchanged,
    });
    writeln!(out, "{object:#}")
}

fn title(finding: &FindingEntry) -> String {
    let table = finding.table.as_deref().unwrap_or_default();
    format!("{} {} {} {table}", finding.severity, finding.code, finding.name).trim_end().to_owned()
}

/// The severity and the first figure.
fn figure(finding: &FindingEntry) -> String {
    let first = finding.evidence.first().map(describe_figure).unwrap_or_default();
    format!("{} ({first})", finding.severity)
}
