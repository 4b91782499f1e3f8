//! PK021: a bucket before the identifier that it divides.

use crate::remedies::NewKey;
use crate::vocabulary::ids::is_id;
use crate::vocabulary::keys::is_bucket;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk021_composite_key_column_order.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let [first, others @ ..] = table.partition_key() else { return };
    let is_first = is_bucket(first) && others.iter().any(|other| is_id(other) && !is_bucket(other));
    if table.is_view || !is_first {
        return;
    }
    let mut new = NewKey::from_table(table);
    let (buckets, ids): (Vec<_>, Vec<_>) =
        new.partition.into_iter().partition(|name| table.column(name).is_some_and(is_bucket));
    new.partition = [ids, buckets].concat();
    reporter
        .report(
            project.key_location(facts, &first.name),
            format!(
                "By convention the identifier precedes the bucket `{}` in the partition key.",
                first.name
            ),
        )
        .with_column(table, first)
        .help(format!("reorder the columns in the next version of the table: {}", new.clause()));
}
