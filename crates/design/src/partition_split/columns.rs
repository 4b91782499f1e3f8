//! The columns that split a partition.

use cql::types::{NativeType, Type};
use model::bucket::column_type;
use model::id::IdList;
use model::plan::{Bucket, ColumnRole, Derivation, PlannedColumn, PlannedTable};
use model::workload::Column;

use crate::{Context, volume};

/// The table with a bucket at the end of its partition key, in place of the constant if it has one.
pub(crate) fn with_bucket(
    context: Context<'_>,
    table: &PlannedTable,
    of: Column,
    bucket: Bucket,
) -> PlannedTable {
    let mut table = table.clone();
    table.columns.retain(|column| column.derivation != Derivation::Constant);
    let attribute = volume::attribute(context.concept, &table, of);
    let long = attribute.map(|found| format!("{}_{}", found.name, bucket.column_name()));
    let name =
        free_name(&table, [Some(bucket.column_name().to_owned()), long].into_iter().flatten());
    add_partition_column(table, name, column_type(bucket), Derivation::Bucket(of, bucket))
}

/// The table with shards at the end of its partition key.
pub(crate) fn with_shards(table: &PlannedTable, of: Vec<Column>, count: u32) -> PlannedTable {
    let names = ["shard", "row_shard", "hash_shard"].map(str::to_owned);
    let name = free_name(table, names.into_iter());
    let derivation = Derivation::Shard { of, count };
    add_partition_column(table.clone(), name, Type::Native(NativeType::Int), derivation)
}

/// The table without its bucket and shards; a constant replaces them when the partition key would
/// be empty.
pub(crate) fn unsplit(table: &PlannedTable) -> PlannedTable {
    let splits = |column: &PlannedColumn| {
        matches!(column.derivation, Derivation::Bucket(..) | Derivation::Shard { .. })
    };
    let mut whole = table.clone();
    whole.columns.retain(|column| column.role != ColumnRole::Partition || !splits(column));
    if whole.partition_key().next().is_some() {
        return whole;
    }
    let name = free_name(&whole, std::iter::once("bucket".to_owned()));
    add_partition_column(whole, name, Type::Native(NativeType::Int), Derivation::Constant)
}

/// The columns that are hashed to find a row's shard: the clustering columns that are key
/// attributes of their entity, which never change; where there are none, all that are attributes.
pub(crate) fn shard_columns(context: Context<'_>, table: &PlannedTable) -> Vec<Column> {
    let clustered: Vec<Column> = table
        .clustering()
        .filter_map(|column| match column.derivation {
            Derivation::Attribute(of) => Some(of),
            _ => None,
        })
        .collect();
    let is_key = |of: &&Column| {
        let source = table.holds.sources.member(of.source);
        let entity = source.and_then(|source| context.concept.entities.member(source.entity));
        entity.is_some_and(|entity| entity.primary_key().contains(&of.attribute))
    };
    let keys: Vec<Column> = clustered.iter().filter(is_key).copied().collect();
    if keys.is_empty() { clustered } else { keys }
}

/// The first name that no column has; where all are taken, with a number.
fn free_name(table: &PlannedTable, names: impl Iterator<Item = String>) -> String {
    let names: Vec<String> = names.collect();
    let free = |name: &&String| table.column(name).is_none();
    let numbered = || {
        let first = names.first().map_or("part", String::as_str);
        let mut tried = (2..).map(|number| format!("{first}_{number}"));
        tried.find(|name| table.column(name).is_none()).unwrap_or_default()
    };
    names.iter().find(free).cloned().unwrap_or_else(numbered)
}

/// Puts a column at the end of the partition key.
fn add_partition_column(
    mut table: PlannedTable,
    name: String,
    ty: Type,
    derivation: Derivation,
) -> PlannedTable {
    let end = table.partition_key().count();
    let column =
        PlannedColumn { name, ty, role: ColumnRole::Partition, derivation, reasons: Vec::new() };
    table.columns.insert(end, column);
    table
}
