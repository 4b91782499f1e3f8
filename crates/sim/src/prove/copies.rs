//! All copies: every designed table against what its definition makes of the facts.

use cql::printer::identifier;
use model::id::{Numbered, TableId};
use model::plan::{PlannedColumn, PlannedTable, Role};

use crate::contents::{Contents, Facts, contents, for_each_table, normal};
use crate::data::{Datum, Row};
use crate::server::{Failure, Server, Statement};
use crate::subject::Subject;
use crate::value::Typed;

/// Whole rows.
pub(crate) type Rows = Vec<Row>;

/// Rows that a table holds: the key, then the values of the other columns.
type Stored = Vec<(Vec<Datum>, Vec<Datum>)>;

/// Rows of a table that are not as they must be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Apart {
    /// The table.
    pub(crate) table: TableId,
    /// Rows that must be there, and are not so.
    pub(crate) expected: Rows,
    /// Rows that are there, and must not be so.
    pub(crate) got: Rows,
}

/// The first table that does not hold what it must.
pub(super) fn compare(
    subject: Subject<'_>,
    facts: &[Vec<Row>],
    server: &mut dyn Server,
) -> Result<Option<Apart>, Failure> {
    let mut first = None;
    let make = |at: TableId, facts: &Facts<'_>| contents(subject, at, facts);
    for_each_table(subject, facts, make, |at, expected| {
        if let (None, Some(table)) = (&first, subject.design.tables.at(at)) {
            first = compare_table(table, expected, server)?.map(|(expected, got)| Apart {
                table: at,
                expected,
                got,
            });
        }
        Ok(())
    })?;
    Ok(first)
}

/// The rows of a table that are on one side alone: those that must be there, and those that are there.
fn compare_table(
    table: &PlannedTable,
    mut expected: Contents,
    server: &mut dyn Server,
) -> Result<Option<(Rows, Rows)>, Failure> {
    let mut got = stored(table, server)?;
    if table.remembers.is_some() {
        forgive_older(table, &expected, &mut got);
    }
    got.retain(|(key, values)| {
        let same = expected.get(key) == Some(values);
        if same {
            expected.remove(key);
        }
        !same
    });
    let differ = !expected.is_empty() || !got.is_empty();
    Ok(differ.then(|| (in_order(expected), in_order(got))))
}

/// Whole rows, by their keys.
fn in_order(rows: impl IntoIterator<Item = (Vec<Datum>, Vec<Datum>)>) -> Rows {
    let whole = |(mut key, values): (Vec<Datum>, Vec<Datum>)| {
        key.extend(values);
        key
    };
    let mut rows: Vec<_> = rows.into_iter().map(whole).collect();
    rows.sort_unstable();
    rows
}

/// The columns of a table in the order of its contents: the key, then the others.
pub(crate) fn columns(table: &PlannedTable) -> impl Iterator<Item = &PlannedColumn> {
    let keys = table.columns.iter().filter(|column| column.is_key());
    keys.chain(table.columns.iter().filter(|column| !column.is_key()))
}

/// The rows that a table holds.
fn stored(table: &PlannedTable, server: &mut dyn Server) -> Result<Stored, Failure> {
    let names: Vec<_> = columns(table).map(|column| identifier(&column.name)).collect();
    let cql = format!("SELECT {} FROM {}", names.join(", "), identifier(&table.name));
    let answer = server.run(&Statement { cql, values: Vec::new() })?;
    let keys = table.columns.iter().filter(|column| column.is_key()).count();
    let mut stored = Stored::with_capacity(answer.rows.len());
    for row in answer.rows {
        let mut values: Vec<Datum> = row
            .into_iter()
            .zip(columns(table))
            .map(|(value, column)| match (column.role, value) {
                (Role::Counter, None) => Some(0_i64.to_be_bytes().to_vec()),
                (_, value) => normal(&column.ty, value),
            })
            .collect();
        let others = values.split_off(keys.min(values.len()));
        // A partition that has static columns alone is no row; counters at 0 are as if they were not there.
        let rowless = values.iter().any(Option::is_none);
        let zero = table.is_counter()
            && others.iter().flatten().all(|value| value.iter().all(|byte| *byte == 0));
        if !rowless && !zero {
            stored.push((values, others));
        }
    }
    Ok(stored)
}

/// The oldest bucket may be remembered for longer than it has rows, never a younger one.
fn forgive_older(table: &PlannedTable, expected: &Contents, got: &mut Stored) {
    let Some(column) = table.columns.iter().find(|column| !column.is_key()) else { return };
    let value = |values: &[Datum]| Typed::new(column.ty.clone(), values.first().cloned().flatten());
    got.retain_mut(|(key, values)| match expected.get(key) {
        None => false,
        Some(oldest) => {
            if value(values).order(&value(oldest)).is_le() {
                values.clone_from(oldest);
            }
            true
        }
    });
}
