//! One finding for one cause: where a guardrail rejects a statement, the rule that gives the same
//! advice for servers without that guardrail is suppressed.

use std::collections::BTreeMap;

use crate::rule::Finding;
use crate::{Project, Severity, guardrails};

/// The rules that report what guardrails reject.
const REFUSAL_RULES: [&str; 2] = ["GR001", "PT002"];

/// A rule and a statement: its text and where it starts.
type FindingKey = (&'static str, usize, u32);

/// Removes findings that a guardrail's rejection of the same statement, or of the same column in
/// it, already reports.
pub(crate) fn remove_duplicates(project: &Project<'_>, found: &mut Vec<Finding>) {
    let mut refused: BTreeMap<FindingKey, Vec<Option<Box<str>>>> = BTreeMap::new();
    for finding in found.iter() {
        if let Some(cause) =
            advice_rule(finding).and_then(|rule| finding_key(project, rule, finding))
        {
            refused.entry(cause).or_default().push(finding.subject.column.clone());
        }
    }
    if refused.is_empty() {
        return;
    }
    found.retain(|finding| {
        let cause = finding_key(project, finding.rule.code, finding);
        let columns = cause.and_then(|cause| refused.get(&cause));
        let own = finding.subject.column.as_deref();
        let is_same = |column: &Option<Box<str>>| {
            own.is_none() || column.is_none() || own == column.as_deref()
        };
        !columns.is_some_and(|columns| columns.iter().any(is_same))
    });
}

fn finding_key(project: &Project<'_>, rule: &'static str, finding: &Finding) -> Option<FindingKey> {
    let seen = project.statement_at(finding.place)?;
    Some((rule, seen.place.text, seen.place.span.start))
}

/// The rule whose advice a refusal refers to.
fn advice_rule(finding: &Finding) -> Option<&'static str> {
    let is_refusal =
        REFUSAL_RULES.contains(&finding.rule.code) && finding.severity == Severity::Error;
    let rule = guardrails::find(finding.guardrail.filter(|_| is_refusal)?)?.rule;
    // Statements that the server rejects in any case have another cause.
    (!REFUSAL_RULES.contains(&rule) && !rule.starts_with("QV")).then_some(rule)
}
