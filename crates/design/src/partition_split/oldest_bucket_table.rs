//! The table that remembers the oldest bucket of each key.

use model::id::TableId;
use model::plan::{
    ColumnRole, Derivation, MappingReason, MappingRule, PlannedColumn, PlannedTable,
};

use super::bucket_columns;
use super::columns::bucket_type;
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
    if volume::retention(context.concept, parted).is_some()
        || !bucket_columns::has_open_walk(context, parted, of)
    {
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
    let name = if columns.iter().any(|column| column.name == "oldest") {
        format!("oldest_{}", bucket_column.name)
    } else {
        "oldest".to_owned()
    };
    columns.push(PlannedColumn {
        name,
        ty: bucket_type(bucket),
        role: ColumnRole::Regular,
        derivation: Derivation::Oldest(bucket),
        reasons: because("a walk over the buckets ends at the oldest one"),
    });
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
