//! Random questions about tables that were written to.

use std::fmt::Write;

use super::schema::{TableUse, WorkloadColumn, WorkloadTable};
use super::statement::WorkloadStatement;
use super::value::ColumnType;
use super::write::WorkloadWriter;

/// Everything a table and its views hold, with the times of all cells where they are not the server's.
pub(super) fn full_reads(table: &WorkloadTable, at: usize) -> Vec<WorkloadStatement> {
    let mut questions = Vec::new();
    let times = |columns: Vec<&WorkloadColumn>| {
        if table.used_for == TableUse::Plain { times(&columns) } else { String::new() }
    };
    let names: Vec<_> = table.key().chain(table.others()).map(|one| one.name.as_str()).collect();
    let names = names.join(", ");
    let text = format!("SELECT {names}{} FROM {}", times(table.others().collect()), table.name);
    questions.push(WorkloadStatement::read(text, at, None));
    for (view, shown) in &table.views {
        let shown: Vec<_> = shown.iter().map(|at| &table.regulars[*at]).collect();
        let names: Vec<_> =
            table.key().chain(shown.iter().copied()).map(|one| one.name.as_str()).collect();
        let text = format!("SELECT {}{} FROM {view}", names.join(", "), times(shown));
        questions.push(WorkloadStatement::read(text, at, None));
    }
    questions
}

fn times(columns: &[&WorkloadColumn]) -> String {
    let of = |column: &&WorkloadColumn| format!(", writetime({0}), ttl({0})", column.name);
    columns.iter().map(of).collect()
}

/// One question.
pub(super) fn random_read(writer: &mut WorkloadWriter<'_>, at: usize) -> WorkloadStatement {
    let table = &writer.tables[at];
    let text = match writer.rng.number_below(100) {
        0..30 => slice(writer, table),
        30..55 => search(writer, table),
        55..70 => group(writer, table),
        70..78 => distinct(writer, table),
        78..86 => ring(writer, table),
        86..93 => view(writer, table),
        _ => parts(writer, table),
    };
    // The server cannot read its own paging states of groups in tables without clustering columns.
    let unpaged = text.contains(" GROUP BY ") && table.clustering.is_empty();
    let paged = !unpaged && writer.rng.roll(40);
    let page_size = paged.then(|| *writer.rng.pick(&[1, 1, 2, 3, 5, 10]));
    WorkloadStatement::read(text, at, page_size)
}

fn limit(writer: &mut WorkloadWriter<'_>) -> String {
    let mut text = String::new();
    if writer.rng.roll(20) {
        let _ = write!(text, " PER PARTITION LIMIT {}", 1 + writer.rng.number_below(3));
    }
    if writer.rng.roll(30) {
        let _ = write!(text, " LIMIT {}", 1 + writer.rng.number_below(8));
    }
    text
}

/// A slice of a partition, in either order.
fn slice(writer: &mut WorkloadWriter<'_>, table: &WorkloadTable) -> String {
    let place =
        if writer.rng.roll(70) { writer.range(table) } else { writer.row_condition(table, true) };
    let mut text = format!("SELECT * FROM {} WHERE {place}", table.name);
    // Whether several partitions can be put in order in pages depends on whether the slices are empty, and with mixed orders
    // that is the server's own secret.
    let is_secret = place.contains(" IN (") && table.descending.contains(&true);
    if !table.clustering.is_empty() && !is_secret && writer.rng.roll(50) {
        let turned = writer.rng.roll(60);
        let order: Vec<_> = table
            .clustering
            .iter()
            .zip(&table.descending)
            .map(|(one, down)| {
                format!("{} {}", one.name, if *down == turned { "ASC" } else { "DESC" })
            })
            .collect();
        let some = 1 + writer.rng.number_below(order.len());
        let _ = write!(text, " ORDER BY {}", order[..some].join(", "));
    }
    text + &limit(writer)
}

/// A condition on a column, which an index may serve.
fn predicate(writer: &mut WorkloadWriter<'_>, column: &WorkloadColumn) -> String {
    let name = &column.name;
    let literal = column.ty.literal(&mut writer.rng);
    let operator = *writer.rng.pick(&["=", "=", "=", "=", ">", "<", ">=", "<="]);
    match column.ty {
        ColumnType::Scalar(scalar) if scalar.name == "text" && writer.rng.roll(5) => {
            format!("{name} LIKE 'a%'")
        }
        ColumnType::List(element) | ColumnType::Set(element) if writer.rng.roll(85) => {
            format!("{name} CONTAINS {}", writer.rng.pick(element.values))
        }
        ColumnType::Map(key, value) => {
            let (key, value) = (*writer.rng.pick(key.values), *writer.rng.pick(value.values));
            match writer.rng.number_below(3) {
                0 => format!("{name} CONTAINS KEY {key}"),
                1 => format!("{name} CONTAINS {value}"),
                _ => format!("{name}[{key}] = {value}"),
            }
        }
        _ => format!("{name} {operator} {literal}"),
    }
}

