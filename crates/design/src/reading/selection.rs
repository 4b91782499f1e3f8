//! What a statement selects: columns, counters or aggregates, and what the client makes of them.

use std::collections::BTreeSet;

use cql::types::{NativeType, Type};
use model::plan::{
    AggregateFunction, ClientStep, Derivation, Direction, Loop, PlannedColumn, Role,
    SelectExpression,
};
use model::workload::{Column, Output, OutputValue, Read};

use super::columns::View;
use super::items::Items;
use super::restriction::Restrictions;

/// What a statement selects.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    /// The select list.
    pub(super) items: Items,
    /// GROUP BY.
    pub(super) group: Vec<String>,
    /// Whether the read aggregates.
    pub(super) aggregates: bool,
    /// Whether the client does the aggregating.
    pub(super) by_client: bool,
    /// Whether one row of each statement is enough.
    pub(super) single: bool,
    /// What the client makes of the aggregates.
    pub(super) after: Vec<ClientStep>,
}

impl Selection {
    /// What a read selects from its table. `taken`: names that other statements of the plan give to columns of a row.
    pub(super) fn of(
        view: View<'_>,
        restrictions: &Restrictions,
        taken: &BTreeSet<String>,
    ) -> Self {
        let read = view.read;
        let outputs = read.outputs.iter().map(|output| output.name.clone());
        let items = Items::new(taken.iter().cloned().chain(outputs).collect());
        let mut selection = Self { items, ..Self::default() };
        if is_existence(read) {
            selection.existence(view, restrictions);
        } else if !aggregates(read) {
            selection.plain(view);
        } else if view.table.is_counter() {
            selection.counters(view);
        } else if is_extreme(read) && clusters_by_extreme(view, restrictions) {
            selection.extremes(view);
        } else if let Some(group) = server_group(view, restrictions) {
            selection.aggregates = true;
            selection.group = group_clause(view, &group);
            for output in &read.outputs {
                selection.server_aggregate(view, output);
            }
        } else {
            selection.by_client(view, taken);
        }
        selection
    }

    /// `SELECT EXISTS`: any row will do.
    fn existence(&mut self, view: View<'_>, restrictions: &Restrictions) {
        if let Some(column) = view.table.partition_key().next() {
            self.items.select(column);
        }
        self.single = restrictions.keeps_all();
    }

    /// Columns.
    fn plain(&mut self, view: View<'_>) {
        for output in &view.read.outputs {
            if let OutputValue::Column(column) = output.value
                && let Some(stored) = view.stored(column)
            {
                self.items.output(stored, &output.name);
            }
        }
    }

    /// The first row has what is the least or greatest.
    fn extremes(&mut self, view: View<'_>) {
        for output in &view.read.outputs {
            if let OutputValue::Least(of) | OutputValue::Greatest(of) = output.value
                && let Some(stored) = view.stored(of)
            {
                self.items.output(stored, &output.name);
            }
        }
        self.single = true;
    }

    /// Counter columns; an absent row counts 0.
    fn counters(&mut self, view: View<'_>) {
        self.aggregates = true;
        let counter = |wanted: &dyn Fn(&Derivation) -> bool| {
            view.table
                .columns
                .iter()
                .find(|column| column.role == Role::Counter && wanted(&column.derivation))
        };
        let mut averages = Vec::new();
        for output in &view.read.outputs {
            let found = match output.value {
                OutputValue::Column(column) => view.stored(column),
                OutputValue::Count(of) => counter(&|derivation| is_count(view, derivation, of)),
                OutputValue::Sum(of) => counter(&|derivation| is_sum(view, derivation, of)),
                OutputValue::Average(of) => {
                    let sum = counter(&|derivation| is_sum(view, derivation, of));
                    let nullable = view.attribute(of).is_some_and(|of| of.nullable);
                    let counted = nullable.then_some(of);
                    let count = counter(&|derivation| is_count(view, derivation, counted));
                    averages.extend(sum.zip(count).map(|(sum, count)| (sum, count, output)));
                    None
                }
                _ => None,
            };
            if let Some(stored) = found {
                self.items.output(stored, &output.name);
            }
        }
        self.after_counters(view);
        for (sum, count, output) in averages {
            let sum = self.items.select(sum);
            let count = self.items.select(count);
            self.after.push(average(&sum, &count, &output.name));
        }
    }

    /// What the client does with counters: groups at 0 are none, a row that is absent counts 0.
    fn after_counters(&mut self, view: View<'_>) {
        if view.read.group.is_empty() {
            self.after.push(ClientStep::AbsentIsZero);
            return;
        }
        let mut columns = view.table.columns.iter();
        let count = columns.find(|column| matches!(column.derivation, Derivation::Count(_)));
        if let Some(count) = count {
            self.after.push(ClientStep::DropEmptyGroups(self.items.select(count)));
        }
    }

