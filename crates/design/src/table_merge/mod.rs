//! Merges tables that are equal to, or contained in, another.
//!
//! Two tables become one when they hold the same rows in the same partitions and the order of one
//! serves the reads of both, as stored or reversed; the result has the columns of both. No read
//! then reads more partitions or sorts more than with separate tables: tables are not merged where
//! the columns of both would need smaller buckets or more shards than those of one. Sources that
//! are joined by references that are never null do not change which rows a table has.

mod clustering_requirement;
pub(crate) mod key_part;
mod merge;
pub(crate) mod row_set;

use std::collections::{BTreeMap, BTreeSet};

use model::id::EntityId;
use model::plan::{ColumnRole, Derivation, Direction, MappingRule, PlannedColumn, PlannedTable};
use model::workload::Column;

use crate::Context;
use clustering_requirement::ClusteringRequirement;
use key_part::{KeyPart, KeyPartInterner};
use row_set::RowSet;

/// A table with what decides whether it can be merged.
#[derive(Clone, Debug)]
struct MergeableTable {
    table: PlannedTable,
    rows: RowSet,
    /// What its partition key is made of, in any order.
    partition: Vec<KeyPart>,
    /// What its clustering columns are made of.
    clustering: Vec<(KeyPart, Direction)>,
    /// The nullable parts of its key that are assumed not to be null.
    implicit_not_null: BTreeSet<KeyPart>,
    /// What each read that it serves requires of its clustering columns.
    demands: Vec<ClusteringRequirement>,
}

/// Removes the tables that another can stand for; that one then serves their reads as well.
pub(crate) fn merge_tables(context: Context<'_>, tables: Vec<PlannedTable>) -> Vec<PlannedTable> {
    let mut kept: Vec<Result<MergeableTable, PlannedTable>> = Vec::with_capacity(tables.len());
    // Only tables of one entity with one partition key can be merged.
    let mut alike: BTreeMap<(EntityId, Vec<KeyPart>), Vec<usize>> = BTreeMap::new();
    let mut words = KeyPartInterner::default();
    for table in tables {
        let shared = match MergeableTable::new(context, table, &mut words) {
            Ok(shared) => shared,
            Err(table) => {
                kept.push(Err(*table));
                continue;
            }
        };
        let group = (shared.rows.maker, shared.partition.clone());
        let candidates = alike.entry(group).or_default();
        let merged = candidates.iter().find_map(|at| {
            let Some(Ok(other)) = kept.get(*at) else { return None };
            Some((*at, merge::merge_pair(context, other, &shared)?))
        });
        if let Some((at, merged)) = merged {
            kept[at] = Ok(merged);
        } else {
            candidates.push(kept.len());
            kept.push(Ok(shared));
        }
    }
    kept.into_iter().map(|one| one.map_or_else(|table| table, |shared| shared.table)).collect()
}

impl MergeableTable {
    /// `Err` with the table when it cannot be merged: rows of several makers, or a key that the
    /// user forces.
    fn new(
        context: Context<'_>,
        table: PlannedTable,
        words: &mut KeyPartInterner,
    ) -> Result<Self, Box<PlannedTable>> {
        let forced = table
            .columns
            .iter()
            .any(|column| column.reasons.iter().any(|reason| reason.rule == MappingRule::Forced));
        let Some(rows) = RowSet::new(context.concept, &table.holds).filter(|_| !forced) else {
            return Err(Box::new(table));
        };
        let mut partition: Vec<KeyPart> =
            table.partition_key().map(|column| words.intern(&column.derivation, &rows)).collect();
        partition.sort_unstable();
        let mut clustering = Vec::new();
        let mut taken_as_set = BTreeSet::new();
        for column in table.clustering() {
            let word = words.intern(&column.derivation, &rows);
            if let ColumnRole::Clustering(direction) = column.role {
                clustering.push((word, direction));
            }
            if can_be_null(context, &table, &column.derivation) {
                taken_as_set.insert(word);
            }
        }
        let demands = vec![ClusteringRequirement::new(context, &table, &clustering)];
        Ok(Self { table, rows, partition, clustering, implicit_not_null: taken_as_set, demands })
    }

    /// Whether it counts groups, rather than holding rows.
    fn has_group_counters(&self) -> bool {
        use model::plan::Derivation::{Count, Sum};
        self.table.columns.iter().any(|column| {
            column.role == ColumnRole::Counter && matches!(column.derivation, Count(_) | Sum(_))
        })
    }
}

/// The nullable clustering columns of a table that are assumed not to be null: rows with a null
/// there are not in it.
pub(crate) fn implicit_not_null(context: Context<'_>, table: &PlannedTable) -> BTreeSet<Column> {
    let taken = |column: &PlannedColumn| match column.derivation {
        Derivation::Attribute(of) => can_be_null(context, table, &column.derivation).then_some(of),
        _ => None,
    };
    table.clustering().filter_map(taken).collect()
}

/// Whether rows with a null here would be stored if it were not in the key.
fn can_be_null(context: Context<'_>, table: &PlannedTable, derivation: &Derivation) -> bool {
    let Derivation::Attribute(of) = derivation else { return false };
    let entity = &context.concept.entities[table.holds.sources[of.source].entity];
    entity.attributes[of.attribute].nullable && !table.holds.not_null.contains(of)
}

#[cfg(test)]
pub(crate) mod tests;
