//! CK010: a clustering column that holds a current state.

use schema::catalog::{Column, Table};

use crate::facts::keys::key_updates;
use crate::facts::tables::is_registry;
use crate::rules::partition_key::pk006_mutable_partition_key::add_evidence;
use crate::vocabulary::descriptions::is_address_state;
use crate::vocabulary::ids::is_id;
use crate::vocabulary::matcher::{has_word, matches_any};
use crate::vocabulary::status::{is_score, is_state};
use crate::vocabulary::table_names::is_event_name;
use crate::vocabulary::times::{is_time, is_time_bucket};
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck010_mutable_clustering_column.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let is_keyed = table.partition_key().iter().any(is_id);
    if table.is_view || is_registry(facts) && !is_keyed {
        return;
    }
    let moved = key_updates(project, facts);
    for column in table.clustering() {
        let evidence = moved.iter().find(|moved| moved.column.name == column.name);
        if evidence.is_none() && !is_volatile(table, column) {
            continue;
        }
        let message = format!(
            "Changing `{}` rewrites the row and leaves a tombstone in the same partition.",
            column.name
        );
        let finding = reporter.report(project.key_location(facts, &column.name), message);
        add_evidence(finding.with_column(table, column), evidence).help(format!(
                "store `{}` in a regular column and sort in the client, index it, or store a row for each change by its time",
                column.name
            ));
    }
}

/// Inferred from the name. After a time, the key has a row for each state, such as the score at
/// that moment.
fn is_volatile(table: &Table, column: &Column) -> bool {
    let before = table.primary_key().iter().take_while(|other| other.name != column.name);
    let is_past = before.into_iter().any(|other| is_time(other) || is_time_bucket(other));
    let is_kept = is_time(column) && is_event_name(&table.name);
    let is_number = is_score(column) || matches_any(&column.name, &["count", "*_count", "*_score"]);
    let is_said = is_state(column) && !is_address_state(table, column) || is_number;
    // A ranking is rewritten as long as its span of time lasts.
    let is_ranking =
        has_word(&table.name, &["leaderboard", "leaderboards", "ranking", "rankings", "top"])
            || matches_any(&column.name, &["avg_*", "average*", "mean_*"]);
    is_said && !is_kept && !(is_number && is_past && !is_ranking)
}
