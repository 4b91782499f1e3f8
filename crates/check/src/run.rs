//! Asking every rule.

use crate::finding::{Finding, Place};
use crate::project::Project;
use crate::rule::{Check, Rule};
use crate::{Found, Level, allow, refusals, rules, subject};

/// All findings, in the order of the texts; what comments allow is left out.
pub fn check(project: &Project<'_>) -> Vec<Finding> {
    let mut found = refusals::all(project);
    found.extend(ask(project));
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

/// What the rules find. All of them look at one table or statement before they look at the next: what is known of it is at hand.
fn ask(project: &Project<'_>) -> impl Iterator<Item = Finding> {
    let is_asked = |rule: &&Rule| project.settings.level(rule) != Level::Off;
    let listener = |rule| Found { rule, settings: project.settings, findings: Vec::new() };
    let mut asked: Vec<Found<'_>> = rules::all().filter(is_asked).map(listener).collect();
    let (mut tables, mut statements, mut steps) = (Vec::new(), Vec::new(), Vec::new());
    for found in &mut asked {
        match found.rule.check {
            Check::Table(check) => tables.push((check, found)),
            Check::Statement(check) => statements.push((check, found)),
            Check::Step(check) => steps.push((check, found)),
            Check::Project(check) => check(project, found),
            Check::Server | Check::ServerFix(_) => {}
        }
    }
    for table in &project.tables {
        for (check, found) in &mut tables {
            check(project, table, found);
        }
    }
    for seen in &project.statements {
        for (check, found) in &mut statements {
            check(project, seen, found);
        }
    }
    for step in &project.steps {
        for (check, found) in &mut steps {
            check(project, step, found);
        }
    }
    asked.into_iter().flat_map(|found| found.findings)
}
