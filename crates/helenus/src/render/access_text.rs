//! Access paths in words.

use std::fmt::Write;

use cql::BatchKind;
use cql::Statement;
use schema::access::{
    AccessPath, BatchPath, ClusteringSlice, Count, FilterScope, Partitions, ReadOrder, ReadPath,
    WriteEffect, WritePath, WriteTarget,
};
use schema::catalog::{IndexClass, Table};

/// The path of a statement: a headline, then aligned lines.
pub(crate) fn path(statement: &Statement, path: &AccessPath) -> String {
    let mut text = format!("{}\n", cql::printer::statement(statement));
    match path {
        AccessPath::Read(path) => lines(&mut text, "", &read(path)),
        AccessPath::Write(path) => lines(&mut text, "", &write(path)),
        AccessPath::Batch(path) => batch(&mut text, path),
        AccessPath::Nothing => text.push_str("  touches no rows by their keys\n"),
    }
    text
}

/// Labels and what is said of them.
type Lines = Vec<(&'static str, String)>;

fn lines(text: &mut String, indent: &str, lines: &Lines) {
    for (label, words) in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{indent}  {label:<11} {words}");
    }
}

fn read(path: &ReadPath) -> Lines {
    let table = &*path.table;
    let mut lines = vec![
        ("access", access(path)),
        ("reads", table.qualified_name()),
        ("partitions", partitions(table, path.partitions)),
        ("rows", rows(table, &path.rows)),
    ];
    if let Some(used) = &path.index {
        let names: Vec<_> = used.indexes.iter().filter_map(|at| table.indexes.get(*at)).collect();
        let names: Vec<_> =
            names.iter().map(|index| format!("{} ({})", index.name, class(&index.class))).collect();
        let where_asked =
            if used.within_partition { "within the named partitions" } else { "on every node" };
        let on = columns(table, &used.columns);
        lines.push(("index", format!("{} on {on}, asked {where_asked}", names.join(" and "))));
    }
    lines.push(("filtering", filtering(path)));
    lines.push(("order", order(table, path.order)));
    lines.push(("columns", columns(table, &path.columns)));
    if path.distinct {
        lines.push(("distinct", "one row of each partition".to_owned()));
    }
    if path.aggregates {
        lines.push(("aggregates", "rows are put together by the coordinator".to_owned()));
    }
    if let Some(limit) = path.per_partition_limit {
        lines.push(("limit", format!("{} of each partition", count(limit, "row"))));
    }
    if let Some(limit) = path.limit {
        lines.push(("limit", count(limit, "row")));
    }
    lines
}

/// The path in a phrase.
fn access(path: &ReadPath) -> String {
    let partitions = match path.partitions {
        Partitions::None => "nothing is read",
        Partitions::One => "single partition",
        Partitions::Several(_) => "several partitions",
        Partitions::TokenRange { .. } => "token range scan",
        Partitions::All => "full scan",
    };
    let filtered = if path.filtering.scope == FilterScope::None { "" } else { ", filtered" };
    match &path.index {
        Some(used) if used.within_partition => format!("index within a {partitions}{filtered}"),
        Some(_) => format!("index{filtered}"),
        None => format!("{partitions}{filtered}"),
    }
}

fn write(path: &WritePath) -> Lines {
    let table = &*path.table;
    let target = match path.target {
        WriteTarget::Rows(_) if table.clustering().is_empty() => "the row of the key".to_owned(),
        WriteTarget::Rows(number) => format!("{} named by the whole key", count(number, "row")),
        WriteTarget::Statics => "static columns only".to_owned(),
        WriteTarget::Range => format!("a range of rows: {}", rows(table, &path.rows)),
        WriteTarget::Partition => "the whole partition".to_owned(),
    };
    let effect = match (path.effect, path.target) {
        (WriteEffect::Upsert, _) => "sets columns; a row that is absent comes into being",
        (WriteEffect::Count, _) => "adds to counters; not safe to repeat",
        (WriteEffect::DeleteColumns, _) => "deletes columns: a tombstone for each",
        (WriteEffect::DeleteRows, WriteTarget::Range) => "deletes rows: one range tombstone",
        (WriteEffect::DeleteRows, WriteTarget::Partition) => "deletes: one partition tombstone",
        (WriteEffect::DeleteRows, _) => "deletes rows: a tombstone for each",
    };
    let mut lines = vec![
        ("writes", table.qualified_name()),
        ("partitions", partitions(table, path.partitions)),
        ("rows", target),
        ("effect", effect.to_owned()),
    ];
    if !path.columns.is_empty() {
        lines.push(("columns", columns(table, &path.columns)));
    }
    if path.conditional {
        lines.push(("condition", "a lightweight transaction: four round trips".to_owned()));
    } else if path.reads_first {
        lines.push(("reads first", "stored values are read before it writes".to_owned()));
    }
    lines
}

