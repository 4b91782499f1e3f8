//! CK002: the newest rows are stored last.

use crate::facts::workload::is_time_series;
use crate::remedies::NewKey;
use crate::vocabulary::times::is_time;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck002_time_series_not_desc.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let is_chosen =
        project.creation(facts).is_none_or(|create| !create.options.clustering_order.is_empty());
    // Where reads are known, CK001 checks the order that they need.
    if table.is_view || is_chosen || !facts.queries.is_empty() || !is_time_series(project, facts) {
        return;
    }
    let Some(time) = table.clustering().iter().find(|column| is_time(column)) else { return };
    let mut new = NewKey::from_table(table);
    for (name, descending) in &mut new.clustering {
        *descending = *name == time.name;
    }
    reporter
        .report(
            project.key_location(facts, &time.name),
            format!("The newest rows of a partition of {} are stored last.", table.name),
        )
        .with_column(table, time)
        .confidence(Confidence::Low)
        .help(format!(
            "if the newest rows are read first, store them first: CLUSTERING ORDER BY ({})",
            new.clustering_order()
        ))
        .with_fix(project.rekey_fix(facts, &new, "store the newest rows first"));
}
