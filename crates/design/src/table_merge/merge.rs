//! The merge of two tables.

use std::collections::BTreeSet;

use model::concept::Concept;
use model::dependency::Dependencies;
use model::id::{IdList, SourceId};
use model::plan::{ColumnRole, PlannedColumn, PlannedTable, ServedRead};
use model::workload::{Join, Source};

use super::MergeableTable;
use super::clustering_requirement::ClusteringMatch;
use super::key_part::KeyPart;
use super::row_set::{ReferencePath, RowSet};
use crate::naming;
use crate::{Context, partition_split};

/// The merged table, at the position of the first; `None` when a read would become more expensive.
pub(super) fn merge_pair(
    context: Context<'_>,
    first: &MergeableTable,
    second: &MergeableTable,
) -> Option<MergeableTable> {
    let concept = context.concept;
    // The order of one has to serve the reads of both, preferably as stored, preferably that of the
    // first.
    let serves = |of: &MergeableTable| {
        let demands = first.demands.iter().chain(&second.demands);
        demands.map(|demand| demand.match_clustering(&of.clustering)).max()
    };
    let (by_first, by_second) = (serves(first), serves(second));
    if by_first.min(by_second) == Some(ClusteringMatch::Mismatch)
        || !has_same_content(concept, first, second)
    {
        return None;
    }
    let merged = if by_first <= by_second {
        combine(concept, first, second)
    } else {
        combine(concept, second, first)
    };
    merged.filter(|merged| has_same_split(context, [merged, first, second]))
}

/// Whether tables come to the same buckets and shards.
fn has_same_split(context: Context<'_>, tables: [&MergeableTable; 3]) -> bool {
    let [merged, first, second] = tables.map(|shared| {
        let parted = partition_split::with_buckets_and_shards(context, &shared.table);
        (parted.bucket().map(|(_, _, bucket)| bucket), parted.shards())
    });
    merged == first && merged == second
}

/// Whether two tables hold the same rows, or counters of the same groups of them, in the same
/// partitions.
fn has_same_content(concept: &Concept, first: &MergeableTable, second: &MergeableTable) -> bool {
    let counters = first.table.is_counter();
    counters == second.table.is_counter()
        && first.has_group_counters() == second.has_group_counters()
        && first.partition == second.partition
        && first.implicit_not_null == second.implicit_not_null
        && first.rows.has_same_rows(&second.rows, concept)
        && (!counters || first.rows.has_same_sources(&second.rows))
        && (!first.has_group_counters() || has_same_groups(first, second))
}

/// Whether two tables of counters count the same groups.
fn has_same_groups(first: &MergeableTable, second: &MergeableTable) -> bool {
    groups(first) == groups(second)
}

fn groups(shared: &MergeableTable) -> BTreeSet<KeyPart> {
    shared.clustering.iter().map(|(word, _)| *word).collect()
}

/// The first table with the columns, sources and reads of the second.
fn combine(
    concept: &Concept,
    first: &MergeableTable,
    second: &MergeableTable,
) -> Option<MergeableTable> {
    let mut table = first.table.clone();
    let mut paths = first.rows.paths.clone();
    add_sources(&mut table, &mut paths, second);
    for column in &second.table.columns {
        let derivation = second.rows.translate(&column.derivation, &paths)?;
        let there = table.columns.iter_mut().find(|other| other.derivation == derivation);
        if let Some(there) = there {
            there.reasons.extend(column.reasons.iter().cloned());
        } else {
            let role = if column.is_key() { ColumnRole::Regular } else { column.role };
            table.columns.push(PlannedColumn { derivation, role, ..column.clone() });
        }
    }
    sort(&mut table);
    let dependencies = Dependencies::new(concept, &table.holds.sources);
    naming::name_columns(&dependencies, &table.holds.sources, &mut table.columns);
    let place = |source: &Option<SourceId>| {
        let path = second.rows.paths.get((*source)?.index())?;
        paths.iter().position(|other| other == path).map(SourceId::new)
    };
    table.serves.extend(second.table.serves.iter().map(|served| ServedRead {
        sources: served.sources.iter().map(place).collect(),
        ..served.clone()
    }));
    table.serves.sort_by_key(|served| (served.read, served.part));
    table.supports.extend(&second.table.supports);
    let demands = first.demands.iter().chain(&second.demands).cloned().collect();
    let rows = RowSet::new(concept, &table.holds)?;
    // The key is that of the first.
    let (partition, clustering) = (first.partition.clone(), first.clustering.clone());
    let taken_as_set = first.implicit_not_null.clone();
    Some(MergeableTable {
        table,
        rows,
        partition,
        clustering,
        implicit_not_null: taken_as_set,
        demands,
    })
}

/// Partition key and clustering columns as they are, then static ones, then the rest, as they are
/// declared.
fn sort(table: &mut PlannedTable) {
    use model::plan::Derivation::Attribute;
    table.columns.sort_by_key(|column| {
        let declared = match (column.is_key(), &column.derivation) {
            (false, Attribute(of)) => Some(*of),
            _ => None,
        };
        (column.role.rank(), declared)
    });
}

/// Adds the sources that only the second has, each joined to the one that refers to it.
fn add_sources(table: &mut PlannedTable, paths: &mut Vec<ReferencePath>, second: &MergeableTable) {
    let mut missing: Vec<SourceId> = second
        .table
        .holds
        .sources
        .ids()
        .filter(|at| !paths.contains(&second.rows.paths[at.index()]))
        .collect();
    missing.sort_by_key(|at| second.rows.paths[at.index()].len());
    for at in missing {
        let path = &second.rows.paths[at.index()];
        let Some((reference, way)) = path.split_last() else { continue };
        let Some(with) = paths.iter().position(|other| other == way) else { continue };
        let source = &second.table.holds.sources[at];
        let alias = alias(table, &source.alias);
        let (with, optional) = (SourceId::new(with), source.is_optional());
        let join = Some(Join { with, reference: *reference, to_one: true, optional });
        table.holds.sources.push(Source { entity: source.entity, alias, join });
        paths.push(path.clone());
    }
}

/// The alias, with a number if another source has it.
fn alias(table: &PlannedTable, wanted: &str) -> String {
    let taken = table.holds.sources.iter().map(|source| source.alias.clone()).collect();
    naming::free_name(&taken, wanted)
}
