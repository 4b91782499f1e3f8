//! `--why TABLE[.COLUMN]`: the rules and queries behind the columns of a table.

use std::io::{self, Write};

use model::figures;
use model::id::IdList;
use model::plan::{Note, PlannedColumn, PlannedTable, ServedRead, Topic};
use model::workload::Limit;

use super::{DesignView, choice, marks};
use crate::outcome::{Failure, Outcome};

/// Writes the reasons for `table` or `table.column` and the rejected alternatives; without a name,
/// all rejected alternatives.
pub(crate) fn write_why(
    subject: DesignView<'_>,
    name: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    if name.is_empty() {
        choice::write_rejected(subject, None, out)?;
        return Ok(());
    }
    let (table, column) = match name.split_once('.') {
        Some((table, column)) => (table, Some(column)),
        None => (name, None),
    };
    let unknown = |what: &str, name: &str, nearest: Option<&str>| {
        let hint = cql::spelling::hint(nearest);
        Failure::Stopped(Outcome::BadInput, format!("--why: the design has no {what} {name}{hint}"))
    };
    let tables = &subject.design.tables;
    let names = || tables.iter().map(|table| table.name.as_str());
    let Some(planned) = tables.iter().find(|planned| planned.name == table) else {
        return Err(unknown("table", table, cql::spelling::find_nearest(table, names())));
    };
    if let Some(column) = column.filter(|column| planned.column(column).is_none()) {
        let names = planned.columns.iter().map(|column| column.name.as_str());
        return Err(unknown("column", name, cql::spelling::find_nearest(column, names)));
    }
    write_table(subject, planned, column, out)?;
    write_alternatives(subject, planned, out)?;
    if subject.design.choice.is_some() {
        choice::write_rejected(subject, Some(planned), out)?;
    }
    Ok(())
}

/// What a query reads, with its LIMIT: what the choice of buckets and shards depends on.
fn describe_read(subject: DesignView<'_>, served: &ServedRead) -> Option<String> {
    let read = subject.file.workload.reads.member(served.read)?;
    let effort = subject.design.reads.member(served.read)?.effort;
    let limit = match read.limit {
        Some(Limit::Number(rows)) => format!("LIMIT {rows}"),
        Some(Limit::Parameter(_)) => "LIMIT ?".to_owned(),
        None => "no LIMIT".to_owned(),
    };
    Some(format!(
        "{} {} at {}, {limit}: {} and {} per read",
        DesignView::read_number(served.read),
        read.name,
        figures::format_rate(read.rate.value),
        figures::pluralise(effort.partitions, "partition"),
        figures::pluralise(effort.rows, "row")
    ))
}

/// Writes the reasons for a table: those of the given column, or of all columns that have reasons.
fn write_table(
    subject: DesignView<'_>,
    table: &PlannedTable,
    column: Option<&str>,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "{} {}", table.name, design::create_statements::primary_key(table))?;
    let about = subject.about(table);
    writeln!(out, "  for {}", about.join(", "))?;
    for served in &table.serves {
        if let Some(line) = describe_read(subject, served) {
            writeln!(out, "  {line}")?;
        }
    }
    let is_shown = |planned: &&PlannedColumn| match column {
        Some(name) => planned.name == name,
        None => planned.is_key() || !planned.reasons.is_empty(),
    };
    for planned in table.columns.iter().filter(is_shown) {
        let mark = marks::mark_with_indexes(table, planned);
        writeln!(out, "\n{}", format!("{mark} {} {}", planned.name, planned.ty).trim_start())?;
        for reason in &planned.reasons {
            let read = reason.read.map(|read| {
                let name = subject.file.workload.reads.member(read).map_or("", |read| &read.name);
                format!(" {} {name}", DesignView::read_number(read))
            });
            let (rule, read) = (reason.rule.name(), read.unwrap_or_default());
            writeln!(out, "  {rule}{read}: {}", reason.text)?;
        }
        for index in table.indexes.iter().filter(|index| index.column == planned.name) {
            writeln!(out, "  index: {}", index.reason.text)?;
            if let Some(figures) = index.figures {
                writeln!(out, "  index: {figures}")?;
            }
        }
    }
    if column.is_none() {
        for (option, reason) in &table.options.reasons {
            writeln!(out, "\n{option}\n  {reason}")?;
        }
    }
    Ok(())
}

/// Writes the alternatives that notes name for a table or its reads.
fn write_alternatives(
    subject: DesignView<'_>,
    table: &PlannedTable,
    out: &mut dyn Write,
) -> io::Result<()> {
    let is_aggregate = |note: &&Note| matches!(note.topic, Topic::Aggregate(_));
    let notes = subject.design.notes.iter().filter(is_aggregate);
    for note in notes.filter(|note| choice::is_about(subject, table, note.about)) {
        writeln!(out, "\n{}", note.topic)?;
    }
    Ok(())
}
