//! GR001: what the guardrails of the server warn about or refuse.

use std::collections::BTreeSet;

use crate::guardrails::{self, GuardrailKind, Measurement, Violation};
use crate::{Check, Project, Reporter, RuleEntry, Severity, rules};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("gr001_would_violate_guardrail.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    if project.settings.server.is_empty() {
        return;
    }
    let mut crowded = BTreeSet::new();
    for measure in guardrails::measure_project(project) {
        let Some((verdict, message)) = evaluate(project, &measure) else { continue };
        // Exceeding the number of tables is reported once, not for every further table.
        let is_crowd = matches!(measure.guardrail, "tables" | "keyspaces");
        if is_crowd && !crowded.insert((measure.guardrail, verdict == Violation::Fails)) {
            continue;
        }
        let severity = match (verdict, measure.is_logged) {
            (Violation::Fails, false) => Severity::Error,
            (Violation::Fails, true) => Severity::High,
            (Violation::Warns, _) => Severity::Medium,
        };
        let finding = reporter.report(measure.place, message).severity(severity);
        finding.subject = measure.subject.clone();
        finding.guardrail = Some(measure.guardrail);
        if verdict == Violation::Fails && !measure.is_logged {
            finding.note("superusers are exempt, as is everyone while authentication is disabled");
        }
        if measure.is_logged {
            finding
                .note("the server does not reject it, but logs this when it flushes and compacts");
        }
        finding.help(help(&measure, verdict));
    }
}

/// The remedy: that of another rule, or a different configuration.
fn help(measure: &Measurement, verdict: Violation) -> String {
    let guardrail = guardrails::find(measure.guardrail);
    let kind = guardrail.map_or(GuardrailKind::Values, |known| known.kind);
    let name = measure.guardrail;
    let end = if verdict == Violation::Fails { "fail" } else { "warn" };
    let configure = match kind {
        GuardrailKind::Most | GuardrailKind::MostBytes => format!("raise {name}_{end}_threshold"),
        GuardrailKind::Least => format!("lower {name}_{end}_threshold"),
        GuardrailKind::Switch(switch) => format!("set {switch}: true"),
        GuardrailKind::Values => return format!("remove it, or change the lists of {name}"),
    };
    let advice = guardrail.map(|known| known.rule).filter(|code| !code.starts_with("QV"));
    match advice.filter(|code| *code != "GR001").and_then(rules::find) {
        Some(rule) => format!("see {} {}, or {configure}", rule.code, rule.name),
        None => format!("avoid it, or {configure}"),
    }
}

/// The verdict of the configuration on a measurement.
fn evaluate(project: &Project<'_>, measure: &Measurement) -> Option<(Violation, String)> {
    let guardrail = guardrails::find(measure.guardrail)?;
    if guardrail.kind == GuardrailKind::Values {
        return guardrails::evaluate_values(project.settings, measure);
    }
    let bounds = guardrail.server_thresholds(project.settings);
    let verdict = guardrail.evaluate(bounds, measure.value)?;
    Some((verdict, guardrail.message(measure, bounds, verdict)))
}
