//! Frames filled with columns.

use std::collections::BTreeSet;

use model::dependency::{Dependencies, Known};
use model::id::{Numbered, SourceId};
use model::plan::{Derivation, PlannedColumn, PlannedTable, Role, Served};
use model::workload::{Column, OutputValue, Read};

use super::{Filled, Frame, pruning};
use crate::mapping;
use crate::naming;
use crate::{Context, splitting, volume};

impl Frame {
    /// The table with these columns (of the frame's sources) beside its key. Those that are in the key, counters and arrays too
    /// large for a collection are left out; so is all of them in a table of counters.
    pub(crate) fn table_with(&self, context: Context<'_>, columns: &BTreeSet<Column>) -> Filled {
        self.table_serving(context, columns, &[])
    }

    /// The same, where the sources stay that are served from: `serves` has those of the frame.
    pub(crate) fn table_serving(
        &self,
        context: Context<'_>,
        columns: &BTreeSet<Column>,
        serves: &[Served],
    ) -> Filled {
        let (table, sources) = self.whole_with(context, columns, serves);
        let table = self.split(context, table);
        let memory = splitting::memory(context, &table);
        let memory = memory.map(|memory| volume::of(context, &memory));
        Filled { table, sources, memory }
    }

    /// The table with these columns, for these reads: `serves` has sources of the frame. It is split only where what those reads
    /// ask would split it otherwise than [`Frame::table_with`] does; then as that one is.
    pub(crate) fn into_table(
        self,
        context: Context<'_>,
        columns: &BTreeSet<Column>,
        serves: Vec<Served>,
    ) -> PlannedTable {
        let (bare, sources) = self.whole_with(context, columns, &serves);
        let mut table = self.reasoned(context, &bare, &sources, &serves);
        let searched = self.split(context, table.clone());
        table.serves = serves
            .into_iter()
            .map(|served| Served {
                sources: served.sources.iter().map(|one| sources.at((*one)?).copied()?).collect(),
                ..served
            })
            .collect();
        let as_served = self.split(context, table.clone());
        if is_split_alike(&searched, &as_served) {
            return table;
        }
        PlannedTable { serves: table.serves, volume: table.volume, ..searched }
    }

    /// The table with these columns before it is split.
    pub(crate) fn whole(&self, context: Context<'_>, columns: &BTreeSet<Column>) -> PlannedTable {
        self.whole_with(context, columns, &[]).0
    }

    /// Whether it is split when it stores all that it may.
    pub(crate) fn could_be_split(&self, context: Context<'_>) -> bool {
        let sources = self.table.holds.sources.numbered();
        let all = sources.filter_map(|(source, of)| {
            let entity = context.concept.entities.at(of.entity)?;
            Some(entity.attributes.ids().map(move |attribute| Column { source, attribute }))
        });
        let whole = self.whole(context, &all.flatten().collect());
        let split = self.split(context, whole);
        split.bucket().is_some() || split.shards() > 1
    }

    /// Split as the bound asks (a key that the user wants is left as it is), with its volume.
    fn split(&self, context: Context<'_>, table: PlannedTable) -> PlannedTable {
        let (table, volume) = if splitting::is_forced(&self.table) {
            let volume = volume::of(context, &table);
            (table, volume)
        } else {
            splitting::parted_with_volume(context, &table)
        };
        PlannedTable { volume, ..table }
    }

