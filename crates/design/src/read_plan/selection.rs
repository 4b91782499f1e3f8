//! What a statement selects: columns, counters or aggregates, and how the client combines them.

use std::collections::BTreeSet;

use cql::types::{NativeType, Type};
use model::plan::{
    AggregateFunction, ClientStep, ColumnRole, Derivation, Direction, Loop, PlannedColumn,
    SelectExpression,
};
use model::workload::{Column, Output, OutputValue, Read};

use super::columns::ReadView;
use super::restriction::Restrictions;
use super::select_list::SelectList;

/// What a statement selects.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// The select list.
    pub(super) items: SelectList,
    /// GROUP BY.
    pub(super) group: Vec<String>,
    /// Whether the read aggregates.
    pub(super) aggregates: bool,
    /// Whether the client aggregates.
    pub(super) by_client: bool,
    /// Whether one row of each statement is enough.
    pub(super) single: bool,
    /// What the client does with the aggregates.
    pub(super) after: Vec<ClientStep>,
}

impl Selection {
    /// What a read selects from its table. `taken`: names of columns that other statements of the
    /// plan add to a row.
    pub(super) fn new(
        view: ReadView<'_>,
        restrictions: &Restrictions,
        taken: &BTreeSet<String>,
    ) -> Self {
        let read = view.read;
        let outputs = read.outputs.iter().map(|output| output.name.clone());
        let items = SelectList::new(taken.iter().cloned().chain(outputs).collect());
        let mut selection = Self { items, ..Self::default() };
        if is_existence(read) {
            selection.select_existence(view, restrictions);
        } else if !is_aggregate(read) {
            selection.select_columns(view);
        } else if view.table.is_counter() {
            selection.select_counters(view);
        } else if is_extreme(read) && is_extreme_first(view, restrictions) {
            selection.select_extremes(view);
        } else if let Some(group) = server_group(view, restrictions) {
            selection.aggregates = true;
            selection.group = group_clause(view, &group);
            for output in &read.outputs {
                selection.select_aggregate(view, output);
            }
        } else {
            selection.select_for_client(view, taken);
        }
        selection
    }

    /// `SELECT EXISTS`: any row will do.
    fn select_existence(&mut self, view: ReadView<'_>, restrictions: &Restrictions) {
        if let Some(column) = view.table.partition_key().next() {
            self.items.select(column);
        }
        self.single = restrictions.is_exact();
    }

    /// Columns.
    fn select_columns(&mut self, view: ReadView<'_>) {
        for output in &view.read.outputs {
            if let OutputValue::Column(column) = output.value
                && let Some(stored) = view.find_stored(column)
            {
                self.items.add_output(stored, &output.name);
            }
        }
    }

    /// Selects the minimum or maximum: the first row has it.
    fn select_extremes(&mut self, view: ReadView<'_>) {
        for output in &view.read.outputs {
            if let OutputValue::Least(of) | OutputValue::Greatest(of) = output.value
                && let Some(stored) = view.find_stored(of)
            {
                self.items.add_output(stored, &output.name);
            }
        }
        self.single = true;
    }

    /// Counter columns; an absent row counts 0.
    fn select_counters(&mut self, view: ReadView<'_>) {
        self.aggregates = true;
        let is_nullable = |of: Column| view.attribute(of).is_some_and(|of| of.nullable);
        let counter = |wanted: &dyn Fn(&Derivation) -> bool| {
            view.table
                .columns
                .iter()
                .find(|column| column.role == ColumnRole::Counter && wanted(&column.derivation))
        };
        let (mut averages, mut sums) = (Vec::new(), Vec::new());
        for output in &view.read.outputs {
            let found = match output.value {
                OutputValue::Column(column) => view.find_stored(column),
                OutputValue::Count(of) => counter(&|derivation| is_count(view, derivation, of)),
                OutputValue::Sum(of) => {
                    let counted = is_nullable(of).then_some(of);
                    let count = counter(&|derivation| is_count(view, derivation, counted));
                    sums.extend(count.map(|count| (count, output)));
                    counter(&|derivation| is_sum(view, derivation, of))
                }
                OutputValue::Average(of) => {
                    let sum = counter(&|derivation| is_sum(view, derivation, of));
                    let counted = is_nullable(of).then_some(of);
                    let count = counter(&|derivation| is_count(view, derivation, counted));
                    averages.extend(sum.zip(count).map(|(sum, count)| (sum, count, output)));
                    None
                }
                _ => None,
            };
            if let Some(stored) = found {
                self.items.add_output(stored, &output.name);
            }
        }
        self.finish_counters(view);
        for (count, output) in sums {
            let (sum, count) = (output.name.clone(), self.items.select(count));
            self.after.push(ClientStep::EmptySumIsNull { sum, count });
        }
        for (sum, count, output) in averages {
            let sum = self.items.select(sum);
            let count = self.items.select(count);
            self.after.push(average(&sum, &count, &output.name));
        }
    }