    /// One output of a statement that aggregates.
    fn server_aggregate(&mut self, view: View<'_>, output: &Output) {
        let items = &mut self.items;
        let mut over = |function: AggregateFunction, of: Column| {
            if let Some(of) = view.stored(of) {
                items.computed(aggregate(function, of), &output.name);
            }
        };
        match output.value {
            OutputValue::Column(column) => {
                if let Some(stored) = view.stored(column) {
                    items.output(stored, &output.name);
                }
            }
            OutputValue::Count(of) => {
                // A row for each row: one without a clustering key has static columns only.
                let whole = view.table.clustering().next().filter(|_| view.has_statics());
                let of = of.and_then(|of| view.stored(of)).or(whole);
                let count = |of| aggregate(AggregateFunction::Count, of);
                items.computed(of.map_or(SelectExpression::CountRows, count), &output.name);
            }
            OutputValue::Sum(of) => {
                if let Some(of) = view.stored(of) {
                    items.computed(sum_of(of), &output.name);
                }
            }
            OutputValue::Average(of) => {
                let Some(of) = view.stored(of) else { return };
                let (sum, count) = (format!("{}_sum", of.name), format!("{}_count", of.name));
                items.computed(sum_of(of), &sum);
                items.computed(aggregate(AggregateFunction::Count, of), &count);
                self.after.push(average(&sum, &count, &output.name));
            }
            OutputValue::Least(of) => over(AggregateFunction::Min, of),
            OutputValue::Greatest(of) => over(AggregateFunction::Max, of),
            OutputValue::Exists => {}
        }
    }

    /// All rows, for the client to aggregate: it makes the outputs, whose names are free.
    fn by_client(&mut self, view: View<'_>, taken: &BTreeSet<String>) {
        self.items = Items::new(taken.clone());
        self.aggregates = true;
        self.by_client = true;
        let columns = view.read.outputs.iter().map(|output| input(output.value));
        for column in columns.flatten().chain(view.read.group.iter().copied()) {
            if let Some(stored) = view.stored(column) {
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
pub(super) fn input(output: OutputValue) -> Option<Column> {
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

/// The columns by which the server groups, where it can aggregate: no row is dropped afterwards, and it has all columns.
fn server_group(view: View<'_>, restrictions: &Restrictions) -> Option<Vec<String>> {
    let name = |column: &Column| view.stored(*column).map(|stored| stored.name.clone());
    let group: Vec<String> = view.read.group.iter().map(name).collect::<Option<_>>()?;
    let mut inputs = view.read.outputs.iter().filter_map(|output| input(output.value));
    let all = inputs.all(|column| view.stored(column).is_some());
    let served = all && restrictions.keeps_all() && groups_by_key(view, restrictions, &group);
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
fn group_clause(view: View<'_>, group: &[String]) -> Vec<String> {
    let whole = view.table.partition_key().any(|column| group.contains(&column.name));
    let wanted = |column: &&PlannedColumn| match column.role {
        Role::Partition => whole,
        _ => group.contains(&column.name),
    };
    let key = view.table.columns.iter().filter(|column| column.is_key());
    key.filter(wanted).map(|column| column.name.clone()).collect()
}

/// Whether the server can group so: by the clustering columns that follow those fixed.
fn groups_by_key(view: View<'_>, restrictions: &Restrictions, group: &[String]) -> bool {
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

fn is_count(view: View<'_>, derivation: &Derivation, wanted: Option<Column>) -> bool {
    match (derivation, wanted) {
        (Derivation::Count(None), None) => true,
        (Derivation::Count(Some(stored)), Some(of)) => view.is(of, *stored),
        _ => false,
    }
}

fn is_sum(view: View<'_>, derivation: &Derivation, of: Column) -> bool {
    matches!(derivation, Derivation::Sum(stored) if view.is(of, *stored))
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

fn aggregates(read: &Read) -> bool {
    read.outputs
        .iter()
        .any(|output| !matches!(output.value, OutputValue::Column(_) | OutputValue::Exists))
}

/// Whether the first row of the statement (of the first bucket that has one) is the least or greatest.
fn clusters_by_extreme(view: View<'_>, restrictions: &Restrictions) -> bool {
    let Some(first) = view.table.clustering().nth(restrictions.fixed_clustering) else {
        return false;
    };
    // Streams beside one another have a first row each.
    let in_sequence = |turn: &Loop| match turn {
        Loop::Buckets(_) => {
            let buckets =
                |of: Column| view.table.bucket().is_some_and(|(_, time, _)| view.is(of, time));
            view.read.outputs.iter().filter_map(|output| input(output.value)).all(buckets)
        }
        _ => false,
    };
    restrictions.keeps_all()
        && restrictions.loops.iter().all(in_sequence)
        && view.read.outputs.iter().all(|output| {
            let (of, role) = match output.value {
                OutputValue::Least(of) => (of, Role::Clustering(Direction::Ascending)),
                OutputValue::Greatest(of) => (of, Role::Clustering(Direction::Descending)),
                _ => return false,
            };
            first.role == role && view.stored(of).is_some_and(|stored| stored.name == first.name)
        })
}
