//! DM010: a schema without statements.

use crate::{Check, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm010_no_workload.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut statements = project.statements.iter().filter_map(|seen| project.syntax(seen));
    let uses_rows = statements.any(|statement| statement.kind.is_data_manipulation());
    let is_told = |text: usize| project.texts.get(text).is_some_and(|text| text.is_reported);
    let Some(first) =
        project.tables.iter().find(|facts| is_told(facts.place.text)).filter(|_| !uses_rows)
    else {
        return;
    };
    reporter
        .report(
            first.place,
            "No statements were given, so checks that depend on queries are inferred or skipped.",
        )
        .help("pass the statements as well: name a .cql file that contains them, or the program's directory with --programs");
}
