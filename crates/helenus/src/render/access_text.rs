//! Access plans in words.

use std::fmt::Write;

use cql::BatchKind;
use cql::Statement;
use schema::access::{
    AccessPlan, BatchPlan, ClusteringSlice, Count, FilterScope, Partitions, ReadOrder, ReadPlan,
    WriteEffect, WritePlan, WriteTarget,
};
use schema::catalog::{IndexClass, Table};

/// The plan of a statement: a headline, then aligned lines.
pub(crate) fn plan(statement: &Statement, plan: &AccessPlan) -> String {
    let mut text = format!("{}\n", cql::printer::statement(statement));
    match plan {
        AccessPlan::Read(plan) => append_lines(&mut text, "", &describe_read(plan)),
        AccessPlan::Write(plan) => append_lines(&mut text, "", &describe_write(plan)),
        AccessPlan::Batch(plan) => append_batch(&mut text, plan),
        AccessPlan::Nothing => text.push_str("  touches no rows by their keys\n"),
    }
    text
}

/// Labels and what is said of them.
type LabelledLines = Vec<(&'static str, String)>;

fn append_lines(text: &mut String, indent: &str, lines: &LabelledLines) {
    for (label, words) in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{indent}  {label:<11} {words}");
    }
}

fn describe_read(plan: &ReadPlan) -> LabelledLines {
    let table = &*plan.table;
    let mut lines = vec![
        ("access", access_kind(plan)),
        ("reads", table.qualified_name()),
        ("partitions", partitions(table, plan.partitions)),
        ("rows", rows(table, &plan.rows)),
    ];
    if let Some(used) = &plan.index {
        let names = |indexes: &[usize], between: &str| {
            let named = indexes.iter().filter_map(|at| table.indexes.get(*at));
            let named = named.map(|index| format!("{} ({})", index.name, class_name(&index.class)));
            named.collect::<Vec<_>>().join(between)
        };
        let others = match &*used.alternatives() {
            [] => String::new(),
            others => format!("; {} instead, if it has fewer entries", names(others, " or ")),
        };
        let asked = names(&used.indexes, " and ");
        let where_asked =
            if used.within_partition { "within the named partitions" } else { "on every node" };
        let on = columns(table, &used.columns);
        lines.push(("index", format!("{asked} on {on}, asked {where_asked}{others}")));
    }
    lines.push(("filtering", filtering(plan)));
    lines.push(("order", order(table, plan.order)));
    lines.push(("columns", columns(table, &plan.columns)));
    if plan.distinct {
        lines.push(("distinct", "one row of each partition".to_owned()));
    }
    if plan.aggregates {
        lines.push(("aggregates", "rows are put together by the coordinator".to_owned()));
    }
    if let Some(limit) = plan.per_partition_limit {
        lines.push(("limit", format!("{} of each partition", count(limit, "row"))));
    }
    if let Some(limit) = plan.limit {
        lines.push(("limit", count(limit, "row")));
    }
    lines
}

/// The plan in a phrase.
fn access_kind(plan: &ReadPlan) -> String {
    let partitions = match plan.partitions {
        Partitions::None => "nothing is read",
        Partitions::One => "single partition",
        Partitions::Several(_) => "several partitions",
        Partitions::TokenRange { .. } => "token range scan",
        Partitions::All => "full scan",
    };
    let filtered = if plan.filtering.scope == FilterScope::None { "" } else { ", filtered" };
    match &plan.index {
        Some(used) if used.within_partition => format!("index within a {partitions}{filtered}"),
        Some(_) => format!("index{filtered}"),
        None => format!("{partitions}{filtered}"),
    }
}

fn describe_write(plan: &WritePlan) -> LabelledLines {
    let table = &*plan.table;
    let target = match plan.target {
        WriteTarget::Rows(_) if table.clustering().is_empty() => "the row of the key".to_owned(),
        WriteTarget::Rows(number) => format!("{} named by the whole key", count(number, "row")),
        WriteTarget::Statics => "static columns only".to_owned(),
        WriteTarget::Range => format!("a range of rows: {}", rows(table, &plan.rows)),
        WriteTarget::Partition => "the whole partition".to_owned(),
    };
    let effect = match (plan.effect, plan.target) {
        (WriteEffect::Upsert, _) => "sets columns; a row that is absent comes into being",
        (WriteEffect::Count, _) => "adds to counters; not safe to repeat",
        (WriteEffect::DeleteColumns, _) => "deletes columns: a tombstone for each",
        (WriteEffect::DeleteRows, WriteTarget::Range) => "deletes rows: one range tombstone",
        (WriteEffect::DeleteRows, WriteTarget::Partition) => "deletes: one partition tombstone",
        (WriteEffect::DeleteRows, _) => "deletes rows: a tombstone for each",
    };
    let mut lines = vec![
        ("writes", table.qualified_name()),
        ("partitions", partitions(table, plan.partitions)),
        ("rows", target),
        ("effect", effect.to_owned()),
    ];
    if !plan.columns.is_empty() {
        lines.push(("columns", columns(table, &plan.columns)));
    }
    if plan.conditional {
        lines.push(("condition", "a lightweight transaction: four round trips".to_owned()));
    } else if plan.reads_first {
        lines.push(("reads first", "stored values are read before it writes".to_owned()));
    }
    lines
}

fn append_batch(text: &mut String, plan: &BatchPlan) {
    let kind = match plan.kind {
        BatchKind::Logged => "logged",
        BatchKind::Unlogged => "unlogged",
        BatchKind::Counter => "counter",
    };
    let statements = count(Count::Known(plan.statements.len()), "statement");
    let tables: Vec<_> = plan.tables.iter().map(|table| table.qualified_name()).collect();
    let mut summary = vec![
        ("batch", format!("{kind}, {statements}")),
        ("tables", tables.join(", ")),
        ("partitions", count(plan.partitions, "partition")),
    ];
    if plan.conditional {
        summary.push(("condition", "one lightweight transaction".to_owned()));
    }
    append_lines(text, "", &summary);
    for (position, statement) in plan.statements.iter().enumerate() {
        let _ = writeln!(text, "  statement {}", position + 1);
        append_lines(text, "  ", &describe_write(statement));
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

fn filtering(plan: &ReadPlan) -> String {
    let scope = match plan.filtering.scope {
        FilterScope::None => return "none".to_owned(),
        FilterScope::WithinPartitions => "within the named partitions",
        FilterScope::IndexedRows => "of the rows that the index finds",
        FilterScope::Everywhere => "of everything: every row is read to be looked at",
    };
    format!("by {}, {scope}", columns(&plan.table, &plan.filtering.columns))
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

fn class_name(class: &IndexClass) -> &str {
    match class {
        IndexClass::Legacy => "2i",
        IndexClass::Sai => "SAI",
        IndexClass::Sasi => "SASI",
        IndexClass::Custom(class) => class,
    }
}
