//! Asking every rule.

use cql::Diagnostic;

use crate::finding::{Finding, Place, Subject};
use crate::project::{Outcome, Project};
use crate::rule::{Check, Rule};
use crate::{Confidence, Found, Level, Severity, allow, rules};

/// All findings, in the order of the texts; what comments allow is left out.
pub fn check(project: &Project<'_>) -> Vec<Finding> {
    let mut found = refusals(project);
    let asked = rules::all().filter(|rule| project.settings.level(rule) != Level::Off);
    for rule in asked {
        found.extend(ask(project, rule));
    }
    found.retain(|finding| {
        project.settings.level(finding.rule) != Level::Off
            && project.texts.get(finding.place.text).is_some_and(|text| text.is_told)
    });
    for finding in &mut found {
        finding.severity = match project.settings.level(finding.rule) {
            Level::As(severity) => severity,
            _ => finding.severity.at(finding.confidence),
        };
    }
    let mut left = allow::apply(project, found);
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
        Check::Server | Check::ServerFix(_) | Check::Nothing => {}
    }
    found.findings
}

/// What the server refuses, and what cannot be read.
fn refusals(project: &Project<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (text, known) in project.texts.iter().enumerate() {
        let broken = known.parsed.diagnostics.iter();
        found.extend(broken.filter_map(|diagnostic| refusal(text, diagnostic)));
    }
    for seen in &project.statements {
        if let Outcome::Refused(diagnostic) = &seen.outcome {
            let mut finding = refusal(seen.place.text, diagnostic);
            if let Some(finding) = &mut finding
                && let Check::ServerFix(fix) = finding.rule.check
            {
                fix(project, seen, finding);
            }
            found.extend(finding);
        }
    }
    let wrong = project.complaints.iter();
    found.extend(wrong.filter_map(|(text, diagnostic)| refusal(*text, diagnostic)));
    found
}

/// A diagnostic as a finding; each of their codes is a rule.
fn refusal(text: usize, diagnostic: &Diagnostic) -> Option<Finding> {
    // What is wrong with a directive has codes of its own in model files; here it is one rule.
    let code = if diagnostic.rule.starts_with("MF") { "HL004" } else { diagnostic.rule };
    let rule = rules::find(code)?;
    Some(Finding {
        rule,
        severity: match diagnostic.severity {
            cql::Severity::Error => Severity::Error,
            cql::Severity::Warning => Severity::Medium,
            cql::Severity::Info => Severity::Info,
        },
        confidence: Confidence::High,
        place: Place { text, span: diagnostic.span },
        subject: Subject::default(),
        message: diagnostic.message.clone(),
        notes: Vec::new(),
        related: Vec::new(),
        help: diagnostic.help.clone(),
        fix: None,
        error: diagnostic.error,
    })
}
