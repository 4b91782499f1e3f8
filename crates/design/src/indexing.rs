//! When a query may use an index rather than a separate table, and what its searches find.
//!
//! [`model::index_guide`] has the limits. An index read queries every node unless the partition is
//! given, so it is for infrequent queries (at most one in ten) that return some hundreds of rows at
//! most; a secondary index suits columns of medium cardinality, SAI also those of high cardinality.
//! Within a partition, an index suits at any rate, and the price decides.

use std::collections::BTreeSet;

use cql::types::{NativeType, Type};
use model::concept::{Attribute, Entity};
use model::id::{IdList, ReadId};
use model::index_guide::{self, IndexArchitecture, IndexBand, IndexFitness};
use model::plan::{
    Derivation, IndexFigures, PlannedIndex, PlannedTable, ReadPart, ReadPlan, Relation,
};
use model::workload::{Read, Workload};

use crate::{Context, Target, volume};

/// Bytes of a value up to which an index takes it: beyond a kilobyte the server warns, and then
/// refuses.
const MOST_BYTES: f64 = 500.0;
/// Characters of a name at most.
const LONGEST_NAME: usize = 48;

/// Whether a query runs so seldom that it may use an index without a partition key: compared with
/// the other reads of the same rows.
pub(crate) fn is_rare(workload: &Workload, read: &Read) -> bool {
    let (rate, first) = (read.rate.value, read.sources.first().map(|source| source.entity));
    let is_alike = |other: &&Read| other.sources.iter().any(|it| Some(it.entity) == first);
    let all: f64 = workload.reads.iter().filter(is_alike).map(|other| other.rate.value).sum();
    rate <= index_guide::READ_RATE_RARE
        || rate <= index_guide::READ_RATE_MAX && rate <= index_guide::READ_SHARE_MAX * all
}

/// How well the index of the target suits an attribute that is searched in the whole table.
pub(crate) fn whole_table_fitness(
    context: Context<'_>,
    entity: &Entity,
    attribute: &Attribute,
) -> IndexFitness {
    find_band(entity, attribute).fitness(architecture(context))
}

/// Whether an index may be searched within the partitions of a table. The local index of `ScyllaDB`
/// is another kind, with the partition key in it.
pub(crate) fn can_search_within(context: Context<'_>, table: &PlannedTable) -> bool {
    let rows = table.volume.rows_after(volume::horizon(context, table)).p999;
    context.options.target != Target::Scylla && rows <= index_guide::PARTITION_ROWS_MAX
}

fn find_band(entity: &Entity, attribute: &Attribute) -> IndexBand {
    IndexBand::from_values(attribute.distinct.value, Some(entity.rows.value))
}

/// The architecture of the target's indexes.
fn architecture(context: Context<'_>) -> IndexArchitecture {
    match context.options.target {
        Target::Cassandra50 => IndexArchitecture::StorageAttached,
        Target::Cassandra41 => IndexArchitecture::Secondary,
        Target::Scylla => IndexArchitecture::Global,
    }
}

/// Whether the index of the target is storage-attached.
pub(crate) fn is_attached(context: Context<'_>) -> bool {
    architecture(context) == IndexArchitecture::StorageAttached
}

/// States what the searches of all indexes find, now that the reads are planned.
pub(crate) fn set_figures(context: Context<'_>, tables: &mut [PlannedTable], reads: &[ReadPlan]) {
    for table in tables {
        let found: Vec<_> =
            table.indexes.iter().map(|index| find_figures(context, table, index, reads)).collect();
        for (index, figures) in table.indexes.iter_mut().zip(found) {
            index.figures = figures;
        }
    }
}

fn find_figures(
    context: Context<'_>,
    table: &PlannedTable,
    index: &PlannedIndex,
    reads: &[ReadPlan],
) -> Option<IndexFigures> {
    let Derivation::Attribute(of) = table.column(&index.column)?.derivation else { return None };
    let source = table.holds.sources.member(of.source)?;
    let entity = context.concept.entities.member(source.entity)?;
    let attribute = entity.attributes.member(of.attribute)?;
    let plans = || index.serves.iter().filter_map(|(read, _)| reads.member(*read));
    let nodes = match architecture(context) {
        IndexArchitecture::Global => 1.0,
        _ => f64::from(context.concept.nodes.max(1)),
    };
    Some(IndexFigures {
        values: attribute.distinct.value,
        band: find_band(entity, attribute),
        architecture: architecture(context),
        rows: plans().map(|plan| plan.effort.rows).fold(0.0, f64::max),
        nodes: (!plans().all(|plan| is_within_partition(table, plan))).then_some(nodes),
    })
}

/// Whether all statements of a plan on a table give its partition key.
pub(crate) fn is_within_partition(table: &PlannedTable, plan: &ReadPlan) -> bool {
    let mut own = plan.steps.iter().filter(|step| step.select.table == table.name);
    own.all(|step| {
        let is_given =
            |name: &str| step.select.relations.iter().any(|it: &Relation| it.has_column(name));
        table.partition_key().all(|column| is_given(&column.name))
    })
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
