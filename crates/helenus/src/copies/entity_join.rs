//! Joins rows of a base with the rows that they refer to, which are looked up by their keys.

use std::collections::BTreeMap;

use cluster::{Connection, Error};
use model::id::{AttributeId, EntityId, IdList, SourceId, TableId};
use model::plan::PlannedTable;
use model::workload::Column;
use sim::{Datum, Row, RowDerivation};

use super::definitions::Definitions;
use super::entity_table::EntityTable;
use super::stored_row::{EntityRow, StoredRow, WriteTime};
use super::table_reader::TableReader;
use super::table_shape::Link;
use super::verification_plan::CopyPlan;

/// The tables of a design on a cluster.
pub(super) struct TableAccess<'a> {
    pub(super) definitions: &'a Definitions,
    pub(super) connection: &'a mut Connection,
    /// A reader for each table of the design, in its order.
    pub(super) readers: &'a [TableReader],
}

/// A row of the base of a copy, joined with the rows that it refers to.
#[derive(Clone, Debug)]
pub(super) struct JoinedRow {
    /// The key of the row of the base.
    pub(super) origin: Vec<Datum>,
    /// When that row was read.
    pub(super) read_at: i64,
    pub(super) state: JoinState,
    /// The values of each source.
    pub(super) rows: Vec<Row>,
    /// When they were written.
    written: Vec<Vec<WriteTime>>,
    /// The newest write of each source.
    newest: Vec<WriteTime>,
}

/// Whether a joined row is complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JoinState {
    /// All rows are there.
    Complete,
    /// It refers to nothing, so that it is not in the result of the join.
    Excluded,
    /// A row that it refers to is missing.
    Dangling {
        /// The entity of the missing row.
        entity: EntityId,
        /// The table in which it was looked up.
        table: TableId,
    },
}

impl JoinedRow {
    /// When a column of the sources was written.
    pub(super) fn write_time(&self, column: Column) -> WriteTime {
        let own = self.written.get(column.source.index());
        let own = own.and_then(|source| source.get(column.attribute.index())).copied();
        let is_known = |own: &WriteTime| own.timestamp.is_some();
        own.filter(is_known).unwrap_or_else(|| self.newest_write(column.source))
    }

    /// The newest write of the row of a source.
    pub(super) fn newest_write(&self, source: SourceId) -> WriteTime {
        self.newest.get(source.index()).copied().unwrap_or_default()
    }

    fn set_row(&mut self, at: usize, row: EntityRow) {
        let slots = (self.rows.get_mut(at), self.written.get_mut(at), self.newest.get_mut(at));
        if let (Some(values), Some(written), Some(newest)) = slots {
            (*values, *written, *newest) = (row.values, row.written, row.newest);
        }
    }

    /// The values of some attributes of a source; `None` where one is null.
    fn values_of(&self, source: usize, attributes: &[AttributeId]) -> Option<Vec<Datum>> {
        let row = self.rows.get(source)?;
        attributes.iter().map(|at| row.get(at.index()).cloned().flatten().map(Some)).collect()
    }
}

