//! CK002: the newest rows are stored last.

use schema::catalog::Column;

use crate::facts::workload::{is_time_series, queue_evidence};
use crate::project::query_shape::TableQuery;
use crate::project::statement_title;
use crate::remedies::NewKey;
use crate::vocabulary::times::is_time;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck002_time_series_not_desc.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let is_chosen =
        project.creation(facts).is_none_or(|create| !create.options.clustering_order.is_empty());
    if table.is_view || is_chosen {
        return;
    }
    let Some(time) = table.clustering().iter().find(|column| is_time(column)) else { return };
    // Where reads are known, CK001 checks the order that they ask for; what is left are those that ask for none.
    if !facts.queries.is_empty() {
        return report_oldest(project, facts, time, reporter);
    }
    if !is_time_series(project, facts) {
        return;
    }
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

/// A query for some rows of a partition that asks for no order returns the oldest ones. Consumers of a queue want them.
fn report_oldest(
    project: &Project<'_>,
    facts: &TableFacts,
    time: &Column,
    reporter: &mut Reporter<'_>,
) {
    let table = &facts.table;
    let key = table.partition_key().len();
    let is_first = table.clustering().first().is_some_and(|first| first.name == time.name);
    let asks_for_some = |query: &TableQuery<'_>| {
        query.select.limit.is_some()
            && query.shape.order.is_empty()
            && query.shape.has_partition_key(table)
            && !query.shape.is_used(key)
    };
    let Some(query) = facts.queries(project).find(asks_for_some).filter(|_| is_first) else {
        return;
    };
    if queue_evidence(project, facts).is_some() {
        return;
    }
    let title = statement_title(project, query.seen);
    let message = format!("{title} returns the oldest rows of {}.", table.name);
    reporter.report(query.seen.place, message).with_column(table, time).help(
        "if the newest are meant, store them first (CLUSTERING ORDER BY ... DESC); else say so with ORDER BY",
    );
}