    /// What the client does with counters: drops groups at 0, and takes 0 for an absent row.
    fn finish_counters(&mut self, view: ReadView<'_>) {
        if view.read.group.is_empty() {
            self.after.push(ClientStep::AbsentIsZero);
            return;
        }
        let mut columns = view.table.columns.iter();
        let count = columns.find(|column| column.derivation == Derivation::Count(None));
        if let Some(count) = count {
            self.after.push(ClientStep::DropEmptyGroups(self.items.select(count)));
        }
    }

    /// One output of a statement that aggregates.
    fn select_aggregate(&mut self, view: ReadView<'_>, output: &Output) {
        let items = &mut self.items;
        let mut over = |function: AggregateFunction, of: Column| {
            if let Some(of) = view.find_stored(of) {
                items.add_expression(aggregate(function, of), &output.name);
            }
        };
        match output.value {
            OutputValue::Column(column) => {
                if let Some(stored) = view.find_stored(column) {
                    items.add_output(stored, &output.name);
                }
            }
            OutputValue::Count(of) => {
                // A row for each row: one without a clustering key has static columns only.
                let whole = view.table.clustering().next().filter(|_| view.has_statics());
                let of = of.and_then(|of| view.find_stored(of)).or(whole);
                let count = |of| aggregate(AggregateFunction::Count, of);
                items.add_expression(of.map_or(SelectExpression::CountRows, count), &output.name);
            }
            OutputValue::Sum(of) => {
                let Some(of) = view.find_stored(of) else { return };
                items.add_expression(sum_of(of), &output.name);
                let counted = aggregate(AggregateFunction::Count, of);
                let count = items.add_beside(counted, &format!("{}_count", of.name));
                let sum = output.name.clone();
                self.after.push(ClientStep::EmptySumIsNull { sum, count });
            }
            OutputValue::Average(of) => {
                let Some(of) = view.find_stored(of) else { return };
                let sum = items.add_beside(sum_of(of), &format!("{}_sum", of.name));
                let counted = aggregate(AggregateFunction::Count, of);
                let count = items.add_beside(counted, &format!("{}_count", of.name));
                self.after.push(average(&sum, &count, &output.name));
            }
            OutputValue::Least(of) => over(AggregateFunction::Min, of),
            OutputValue::Greatest(of) => over(AggregateFunction::Max, of),
            OutputValue::Exists => {}
        }
    }

    /// All rows, for the client to aggregate: it creates the outputs, so their names are free.
    fn select_for_client(&mut self, view: ReadView<'_>, taken: &BTreeSet<String>) {
        self.items = SelectList::new(taken.clone());
        self.aggregates = true;
        self.by_client = true;
        let columns = view.read.outputs.iter().map(|output| input_column(output.value));
        for column in columns.flatten().chain(view.read.group.iter().copied()) {
            if let Some(stored) = view.find_stored(column) {
                self.items.select(stored);
            }
        }
        if self.items.is_empty()
            && let Some(first) = view.table.partition_key().next()
        {
            self.items.select(first);
        }
        self.after.push(ClientStep::Aggregate(view.read.group.clone()));
    }
}

/// The column that an output is made from.
pub(super) fn input_column(output: OutputValue) -> Option<Column> {
    match output {
        OutputValue::Column(column)
        | OutputValue::Sum(column)
        | OutputValue::Average(column)
        | OutputValue::Least(column)
        | OutputValue::Greatest(column)
        | OutputValue::Count(Some(column)) => Some(column),
        OutputValue::Count(None) | OutputValue::Exists => None,
    }
}

/// The columns by which the server groups, where it can aggregate: no row is dropped afterwards,
/// and it has all columns.
fn server_group(view: ReadView<'_>, restrictions: &Restrictions) -> Option<Vec<String>> {
    let name = |column: &Column| view.find_stored(*column).map(|stored| stored.name.clone());
    let group: Vec<String> = view.read.group.iter().map(name).collect::<Option<_>>()?;
    let mut inputs = view.read.outputs.iter().filter_map(|output| input_column(output.value));
    let all = inputs.all(|column| view.find_stored(column).is_some());
    let served = all && restrictions.is_exact() && can_group_by_key(view, restrictions, &group);
    served.then_some(group)
}

