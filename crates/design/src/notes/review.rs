//! A finished design with what it was made from, and accessors that several topics share.

use model::concept::{Attribute, Entity};
use model::id::{IdList, ReadId, SourceId, TableId, WriteId};
use model::plan::{
    Derivation, Design, Loop, PlannedColumn, PlannedStatement, PlannedTable, ReadPlan, WritePlan,
    WriteStep,
};
use model::workload::{Column, Read, Write};

use super::tally::Tally;
use crate::Context;

/// A finished design with what it was made from.
#[derive(Clone, Copy)]
pub(super) struct Review<'a> {
    pub(super) context: Context<'a>,
    pub(super) design: &'a Design,
    pub(super) tally: &'a Tally,
    /// Makes the tables that the method derives when no key is forced.
    pub(super) unforced: &'a dyn Fn() -> Vec<PlannedTable>,
}

impl<'a> Review<'a> {
    /// The reads with their plans.
    pub(super) fn reads(self) -> impl Iterator<Item = (ReadId, &'a Read, &'a ReadPlan)> {
        let reads = self.context.workload.reads.iter().zip(&self.design.reads);
        reads.enumerate().map(|(at, (read, plan))| (ReadId::new(at), read, plan))
    }

    /// The writes with their plans.
    pub(super) fn writes(self) -> impl Iterator<Item = (WriteId, &'a Write, &'a WritePlan)> {
        let writes = self.context.workload.writes.iter().zip(&self.design.writes);
        writes.enumerate().map(|(at, (write, plan))| (WriteId::new(at), write, plan))
    }

    /// The tables that hold rows of the application, without those that remember oldest buckets.
    pub(super) fn tables(self) -> impl Iterator<Item = (TableId, &'a PlannedTable)> {
        self.design.tables.enumerate_ids().filter(|(_, table)| table.remembers.is_none())
    }

    /// The table that gives a read its rows.
    pub(super) fn table_of(self, read: ReadId) -> Option<(TableId, &'a PlannedTable)> {
        let at = self.tally.table_of_read.get(read.index()).copied().flatten()?;
        Some((at, self.design.tables.member(at)?))
    }

    /// The entity of one of a table's sources.
    pub(super) fn entity(self, table: &PlannedTable, source: SourceId) -> Option<&'a Entity> {
        self.context.concept.entities.member(table.holds.sources.member(source)?.entity)
    }

    /// The attribute that a column of a table's sources is.
    pub(super) fn attribute(self, table: &PlannedTable, column: Column) -> Option<&'a Attribute> {
        self.entity(table, column.source)?.attributes.member(column.attribute)
    }

    /// The attribute of one of a read's sources.
    pub(super) fn read_attribute(self, read: &Read, column: Column) -> Option<&'a Attribute> {
        let source = read.sources.member(column.source)?;
        self.context.concept.entities.member(source.entity)?.attributes.member(column.attribute)
    }

    /// Days over which growth is considered.
    pub(super) fn horizon(self) -> f64 {
        self.context.options.limits.years * 365.25
    }

    /// Rows per second that writes put into a table, one copy of it.
    pub(super) fn rows_written(self, table: TableId) -> f64 {
        self.tally.rows_written.get(table.index()).copied().unwrap_or_default()
    }
}

/// The statements of a write that change tables.
pub(super) fn statements(plan: &WritePlan) -> impl Iterator<Item = &PlannedStatement> {
    plan.steps.iter().flat_map(|step| match step {
        WriteStep::Read(..) | WriteStep::Run(_) => &[][..],
        WriteStep::Batch { statements, .. } => statements,
        WriteStep::Statement(statement) => std::slice::from_ref(statement),
    })
}

/// The loops of a read's main step.
pub(super) fn loops(plan: &ReadPlan) -> &[Loop] {
    plan.steps.member(plan.main).map_or(&[], |step| &step.loops)
}

/// The columns of a table's sources that a column is made from.
pub(super) fn source_columns(column: &PlannedColumn) -> Vec<Column> {
    match &column.derivation {
        Derivation::Attribute(of)
        | Derivation::Coalesced(of, _)
        | Derivation::Element(of)
        | Derivation::Bucket(of, _)
        | Derivation::Prefix(of, _)
        | Derivation::Sum(of) => vec![*of],
        Derivation::Count(of) => of.iter().copied().collect(),
        Derivation::Shard { .. }
        | Derivation::Constant
        | Derivation::Oldest(_)
        | Derivation::Newest(_) => Vec::new(),
    }
}
