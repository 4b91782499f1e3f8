//! CK008: a clustering column that no query uses and no row needs.

use schema::catalog::Column;

use super::ck006_too_many_clustering_columns::MANY;
use crate::remedies::NewKey;
use crate::remedies::column_names;
use crate::vocabulary::ids::is_own_id;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck008_unused_clustering_column.md"), Check::Table(check));

/// The clustering columns that no query restricts or sorts by; none where there are no queries.
pub(super) fn find_unused_columns<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
) -> impl Iterator<Item = &'p Column> {
    let key = facts.table.partition_key().len();
    let mut used = vec![facts.queries.is_empty(); facts.table.clustering().len()];
    for asked in facts.queries(project) {
        for (at, used) in used.iter_mut().enumerate() {
            *used |= asked.shape.is_used(key + at);
        }
    }
    facts.table.clustering().iter().zip(used).filter(|(_, used)| !used).map(|(column, _)| column)
}

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let clustering = table.clustering();
    let number = u32::try_from(clustering.len()).map_or(f64::INFINITY, f64::from);
    // After the row's id, no column is needed to identify rows. CK006 reports keys with many
    // columns.
    let own = clustering.iter().position(|column| is_own_id(&table.name, column));
    let (Some(own), false) = (own, table.is_view || number >= reporter.limit(&MANY)) else {
        return;
    };
    for column in find_unused_columns(project, facts).filter(|column| column.position > own) {
        let mut new = NewKey::from_table(table);
        new.clustering.retain(|(name, _)| *name != column.name);
        let message = format!(
            "`{}` is in the primary key of {}, but no query uses it.",
            column.name, table.name
        );
        reporter
            .report(project.key_location(facts, &column.name), message)
            .with_column(table, column)
            .note(format!(
                "{} identifies the rows of a partition",
                column_names(&clustering[own..=own])
            ))
            .help(format!("make it a regular column: {}", new.clause()))
            .with_fix(project.rekey_fix(facts, &new, "remove the column from the key"));
    }
}
