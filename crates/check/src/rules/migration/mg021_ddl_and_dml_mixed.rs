//! MG021: A migration writes a table that the same file creates.

use std::collections::BTreeSet;

use crate::project::TextKind;
use crate::{Check, Confidence, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg021_ddl_and_dml_mixed.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut told: BTreeSet<(usize, &str, &str)> = BTreeSet::new();
    for seen in &project.statements {
        let text = seen.place.text;
        if project.texts.get(text).is_none_or(|text| text.kind != TextKind::Migration) {
            continue;
        }
        for write in seen.writes() {
            let Some(facts) = project.facts(&write.table) else { continue };
            let creates = project
                .statements
                .get(facts.statement)
                .filter(|creates| creates.place.text == text);
            let Some(creates) = creates else { continue };
            if told.insert((text, &write.table.keyspace, &write.table.name)) {
                reporter
                    .report(seen.place, format!("The migration writes `{}` immediately after its CREATE TABLE: a node that does not have the table yet rejects the write.", write.table.name))
                    .with_table(&facts.table)
                    .confidence(Confidence::Medium)
                    .with_related(creates.place, "the table is created here")
                    .help("put the rows into a separate file, or wait for schema agreement in between");
            }
        }
    }
}
