//! Random writes.

use super::schema::{SqlTable, value};
use crate::rng::Rng;

/// A write behind its name: `:exec`, its rate and its statement.
pub(super) fn write(rng: &mut Rng, tables: &[SqlTable]) -> String {
    let table = rng.pick(tables);
    let rate = *rng.pick(&["1", "100", "5k"]);
    let strict = if rng.roll(15) { " @strict" } else { "" };
    let text = match rng.number_below(4) {
        0 => insert(rng, table),
        1 => format!("DELETE FROM {} WHERE {}", table.name, row_condition(rng, table)),
        _ => format!(
            "UPDATE {} SET {} WHERE {}",
            table.name,
            assignments(rng, table),
            row_condition(rng, table)
        ),
    };
    format!(":exec\n-- @rate {rate}/s{strict}\n{text}")
}

fn insert(rng: &mut Rng, table: &SqlTable) -> String {
    let mut columns = Vec::new();
    let mut values = Vec::new();
    for (at, column) in table.columns.iter().enumerate() {
        if table.key.contains(&at) || column.not_null || rng.roll(70) {
            columns.push(column.name.as_str());
            values.push(value(rng, column.ty));
        }
    }
    format!("INSERT INTO {} ({}) VALUES ({})", table.name, columns.join(", "), values.join(", "))
}

/// The key of a row, sometimes with a condition on another column.
fn row_condition(rng: &mut Rng, table: &SqlTable) -> String {
    let key = table.key.iter().map(|&at| format!("{} = ?", table.columns[at].name));
    let mut conditions: Vec<_> = key.collect();
    let other = rng.number_below(table.columns.len());
    let column = &table.columns[other];
    if rng.roll(20) && !table.key.contains(&other) && column.ty != "text[]" {
        conditions.push(format!("{} = {}", column.name, value(rng, column.ty)));
    }
    conditions.join(" AND ")
}

fn assignments(rng: &mut Rng, table: &SqlTable) -> String {
    let mut seen = Vec::new();
    let mut found = Vec::new();
    for _ in 0..=rng.number_below(3) {
        let at = rng.number_below(table.columns.len());
        if seen.contains(&at) {
            continue;
        }
        seen.push(at);
        let column = &table.columns[at];
        let name = &column.name;
        found.push(match column.ty {
            "text[]" if rng.roll(60) => format!("{name} = array_append({name}, ?)"),
            "text[]" if rng.roll(50) => format!("{name} = array_remove({name}, ?)"),
            "bigint" if rng.roll(60) && !table.key.contains(&at) => {
                format!("{name} = {name} + ?")
            }
            _ if !column.not_null && rng.roll(15) => format!("{name} = NULL"),
            ty => format!("{name} = {}", value(rng, ty)),
        });
    }
    found.join(", ")
}
