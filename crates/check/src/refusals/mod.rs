//! Statements that the server rejects, as findings: the binder's and the parser's diagnostics under
//! the rule of their code.

mod absent_objects;
mod creation_order;
mod foreign_class;
mod programs;

use cql::{Diagnostic, DiagnosticLevel, ErrorCode, SyntaxError};
use schema::Refusal;

use absent_objects::AbsentObjects;
use creation_order::CreationOrder;

use crate::location::Location;
use crate::project::{Project, ReplayedStatement, StatementOutcome};
use crate::rule::{Finding, FindingSubject};
use crate::server_fixes::RefusalCause;
use crate::vocabulary::vendors::{is_accepted_by_target, is_vendor_syntax};
use crate::{Check, Confidence, Severity, reclassify, rules, server_fixes};

/// The findings for statements that the server rejects or that cannot be parsed.
pub(crate) fn collect_refusals(project: &Project<'_>) -> Vec<Finding> {
    let mut found = Vec::new();
    for (text, known) in project.texts.iter().enumerate() {
        for error in &known.parsed.errors {
            let place = Location { text, span: error.span };
            let seen = project.statement_at(place);
            if !programs::is_fragment(project, place, seen, error) {
                found.extend(syntax_finding(project, seen, text, error));
            }
        }
    }
    let mut absent = AbsentObjects::default();
    let mut later = CreationOrder::default();
    let mut left_out = project.refusals.iter().peekable();
    for (at, seen) in project.statements.iter().enumerate() {
        while let Some((_, refusal)) = left_out.next_if(|(statement, _)| *statement <= at) {
            found.extend(refusal_finding(project, seen, refusal));
        }
        match &seen.outcome {
            StatementOutcome::Refused(refusal)
                if programs::is_program_specific(project, seen, refusal) => {}
            StatementOutcome::Refused(refusal) if absent.is_consequence(project, seen, refusal) => {
            }
            StatementOutcome::Refused(refusal) => {
                absent.record_refusal(project, seen, refusal);
                let mut finding = refusal_finding(project, seen, refusal);
                let is_missing = matches!(refusal.rule(), "SV013" | "SV028");
                if let Some(missing) = finding.as_mut().filter(|_| is_missing)
                    && !later.explain(project, at, missing)
                {
                    continue;
                }
                found.extend(finding);
            }
            StatementOutcome::Broken => absent.record_creation(project, seen),
            _ => {}
        }
    }
    for (text, diagnostic) in &project.directive_errors {
        found.extend(directive_finding(*text, diagnostic));
    }
    found
}

/// A syntax error as a finding; `None` if the target accepts the syntax.
fn syntax_finding(
    project: &Project<'_>,
    seen: Option<&ReplayedStatement>,
    text: usize,
    error: &SyntaxError,
) -> Option<Finding> {
    let place = Location { text, span: error.span };
    if let Some(seen) = seen.filter(|_| error.rule() == "SY001") {
        if let Some(mut finding) = reclassify::report_sql_construct(project, seen, place) {
            finding.error = Some(ErrorCode::Syntax);
            return Some(finding);
        }
        if is_vendor_syntax(project.settings.target, project.text_at(seen.place)) {
            return None;
        }
    }
    let mut finding = diagnostic_finding(error.clone().into(), error.rule(), text)?;
    attach_fix(project, seen, RefusalCause::Syntax(error), &mut finding);
    Some(finding)
}

/// A refusal as a finding; each code is a rule. `None` if the target accepts the statement.
fn refusal_finding(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    refusal: &Refusal,
) -> Option<Finding> {
    let text = seen.place.text;
    let place = Location { text, span: refusal.span };
    if let Some(mut finding) = reclassify::report_vendor_option(project, place, &refusal.reason) {
        finding.error = Some(refusal.error());
        return Some(finding);
    }
    if is_accepted_by_target(project.settings.target, &refusal.reason, project.text_at(place)) {
        return None;
    }
    let mut finding = diagnostic_finding(refusal.clone().into(), refusal.rule(), text)?;
    if let Some(class) = foreign_class::find(&refusal.reason) {
        if finding.rule.code == "SV023" {
            // IX019 reports indexes with third-party classes.
            return None;
        }
        foreign_class::soften(&mut finding, class);
    }
    attach_fix(project, Some(seen), RefusalCause::Refusal(&refusal.reason), &mut finding);
    Some(finding)
}

/// Errors in directives have separate codes in model files; here they share one rule.
fn directive_finding(text: usize, diagnostic: &Diagnostic) -> Option<Finding> {
    let code = if diagnostic.rule.starts_with("MF") { "HL004" } else { diagnostic.rule };
    diagnostic_finding(diagnostic.clone(), code, text)
}

/// A diagnostic as a finding of a rule.
fn diagnostic_finding(diagnostic: Diagnostic, code: &str, text: usize) -> Option<Finding> {
    Some(Finding {
        rule: rules::find(code)?,
        severity: match diagnostic.level {
            DiagnosticLevel::Error => Severity::Error,
            DiagnosticLevel::Warning => Severity::Medium,
        },
        confidence: Confidence::High,
        place: Location { text, span: diagnostic.span },
        subject: FindingSubject::default(),
        message: diagnostic.message,
        notes: Vec::new(),
        related: Vec::new(),
        help: diagnostic.help,
        fix: None,
        error: diagnostic.error,
        guardrail: None,
    })
}

/// Adds the fix to a finding, and uses its title as the help if there is none.
fn attach_fix(
    project: &Project<'_>,
    seen: Option<&ReplayedStatement>,
    cause: RefusalCause<'_>,
    finding: &mut Finding,
) {
    if let Some(seen) = seen {
        match finding.rule.check {
            Check::ServerFix(fix) => fix(project, seen, finding),
            _ => server_fixes::attach_fix(project, seen, cause, finding),
        }
    }
    if finding.help.is_none() {
        finding.help = finding.fix.as_ref().map(|fix| fix.title.clone());
    }
}