fn batch(text: &mut String, path: &BatchPath) {
    let kind = match path.kind {
        BatchKind::Logged => "logged",
        BatchKind::Unlogged => "unlogged",
        BatchKind::Counter => "counter",
    };
    let statements = count(Count::Known(path.statements.len()), "statement");
    let tables: Vec<_> = path.tables.iter().map(|table| table.qualified_name()).collect();
    let mut summary = vec![
        ("batch", format!("{kind}, {statements}")),
        ("tables", tables.join(", ")),
        ("partitions", count(path.partitions, "partition")),
    ];
    if path.conditional {
        summary.push(("condition", "one lightweight transaction".to_owned()));
    }
    lines(text, "", &summary);
    for (position, statement) in path.statements.iter().enumerate() {
        let _ = writeln!(text, "  statement {}", position + 1);
        lines(text, "  ", &write(statement));
    }
}

fn partitions(table: &Table, which: Partitions) -> String {
    let key: Vec<_> = table.partition_key().iter().map(|column| &*column.name).collect();
    let key = key.join(", ");
    match which {
        Partitions::None => "none: an IN has no values".to_owned(),
        Partitions::One => format!("one, named by its key ({key})"),
        Partitions::Several(number) => {
            format!("{} named by their keys ({key})", count(number, "partition"))
        }
        Partitions::TokenRange { from: true, to: true } => "those of a range of tokens".to_owned(),
        Partitions::TokenRange { from: true, .. } => "those from a token on".to_owned(),
        Partitions::TokenRange { .. } => "those up to a token".to_owned(),
        Partitions::All => "all of the table, on every node".to_owned(),
    }
}

fn rows(table: &Table, slice: &ClusteringSlice) -> String {
    if slice.is_whole_partition() {
        return "all of each partition".to_owned();
    }
    let mut parts = Vec::new();
    if !slice.equal.is_empty() {
        parts.push(format!("{} fixed", columns(table, &slice.equal)));
    }
    for listed in &slice.listed {
        let values = count(listed.values, "value");
        parts.push(format!("{} of {values}", columns(table, &listed.columns)));
    }
    if let Some(range) = &slice.range {
        let ends = match (range.from, range.to) {
            (Some(_), Some(_)) => "between two ends",
            (Some(_), None) => "from a value on",
            _ => "up to a value",
        };
        parts.push(format!("{} {ends}", columns(table, &range.columns)));
    }
    if let Some(number) = slice.rows {
        parts.push(format!("at most {} in each partition", count(number, "row")));
    }
    parts.join("; ")
}

fn filtering(path: &ReadPath) -> String {
    let scope = match path.filtering.scope {
        FilterScope::None => return "none".to_owned(),
        FilterScope::WithinPartitions => "within the named partitions",
        FilterScope::IndexedRows => "of the rows that the index finds",
        FilterScope::Everywhere => "of everything: every row is read to be looked at",
    };
    format!("by {}, {scope}", columns(&path.table, &path.filtering.columns))
}

fn order(table: &Table, order: ReadOrder) -> String {
    let clustering = |reversed: bool| {
        let direction = |descending: bool| if descending == reversed { "ASC" } else { "DESC" };
        let columns: Vec<_> = table
            .clustering()
            .iter()
            .map(|column| format!("{} {}", column.name, direction(column.descending)))
            .collect();
        if columns.is_empty() { String::new() } else { format!(" ({})", columns.join(", ")) }
    };
    match order {
        ReadOrder::Stored => format!("as stored{}", clustering(false)),
        ReadOrder::Reversed => format!("backwards{}", clustering(true)),
        ReadOrder::Sorted { reversed } => {
            format!("sorted by the coordinator over all partitions{}", clustering(reversed))
        }
        ReadOrder::Nearest => "by distance from the vector".to_owned(),
    }
}

/// `3 rows`, `1 row`, `a number of rows known when it runs`.
fn count(count: Count, noun: &str) -> String {
    match count {
        Count::Known(1) => format!("1 {noun}"),
        Count::Known(number) => format!("{number} {noun}s"),
        Count::Unknown => format!("as many {noun}s as the bound values say"),
    }
}

fn columns(table: &Table, positions: &[usize]) -> String {
    let names: Vec<_> = positions
        .iter()
        .filter_map(|at| table.columns().get(*at))
        .map(|column| &*column.name)
        .collect();
    names.join(", ")
}

fn class(class: &IndexClass) -> &str {
    match class {
        IndexClass::Legacy => "2i",
        IndexClass::Sai => "SAI",
        IndexClass::Sasi => "SASI",
        IndexClass::Custom(class) => class,
    }
}
