//! What a statement selects: columns, counters or aggregates, and what the client makes of them.

use cql::printer::identifier;
use cql::types::{NativeType, Type};
use model::plan::{ClientStep, Derivation, Direction, PlannedColumn, Role};
use model::workload::{Column, Output, OutputValue, Read, Test};

use super::columns::View;
use super::restriction::Restrictions;

/// What a statement selects.
#[derive(Default)]
pub(super) struct Selection {
    /// The select list.
    pub(super) list: Vec<String>,
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
    /// What a read selects from its table.
    pub(super) fn of(view: View<'_>, restrictions: &Restrictions) -> Self {
        let read = view.read;
        if is_existence(read) {
            return existence(view, restrictions);
        }
        if !aggregates(read) {
            return plain(view, restrictions);
        }
        if view.table.is_counter() {
            return counters(view);
        }
        if is_extreme(read) && clusters_by_extreme(view, restrictions) {
            let mut selection = plain(view, restrictions);
            selection.list =
                read.outputs.iter().filter_map(|output| extreme(view, output)).collect();
            selection.single = true;
            return selection;
        }
        aggregation(view, restrictions)
    }

    /// Adds the columns by which the client sorts or merges.
    pub(super) fn add_order(&mut self, view: View<'_>) {
        if !self.aggregates && !is_existence(view.read) {
            let ordered = view.read.order.iter().map(|ordering| ordering.column);
            add_stored(view, ordered, &mut self.list);
        }
    }
}

/// `SELECT EXISTS`: any row will do.
fn existence(view: View<'_>, restrictions: &Restrictions) -> Selection {
    let column = view.table.partition_key().next();
    let mut list: Vec<_> = column.iter().map(|column| identifier(&column.name)).collect();
    add_for_filters(view, restrictions, &mut list);
    Selection { single: restrictions.left_over.is_empty(), list, ..Selection::default() }
}

/// Columns.
fn plain(view: View<'_>, restrictions: &Restrictions) -> Selection {
    let mut list: Vec<_> = view
        .read
        .outputs
        .iter()
        .filter_map(|output| match output.value {
            OutputValue::Column(column) => Some(named(view.stored(column)?, &output.name)),
            _ => None,
        })
        .collect();
    add_for_filters(view, restrictions, &mut list);
    Selection { list, ..Selection::default() }
}

/// Counter columns; an absent row counts 0.
fn counters(view: View<'_>) -> Selection {
    let mut selection = Selection { aggregates: true, ..Selection::default() };
    let counter = |wanted: &dyn Fn(&Derivation) -> bool| {
        view.table
            .columns
            .iter()
            .find(|column| column.role == Role::Counter && wanted(&column.derivation))
    };
    let mut averages = Vec::new();
    for output in &view.read.outputs {
        match output.value {
            OutputValue::Column(column) => {
                selection
                    .list
                    .extend(view.stored(column).map(|stored| named(stored, &output.name)));
            }
            OutputValue::Count(of) => {
                let found = counter(&|derivation| is_count(view, derivation, of));
                selection.list.extend(found.map(|stored| named(stored, &output.name)));
            }
            OutputValue::Sum(of) => {
                let found = counter(&|derivation| is_sum(view, derivation, of));
                selection.list.extend(found.map(|stored| named(stored, &output.name)));
            }
            OutputValue::Average(of) => {
                let sum = counter(&|derivation| is_sum(view, derivation, of));
                let count = counter(&|derivation| matches!(derivation, Derivation::Count(_)));
                if let (Some(sum), Some(count)) = (sum, count) {
                    averages.push((sum, count, output));
                }
            }
            _ => {}
        }
    }
    selection.after = after_counters(view, &mut selection.list);
    for (sum, count, output) in averages {
        let sum = selected(&mut selection.list, &sum.name);
        let count = selected(&mut selection.list, &count.name);
        selection.after.push(average(&sum, &count, &output.name));
    }
    selection
}

/// What the client does with counters: groups at 0 are none, a row that is absent counts 0.
fn after_counters(view: View<'_>, list: &mut Vec<String>) -> Vec<ClientStep> {
    if view.read.group.is_empty() {
        return vec![ClientStep::AbsentIsZero];
    }
    let count =
        view.table.columns.iter().find(|column| matches!(column.derivation, Derivation::Count(_)));
    let Some(count) = count else { return Vec::new() };
    vec![ClientStep::DropEmptyGroups(selected(list, &count.name))]
}

/// The name under which a column is selected; it is added where it is not.
pub(super) fn selected(list: &mut Vec<String>, column: &str) -> String {
    let name = identifier(column);
    let renamed = format!("{name} AS ");
    let own = list.iter().find_map(|item| item.strip_prefix(&renamed).map(str::to_owned));
    own.unwrap_or_else(|| {
        add(list, name);
        column.to_owned()
    })
}

/// Aggregates over rows: by the server where it can, else by the client.
fn aggregation(view: View<'_>, restrictions: &Restrictions) -> Selection {
    let group: Option<Vec<_>> = view
        .read
        .group
        .iter()
        .map(|column| view.stored(*column).map(|stored| stored.name.clone()))
        .collect();
    let served = group.clone().is_some_and(|group| groups_by_key(view, restrictions, &group));
    if !served || !restrictions.left_over.is_empty() {
        return by_client(view, restrictions);
    }
    let group = group_clause(view, &group.unwrap_or_default());
    let mut selection = Selection { aggregates: true, group, ..Selection::default() };
    for output in &view.read.outputs {
        server_aggregate(view, output, &mut selection);
    }
    selection
}

