//! What the server refuses, as findings: the binder's and the parser's diagnostics under the rule of their code.

mod absent;
mod foreign;
mod later;
mod programs;

use cql::{Diagnostic, ErrorCode, SyntaxError};
use schema::Refusal;

use absent::Absent;
use later::Later;

use crate::place::Place;
use crate::project::{Outcome, Project, Seen};
use crate::rule::{Finding, Subject};
use crate::server_fixes::RefusalCause;
use crate::{Check, Confidence, Severity, facts, reclassify, rules, server_fixes};

/// What the server refuses, and what cannot be read.
pub(crate) fn all(project: &Project<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (text, known) in project.texts.iter().enumerate() {
        for error in &known.parsed.errors {
            let place = Place { text, span: error.span };
            let seen = project.statement_at(place);
            if !programs::is_piece(project, place, seen, error) {
                found.extend(unreadable(project, seen, text, error));
            }
        }
    }
    let mut absent = Absent::default();
    let mut later = Later::default();
    let mut left_out = project.refusals.iter().peekable();
    for (at, seen) in project.statements.iter().enumerate() {
        while let Some((_, refusal)) = left_out.next_if(|(statement, _)| *statement <= at) {
            found.extend(refused(project, seen, refusal));
        }
        match &seen.outcome {
            Outcome::Refused(refusal) if programs::is_theirs(project, seen, refusal) => {}
            Outcome::Refused(refusal) if absent.explains(project, seen, refusal) => {}
            Outcome::Refused(refusal) => {
                absent.note_refused(project, seen, refusal);
                let mut finding = refused(project, seen, refusal);
                let is_missing = matches!(refusal.rule(), "SV013" | "SV028");
                if let Some(missing) = finding.as_mut().filter(|_| is_missing)
                    && !later.explain(project, at, missing)
                {
                    continue;
                }
                found.extend(finding);
            }
            Outcome::Broken => absent.note(project, seen),
            _ => {}
        }
    }
    for (text, diagnostic) in &project.complaints {
        found.extend(complaint(*text, diagnostic));
    }
    found
}

/// What cannot be read, as a finding. What the target reads is none.
fn unreadable(
    project: &Project<'_>,
    seen: Option<&Seen>,
    text: usize,
    error: &SyntaxError,
) -> Option<Finding> {
    let place = Place { text, span: error.span };
    if let Some(seen) = seen.filter(|_| error.rule() == "SY001") {
        if let Some(mut finding) = reclassify::habit_of_sql(project, seen, place) {
            finding.error = Some(ErrorCode::Syntax);
            return Some(finding);
        }
        if facts::is_own_syntax(project.settings.target, project.written(seen.place)) {
            return None;
        }
    }
    let mut finding = finding(error.clone().into(), error.rule(), text)?;
    fix(project, seen, RefusalCause::Syntax(error), &mut finding);
    Some(finding)
}

/// What the server refuses, as a finding; each of the codes is a rule. What the target accepts is none.
fn refused(project: &Project<'_>, seen: &Seen, refusal: &Refusal) -> Option<Finding> {
    let text = seen.place.text;
    let place = Place { text, span: refusal.span };
    if let Some(mut finding) = reclassify::option_of_vendor(project, place, &refusal.reason) {
        finding.error = Some(refusal.error());
        return Some(finding);
    }
    if facts::is_accepted(project.settings.target, &refusal.reason, project.written(place)) {
        return None;
    }
    let mut finding = finding(refusal.clone().into(), refusal.rule(), text)?;
    if let Some(class) = foreign::class(&refusal.reason) {
        if finding.rule.code == "SV023" {
            // The rule of indexes that do not come with the server speaks of it.
            return None;
        }
        foreign::soften(&mut finding, class);
    }
    fix(project, Some(seen), RefusalCause::Refusal(&refusal.reason), &mut finding);
    Some(finding)
}

/// What is wrong with a directive has codes of its own in model files; here it is one rule.
fn complaint(text: usize, diagnostic: &Diagnostic) -> Option<Finding> {
    let code = if diagnostic.rule.starts_with("MF") { "HL004" } else { diagnostic.rule };
    finding(diagnostic.clone(), code, text)
}

/// A diagnostic as a finding of a rule.
fn finding(diagnostic: Diagnostic, code: &str, text: usize) -> Option<Finding> {
    Some(Finding {
        rule: rules::find(code)?,
        severity: match diagnostic.severity {
            cql::Severity::Error => Severity::Error,
            cql::Severity::Warning => Severity::Medium,
            cql::Severity::Info => Severity::Info,
        },
        confidence: Confidence::High,
        place: Place { text, span: diagnostic.span },
        subject: Subject::default(),
        message: diagnostic.message,
        notes: Vec::new(),
        related: Vec::new(),
        help: diagnostic.help,
        fix: None,
        error: diagnostic.error,
        guardrail: None,
    })
}

/// Gives a finding its fix, and the fix's title for advice where there is none.
fn fix(project: &Project<'_>, seen: Option<&Seen>, cause: RefusalCause<'_>, finding: &mut Finding) {
    if let Some(seen) = seen {
        match finding.rule.check {
            Check::ServerFix(fix) => fix(project, seen, finding),
            _ => server_fixes::add(project, seen, cause, finding),
        }
    }
    if finding.help.is_none() {
        finding.help = finding.fix.as_ref().map(|fix| fix.title.clone());
    }
}
