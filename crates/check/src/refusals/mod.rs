//! What the server refuses, as findings: the binder's and the parser's diagnostics under the rule of their code.

mod absent;
mod foreign;
mod later;
mod programs;

use cql::Diagnostic;

use absent::Absent;
use later::Later;

use crate::finding::{Finding, Place, Subject};
use crate::project::{Outcome, Project, Seen};
use crate::{Check, Confidence, Severity, facts, retold, rules, server_fixes};

/// What the server refuses, and what cannot be read.
pub(crate) fn all(project: &Project<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (text, known) in project.texts.iter().enumerate() {
        for diagnostic in &known.parsed.diagnostics {
            let place = Place { text, span: diagnostic.span };
            let seen = project.statement_at(place);
            if !programs::is_piece(project, place, seen, diagnostic) {
                found.extend(refusal(project, seen, text, diagnostic));
            }
        }
    }
    let mut absent = Absent::default();
    let mut later = Later::default();
    let mut left_out = project.refusals.iter().peekable();
    for (at, seen) in project.statements.iter().enumerate() {
        while let Some((_, diagnostic)) = left_out.next_if(|(statement, _)| *statement <= at) {
            found.extend(refusal(project, Some(seen), seen.place.text, diagnostic));
        }
        match &seen.outcome {
            Outcome::Refused(diagnostic) if programs::is_theirs(project, seen, diagnostic) => {}
            Outcome::Refused(diagnostic) if absent.explains(project, seen, diagnostic) => {}
            Outcome::Refused(diagnostic) => {
                absent.note_refused(project, seen, diagnostic);
                let mut finding = refusal(project, Some(seen), seen.place.text, diagnostic);
                let is_missing = matches!(diagnostic.rule, "SV013" | "SV028");
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
        found.extend(refusal(project, None, *text, diagnostic));
    }
    found
}

/// A diagnostic as a finding; each of their codes is a rule. What the target accepts is none.
fn refusal(
    project: &Project<'_>,
    seen: Option<&Seen>,
    text: usize,
    diagnostic: &Diagnostic,
) -> Option<Finding> {
    let place = Place { text, span: diagnostic.span };
    if let Some(finding) = retold::retell(project, seen, text, diagnostic) {
        return Some(finding);
    }
    let target = project.settings.target;
    let is_own = diagnostic.rule == "SY001"
        && seen.is_some_and(|seen| facts::is_own_syntax(target, project.written(seen.place)));
    if is_own || facts::is_accepted(target, diagnostic, project.written(place)) {
        return None;
    }
    // What is wrong with a directive has codes of its own in model files; here it is one rule.
    let code = if diagnostic.rule.starts_with("MF") { "HL004" } else { diagnostic.rule };
    let mut finding = Finding {
        rule: rules::find(code)?,
        severity: match diagnostic.severity {
            cql::Severity::Error => Severity::Error,
            cql::Severity::Warning => Severity::Medium,
            cql::Severity::Info => Severity::Info,
        },
        confidence: Confidence::High,
        place,
        subject: Subject::default(),
        message: diagnostic.message.clone(),
        notes: Vec::new(),
        related: Vec::new(),
        help: diagnostic.help.clone(),
        fix: None,
        error: diagnostic.error,
    };
    if let Some(class) = foreign::class(diagnostic) {
        if finding.rule.code == "SV023" {
            // The rule of indexes that do not come with the server speaks of it.
            return None;
        }
        foreign::soften(&mut finding, class);
    }
    if let Some(seen) = seen {
        match finding.rule.check {
            Check::ServerFix(fix) => fix(project, seen, &mut finding),
            _ => server_fixes::add(project, seen, &mut finding),
        }
    }
    if finding.help.is_none() {
        finding.help = finding.fix.as_ref().map(|fix| fix.title.clone());
    }
    Some(finding)
}
