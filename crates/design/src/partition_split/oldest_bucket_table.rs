//! The table that remembers the oldest bucket of each key.

use model::bucket::column_type;
use model::id::TableId;
use model::plan::{
    ColumnRole, Derivation, MappingReason, MappingRule, PlannedColumn, PlannedTable,
};

use super::bucket_columns;
use crate::{Context, volume};

/// The table that remembers the oldest bucket, where a walk would have no end without it. `before`
/// is the table without its bucket, whose constant is kept when nothing else is left of the key.
pub(super) fn build(
    context: Context<'_>,
    tables: &[PlannedTable],
    parted: &PlannedTable,
    before: &PlannedTable,
    at: TableId,
) -> Option<PlannedTable> {
    let (bucket_column, of, bucket) = parted.bucket()?;
    let is_range = bucket.days().is_none();
    let is_open = if is_range {
        // The age of rows does not tell the range of an integer, nor does the current time.
        bucket_columns::has_open_walk(context, parted, of)
            || bucket_columns::has_unbounded_walk(context, parted, of)
    } else {
        volume::time_retention(context.concept, parted, of).is_none()
            && bucket_columns::has_open_walk(context, parted, of)
    };
    if !is_open {
        return None;
    }
    let because = |text: &str| {
        vec![MappingReason { rule: MappingRule::Bucket, read: None, text: text.to_owned() }]
    };
    let mut columns: Vec<_> = before
        .partition_key()
        .map(|column| PlannedColumn {
            reasons: because("the partition key without the bucket: one row for each key"),
            ..column.clone()
        })
        .collect();
    let mut ends = vec![("oldest", Derivation::Oldest(bucket))];
    if is_range {
        ends.push(("newest", Derivation::Newest(bucket)));
    }
    for (end, derivation) in ends {
        let name = if columns.iter().any(|column| column.name == end) {
            format!("{end}_{}", bucket_column.name)
        } else {
            end.to_owned()
        };
        let text = if is_range {
            format!("a walk over the buckets begins or ends at the {end} one")
        } else {
            "a walk over the buckets ends at the oldest one".to_owned()
        };
        columns.push(PlannedColumn {
            name,
            ty: column_type(bucket),
            role: ColumnRole::Regular,
            derivation,
            reasons: because(&text),
        });
    }
    let mut name = format!("{}_oldest", parted.name);
    while tables.iter().any(|table| table.name == name) {
        name.push('_');
    }
    Some(PlannedTable {
        name,
        columns,
        holds: parted.holds.clone(),
        remembers: Some(at),
        ..PlannedTable::default()
    })
}
