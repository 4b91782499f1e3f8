//! QV033: functions that 5.0 removed.

use cql::{QualifiedName, Statement};

use crate::facts::workload::function_calls;
use crate::{
    Check, Edit, Finding, Fix, FixKind, Location, Project, ReplayedStatement, RuleEntry, Severity,
};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qv033_removed_function.md"), Check::ServerFix(fix));

/// The removed functions and their replacements.
const REPLACEMENTS: [(&str, &str); 2] =
    [("dateof", "toTimestamp"), ("unixtimestampof", "toUnixTimestamp")];

fn fix(project: &Project<'_>, seen: &ReplayedStatement, finding: &mut Finding) {
    let Some(statement) = project.syntax(seen) else { return };
    let renamed = replacements(statement);
    let Some((first, instead)) = renamed.first() else { return };
    if project.settings.target.version < (5, 0) {
        finding.message = format!("Function {} was removed in 5.0.", first.name.text);
        finding.severity(Severity::Low);
        finding.error = None;
    }
    let edit = |(name, instead): &(&QualifiedName, &str)| Edit {
        place: Location { text: seen.place.text, span: name.name.span },
        text: (*instead).to_owned(),
    };
    finding.fix = Some(Fix {
        title: format!("use {instead}"),
        kind: FixKind::Safe,
        edits: renamed.iter().map(edit).collect(),
    });
}

/// The removed functions that a statement calls, each with its replacement.
fn replacements(statement: &Statement) -> Vec<(&QualifiedName, &'static str)> {
    let instead =
        |name: &str| REPLACEMENTS.iter().find(|(old, _)| *old == name).map(|(_, new)| *new);
    let native = function_calls(statement).into_iter().filter(|name| name.keyspace.is_none());
    native.filter_map(|name| Some((name, instead(&name.name.text)?))).collect()
}
