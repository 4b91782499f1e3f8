//! When a query may use an index rather than a separate table.
//!
//! An index read queries every node unless the partition is given, so it is for infrequent queries
//! (at most one in ten) that return some hundreds of rows at most; a classic index suits columns of
//! medium cardinality, SAI also those of high cardinality.

use std::collections::BTreeSet;

use cql::types::{NativeType, Type};
use model::concept::{Attribute, Entity};
use model::id::ReadId;
use model::plan::{PlannedIndex, PlannedTable, ReadPart};
use model::workload::{Read, Workload};

use crate::{Context, Target};

/// The share of all reads up to which a query may use an index.
const RARE_SHARE: f64 = 0.1;
/// Times per second up to which a query may use an index.
const RARE: f64 = 10.0;
/// Rows up to which an index may return them.
pub(crate) const MOST_ROWS: f64 = 1_000.0;
/// Fewer distinct values are too few for an index.
const FEWEST_VALUES: f64 = 10.0;
/// Bytes of a value up to which an index takes it: beyond a kilobyte the server warns, and then
/// refuses.
const MOST_BYTES: f64 = 500.0;
/// Characters of a name at most.
const LONGEST_NAME: usize = 48;

/// Whether a query runs so seldom that it may use an index.
pub(crate) fn is_rare(workload: &Workload, read: &Read) -> bool {
    let all: f64 = workload.reads.iter().map(|read| read.rate.value).sum();
    read.rate.value <= RARE && read.rate.value <= RARE_SHARE * all
}

/// Whether few rows share a value.
pub(crate) fn is_selective(entity: &Entity, attribute: &Attribute) -> bool {
    attribute.distinct.value * FEWEST_VALUES > entity.rows.value
}

/// Whether values are too few to be searched for in the whole table.
pub(crate) fn has_few_values(attribute: &Attribute) -> bool {
    attribute.distinct.value < FEWEST_VALUES
}

/// Whether the target has an index that suits an attribute: `within` one partition, or over the
/// whole table.
pub(crate) fn has_suitable_index(
    context: Context<'_>,
    entity: &Entity,
    attribute: &Attribute,
    within: bool,
) -> bool {
    let enough = within || !has_few_values(attribute);
    enough
        && match context.options.target {
            Target::Cassandra50 => true,
            Target::Cassandra41 => within || !is_selective(entity, attribute),
            // Its local index is another kind, with the partition key in it.
            Target::Scylla => !within,
        }
}

/// Whether the index of the target is storage-attached.
pub(crate) fn is_attached(context: Context<'_>) -> bool {
    context.options.target == Target::Cassandra50
}

/// Whether one value of an attribute can be looked for in an index.
pub(crate) fn can_index(attribute: &Attribute) -> bool {
    let plain = match attribute.ty {
        Type::Native(native) => !matches!(native, NativeType::Duration | NativeType::Counter),
        _ => false,
    };
    plain && !attribute.counter && attribute.bytes.value <= MOST_BYTES
}

/// Whether a range of an attribute can be looked for in a storage-attached index: numbers and
/// times.
pub(crate) fn can_index_ranges(attribute: &Attribute) -> bool {
    let Type::Native(native) = attribute.ty else { return false };
    can_index(attribute)
        && matches!(
            native,
            NativeType::Tinyint
                | NativeType::Smallint
                | NativeType::Int
                | NativeType::Bigint
                | NativeType::Float
                | NativeType::Double
                | NativeType::Timestamp
                | NativeType::Date
                | NativeType::Time
        )
}

/// Names the indexes of all tables after the table and the column, each name unique in the
/// keyspace.
pub(crate) fn name_indexes(tables: &mut [PlannedTable]) {
    let mut taken: BTreeSet<String> = tables.iter().map(|table| table.name.clone()).collect();
    for table in tables {
        for index in &mut table.indexes {
            let whole = format!("{}_{}", table.name, index.column);
            let stem: String = whole.chars().take(LONGEST_NAME - 8).collect();
            let mut name = format!("{stem}_idx");
            let mut number = 2;
            while !taken.insert(name.clone()) {
                name = format!("{stem}_idx{number}");
                number += 1;
            }
            index.name = name;
        }
    }
}

/// The index by which a table serves a part of a read.
pub(crate) fn find_index(table: &PlannedTable, part: (ReadId, ReadPart)) -> Option<&PlannedIndex> {
    table.indexes.iter().find(|index| index.serves.contains(&part))
}
