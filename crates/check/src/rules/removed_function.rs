//! QV033: functions that 5.0 removed.

use cql::{QualifiedName, Statement};

use crate::facts::calls;
use crate::{
    Asks, Category, Check, Edit, Finding, Fix, FixKind, Place, Project, Rule, Seen, Severity,
};

pub(super) static RULE: Rule = Rule {
    code: "QV033",
    name: "removed-function",
    category: Category::QueryValidity,
    severity: Severity::Error,
    asks: &[Asks::Queries, Asks::Target],
    by_default: true,
    limits: &[],
    check: Check::ServerFix(fix),
    page: include_str!("removed_function.md"),
};

/// What is called instead of what.
const RENAMED: [(&str, &str); 2] =
    [("dateof", "toTimestamp"), ("unixtimestampof", "toUnixTimestamp")];

fn fix(project: &Project<'_>, seen: &Seen, finding: &mut Finding) {
    let Some(statement) = project.syntax(seen) else { return };
    let renamed = renamed(statement);
    let Some((first, instead)) = renamed.first() else { return };
    if project.settings.target.version < (5, 0) {
        finding.message = format!("Function {} was removed in 5.0.", first.name.text);
        finding.severity(Severity::Low);
        finding.error = None;
    }
    let edit = |(name, instead): &(&QualifiedName, &str)| Edit {
        place: Place { text: seen.place.text, span: name.name.span },
        text: (*instead).to_owned(),
    };
    finding.fix = Some(Fix {
        title: format!("call {instead}"),
        kind: FixKind::Safe,
        edits: renamed.iter().map(edit).collect(),
    });
}

/// The removed functions that a statement calls, each with what is called instead.
fn renamed(statement: &Statement) -> Vec<(&QualifiedName, &'static str)> {
    let instead = |name: &str| RENAMED.iter().find(|(old, _)| *old == name).map(|(_, new)| *new);
    let native = calls(statement).into_iter().filter(|name| name.keyspace.is_none());
    native.filter_map(|name| Some((name, instead(&name.name.text)?))).collect()
}
