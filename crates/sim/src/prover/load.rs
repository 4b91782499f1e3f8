//! The initial load of the designed tables, each from its definition.

use cql::printer::identifier;
use model::id::{IdList, TableId};
use model::plan::{ColumnRole, Derivation, PlannedTable};

use crate::contents::{FactJoiner, TableContents, build_contents, build_statics, for_each_table};
use crate::dataset::{Datum, Row};
use crate::runner::{newest_wins_timestamp, oldest_wins_timestamp};
use crate::server::{Failure, Server, ServerStatement};
use crate::subject::ProofSubject;
use crate::value::TypedValue;

/// Statements that are passed to the server at once.
const STATEMENTS_PER_RUN: usize = 2_000;

/// Creates the tables.
pub(super) fn create_tables(
    subject: ProofSubject<'_>,
    server: &mut dyn Server,
) -> Result<(), Failure> {
    for cql in subject.schema {
        server.run(&ServerStatement { cql: cql.clone(), values: Vec::new() })?;
    }
    Ok(())
}

/// Fills the tables; `filled` is called with the contents of each.
pub(super) fn load_tables(
    subject: ProofSubject<'_>,
    facts: &[Vec<Row>],
    server: &mut dyn Server,
    filled: &mut dyn FnMut(TableId, &TableContents),
) -> Result<(), Failure> {
    let tables = &subject.design.tables;
    let make = |at: TableId, facts: &FactJoiner<'_>| {
        let statics = tables.member(at).and_then(|table| build_statics(subject, table, facts));
        (build_contents(subject, at, facts), statics)
    };
    for_each_table(subject, facts, make, |at, (rows, statics)| {
        if let Some(table) = tables.member(at).filter(|table| table.view_of.is_none()) {
            fill_table(table, &rows, server)?;
            if let Some((alone, rows)) = statics {
                // Without a value of a static column there is nothing to write.
                let some = |values: &Vec<Datum>| values.iter().any(Option::is_some);
                let some = rows.into_iter().filter(|(_, values)| some(values)).collect();
                fill_table(&alone, &some, server)?;
            }
        }
        filled(at, &rows);
        Ok(())
    })
}

#[expect(clippy::iter_over_hash_type, reason = "in the same order in every run")]
fn fill_table(
    table: &PlannedTable,
    rows: &TableContents,
    server: &mut dyn Server,
) -> Result<(), Failure> {
    let mut statements = Vec::with_capacity(STATEMENTS_PER_RUN);
    for (key, values) in rows {
        if table.is_counter() {
            statements.push(counter_statement(table, key, values));
        } else if table.remembers.is_some() {
            statements.extend(end_statements(table, key, values));
        } else {
            statements.push(insert_statement(table, key, values));
        }
        if statements.len() >= STATEMENTS_PER_RUN {
            server.run_all(&statements)?;
            statements.clear();
        }
    }
    server.run_all(&statements)?;
    Ok(())
}

/// The values of a row that are not null, each with its column.
fn non_null_cells<'t>(
    table: &'t PlannedTable,
    key: &[Datum],
    values: &[Datum],
) -> Vec<(&'t str, TypedValue, ColumnRole)> {
    let keys = table.columns.iter().filter(|column| column.is_key()).zip(key);
    let others = table.columns.iter().filter(|column| !column.is_key()).zip(values);
    let all = keys.chain(others).filter(|(_, value)| value.is_some());
    all.map(|(column, value)| {
        (column.name.as_str(), TypedValue::new(column.ty.clone(), value.clone()), column.role)
    })
    .collect()
}

fn insert_statement(table: &PlannedTable, key: &[Datum], values: &[Datum]) -> ServerStatement {
    let set = non_null_cells(table, key, values);
    let names: Vec<_> = set.iter().map(|(name, ..)| identifier(name)).collect();
    let marks = vec!["?"; names.len()].join(", ");
    let (name, names) = (identifier(&table.name), names.join(", "));
    let cql = format!("INSERT INTO {name} ({names}) VALUES ({marks})");
    let values: Vec<_> = set.iter().map(|(_, value, _)| value.bytes.clone()).collect();
    ServerStatement { cql, values }
}

/// The statements that record the ends of the buckets, each with its own write timestamp, so that
/// the oldest and the newest one win.
fn end_statements(table: &PlannedTable, key: &[Datum], values: &[Datum]) -> Vec<ServerStatement> {
    let ends = table.columns.iter().filter(|column| !column.is_key());
    let each = ends.enumerate().zip(values).map(|((at, column), value)| {
        let mut alone = vec![None; values.len()];
        if let Some(slot) = alone.get_mut(at) {
            slot.clone_from(value);
        }
        let bucket = TypedValue::new(column.ty.clone(), value.clone());
        let timestamp = match column.derivation {
            Derivation::Newest(_) => newest_wins_timestamp(&bucket),
            _ => oldest_wins_timestamp(&bucket),
        };
        let mut statement = insert_statement(table, key, &alone);
        statement.cql.push_str(" USING TIMESTAMP ?");
        statement.values.push(timestamp.bytes);
        statement
    });
    each.collect()
}

fn counter_statement(table: &PlannedTable, key: &[Datum], values: &[Datum]) -> ServerStatement {
    let set = non_null_cells(table, key, values);
    let counters: Vec<_> = set.iter().filter(|(.., role)| *role == ColumnRole::Counter).collect();
    let keys: Vec<_> = set.iter().filter(|(.., role)| *role != ColumnRole::Counter).collect();
    let counted = counters.iter().map(|(name, ..)| {
        let name = identifier(name);
        format!("{name} = {name} + ?")
    });
    let found = keys.iter().map(|(name, ..)| format!("{} = ?", identifier(name)));
    let cql = format!(
        "UPDATE {} SET {} WHERE {}",
        identifier(&table.name),
        counted.collect::<Vec<_>>().join(", "),
        found.collect::<Vec<_>>().join(" AND ")
    );
    let values = counters.iter().chain(&keys).map(|(_, value, _)| value.bytes.clone()).collect();
    ServerStatement { cql, values }
}
