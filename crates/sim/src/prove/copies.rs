//! All copies: every designed table against what its definition makes of the facts.

use cql::printer::identifier;
use model::plan::{PlannedColumn, PlannedTable, Role};

use super::Subject;
use crate::contents::{Contents, Facts, contents, normal};
use crate::data::Datum;
use crate::server::{Failure, Server, Statement};
use crate::value::Typed;

/// Rows of a table that are not as they must be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Apart {
    /// The table.
    pub(crate) table: usize,
    /// Rows that must be there, and are not so.
    pub(crate) expected: Vec<Vec<Datum>>,
    /// Rows that are there, and must not be so.
    pub(crate) got: Vec<Vec<Datum>>,
}

/// The first table that does not hold what it must.
pub(super) fn compare(
    subject: Subject<'_>,
    facts: &Facts<'_>,
    server: &mut dyn Server,
) -> Result<Option<Apart>, Failure> {
    for (at, table) in subject.design.tables.iter().enumerate() {
        let mut expected = contents(subject, at, facts);
        let mut got = stored(table, server)?;
        if table.remembers.is_some() {
            forgive_older(table, &mut expected, &mut got);
        }
        let apart = |(key, values): (&Vec<Datum>, &Vec<Datum>), other: &Contents| {
            let differs = other.get(key) != Some(values);
            differs.then(|| key.iter().chain(values).cloned().collect::<Vec<_>>())
        };
        let missing: Vec<_> = expected.iter().filter_map(|row| apart(row, &got)).collect();
        let extra: Vec<_> = got.iter().filter_map(|row| apart(row, &expected)).collect();
        if !missing.is_empty() || !extra.is_empty() {
            return Ok(Some(Apart { table: at, expected: missing, got: extra }));
        }
    }
    Ok(None)
}

/// The columns of a table in the order of its contents: the key, then the others.
pub(crate) fn columns(table: &PlannedTable) -> impl Iterator<Item = &PlannedColumn> {
    let keys = table.columns.iter().filter(|column| column.is_key());
    keys.chain(table.columns.iter().filter(|column| !column.is_key()))
}

/// The rows that a table holds.
fn stored(table: &PlannedTable, server: &mut dyn Server) -> Result<Contents, Failure> {
    let names: Vec<_> = columns(table).map(|column| identifier(&column.name)).collect();
    let cql = format!("SELECT {} FROM {}", names.join(", "), identifier(&table.name));
    let answer = server.run(&Statement { cql, values: Vec::new() })?;
    let keys = table.columns.iter().filter(|column| column.is_key()).count();
    let mut contents = Contents::new();
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
            contents.insert(values, others);
        }
    }
    Ok(contents)
}

/// The oldest bucket may be remembered for longer than it has rows, never a younger one.
fn forgive_older(table: &PlannedTable, expected: &mut Contents, got: &mut Contents) {
    let Some(column) = table.columns.iter().find(|column| !column.is_key()) else { return };
    let value = |values: &[Datum]| Typed::new(column.ty.clone(), values.first().cloned().flatten());
    got.retain(|key, values| match expected.get(key) {
        None => false,
        Some(oldest) => {
            if value(values).order(&value(oldest)).is_le() {
                values.clone_from(oldest);
            }
            true
        }
    });
}
