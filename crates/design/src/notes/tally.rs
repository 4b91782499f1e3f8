//! What is counted once for all topics, so that no topic takes time quadratic in the design.

use std::collections::{BTreeMap, BTreeSet};

use model::concept::AttributeRef;
use model::id::{EntityId, IdList, TableId, WriteId};
use model::plan::{ColumnRole, Design, ReadPart};
use model::workload::{Assignment, AssignmentValue, Write, WriteKind};

use super::review::{source_columns, statements};
use crate::Context;

/// Lists and sums over a finished design.
#[derive(Default)]
pub(super) struct Tally {
    /// The table that gives each read its rows.
    pub(super) table_of_read: Vec<Option<TableId>>,
    /// The writes that change each table.
    pub(super) writes_of_table: Vec<BTreeSet<WriteId>>,
    /// Rows per second that writes put into each table, one copy of it.
    pub(super) rows_written: Vec<f64>,
    /// The tables with an attribute of an entity in their partition key.
    pub(super) partitioned_by: BTreeMap<AttributeRef, Vec<TableId>>,
    /// For an array of an entity: elements appended per second less those removed, and the first
    /// write that appends.
    pub(super) appended: BTreeMap<AttributeRef, (f64, WriteId)>,
    /// The tables that hold rows of each entity alone.
    pub(super) tables_of_entity: BTreeMap<EntityId, Vec<TableId>>,
}

impl Tally {
    pub(super) fn new(context: Context<'_>, design: &Design) -> Self {
        let tables = design.tables.len();
        let mut tally = Self {
            table_of_read: vec![None; design.reads.len()],
            writes_of_table: vec![BTreeSet::new(); tables],
            rows_written: vec![0.0; tables],
            ..Self::default()
        };
        tally.count_tables(design);
        tally.count_writes(context, design);
        tally
    }

    fn count_tables(&mut self, design: &Design) {
        for (at, table) in design.tables.enumerate_ids() {
            for served in table.serves.iter().filter(|served| served.part == ReadPart::Rows) {
                if let Some(of) = self.table_of_read.get_mut(served.read.index()) {
                    of.get_or_insert(at);
                }
            }
            if table.remembers.is_some() {
                continue;
            }
            if let [source] = table.holds.sources.as_slice() {
                self.tables_of_entity.entry(source.entity).or_default().push(at);
            }
            let partition =
                table.columns.iter().filter(|column| column.role == ColumnRole::Partition);
            for of in partition.flat_map(source_columns) {
                if let Some(source) = table.holds.sources.member(of.source) {
                    let key = AttributeRef { entity: source.entity, attribute: of.attribute };
                    let tables = self.partitioned_by.entry(key).or_default();
                    tables.push(at);
                    tables.dedup();
                }
            }
        }
    }

    fn count_elements(&mut self, at: WriteId, write: &Write, assignments: &[Assignment]) {
        for assignment in assignments {
            let rate = match assignment.value {
                AssignmentValue::Append(_) => write.rate.value,
                AssignmentValue::Remove(_) => -write.rate.value,
                _ => continue,
            };
            let key = AttributeRef { entity: write.entity, attribute: assignment.attribute };
            self.appended.entry(key).or_insert((0.0, at)).0 += rate;
        }
    }

    fn count_writes(&mut self, context: Context<'_>, design: &Design) {
        for ((at, write), plan) in context.workload.writes.enumerate_ids().zip(&design.writes) {
            if let WriteKind::Update(assignments, _) = &write.kind {
                self.count_elements(at, write, assignments);
            }
            for statement in statements(plan) {
                let Some(writes) = self.writes_of_table.get_mut(statement.table.index()) else {
                    continue;
                };
                writes.insert(at);
                self.rows_written[statement.table.index()] += write.rate.value * statement.rows;
            }
        }
    }
}