    /// The table as it is before it is split, and for each source of the frame that of the table. Sources that `serves` speaks
    /// of stay.
    fn whole_with(
        &self,
        context: Context<'_>,
        columns: &BTreeSet<Column>,
        serves: &[Served],
    ) -> (PlannedTable, Vec<Option<SourceId>>) {
        let holds = &self.table.holds;
        let dependencies = mapping::dependencies_of(context.concept, holds);
        let mut all: Vec<PlannedColumn> = self.table.columns.iter().map(bare).collect();
        all.extend(self.beside(&dependencies, columns));
        all.sort_by_key(|column| column.role.rank());
        let mut used = vec![false; holds.sources.len()];
        let in_columns = all.iter().flat_map(|column| pruning::of_derivation(&column.derivation));
        let in_holds = holds.filters.iter().flat_map(|filter| filter.test.columns());
        let in_holds = in_holds.chain(&holds.not_null).chain(&holds.elements);
        let in_columns = in_columns.chain(in_holds).map(|column| column.source);
        let in_serves = serves.iter().flat_map(|served| served.sources.iter().copied().flatten());
        for source in in_columns.chain(in_serves) {
            if let Some(used) = used.get_mut(source.index()) {
                *used = true;
            }
        }
        let places = pruning::places(&dependencies, &holds.sources, &used);
        for column in &mut all {
            // Nothing that is used has gone.
            if let Some(moved) = pruning::derivation(&column.derivation, &places) {
                column.derivation = moved;
            }
        }
        let moved = |one: &Option<SourceId>| places.at((*one)?).copied()?;
        let serves = self.table.serves.iter().map(|served| Served {
            sources: served.sources.iter().map(moved).collect(),
            ..served.clone()
        });
        let mut table = PlannedTable {
            columns: all,
            holds: pruning::holds(holds, &places),
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
    fn beside(&self, of: &Dependencies<'_>, columns: &BTreeSet<Column>) -> Vec<PlannedColumn> {
        if self.table.is_counter() {
            return Vec::new();
        }
        let sources = &self.table.holds.sources;
        let attribute = |column: Column| of.entity(column.source).attributes.at(column.attribute);
        let in_key = |column: Column| {
            self.table.columns.iter().any(
                |key| matches!(key.derivation, Derivation::Attribute(key) if of.same(key, column)),
            )
        };
        let stored: BTreeSet<Column> = columns
            .iter()
            .filter(|column| sources.at(column.source).is_some() && !in_key(**column))
            .map(|column| of.nearest(*column))
            .collect();
        let partition: Vec<Known> = self
            .table
            .partition_key()
            .filter_map(|column| mapping::known(&column.derivation))
            .collect();
        // A partition of one row has nothing to share.
        let one_row = self.table.clustering().next().is_none() || of.is_key(&partition);
        let values: Vec<Column> = partition
            .iter()
            .filter_map(|known| match known {
                Known::Value(column) => Some(*column),
                Known::Element(_) => None,
            })
            .collect();
        let make = |column: Column| {
            let found = attribute(column)?;
            let is_static = !one_row && of.key_within(column.source, &values).is_some();
            (!found.counter && !mapping::is_too_large(found)).then(|| PlannedColumn {
                name: String::new(),
                ty: found.ty.clone(),
                role: if is_static { Role::Static } else { Role::Regular },
                derivation: Derivation::Attribute(column),
                reasons: Vec::new(),
            })
        };
        stored.into_iter().filter_map(make).collect()
    }
}

/// A column without its reasons: tables are made by the thousand, and few of them are shown.
fn bare(column: &PlannedColumn) -> PlannedColumn {
    PlannedColumn {
        name: String::new(),
        ty: column.ty.clone(),
        role: column.role,
        derivation: column.derivation.clone(),
        reasons: Vec::new(),
    }
}

/// All columns that a read speaks of.
pub(crate) fn mentioned(read: &Read) -> impl Iterator<Item = Column> {
    let outputs = read.outputs.iter().filter_map(|output| match output.value {
        OutputValue::Column(column)
        | OutputValue::Sum(column)
        | OutputValue::Average(column)
        | OutputValue::Least(column)
        | OutputValue::Greatest(column) => Some(column),
        OutputValue::Count(column) => column,
        OutputValue::Exists => None,
    });
    let conditions = read.conditions.iter().flat_map(|condition| condition.test.columns()).copied();
    let order = read.order.iter().map(|order| order.column);
    outputs.chain(conditions).chain(order).chain(read.group.iter().copied())
}

fn is_split_alike(one: &PlannedTable, other: &PlannedTable) -> bool {
    let split =
        |table: &PlannedTable| (table.bucket().map(|(_, of, bucket)| (of, bucket)), table.shards());
    split(one) == split(other)
}
