//! Access plans as text, for `helenus explain`.

use std::fmt::Write as _;
use std::io;

use check::Finding;
use cql::BatchKind;
use cql::Statement;
use schema::access::{
    AccessPlan, BatchPlan, ClusteringSlice, Count, FilterScope, Partitions, ReadOrder, ReadPlan,
    WriteEffect, WritePlan, WriteTarget,
};
use schema::catalog::{IndexClass, Table};

use super::{forecast_text, trace};
use crate::forecast::Forecast;

/// The plan of a statement: the statement, then aligned lines.
pub(crate) fn plan_text(statement: &Statement, plan: &AccessPlan) -> String {
    let mut text = format!("{}\n", cql::printer::statement(statement));
    match plan {
        AccessPlan::Read(plan) => append_lines(&mut text, "", &describe_read(plan)),
        AccessPlan::Write(plan) => append_lines(&mut text, "", &describe_write(plan)),
        AccessPlan::Batch(plan) => append_batch(&mut text, plan),
        AccessPlan::Nothing => {
            text.push_str("  no access path: the statement does not access rows by key\n");
        }
    }
    text
}

/// Writes the plan of a statement: the statement, then aligned lines, then its figures and what
/// `check` finds.
pub(crate) fn write(
    statement: &Statement,
    plan: &AccessPlan,
    (forecast, findings): (&Forecast, &[Finding]),
    width: usize,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write!(out, "{}", plan_text(statement, plan))?;
    if *plan == AccessPlan::Nothing {
        return Ok(());
    }
    for (label, description) in forecast_text::lines(forecast) {
        trace::write_labelled(label, &description, width, out)?;
    }
    for finding in findings {
        write_finding(finding, width, out)?;
    }
    Ok(())
}

/// A finding with its remedy.
fn write_finding(finding: &Finding, width: usize, out: &mut dyn io::Write) -> io::Result<()> {
    let message = format!("{} ({})", finding.message, finding.severity.word());
    trace::write_labelled(finding.rule.code, &message, width, out)?;
    for (position, line) in finding.help.iter().flat_map(|help| help.lines()).enumerate() {
        let label = if position == 0 { "remedy" } else { "" };
        // The lines of CQL keep their indentation.
        writeln!(out, "  {label:<12}{line}")?;
    }
    Ok(())
}

/// Labels with their descriptions.
type LabelledLines = Vec<(&'static str, String)>;

fn append_lines(text: &mut String, indent: &str, lines: &LabelledLines) {
    for (label, description) in lines {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{indent}  {label:<11} {description}");
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
            others => format!("; {} instead if it has fewer entries", names(others, " or ")),
        };
        let indexes = names(&used.indexes, " and ");
        let scope =
            if used.within_partition { "within the selected partitions" } else { "on every node" };
        let on = columns(table, &used.columns);
        lines.push(("index", format!("{indexes} on {on}, queried {scope}{others}")));
    }
    lines.push(("filtering", filtering(plan)));
    lines.push(("order", order(table, plan.order)));
    lines.push(("columns", columns(table, &plan.columns)));
    if plan.distinct {
        lines.push(("distinct", "one row per partition".to_owned()));
    }
    if plan.aggregates {
        lines.push(("aggregates", "rows are aggregated by the coordinator".to_owned()));
    }
    if let Some(limit) = plan.per_partition_limit {
        lines.push(("limit", format!("{} per partition", count(limit, "row"))));
    }
    if let Some(limit) = plan.limit {
        lines.push(("limit", count(limit, "row")));
    }
    lines
}

