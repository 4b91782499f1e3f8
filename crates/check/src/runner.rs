//! Asking every rule.

use crate::fix::{Edit, Fix, FixKind};
use crate::location::Location;
use crate::project::Project;
use crate::rule::Finding;
use crate::rule::{Check, Rule};
use crate::{Level, Reporter, allowance, guardrails, refusals, rules, subject};

/// All findings, in the order of the texts; what comments allow is left out.
pub fn check(project: &Project<'_>) -> Vec<Finding> {
    let mut found = refusals::collect_refusals(project);
    run_rules(project, &mut found);
    found.retain(|finding| {
        project.texts.get(finding.place.text).is_some_and(|text| text.is_reported)
    });
    let mut left = allowance::apply(project, found);
    left.retain(|finding| finding.rule.level(project.settings) != Level::Off);
    for finding in &mut left {
        subject::complete(project, finding);
        finding.fix = finding.fix.take().and_then(|fix| adapt_to_programs(project, fix));
        finding.severity = match finding.rule.level(project.settings) {
            Level::As(severity) => severity,
            _ => finding.confidence.lower(finding.severity),
        };
    }
    guardrails::remove_duplicates(project, &mut left);
    let order = |finding: &Finding| {
        let Location { text, span } = finding.place;
        (text, span.start, span.end, finding.rule.code)
    };
    left.sort_by(|one, other| {
        order(one).cmp(&order(other)).then_with(|| one.message.cmp(&other.message))
    });
    left.dedup_by(|one, other| order(one) == order(other) && one.message == other.message);
    left
}

/// A fix as it is for programs, which have their own ways to write strings: only shown, and not at all where what it writes might end
/// the string.
fn adapt_to_programs(project: &Project<'_>, mut fix: Fix) -> Option<Fix> {
    let in_program = |edit: &&Edit| project.is_program(edit.place);
    if fix.edits.iter().any(|edit| in_program(&edit)) {
        fix.kind = FixKind::Plan;
    }
    let mut written = fix.edits.iter().filter(in_program);
    let breaks = written.any(|edit| edit.text.contains(['"', '\'', '`', '\\', '\n']));
    (!breaks).then_some(fix)
}

/// What the rules find. All of them look at one table or statement before they look at the next: what is known of it is at hand.
fn run_rules(project: &Project<'_>, all: &mut Vec<Finding>) {
    let is_asked = |rule: &&Rule| rule.level(project.settings) != Level::Off;
    let listener = |rule| Reporter { rule, settings: project.settings, findings: Vec::new() };
    let mut asked: Vec<Reporter<'_>> = rules::all().filter(is_asked).map(listener).collect();
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
    for found in &mut asked {
        all.append(&mut found.findings);
    }
}
