//! Candidates filled with columns.

use std::collections::BTreeSet;

use model::dependency::{Dependencies, Determinant};
use model::id::{IdList, SourceId};
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable, ServedRead};
use model::workload::{Column, OutputValue, Read};

use super::{CandidateTable, CompleteTable, source_map};
use crate::mapping;
use crate::naming;
use crate::{Context, partition_split, volume};

impl CandidateTable {
    /// The table with these columns (of the candidate's sources) beside its key. Columns in the
    /// key, counters and arrays too large for a collection are left out; in a counter table, all
    /// are.
    pub(crate) fn table_with(
        &self,
        context: Context<'_>,
        columns: &BTreeSet<Column>,
    ) -> CompleteTable {
        self.table_serving(context, columns, &[])
    }

    /// The same, keeping the sources that `serves` refers to (sources of the candidate).
    pub(crate) fn table_serving(
        &self,
        context: Context<'_>,
        columns: &BTreeSet<Column>,
        serves: &[ServedRead],
    ) -> CompleteTable {
        let (table, sources) = self.unsplit_with_sources(context, columns, serves);
        let table = self.split(context, table);
        let memory = partition_split::oldest_bucket_table(context, &table);
        let memory = memory.map(|memory| volume::estimate_volume(context, &memory));
        CompleteTable { table, sources, memory }
    }

    /// The table with these columns, for these reads: `serves` refers to sources of the candidate.
    /// It is split only where these reads would split it differently than
    /// [`CandidateTable::table_with`] does; then as that one is.
    pub(crate) fn into_table(
        self,
        context: Context<'_>,
        columns: &BTreeSet<Column>,
        serves: Vec<ServedRead>,
    ) -> PlannedTable {
        let (bare, sources) = self.unsplit_with_sources(context, columns, &serves);
        let mut table = self.with_reasons(context, &bare, &sources, &serves);
        // Each read and write was priced with its own columns: all of them may need another split.
        if !partition_split::is_forced(&self.table)
            && partition_split::is_over_limit(
                context,
                &table,
                &volume::estimate_volume(context, &table),
            )
        {
            table = partition_split::columns::unsplit(&table);
        }
        let searched = self.split(context, table.clone());
        table.serves = serves
            .into_iter()
            .map(|served| ServedRead {
                sources: served
                    .sources
                    .iter()
                    .map(|one| sources.member((*one)?).copied()?)
                    .collect(),
                ..served
            })
            .collect();
        let as_served = self.split(context, table.clone());
        if has_same_split(&searched, &as_served) {
            return table;
        }
        PlannedTable { serves: table.serves, volume: table.volume, ..searched }
    }

    /// The table with these columns before it is split.
    pub(crate) fn unsplit_table(
        &self,
        context: Context<'_>,
        columns: &BTreeSet<Column>,
    ) -> PlannedTable {
        self.unsplit_with_sources(context, columns, &[]).0
    }

    /// Whether it is split when it stores all that it may.
    pub(crate) fn can_be_split(&self, context: Context<'_>) -> bool {
        let sources = self.table.holds.sources.enumerate_ids();
        let all = sources.filter_map(|(source, of)| {
            let entity = context.concept.entities.member(of.entity)?;
            Some(entity.attributes.ids().map(move |attribute| Column { source, attribute }))
        });
        let whole = self.unsplit_table(context, &all.flatten().collect());
        let split = self.split(context, whole);
        split.bucket().is_some() || split.shards() > 1
    }

    /// Splits a table as the limits require (a key that the user forces stays as it is) and sets
    /// its volume.
    fn split(&self, context: Context<'_>, table: PlannedTable) -> PlannedTable {
        let (table, volume) = if partition_split::is_forced(&self.table) {
            let volume = volume::estimate_volume(context, &table);
            (table, volume)
        } else {
            partition_split::split_with_volume(context, &table)
        };
        PlannedTable { volume, ..table }
    }

