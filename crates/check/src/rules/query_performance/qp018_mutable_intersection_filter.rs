//! QP018: several filtered columns that replicas may disagree on.

use schema::catalog::Replication;

use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp018_mutable_intersection_filter.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(read) = seen.read() else { return };
    let Some(level) = seen.annotations.consistency.as_deref() else { return };
    if !project.settings.target.is_apache_from((5, 0))
        || ["ONE", "LOCAL_ONE", "ANY"].contains(&level)
    {
        return;
    }
    let searched = read.index.iter().flat_map(|index| index.columns.iter());
    let mut columns: Vec<usize> = searched.chain(&read.filtering.columns).copied().collect();
    let keys = read.table.primary_key().len();
    columns.retain(|at| *at >= keys);
    columns.sort_unstable();
    columns.dedup();
    let keyspace = project.catalog.keyspace(&read.table.keyspace);
    let copies = keyspace.map_or(0, |known| max_replicas(&known.replication));
    if columns.len() < 2 || copies < 2 {
        return;
    }
    let names = columns.iter().filter_map(|at| read.table.columns().get(*at));
    let names: Vec<&str> = names.map(|column| &*column.name).collect();
    reporter
        .report(project.select_location(seen), format!("The query may miss rows at {level}: replicas may disagree on `{}`.", names.join("`, `")))
        .with_table(&read.table)
        .help("filter by one of them and compare the others in the client, or read from a table whose key contains them");
}

/// The highest replication factor of any datacenter.
fn max_replicas(replication: &Replication) -> u32 {
    replication.options.values().filter_map(|copies| copies.parse().ok()).max().unwrap_or(1)
}
