//! Lookups for each row in other tables: columns of joined rows, counters, and arrays too large for
//! a collection.

use model::id::{IdList, SourceId, StepId, TableId};
use model::plan::{ColumnRole, Derivation, Loop, Operand, ReadPart, ReadStep, Relation};
use model::workload::{Column, OutputValue};

use super::columns::ReadView;
use super::select_list::SelectList;
use super::{statement, statics};

/// A lookup for each row.
pub(super) struct Lookup<'a> {
    pub(super) view: ReadView<'a>,
    pub(super) items: SelectList,
    at: TableId,
    relations: Vec<Relation>,
    loops: Vec<Loop>,
}

/// A step whose rows are known when something is looked up for them.
pub(super) struct RowStep<'a, 'b> {
    pub(super) step: StepId,
    pub(super) view: ReadView<'a>,
    pub(super) items: &'b mut SelectList,
}

impl<'a> Lookup<'a> {
    /// The lookup in the table at position `at` by the steps known so far: the main step first.
    pub(super) fn new((at, view): (TableId, ReadView<'a>), known: &mut [RowStep<'_, '_>]) -> Self {
        let outputs = view.read.outputs.iter().map(|output| output.name.clone());
        let items = SelectList::new(outputs.collect());
        let mut lookup = Self { view, items, at, relations: Vec::new(), loops: Vec::new() };
        let mut by_row = false;
        let main = known.first().map_or(StepId::new(0), |known| known.step);
        for column in view.table.columns.iter().filter(|column| column.is_key()) {
            match lookup.value(&column.derivation, known) {
                Some(operand) => {
                    by_row |= is_row_reference(&operand);
                    lookup.relations.push(Relation::equal(&column.name, operand));
                }
                None if column.role == ColumnRole::Partition => {}
                None => break,
            }
        }
        if by_row {
            lookup.loops.insert(0, Loop::Rows(main));
        }
        lookup.select_parts();
        lookup
    }

    /// The value of a column of the key.
    fn value(&mut self, derivation: &Derivation, known: &mut [RowStep<'_, '_>]) -> Option<Operand> {
        let view = self.view;
        Some(match derivation {
            Derivation::Attribute(of) => value(view, *of, known)?,
            Derivation::Coalesced(of, null) => {
                Operand::OrElse(Box::new(value(view, *of, known)?), null.clone())
            }
            Derivation::Bucket(of, bucket) => {
                Operand::BucketOf(Box::new(value(view, *of, known)?), *bucket)
            }
            Derivation::Prefix(of, length) => {
                Operand::PrefixOf(Box::new(value(view, *of, known)?), *length)
            }
            Derivation::Shard { of, count } => {
                let values: Option<Vec<_>> = of.iter().map(|of| value(view, *of, known)).collect();
                if let Some(values) = values {
                    Operand::ShardOf(values, *count)
                } else {
                    self.loops.push(Loop::Shards(*count));
                    // The loop over the rows comes before it.
                    Operand::Turn(self.loops.next_id())
                }
            }
            Derivation::Constant => Operand::Literal("0".to_owned()),
            Derivation::Element(_)
            | Derivation::Count(_)
            | Derivation::Sum(_)
            | Derivation::Oldest(_)
            | Derivation::Newest(_) => return None,
        })
    }

    /// Selects the counters, or the elements, that the table stores.
    fn select_parts(&mut self) {
        let view = self.view;
        for output in &view.read.outputs {
            let OutputValue::Column(column) = output.value else { continue };
            let found = match view.part {
                ReadPart::Counters => {
                    view.find_stored(column).filter(|stored| stored.role == ColumnRole::Counter)
                }
                ReadPart::Elements => view.table.columns.iter().find(|stored| {
                    matches!(stored.derivation, Derivation::Element(of) if view.is_same_column(column, of))
                }),
                _ => None,
            };
            if let Some(stored) = found {
                self.items.add_output(stored, &output.name);
            }
        }
    }

    /// Whether it adds something to rows, or may drop some.
    pub(super) fn is_needed(&self, drops: bool) -> bool {
        !self.items.is_empty() || drops
    }

    /// The statement.
    pub(super) fn step(&self) -> ReadStep {
        let mut items = self.items.clone();
        if items.is_empty()
            && let Some(first) = self.view.table.partition_key().next()
        {
            items.select_aside(first);
        }
        let looks_for_rows = self.relations.len() > self.view.table.partition_key().count();
        statics::show_rows(self.view, looks_for_rows, &mut items);
        let select = statement::select(self.view.table, &items, self.relations.clone());
        let (table, loops, optional) = (self.at, self.loops.clone(), self.is_optional());
        ReadStep { table, select, loops, optional, spans: Vec::new() }
    }

    /// Whether there may be nothing to look up: what it is looked up by leads to it by a LEFT JOIN.
    fn is_optional(&self) -> bool {
        let (read, held) = (self.view.read, self.view.sources);
        let is_held = |at: SourceId| held.member(at).copied().flatten().is_some();
        let mut roots = read.sources.enumerate_ids().filter(|(at, source)| {
            is_held(*at) && source.join.is_none_or(|join| !is_held(join.with))
        });
        roots.next().is_some_and(|(_, root)| root.is_optional())
    }
}

/// What a column of the looked-up table is in a row: given by the query, or a column of the row.
fn value(part: ReadView<'_>, of: Column, known: &mut [RowStep<'_, '_>]) -> Option<Operand> {
    if let Some(value) = part.equality_value(of) {
        return Some(value);
    }
    let column = part.column_in_read(of)?;
    known.iter_mut().find_map(|known| {
        let stored = known.view.find_stored(column)?;
        let column = known.items.select(stored);
        Some(Operand::Row { step: known.step, column })
    })
}

/// Whether an operand refers to a column of a row.
fn is_row_reference(operand: &Operand) -> bool {
    matches!(operand, Operand::Row { .. }) || operand.parts().into_iter().any(is_row_reference)
}
