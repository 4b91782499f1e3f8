//! The first filling of the designed tables: each from its own definition.

use cql::printer::identifier;
use model::id::{Numbered, TableId};
use model::plan::{PlannedTable, Role};

use crate::contents::{Contents, Facts, contents, for_each_table, statics};
use crate::data::{Datum, Row};
use crate::run::oldest_wins;
use crate::server::{Failure, Server, Statement};
use crate::subject::Subject;
use crate::value::Typed;

/// Statements that are handed to the server at once.
const AT_ONCE: usize = 2_000;

/// Creates the tables.
pub(super) fn create(subject: Subject<'_>, server: &mut dyn Server) -> Result<(), Failure> {
    for cql in subject.schema {
        server.run(&Statement { cql: cql.clone(), values: Vec::new() })?;
    }
    Ok(())
}

/// Fills the tables; `filled` hears of each what it holds.
pub(super) fn load(
    subject: Subject<'_>,
    facts: &[Vec<Row>],
    server: &mut dyn Server,
    filled: &mut dyn FnMut(TableId, &Contents),
) -> Result<(), Failure> {
    let tables = &subject.design.tables;
    let make = |at: TableId, facts: &Facts<'_>| {
        let statics = tables.at(at).and_then(|table| statics(subject, table, facts));
        (contents(subject, at, facts), statics)
    };
    for_each_table(subject, facts, make, |at, (rows, statics)| {
        if let Some(table) = tables.at(at).filter(|table| table.view_of.is_none()) {
            fill(table, &rows, server)?;
            if let Some((alone, rows)) = statics {
                // Where no static column has a value, there is nothing to write.
                let some = |values: &Vec<Datum>| values.iter().any(Option::is_some);
                let some = rows.into_iter().filter(|(_, values)| some(values)).collect();
                fill(&alone, &some, server)?;
            }
        }
        filled(at, &rows);
        Ok(())
    })
}

#[expect(clippy::iter_over_hash_type, reason = "in the same order in every run")]
fn fill(table: &PlannedTable, rows: &Contents, server: &mut dyn Server) -> Result<(), Failure> {
    let mut statements = Vec::with_capacity(AT_ONCE);
    for (key, values) in rows {
        statements.push(if table.is_counter() {
            count(table, key, values)
        } else {
            insert(table, key, values)
        });
        if statements.len() == AT_ONCE {
            server.run_all(&statements)?;
            statements.clear();
        }
    }
    server.run_all(&statements)?;
    Ok(())
}

/// The values of a row, each with its column; what is null is not set.
fn set<'t>(
    table: &'t PlannedTable,
    key: &[Datum],
    values: &[Datum],
) -> Vec<(&'t str, Typed, Role)> {
    let keys = table.columns.iter().filter(|column| column.is_key()).zip(key);
    let others = table.columns.iter().filter(|column| !column.is_key()).zip(values);
    let all = keys.chain(others).filter(|(_, value)| value.is_some());
    all.map(|(column, value)| {
        (column.name.as_str(), Typed::new(column.ty.clone(), value.clone()), column.role)
    })
    .collect()
}

fn insert(table: &PlannedTable, key: &[Datum], values: &[Datum]) -> Statement {
    let set = set(table, key, values);
    let names: Vec<_> = set.iter().map(|(name, ..)| identifier(name)).collect();
    let marks = vec!["?"; names.len()].join(", ");
    let (name, names) = (identifier(&table.name), names.join(", "));
    let mut cql = format!("INSERT INTO {name} ({names}) VALUES ({marks})");
    let mut values: Vec<_> = set.iter().map(|(_, value, _)| value.bytes.clone()).collect();
    if table.remembers.is_some() {
        // The row of an older bucket must win over it, and it over that of a younger one.
        let oldest = set.iter().find(|(.., role)| *role == Role::Regular);
        if let Some((_, oldest, _)) = oldest {
            cql.push_str(" USING TIMESTAMP ?");
            values.push(oldest_wins(oldest).bytes);
        }
    }
    Statement { cql, values }
}

fn count(table: &PlannedTable, key: &[Datum], values: &[Datum]) -> Statement {
    let set = set(table, key, values);
    let counters: Vec<_> = set.iter().filter(|(.., role)| *role == Role::Counter).collect();
    let keys: Vec<_> = set.iter().filter(|(.., role)| *role != Role::Counter).collect();
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
    Statement { cql, values }
}