    /// The table before it is split, and for each source of the candidate that of the table.
    /// Sources that `serves` refers to stay.
    fn unsplit_with_sources(
        &self,
        context: Context<'_>,
        columns: &BTreeSet<Column>,
        serves: &[ServedRead],
    ) -> (PlannedTable, Vec<Option<SourceId>>) {
        let holds = &self.table.holds;
        let dependencies = mapping::dependencies_of(context.concept, holds);
        let mut all: Vec<PlannedColumn> = self.table.columns.iter().map(strip_reasons).collect();
        all.extend(self.non_key_columns(&dependencies, columns));
        all.sort_by_key(|column| column.role.rank());
        let mut used = vec![false; holds.sources.len()];
        let in_columns = all.iter().flat_map(|column| column.derivation.columns());
        let in_holds = holds.filters.iter().flat_map(|filter| filter.predicate.columns());
        let in_holds = in_holds.chain(&holds.not_null).chain(&holds.elements);
        let in_columns = in_columns.chain(in_holds).map(|column| column.source);
        let in_serves = serves.iter().flat_map(|served| served.sources.iter().copied().flatten());
        for source in in_columns.chain(in_serves) {
            if let Some(used) = used.get_mut(source.index()) {
                *used = true;
            }
        }
        let places = source_map::map_sources(&dependencies, &holds.sources, &used);
        for column in &mut all {
            // No source in use was left out.
            if let Some(moved) = source_map::remap_derivation(&column.derivation, &places) {
                column.derivation = moved;
            }
        }
        let moved = |one: &Option<SourceId>| places.member((*one)?).copied()?;
        let serves = self.table.serves.iter().map(|served| ServedRead {
            sources: served.sources.iter().map(moved).collect(),
            ..served.clone()
        });
        let mut table = PlannedTable {
            columns: all,
            holds: source_map::remap_holds(holds, &places),
            serves: serves.collect(),
            ..PlannedTable::default()
        };
        if table.holds.sources.len() == holds.sources.len() {
            naming::name_columns(&dependencies, &holds.sources, &mut table.columns);
        } else {
            let dependencies = Dependencies::new(context.concept, &table.holds.sources);
            naming::name_columns(&dependencies, &table.holds.sources, &mut table.columns);
        }
        (table, places)
    }

    /// The columns beside the key: static where their entity is the same for the whole partition.
    fn non_key_columns(
        &self,
        of: &Dependencies<'_>,
        columns: &BTreeSet<Column>,
    ) -> Vec<PlannedColumn> {
        if self.table.is_counter() {
            return Vec::new();
        }
        let sources = &self.table.holds.sources;
        let attribute =
            |column: Column| of.entity(column.source).attributes.member(column.attribute);
        let in_key = |column: Column| {
            self.table.columns.iter().any(
                |key| matches!(key.derivation, Derivation::Attribute(key) if of.is_equal(key, column)),
            )
        };
        let stored: BTreeSet<Column> = columns
            .iter()
            .filter(|column| sources.member(column.source).is_some() && !in_key(**column))
            .map(|column| of.canonical_column(*column))
            .collect();
        let partition: Vec<Determinant> = self
            .table
            .partition_key()
            .filter_map(|column| mapping::as_known(&column.derivation))
            .collect();
        // In a partition of one row there is nothing to share.
        let one_row = self.table.clustering().next().is_none() || of.is_key(&partition);
        let values: Vec<Column> = partition
            .iter()
            .filter_map(|known| match known {
                Determinant::Value(column) => Some(*column),
                Determinant::Element(_) => None,
            })
            .collect();
        let make = |column: Column| {
            let found = attribute(column)?;
            let is_static = !one_row && of.key_within(column.source, &values).is_some();
            (!found.counter && !mapping::is_too_large(found)).then(|| PlannedColumn {
                name: String::new(),
                ty: found.ty.clone(),
                role: if is_static { ColumnRole::Static } else { ColumnRole::Regular },
                derivation: Derivation::Attribute(column),
                reasons: Vec::new(),
            })
        };
        stored.into_iter().filter_map(make).collect()
    }
}

/// A column without its reasons: tables are built by the thousand, and few of them are reported.
fn strip_reasons(column: &PlannedColumn) -> PlannedColumn {
    PlannedColumn {
        name: String::new(),
        ty: column.ty.clone(),
        role: column.role,
        derivation: column.derivation.clone(),
        reasons: Vec::new(),
    }
}

/// All columns of a read.
pub(crate) fn columns_used(read: &Read) -> impl Iterator<Item = Column> {
    let outputs = read.outputs.iter().filter_map(|output| match output.value {
        OutputValue::Column(column)
        | OutputValue::Sum(column)
        | OutputValue::Average(column)
        | OutputValue::Least(column)
        | OutputValue::Greatest(column) => Some(column),
        OutputValue::Count(column) => column,
        OutputValue::Exists => None,
    });
    let conditions =
        read.conditions.iter().flat_map(|condition| condition.predicate.columns()).copied();
    let order = read.order.iter().map(|order| order.column);
    outputs.chain(conditions).chain(order).chain(read.group.iter().copied())
}

/// Whether two tables are split alike.
pub(super) fn has_same_split(one: &PlannedTable, other: &PlannedTable) -> bool {
    let split =
        |table: &PlannedTable| (table.bucket().map(|(_, of, bucket)| (of, bucket)), table.shards());
    split(one) == split(other)
}