/// One output of a statement that aggregates.
fn server_aggregate(view: View<'_>, output: &Output, selection: &mut Selection) {
    let name = identifier(&output.name);
    let stored = |column| view.stored(column);
    match output.value {
        OutputValue::Column(column) => {
            selection.list.extend(stored(column).map(|stored| named(stored, &output.name)));
        }
        OutputValue::Count(of) => {
            // A row for each row: one without a clustering key has static columns only.
            let whole = view.table.clustering().next().filter(|_| view.has_statics());
            let of = of.and_then(stored).or(whole);
            let of = of.map_or_else(|| "*".to_owned(), |of| identifier(&of.name));
            selection.list.push(format!("COUNT({of}) AS {name}"));
        }
        OutputValue::Sum(of) => {
            selection.list.extend(stored(of).map(|of| format!("{} AS {name}", sum_of(of))));
        }
        OutputValue::Average(of) => {
            let Some(of) = stored(of) else { return };
            let (sum, count) = (format!("{}_sum", of.name), format!("{}_count", of.name));
            selection.list.push(format!("{} AS {}", sum_of(of), identifier(&sum)));
            selection.list.push(format!(
                "COUNT({}) AS {}",
                identifier(&of.name),
                identifier(&count)
            ));
            selection.after.push(average(&sum, &count, &output.name));
        }
        OutputValue::Least(of) => {
            selection
                .list
                .extend(stored(of).map(|of| format!("MIN({}) AS {name}", identifier(&of.name))));
        }
        OutputValue::Greatest(of) => {
            selection
                .list
                .extend(stored(of).map(|of| format!("MAX({}) AS {name}", identifier(&of.name))));
        }
        OutputValue::Exists => {}
    }
}

/// `SUM(column)`, wide enough not to overflow.
fn sum_of(column: &PlannedColumn) -> String {
    let name = identifier(&column.name);
    let narrow = matches!(
        column.ty,
        Type::Native(NativeType::Int | NativeType::Smallint | NativeType::Tinyint)
    );
    if narrow { format!("SUM(CAST({name} AS bigint))") } else { format!("SUM({name})") }
}

/// All rows, for the client to aggregate.
fn by_client(view: View<'_>, restrictions: &Restrictions) -> Selection {
    let mut list = Vec::new();
    for output in &view.read.outputs {
        let column = match output.value {
            OutputValue::Column(column)
            | OutputValue::Sum(column)
            | OutputValue::Average(column)
            | OutputValue::Least(column)
            | OutputValue::Greatest(column)
            | OutputValue::Count(Some(column)) => view.stored(column),
            OutputValue::Count(None) | OutputValue::Exists => view.table.partition_key().next(),
        };
        if let Some(column) = column {
            add(&mut list, identifier(&column.name));
        }
    }
    for column in &view.read.group {
        if let Some(column) = view.stored(*column) {
            add(&mut list, identifier(&column.name));
        }
    }
    add_for_filters(view, restrictions, &mut list);
    let after = vec![ClientStep::Aggregate(view.read.group.clone())];
    Selection { list, aggregates: true, by_client: true, after, ..Selection::default() }
}

/// The columns of GROUP BY in the order of the key; of the partition key, all or none.
fn group_clause(view: View<'_>, group: &[String]) -> Vec<String> {
    let whole = view.table.partition_key().any(|column| group.contains(&column.name));
    let wanted = |column: &&PlannedColumn| match column.role {
        Role::Partition => whole,
        _ => group.contains(&column.name),
    };
    let key = view.table.columns.iter().filter(|column| column.is_key());
    key.filter(wanted).map(|column| identifier(&column.name)).collect()
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

/// Adds the columns by which the client filters.
fn add_for_filters(view: View<'_>, restrictions: &Restrictions, list: &mut Vec<String>) {
    let tests = restrictions.left_over.iter().map(|condition| &condition.test);
    add_stored(view, tests.flat_map(Test::columns).copied(), list);
}

/// Adds columns that are not selected yet under any name.
fn add_stored(view: View<'_>, columns: impl Iterator<Item = Column>, list: &mut Vec<String>) {
    for stored in columns.filter_map(|column| view.stored(column)) {
        selected(list, &stored.name);
    }
}

/// A column under the name of an output.
fn named(column: &PlannedColumn, output: &str) -> String {
    let name = identifier(&column.name);
    if column.name == output { name } else { format!("{name} AS {}", identifier(output)) }
}

fn add(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
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

/// Whether the first row of each statement is the least or greatest.
fn clusters_by_extreme(view: View<'_>, restrictions: &Restrictions) -> bool {
    let Some(first) = view.table.clustering().nth(restrictions.fixed_clustering) else {
        return false;
    };
    let parallel_or_left = !restrictions.left_over.is_empty() || restrictions.loops.len() > 1;
    !parallel_or_left
        && view.read.outputs.iter().all(|output| {
            let (of, role) = match output.value {
                OutputValue::Least(of) => (of, Role::Clustering(Direction::Ascending)),
                OutputValue::Greatest(of) => (of, Role::Clustering(Direction::Descending)),
                _ => return false,
            };
            first.role == role && view.stored(of).is_some_and(|stored| stored.name == first.name)
        })
}

/// The column of which the least or greatest is wanted, under the output's name.
fn extreme(view: View<'_>, output: &Output) -> Option<String> {
    match output.value {
        OutputValue::Least(of) | OutputValue::Greatest(of) => {
            Some(named(view.stored(of)?, &output.name))
        }
        _ => None,
    }
}
