//! MG019: The new version of a table lacks columns that statements read of the old one.

use std::collections::BTreeSet;

use crate::facts::workload::is_runtime_statement;
use crate::project::ObjectChange;
use crate::{Check, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg019_v2_missing_columns.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let ObjectChange::Table { before: None, after: Some(created) } = &step.change else { return };
    let older = older_names(&created.name)
        .into_iter()
        .find_map(|name| project.table(&created.keyspace, &name));
    // Columns that later steps add count as well.
    let (Some(older), Some(newer)) = (older, project.facts(created)) else { return };
    let mut missing: BTreeSet<&str> = BTreeSet::new();
    for seen in older.reads(project).filter(|seen| is_runtime_statement(project, seen)) {
        let Some(read) = seen.read() else { continue };
        let columns = read.columns.iter().filter_map(|at| read.table.columns().get(*at));
        missing.extend(
            columns.map(|column| &*column.name).filter(|name| newer.table.column(name).is_none()),
        );
    }
    if missing.is_empty() {
        return;
    }
    let names: Vec<String> = missing.iter().map(|name| format!("`{name}`")).collect();
    reporter
        .report(
            step.place,
            format!(
                "`{}` lacks {}, which statements read from `{}`.",
                created.name,
                names.join(", "),
                older.table.name
            ),
        )
        .with_table(created)
        .with_related(older.place, "the table that it replaces")
        .help("add the columns before copying rows, or change the statements first");
}

/// The names that the earlier version of a table may have: of `users_v3` these are `users_v2` and
/// `users`.
fn older_names(name: &str) -> Vec<String> {
    if let Some((stem, number)) = name.rsplit_once("_v")
        && let Ok(version) = number.parse::<u32>()
        && version > 1
    {
        return vec![format!("{stem}_v{}", version - 1), stem.to_owned()];
    }
    let plain = name.strip_suffix("_new").or_else(|| name.strip_prefix("new_"));
    plain.map(|plain| vec![plain.to_owned()]).unwrap_or_default()
}
