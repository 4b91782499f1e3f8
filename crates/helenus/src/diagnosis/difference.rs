//! What changed between two reports.

use std::collections::BTreeMap;

use doctor::rules::Category;

use super::report::{DoctorReport, FindingEntry};

/// A figure that changed by less than this share did not change.
const NOISE: f64 = 0.1;

/// A finding in both reports whose severity or first figure changed.
pub(crate) struct FindingChange<'a> {
    pub(crate) before: &'a FindingEntry,
    pub(crate) after: &'a FindingEntry,
}

/// The findings of two reports, compared.
pub(crate) struct ReportDifference<'a> {
    /// Only after.
    pub(crate) new: Vec<&'a FindingEntry>,
    /// Only before.
    pub(crate) gone: Vec<&'a FindingEntry>,
    /// In both, and worse after.
    pub(crate) worse: Vec<FindingChange<'a>>,
    /// In both, and better after.
    pub(crate) better: Vec<FindingChange<'a>>,
    /// In both, and as before.
    pub(crate) unchanged: usize,
}

/// Compares two reports.
pub(crate) fn compare_reports<'a>(
    before: &'a DoctorReport,
    after: &'a DoctorReport,
) -> ReportDifference<'a> {
    let mut known: BTreeMap<_, &FindingEntry> =
        before.findings.iter().map(|finding| (identity(finding), finding)).collect();
    let mut difference = ReportDifference {
        new: Vec::new(),
        gone: Vec::new(),
        worse: Vec::new(),
        better: Vec::new(),
        unchanged: 0,
    };
    for after in &after.findings {
        let Some(before) = known.remove(&identity(after)) else {
            difference.new.push(after);
            continue;
        };
        let growth = growth(before, after);
        let change = FindingChange { before, after };
        match after.severity().cmp(&before.severity()) {
            std::cmp::Ordering::Greater => difference.worse.push(change),
            std::cmp::Ordering::Less => difference.better.push(change),
            std::cmp::Ordering::Equal if growth > 1.0 + NOISE => difference.worse.push(change),
            std::cmp::Ordering::Equal if growth < 1.0 - NOISE => difference.better.push(change),
            std::cmp::Ordering::Equal => difference.unchanged += 1,
        }
    }
    difference.gone = known.into_values().collect();
    difference
}

/// What makes two findings the same one: not its figures, the nodes only where no table is named, and
/// the statement only where it is what was found.
fn identity(finding: &FindingEntry) -> (&str, &str, &str, &[String]) {
    let nodes = if finding.table.is_none() { finding.nodes.as_slice() } else { &[] };
    let is_of_statement = finding.category == Category::Query.name();
    let statement = finding.statement.as_deref().filter(|_| is_of_statement);
    let table = finding.table.as_deref().unwrap_or_default();
    (&finding.code, table, statement.unwrap_or_default(), nodes)
}

/// The first figure after, divided by the same before; 1 if either is missing.
fn growth(before: &FindingEntry, after: &FindingEntry) -> f64 {
    let first = |finding: &FindingEntry| {
        let figure = finding.evidence.first()?;
        Some((figure.what.clone(), figure.value?))
    };
    match (first(before), first(after)) {
        (Some((what, before)), Some((same, after))) if what == same && before > 0.0 => {
            after / before
        }
        _ => 1.0,
    }
}
