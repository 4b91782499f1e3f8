//! The rules: a chapter for each family, and in it a page and a file for each rule
//! (`partition/dr001_large_partition.{rs,md}`).
//!
//! A rule is identified by its code. Its name, severity and category are in the head of its page,
//! and nowhere else; its chapter lists it. A rule reads an [`Examination`]: the snapshot, and the
//! access plans of the statements that were seen.

mod compaction;
mod examination;
mod figures;
mod finding;
mod node;
#[cfg(test)]
mod node_tests;
mod partition;
mod query;
mod redesign;
mod reporter;
mod ring;
mod rule;
mod setting;
#[cfg(test)]
mod tests;
mod tombstone;
mod write;

use std::sync::LazyLock;

pub use examination::{Examination, PlannedStatement};
pub use finding::{Evidence, Finding, Quantity, Remedy};
pub use rule::{Category, Rule};

use crate::Snapshot;
use reporter::Reporter;
use rule::RuleEntry;

/// The chapters.
const CHAPTERS: &[&[RuleEntry]] = &[
    partition::RULES,
    tombstone::RULES,
    query::RULES,
    write::RULES,
    compaction::RULES,
    node::RULES,
    setting::RULES,
];

/// All rules, by code. A page without a proper head is left out; a test finds it.
static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    let mut rules: Vec<Rule> = entries().filter_map(Rule::from_entry).collect();
    rules.sort_by_key(|rule| rule.code);
    rules
});

fn entries() -> impl Iterator<Item = &'static RuleEntry> {
    CHAPTERS.iter().copied().flatten()
}

/// All rules, by code.
pub fn all() -> impl Iterator<Item = &'static Rule> {
    RULES.iter()
}

/// The rule of a code.
pub fn find(code: &str) -> Option<&'static Rule> {
    let at = RULES.binary_search_by(|rule| rule.code.cmp(code)).ok()?;
    RULES.get(at)
}

/// Asks every rule: the findings, the worst first.
pub fn examine(snapshot: &Snapshot) -> Vec<Finding> {
    let examination = Examination::new(snapshot);
    let mut findings = Vec::new();
    for rule in RULES.iter() {
        let mut reporter = Reporter { rule, findings: Vec::new() };
        (rule.examine)(&examination, &mut reporter);
        findings.append(&mut reporter.findings);
    }
    findings.sort_by(|a, b| {
        b.severity
            .cmp(&a.severity)
            .then_with(|| b.impact.total_cmp(&a.impact))
            .then_with(|| a.rule.code.cmp(b.rule.code))
            .then_with(|| a.table.cmp(&b.table))
    });
    findings
}
