//! `--statistics`: the number of findings per rule.

use std::collections::BTreeMap;
use std::io::{self, Write};

use check::{Rule, Severity};
use serde_json::{Value, json};

use super::{FindingReport, text};

/// A rule with the number and the highest severity of its findings.
struct RuleCount {
    rule: &'static Rule,
    count: usize,
    worst: Severity,
}

/// The rules with findings, the most frequent first.
fn rule_counts(report: &FindingReport<'_>) -> Vec<RuleCount> {
    let mut lines: BTreeMap<&str, RuleCount> = BTreeMap::new();
    for reported in &report.findings {
        let finding = reported.finding;
        let new = || RuleCount { rule: finding.rule, count: 0, worst: finding.severity };
        let line = lines.entry(finding.rule.code).or_insert_with(new);
        line.count += 1;
        line.worst = line.worst.max(finding.severity);
    }
    let mut lines: Vec<_> = lines.into_values().collect();
    lines.sort_by_key(|line| std::cmp::Reverse(line.count));
    lines
}

pub(super) fn write_text(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for line in rule_counts(report) {
        let (count, worst) = (line.count, line.worst.word());
        writeln!(out, "{count:>6}  {:<6} {worst:<9} {}", line.rule.code, line.rule.name)?;
    }
    writeln!(out, "{}", text::summary(report))
}

pub(super) fn write_json(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let lines = rule_counts(report).into_iter().map(|line| {
        json!({
            "code": line.rule.code,
            "name": line.rule.name,
            "findings": line.count,
            "highestSeverity": line.worst.word(),
        })
    });
    writeln!(out, "{:#}", json!({ "statistics": Value::Array(lines.collect()) }))
}
