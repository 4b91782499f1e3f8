//! Random conditional writes.

use super::schema::{WorkloadColumn, WorkloadTable};
use super::value::ColumnType;
use super::write::WorkloadWriter;

/// A write to a table of conditional writes; now and then an unconditional one.
pub(super) fn write(writer: &mut WorkloadWriter<'_>, table: &WorkloadTable) -> String {
    match writer.rng.number_below(100) {
        0..25 => writer.insert_values(table) + " IF NOT EXISTS",
        25..35 => writer.insert_values(table),
        35..80 => {
            let only_statics = !table.statics.is_empty() && writer.rng.roll(25);
            let sets = writer.assignments(table, only_statics).join(", ");
            let place = writer.row_condition(table, !only_statics);
            let condition = condition(writer, table, only_statics);
            format!("UPDATE {} SET {sets} WHERE {place}{condition}", table.name)
        }
        80..90 => {
            let what = writer.deletion_targets(table, false);
            let place = writer.row_condition(table, true);
            let condition = condition(writer, table, false);
            format!("DELETE {what}FROM {} WHERE {place}{condition}", table.name)
        }
        _ => {
            let place = writer.row_condition(table, true);
            let condition = condition(writer, table, false);
            format!("DELETE FROM {} WHERE {place}{condition}", table.name)
        }
    }
}

/// ` IF ...`, or nothing.
fn condition(writer: &mut WorkloadWriter<'_>, table: &WorkloadTable, only_statics: bool) -> String {
    if writer.rng.roll(8) {
        return String::new();
    }
    if writer.rng.roll(25) {
        return " IF EXISTS".to_owned();
    }
    let columns: Vec<_> =
        if only_statics { table.statics.iter().collect() } else { table.others().collect() };
    let mut parts = Vec::new();
    for _ in 0..=writer.rng.number_below(2) {
        let column = columns[writer.rng.number_below(columns.len())];
        parts.push(comparison(writer, column));
    }
    format!(" IF {}", parts.join(" AND "))
}

fn comparison(writer: &mut WorkloadWriter<'_>, column: &WorkloadColumn) -> String {
    let name = &column.name;
    let operator = *writer.rng.pick(&["=", "=", "=", "!=", "<", ">", "<=", ">="]);
    let element = writer.rng.roll(50);
    match column.ty {
        ColumnType::Map(key, value) if element => {
            let (key, value) = (*writer.rng.pick(key.values), *writer.rng.pick(value.values));
            format!("{name}[{key}] {operator} {value}")
        }
        ColumnType::List(value) if element => {
            let value = *writer.rng.pick(value.values);
            format!("{name}[{}] {operator} {value}", writer.rng.number_below(2))
        }
        ColumnType::Pair if element => {
            format!("{name}.a {operator} {}", writer.rng.number_below(3))
        }
        ColumnType::Scalar(_) if writer.rng.roll(15) => {
            let (one, other) = (writer.value(column), writer.value(column));
            format!("{name} IN ({one}, {other})")
        }
        _ => {
            let value = writer.value(column);
            // Nothing is before or after nothing: whether that is refused depends on which condition is looked at first.
            let is_nothing = matches!(value.as_str(), "null" | "{}" | "[]");
            format!("{name} {} {value}", if is_nothing { "=" } else { operator })
        }
    }
}