/// `SUM(column)`, wide enough not to overflow.
fn sum_of(column: &PlannedColumn) -> SelectExpression {
    let narrow = matches!(
        column.ty,
        Type::Native(NativeType::Int | NativeType::Smallint | NativeType::Tinyint)
    );
    let cast = narrow.then_some(NativeType::Bigint);
    SelectExpression::Aggregate {
        function: AggregateFunction::Sum,
        column: column.name.clone(),
        cast,
    }
}

fn aggregate(function: AggregateFunction, of: &PlannedColumn) -> SelectExpression {
    SelectExpression::Aggregate { function, column: of.name.clone(), cast: None }
}

/// The columns of GROUP BY in the order of the key; of the partition key, all or none.
fn group_clause(view: ReadView<'_>, group: &[String]) -> Vec<String> {
    let whole = view.table.partition_key().any(|column| group.contains(&column.name));
    let wanted = |column: &&PlannedColumn| match column.role {
        ColumnRole::Partition => whole,
        _ => group.contains(&column.name),
    };
    let key = view.table.columns.iter().filter(|column| column.is_key());
    key.filter(wanted).map(|column| column.name.clone()).collect()
}

/// Whether the server can group so: by the clustering columns that follow those fixed.
fn can_group_by_key(view: ReadView<'_>, restrictions: &Restrictions, group: &[String]) -> bool {
    let fixed: Vec<_> = view
        .table
        .partition_key()
        .chain(view.table.clustering().take(restrictions.fixed_clustering))
        .map(|column| &column.name)
        .collect();
    let free: Vec<_> = group.iter().filter(|name| !fixed.contains(name)).collect();
    let next: Vec<_> = view
        .table
        .clustering()
        .skip(restrictions.fixed_clustering)
        .take(free.len())
        .map(|column| &column.name)
        .collect();
    free == next
}

fn average(sum: &str, count: &str, output: &str) -> ClientStep {
    ClientStep::Average { sum: sum.to_owned(), count: count.to_owned(), output: output.to_owned() }
}

fn is_count(view: ReadView<'_>, derivation: &Derivation, wanted: Option<Column>) -> bool {
    match (derivation, wanted) {
        (Derivation::Count(None), None) => true,
        (Derivation::Count(Some(stored)), Some(of)) => view.is_same_column(of, *stored),
        _ => false,
    }
}

fn is_sum(view: ReadView<'_>, derivation: &Derivation, of: Column) -> bool {
    matches!(derivation, Derivation::Sum(stored) if view.is_same_column(of, *stored))
}

/// `SELECT EXISTS(...)`
pub(super) fn is_existence(read: &Read) -> bool {
    read.outputs.iter().any(|output| output.value == OutputValue::Exists)
}

/// Only MIN or only MAX of one column.
pub(super) fn is_extreme(read: &Read) -> bool {
    read.group.is_empty()
        && read.outputs.len() == 1
        && read
            .outputs
            .iter()
            .all(|output| matches!(output.value, OutputValue::Least(_) | OutputValue::Greatest(_)))
}

/// Whether rows are aggregated, or groups of them are one row each.
fn is_aggregate(read: &Read) -> bool {
    !read.group.is_empty()
        || read
            .outputs
            .iter()
            .any(|output| !matches!(output.value, OutputValue::Column(_) | OutputValue::Exists))
}

/// Whether the first row of the statement (of the first bucket that has one) has the minimum or
/// maximum.
fn is_extreme_first(view: ReadView<'_>, restrictions: &Restrictions) -> bool {
    let Some(first) = view.table.clustering().nth(restrictions.fixed_clustering) else {
        return false;
    };
    // Parallel streams have a first row each.
    let in_sequence = |turn: &Loop| match turn {
        Loop::Buckets(_) => {
            let buckets = |of: Column| {
                view.table.bucket().is_some_and(|(_, time, _)| view.is_same_column(of, time))
            };
            view.read.outputs.iter().filter_map(|output| input_column(output.value)).all(buckets)
        }
        _ => false,
    };
    restrictions.is_exact()
        && restrictions.loops.iter().all(in_sequence)
        && view.read.outputs.iter().all(|output| {
            let (of, role) = match output.value {
                OutputValue::Least(of) => (of, ColumnRole::Clustering(Direction::Ascending)),
                OutputValue::Greatest(of) => (of, ColumnRole::Clustering(Direction::Descending)),
                _ => return false,
            };
            first.role == role
                && view.find_stored(of).is_some_and(|stored| stored.name == first.name)
        })
}