fn search(writer: &mut WorkloadWriter<'_>, table: &WorkloadTable) -> String {
    let columns: Vec<_> = table.others().chain(&table.clustering).collect();
    let mut parts = Vec::new();
    for _ in 0..=writer.rng.number_below(2) {
        let column = columns[writer.rng.number_below(columns.len())];
        parts.push(predicate(writer, column));
    }
    if writer.rng.roll(30) {
        let place = writer.row_condition(table, false);
        parts.push(place);
    }
    let filtering = if writer.rng.roll(75) { " ALLOW FILTERING" } else { "" };
    let text = format!("SELECT * FROM {} WHERE {}", table.name, parts.join(" AND "));
    text + &limit(writer) + filtering
}

/// Aggregates, of groups or of everything.
fn group(writer: &mut WorkloadWriter<'_>, table: &WorkloadTable) -> String {
    let mut selected = vec!["count(*)".to_owned()];
    for column in table.others() {
        if column.ty.is_multi_cell() || !writer.rng.roll(50) {
            continue;
        }
        let sums = matches!(column.ty, ColumnType::Scalar(scalar) if scalar.is_number);
        let functions: &[_] =
            if sums { &["min", "max", "sum", "avg", "count"] } else { &["min", "max", "count"] };
        selected.push(format!("{}({})", writer.rng.pick(functions), column.name));
    }
    let place =
        if writer.rng.roll(40) { format!(" WHERE {}", writer.range(table)) } else { String::new() };
    let groups: Vec<_> = table.key().map(|column| column.name.as_str()).collect();
    let depth = writer.rng.number_below(groups.len() + 1);
    let by = if depth == 0 {
        String::new()
    } else {
        selected.splice(0..0, groups[..depth].iter().map(|&name| name.to_owned()));
        format!(" GROUP BY {}", groups[..depth].join(", "))
    };
    let text = format!("SELECT {} FROM {}{place}{by}", selected.join(", "), table.name);
    text + &limit(writer)
}

fn distinct(writer: &mut WorkloadWriter<'_>, table: &WorkloadTable) -> String {
    let names: Vec<_> =
        table.partition.iter().chain(&table.statics).map(|one| one.name.as_str()).collect();
    let text = format!("SELECT DISTINCT {} FROM {}", names.join(", "), table.name);
    text + &limit(writer)
}

fn ring(writer: &mut WorkloadWriter<'_>, table: &WorkloadTable) -> String {
    let names: Vec<_> = table.partition.iter().map(|one| one.name.as_str()).collect();
    let names = names.join(", ");
    let values: Vec<_> = table.partition.iter().map(|one| writer.key_value(one)).collect();
    let operator = *writer.rng.pick(&[">", ">=", "<", "<=", "="]);
    let text = format!(
        "SELECT * FROM {} WHERE token({names}) {operator} token({})",
        table.name,
        values.join(", ")
    );
    text + &limit(writer)
}

fn view(writer: &mut WorkloadWriter<'_>, table: &WorkloadTable) -> String {
    let Some((view, _)) = table.views.first() else { return slice(writer, table) };
    let columns: Vec<_> = table.key().collect();
    let column = columns[writer.rng.number_below(columns.len())];
    let place = if writer.rng.roll(60) {
        format!(" WHERE {} = {}", column.name, writer.key_value(column))
    } else {
        String::new()
    };
    format!("SELECT * FROM {view}{place}{} ALLOW FILTERING", limit(writer))
}

/// Parts of values, and JSON.
fn parts(writer: &mut WorkloadWriter<'_>, table: &WorkloadTable) -> String {
    if writer.rng.roll(30) {
        return format!("SELECT JSON * FROM {}", table.name);
    }
    let mut selected = Vec::new();
    for column in table.others() {
        let name = &column.name;
        selected.push(match column.ty {
            ColumnType::Map(key, _) | ColumnType::Set(key) => {
                let mut keys = [*writer.rng.pick(key.values), *writer.rng.pick(key.values)];
                keys.sort_unstable();
                if writer.rng.roll(60) {
                    format!("{name}[{}]", keys[0])
                } else {
                    format!("{name}[{}..{}]", keys[0], keys[1])
                }
            }
            ColumnType::Pair => format!("{name}.{}", writer.rng.pick(&["a", "b"])),
            // Without another name it would have the spelling that the server met first.
            ColumnType::Scalar(_) if writer.rng.roll(40) => format!("toJson({name}) AS {name}"),
            _ => name.clone(),
        });
    }
    format!("SELECT {} FROM {}", selected.join(", "), table.name)
}
