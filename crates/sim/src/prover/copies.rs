//! Compares every designed table with the contents that its definition derives from the facts.

use cql::printer::identifier;
use model::id::{IdList, TableId};
use model::plan::{PlannedColumn, PlannedTable};

use crate::contents::{FactJoiner, TableContents, build_contents, for_each_table};
use crate::dataset::{Datum, Row};
use crate::row_derivation::{is_end_beyond, normalise_value};
use crate::server::{Failure, Server, ServerStatement};
use crate::subject::ProofSubject;

/// Whole rows.
pub(crate) type WholeRows = Vec<Row>;

/// Rows that a table holds: the key, then the values of the other columns.
type KeyedRows = Vec<(Vec<Datum>, Vec<Datum>)>;

/// The rows in which a table differs from its expected contents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TableMismatch {
    /// The table.
    pub(crate) table: TableId,
    /// Expected rows that are missing or different.
    pub(crate) expected: WholeRows,
    /// Actual rows that are unexpected or different.
    pub(crate) got: WholeRows,
}

/// The first table with wrong contents.
pub(super) fn compare(
    subject: ProofSubject<'_>,
    facts: &[Vec<Row>],
    server: &mut dyn Server,
) -> Result<Option<TableMismatch>, Failure> {
    let mut first = None;
    let make = |at: TableId, facts: &FactJoiner<'_>| build_contents(subject, at, facts);
    for_each_table(subject, facts, make, |at, expected| {
        if let (None, Some(table)) = (&first, subject.design.tables.member(at)) {
            first = compare_table(table, expected, server)?.map(|(expected, got)| TableMismatch {
                table: at,
                expected,
                got,
            });
        }
        Ok(())
    })?;
    Ok(first)
}

/// The differing rows of a table: the expected and the actual ones.
fn compare_table(
    table: &PlannedTable,
    mut expected: TableContents,
    server: &mut dyn Server,
) -> Result<Option<(WholeRows, WholeRows)>, Failure> {
    let mut got = fetch_rows(table, server)?;
    if table.remembers.is_some() {
        accept_older(table, &expected, &mut got);
    }
    got.retain(|(key, values)| {
        let same = expected.get(key) == Some(values);
        if same {
            expected.remove(key);
        }
        !same
    });
    let differ = !expected.is_empty() || !got.is_empty();
    Ok(differ.then(|| (sort_rows(expected), sort_rows(got))))
}

/// Whole rows, by their keys.
fn sort_rows(rows: impl IntoIterator<Item = (Vec<Datum>, Vec<Datum>)>) -> WholeRows {
    let whole = |(mut key, values): (Vec<Datum>, Vec<Datum>)| {
        key.extend(values);
        key
    };
    let mut rows: Vec<_> = rows.into_iter().map(whole).collect();
    rows.sort_unstable();
    rows
}

/// The columns of a table in the order of its contents: the key, then the others.
pub(crate) fn content_columns(table: &PlannedTable) -> impl Iterator<Item = &PlannedColumn> {
    let keys = table.columns.iter().filter(|column| column.is_key());
    keys.chain(table.columns.iter().filter(|column| !column.is_key()))
}

/// The rows that a table holds.
fn fetch_rows(table: &PlannedTable, server: &mut dyn Server) -> Result<KeyedRows, Failure> {
    let names: Vec<_> = content_columns(table).map(|column| identifier(&column.name)).collect();
    let cql = format!("SELECT {} FROM {}", names.join(", "), identifier(&table.name));
    let answer = server.run(&ServerStatement { cql, values: Vec::new() })?;
    let keys = table.columns.iter().filter(|column| column.is_key()).count();
    let mut stored = KeyedRows::with_capacity(answer.rows.len());
    for row in answer.rows {
        let mut values: Vec<Datum> = row
            .into_iter()
            .zip(content_columns(table))
            .map(|(value, column)| normalise_value(column, value))
            .collect();
        let others = values.split_off(keys.min(values.len()));
        // A partition with static columns only has no row; counts and sums at 0 are absent.
        let rowless = values.iter().any(Option::is_none);
        let zero = table.is_counter()
            && !table.has_initial_zeros()
            && others.iter().flatten().all(|value| value.iter().all(|byte| *byte == 0));
        if !rowless && !zero {
            stored.push((values, others));
        }
    }
    Ok(stored)
}

/// Accepts a recorded oldest bucket that is older than the rows, and a newest one that is newer:
/// they may outlive the rows, but all rows must lie between them.
fn accept_older(table: &PlannedTable, expected: &TableContents, got: &mut KeyedRows) {
    let columns: Vec<_> = table.columns.iter().filter(|column| !column.is_key()).collect();
    got.retain_mut(|(key, values)| {
        let Some(ends) = expected.get(key) else { return false };
        for ((column, value), end) in columns.iter().zip(values).zip(ends) {
            if is_end_beyond(column, value, end) {
                value.clone_from(end);
            }
        }
        true
    });
}
