//! The step that finds the keys by which the rows are then read.

use model::id::{StepId, TableId};
use model::plan::{Derivation, Operand, PlannedTable, ReadStep};
use model::workload::Column;

use super::columns::{EarlierStep, ReadView};
use super::restriction::Restrictions;
use super::select_list::SelectList;
use super::{statement, statics};

/// The step that finds keys.
pub(super) struct KeyStep<'a> {
    pub(super) view: ReadView<'a>,
    pub(super) items: SelectList,
    /// What it provides to the step that reads the rows.
    pub(super) given: EarlierStep,
    at: TableId,
    restrictions: Restrictions,
    oldest: Option<ReadStep>,
}

impl<'a> KeyStep<'a> {
    /// The keys that the table of the rows is read by, from the table at position `at`.
    pub(super) fn new(
        tables: &[PlannedTable],
        (at, view): (TableId, ReadView<'a>),
        rows: ReadView<'a>,
    ) -> Self {
        let restrictions = Restrictions::new(view);
        let oldest = statement::oldest_bucket_step(tables, at, &restrictions);
        let step = StepId::new(usize::from(oldest.is_some()));
        let outputs = view.read.outputs.iter().map(|output| output.name.clone());
        let mut items = SelectList::new(outputs.collect());
        let wanted = key_columns(rows);
        let mut values = Vec::new();
        for column in &view.table.columns {
            let Derivation::Attribute(of) = column.derivation else { continue };
            let Some(key_column) = view.column_in_read(of) else { continue };
            let Some(stored) = rows.canonical(key_column) else { continue };
            let by_key = wanted.contains(&stored) && rows.equality_value(stored).is_none();
            if by_key && !values.iter().any(|(other, _)| rows.canonical(*other) == Some(stored)) {
                let column = items.select(column);
                values.push((key_column, Operand::Row { step, column }));
            }
        }
        let sources = view.sources.iter().map(Option::is_some).collect();
        let met = restrictions.used.clone();
        let given = EarlierStep { values, sources, met, step };
        Self { view, items, given, at, restrictions, oldest }
    }

    /// The statements, in order.
    pub(super) fn steps(&self) -> Vec<ReadStep> {
        let mut items = self.items.clone();
        if items.is_empty()
            && let Some(first) = self.view.table.partition_key().next()
        {
            items.select_aside(first);
        }
        let looks_for_rows = statics::is_row_restricted(self.view, &self.restrictions);
        statics::show_rows(self.view, looks_for_rows, &mut items);
        let relations = self.restrictions.relations.clone();
        let select = statement::select(self.view.table, &items, relations);
        let loops = self.restrictions.loops.clone();
        let mut steps: Vec<_> = self.oldest.iter().cloned().collect();
        let spans = Vec::new();
        steps.push(ReadStep { table: self.at, select, loops, optional: false, spans });
        if self.oldest.is_some() {
            statement::set_oldest_step(&mut steps, StepId::new(0));
        }
        steps
    }
}

/// What the key of a table is made from.
fn key_columns(view: ReadView<'_>) -> Vec<Column> {
    let mut columns = Vec::new();
    for column in view.table.columns.iter().filter(|column| column.is_key()) {
        match &column.derivation {
            Derivation::Shard { of, .. } => columns.extend(of),
            other => columns.extend(crate::volume::attribute_of(other)),
        }
    }
    columns.into_iter().map(|column| view.canonical_stored(column)).collect()
}