/// A short name for the kind of access.
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
        WriteTarget::Rows(_) if table.clustering().is_empty() => {
            "the row with the given key".to_owned()
        }
        WriteTarget::Rows(number) => {
            format!("{} identified by the full primary key", count(number, "row"))
        }
        WriteTarget::Statics => "static columns only".to_owned(),
        WriteTarget::Range => format!("a range of rows: {}", rows(table, &plan.rows)),
        WriteTarget::Partition => "the whole partition".to_owned(),
    };
    let effect = match (plan.effect, plan.target) {
        (WriteEffect::Upsert, _) => "sets columns; creates the row if it does not exist",
        (WriteEffect::Count, _) => "increments counters; not idempotent",
        (WriteEffect::DeleteColumns, _) => "deletes columns: one tombstone each",
        (WriteEffect::DeleteRows, WriteTarget::Range) => "deletes rows: one range tombstone",
        (WriteEffect::DeleteRows, WriteTarget::Partition) => {
            "deletes the partition: one partition tombstone"
        }
        (WriteEffect::DeleteRows, _) => "deletes rows: one tombstone each",
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
        lines.push(("condition", "lightweight transaction, four round trips".to_owned()));
    } else if plan.reads_first {
        lines.push(("reads first", "stored values are read before the write".to_owned()));
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
        summary.push(("condition", "a single lightweight transaction".to_owned()));
    }
    append_lines(text, "", &summary);
    for (position, statement) in plan.statements.iter().enumerate() {
        let _ = writeln!(text, "  statement {}", position + 1);
        append_lines(text, "  ", &describe_write(statement));
    }
}

fn partitions(table: &Table, partitions: Partitions) -> String {
    let key: Vec<_> = table.partition_key().iter().map(|column| &*column.name).collect();
    let key = key.join(", ");
    match partitions {
        Partitions::None => "none: an IN list is empty".to_owned(),
        Partitions::One => format!("one, by partition key ({key})"),
        Partitions::Several(number) => {
            format!("{}, by partition key ({key})", count(number, "partition"))
        }
        Partitions::TokenRange { from: true, to: true } => {
            "a token range with lower and upper bound".to_owned()
        }
        Partitions::TokenRange { from: true, .. } => "a token range with lower bound".to_owned(),
        Partitions::TokenRange { .. } => "a token range with upper bound".to_owned(),
        Partitions::All => "all partitions of the table, on every node".to_owned(),
    }
}

fn rows(table: &Table, slice: &ClusteringSlice) -> String {
    if slice.is_whole_partition() {
        return "all rows of each partition".to_owned();
    }
    let mut parts = Vec::new();
    if !slice.equal.is_empty() {
        parts.push(format!("{} fixed", columns(table, &slice.equal)));
    }
    for listed in &slice.listed {
        let values = count(listed.values, "value");
        parts.push(format!("{} in {values}", columns(table, &listed.columns)));
    }
    if let Some(range) = &slice.range {
        let ends = match (range.from, range.to) {
            (Some(_), Some(_)) => "between two bounds",
            (Some(_), None) => "from a lower bound",
            _ => "up to an upper bound",
        };
        parts.push(format!("{} {ends}", columns(table, &range.columns)));
    }
    if let Some(number) = slice.rows {
        parts.push(format!("at most {} per partition", count(number, "row")));
    }
    parts.join("; ")
}

fn filtering(plan: &ReadPlan) -> String {
    let scope = match plan.filtering.scope {
        FilterScope::None => return "none".to_owned(),
        FilterScope::WithinPartitions => "within the selected partitions",
        FilterScope::IndexedRows => "on the rows found by the index",
        FilterScope::Everywhere => "on all rows: every row is read and tested",
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
        ReadOrder::Reversed => format!("reversed{}", clustering(true)),
        ReadOrder::Sorted { reversed } => {
            format!("sorted by the coordinator across partitions{}", clustering(reversed))
        }
        ReadOrder::Nearest => "by distance from the vector".to_owned(),
    }
}

/// `3 rows`, `1 row`, `a number of rows set by the bound values`.
fn count(count: Count, noun: &str) -> String {
    match count {
        Count::Known(1) => format!("1 {noun}"),
        Count::Known(number) => format!("{number} {noun}s"),
        Count::Unknown => format!("a number of {noun}s set by the bound values"),
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