impl TableAccess<'_> {
    /// The rows of some keys of a table.
    pub(super) fn find(
        &mut self,
        table: TableId,
        keys: &[Vec<Datum>],
    ) -> Result<Vec<Option<StoredRow>>, Error> {
        match self.readers.get(table.index()) {
            Some(reader) => reader.find(self.connection, keys),
            None => Ok(vec![None; keys.len()]),
        }
    }

    /// Joins rows of the base of a copy with what they refer to.
    pub(super) fn join(
        &mut self,
        plan: &CopyPlan,
        base: &[StoredRow],
    ) -> Result<Vec<JoinedRow>, Error> {
        let definitions = self.definitions;
        let Some(table) = definitions.tables.member(plan.table) else { return Ok(Vec::new()) };
        let sources = table.holds.sources.iter();
        let empty: Vec<EntityRow> = sources
            .map(|source| definitions.concept.entities.member(source.entity))
            .map(|entity| entity.map_or_else(EntityRow::default, EntityRow::empty))
            .collect();
        let mut joined: Vec<JoinedRow> = base
            .iter()
            .filter_map(|row| {
                let mut joined = JoinedRow {
                    origin: row.key.clone(),
                    read_at: row.read_at,
                    state: JoinState::Complete,
                    rows: empty.iter().map(|row| row.values.clone()).collect(),
                    written: empty.iter().map(|row| row.written.clone()).collect(),
                    newest: vec![WriteTime::default(); empty.len()],
                };
                joined.set_row(plan.shape.driver.index(), self.entity_row(&plan.base, row)?);
                Some(joined)
            })
            .collect();
        for (link, lookup) in plan.shape.links.iter().zip(&plan.lookups) {
            self.follow(link, lookup.as_ref(), &mut joined)?;
        }
        Ok(joined)
    }

    /// Adds to each joined row the row that a link leads to.
    fn follow(
        &mut self,
        link: &Link,
        lookup: Option<&EntityTable>,
        joined: &mut [JoinedRow],
    ) -> Result<(), Error> {
        let mut wanted: BTreeMap<Vec<Datum>, Vec<usize>> = BTreeMap::new();
        for (at, row) in joined.iter_mut().enumerate() {
            if row.state != JoinState::Complete {
                continue;
            }
            let Some(values) = row.values_of(link.from.index(), &link.from_attributes) else {
                if !link.is_optional {
                    row.state = JoinState::Excluded;
                }
                continue;
            };
            if let Some(target) = row.rows.get_mut(link.to.index()) {
                set_values(target, &link.to_attributes, &values);
            }
            if let Some(lookup) = lookup {
                let known = link.to_attributes.iter().copied().zip(values);
                match self.key_of(lookup, known) {
                    Some(key) => wanted.entry(key).or_default().push(at),
                    None => row.state = dangling(link, lookup),
                }
            }
        }
        let Some(lookup) = lookup else { return Ok(()) };
        let keys: Vec<Vec<Datum>> = wanted.keys().cloned().collect();
        let found = self.find(lookup.table, &keys)?;
        for (found, places) in found.iter().zip(wanted.values()) {
            let entity = found.as_ref().and_then(|found| self.entity_row(lookup, found));
            for at in places {
                let Some(row) = joined.get_mut(*at) else { continue };
                match &entity {
                    Some(entity) => row.set_row(link.to.index(), entity.clone()),
                    None => row.state = dangling(link, lookup),
                }
            }
        }
        // What the table of the lookup does not have is still known from the reference.
        for row in joined.iter_mut().filter(|row| row.state == JoinState::Complete) {
            if let Some(values) = row.values_of(link.from.index(), &link.from_attributes)
                && let Some(target) = row.rows.get_mut(link.to.index())
            {
                set_values(target, &link.to_attributes, &values);
            }
        }
        Ok(())
    }

    /// The row of an entity in a row of one of its tables.
    fn entity_row(&self, columns: &EntityTable, row: &StoredRow) -> Option<EntityRow> {
        let entity = self.definitions.concept.entities.member(columns.shape.entity)?;
        let table = self.definitions.tables.member(columns.table)?;
        Some(EntityRow::read(entity, table, columns, row))
    }

    /// The key of the row of an entity in one of its tables, from some of its attributes.
    pub(super) fn key_of(
        &self,
        columns: &EntityTable,
        known: impl IntoIterator<Item = (AttributeId, Datum)>,
    ) -> Option<Vec<Datum>> {
        let table: &PlannedTable = self.definitions.tables.member(columns.table)?;
        let concept = &self.definitions.concept;
        let mut rows: Vec<Row> = table
            .holds
            .sources
            .iter()
            .map(|source| concept.entities.member(source.entity))
            .map(|entity| vec![None; entity.map_or(0, |entity| entity.attributes.len())])
            .collect();
        let (attributes, values): (Vec<_>, Vec<_>) = known.into_iter().unzip();
        set_values(rows.get_mut(columns.shape.driver.index())?, &attributes, &values);
        for link in &columns.shape.links {
            let from = rows.get(link.from.index())?;
            let values: Vec<Datum> = link
                .from_attributes
                .iter()
                .map(|at| from.get(at.index()).cloned().flatten())
                .collect();
            set_values(rows.get_mut(link.to.index())?, &link.to_attributes, &values);
        }
        RowDerivation::new(concept, &self.definitions.tables, table).derive_key(&rows)
    }
}

const fn dangling(link: &Link, lookup: &EntityTable) -> JoinState {
    JoinState::Dangling { entity: link.entity, table: lookup.table }
}

fn set_values(row: &mut Row, attributes: &[AttributeId], values: &[Datum]) {
    for (attribute, value) in attributes.iter().zip(values) {
        if let Some(slot) = row.get_mut(attribute.index()) {
            slot.clone_from(value);
        }
    }
}
