//! Asking every rule.

use crate::finding::{Finding, Place};
use crate::project::Project;
use crate::rule::{Check, Rule};
use crate::{Found, Level, allow, refusals, rules, subject};

/// All findings, in the order of the texts; what comments allow is left out.
pub fn check(project: &Project<'_>) -> Vec<Finding> {
    let mut found = refusals::all(project);
    let asked = rules::all().filter(|rule| project.settings.level(rule) != Level::Off);
    for rule in asked {
        found.extend(ask(project, rule));
    }
    found.retain(|finding| project.texts.get(finding.place.text).is_some_and(|text| text.is_told));
    let mut left = allow::apply(project, found);
    left.retain(|finding| project.settings.level(finding.rule) != Level::Off);
    for finding in &mut left {
        subject::complete(project, finding);
        finding.severity = match project.settings.level(finding.rule) {
            Level::As(severity) => severity,
            _ => finding.severity.at(finding.confidence),
        };
    }
    let order = |finding: &Finding| {
        let Place { text, span } = finding.place;
        (text, span.start, span.end, finding.rule.code)
    };
    left.sort_by(|one, other| {
        order(one).cmp(&order(other)).then_with(|| one.message.cmp(&other.message))
    });
    left.dedup_by(|one, other| order(one) == order(other) && one.message == other.message);
    left
}

/// What one rule finds.
fn ask(project: &Project<'_>, rule: &'static Rule) -> Vec<Finding> {
    let mut found = Found { rule, settings: project.settings, findings: Vec::new() };
    match rule.check {
        Check::Table(check) => {
            project.tables.iter().for_each(|table| check(project, table, &mut found));
        }
        Check::Statement(check) => {
            project.statements.iter().for_each(|seen| check(project, seen, &mut found));
        }
        Check::Step(check) => {
            project.steps.iter().for_each(|step| check(project, step, &mut found));
        }
        Check::Project(check) => check(project, &mut found),
        Check::Server | Check::ServerFix(_) => {}
    }
    found.findings
}
