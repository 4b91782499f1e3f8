//! PK013: a bucket that does not split partitions.

use cql::types::NativeType;
use schema::catalog::{Column, Table};

use crate::facts::volumes::unbounded_growth;
use crate::remedies::NewKey;
use crate::rules::clustering::ck007_decomposed_time_hierarchy::time_parts;
use crate::vocabulary::ids::is_id;
use crate::vocabulary::keys::is_shard;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::times::{is_time, is_time_bucket};
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

/// Names that are used only for buckets.
const BUCKETS: &[&str] =
    &["bucket", "*_bucket", "time_bucket", "year_month", "yyyymm*", "time_partition", "time_slice"];
/// Names that mean a bucket in a key and a property elsewhere.
const SPANS: &[&str] = &["day", "hour", "week", "month", "year", "date", "shard", "shard_id"];

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk013_bucket_not_in_partition_key.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    // Whoever deals rows out by a number knows that there are many of them.
    let shard = table.clustering().first().filter(|first| is_dealt_out(table, first));
    let is_large = shard.is_some() || unbounded_growth(project, facts).is_some();
    if table.is_view || time_parts(table).len() > 2 || !is_large {
        return;
    }
    // The timestamp is not its own bucket.
    let has_moment = |bucket: &Column| {
        table
            .clustering()
            .iter()
            .any(|other| is_time(other) && other.name != bucket.name && !is_time_bucket(other))
    };
    let clustered = table.clustering().iter().find(|column| {
        (matches_any(&column.name, BUCKETS) || matches_any(&column.name, SPANS))
            && has_moment(column)
    });
    // Object stores have buckets with names.
    let is_text = |column: &Column| native_type(&column.ty) == Some(NativeType::Text);
    let regular = || {
        let mut regulars = table.regulars().iter();
        regulars.find(|column| matches_any(&column.name, BUCKETS) && !is_text(column))
    };
    let Some(column) = shard.or(clustered).or_else(regular) else { return };
    let is_day = native_type(&column.ty) == Some(NativeType::Date);
    let new = NewKey::from_table(table).with_partition_column(&column.name);
    let message = format!(
        "`{}` looks like a bucket but does not split the partitions of {}.",
        column.name, table.name
    );
    reporter
        .report(project.key_location(facts, &column.name), message)
        .with_column(table, column)
        .confidence(if is_day { Confidence::Medium } else { Confidence::Low })
        .help(format!("move it into the partition key: {}", new.clause()))
        .with_fix(project.rekey_fix(facts, &new, "move the bucket into the partition key"));
}

/// Whether a column is a shard by its name and its small type, and what it deals out stands behind it.
fn is_dealt_out(table: &Table, column: &Column) -> bool {
    use NativeType::{Int, Smallint, Tinyint};
    is_shard(column)
        && matches!(native_type(&column.ty), Some(Int | Smallint | Tinyint))
        && table
            .clustering()
            .get(1)
            .is_some_and(|next| is_id(next) || is_time(next) || is_blob(next))
}

fn is_blob(column: &Column) -> bool {
    native_type(&column.ty) == Some(NativeType::Blob)
}
