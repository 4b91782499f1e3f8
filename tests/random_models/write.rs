//! Random writes.

use super::schema::{SqlTable, value};
use crate::rng::Rng;

/// A write behind its name: `:exec`, its rate and its statement; it makes none of the `sorted`
/// columns null.
pub(super) fn write(rng: &mut Rng, tables: &[SqlTable], sorted: &[String]) -> String {
    let table = rng.pick(tables);
    let rate = *rng.pick(&["1", "100", "5k"]);
    let strict = if rng.roll(15) { " @strict" } else { "" };
    let text = match rng.number_below(4) {
        0 => insert(rng, table, sorted),
        1 => format!("DELETE FROM {} WHERE {}", table.name, row_condition(rng, table)),
        _ => format!(
            "UPDATE {} SET {} WHERE {}",
            table.name,
            assignments(rng, table, sorted),
            row_condition(rng, table)
        ),
    };
    format!(":exec\n-- @rate {rate}/s{strict}\n{text}")
}

fn insert(rng: &mut Rng, table: &SqlTable, sorted: &[String]) -> String {
    let mut columns = Vec::new();
    let mut values = Vec::new();
    for (at, column) in table.columns.iter().enumerate() {
        let is_needed = column.not_null || sorted.contains(&column.name);
        if table.key.contains(&at) || is_needed || rng.roll(70) {
            columns.push(column.name.as_str());
            values.push(write_value(rng, table, at));
        }
    }
    format!("INSERT INTO {} ({}) VALUES ({})", table.name, columns.join(", "), values.join(", "))
}

/// A parameter, or a constant where several rows may have the same value.
fn write_value(rng: &mut Rng, table: &SqlTable, at: usize) -> &'static str {
    let column = &table.columns[at];
    let value = value(rng, column.ty);
    // A constant beside other values would refer to no row.
    let in_part = table.references.iter().any(|it| it.own.len() > 1 && it.own.contains(&at));
    if table.key.contains(&at) || column.can_be_unique() || in_part { "?" } else { value }
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

fn assignments(rng: &mut Rng, table: &SqlTable, sorted: &[String]) -> String {
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
            _ if !column.not_null && rng.roll(15) && !sorted.contains(name) => {
                format!("{name} = NULL")
            }
            _ => format!("{name} = {}", write_value(rng, table, at)),
        });
    }
    found.join(", ")
}
