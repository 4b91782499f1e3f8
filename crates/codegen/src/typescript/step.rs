//! Steps whose rows are kept.

use super::fetch::{TypescriptFetch, write_values};
use super::layout::TypescriptWriter;
use super::scope::{TypescriptRow, TypescriptScope};
use super::types::TypescriptTypes;
use crate::program::{Fetch, Repetition};

/// The steps that read, by their position.
pub(super) fn list_fetches(steps: &[Fetch]) -> Vec<Option<&Fetch>> {
    steps.iter().map(Some).collect()
}

/// The interfaces of the rows of steps.
pub(super) fn write_step_interfaces(
    writer: &mut TypescriptWriter,
    types: &TypescriptTypes<'_>,
    steps: &[TypescriptRow],
    is_kept: &dyn Fn(usize) -> bool,
) {
    for (_, row) in steps.iter().enumerate().filter(|(at, _)| is_kept(*at)) {
        write_row_interface(writer, types, row, steps);
    }
}

/// The interface of rows.
pub(super) fn write_row_interface(
    writer: &mut TypescriptWriter,
    types: &TypescriptTypes<'_>,
    row: &TypescriptRow,
    steps: &[TypescriptRow],
) {
    if row.name.is_empty() {
        return;
    }
    if row.columns.is_empty() && row.parents.is_empty() {
        writer.line(format!("type {} = object;", row.name));
        writer.blank();
        return;
    }
    writer.block(&format!("interface {} {{", row.name), "}", |writer| {
        for (field, property) in &row.columns {
            writer.line(format!("readonly {property}: {} | null;", types.name(&field.ty)));
        }
        for (at, parent) in row.parents.iter().enumerate() {
            let name = steps.get(*parent).map_or("object", |row| row.name.as_str());
            writer.line(format!("readonly ${at}: {name} | null;"));
        }
    });
    writer.blank();
}

/// Reads a step, and keeps its rows as `step` with its position.
pub(super) fn write_step(
    writer: &mut TypescriptWriter,
    scope: &TypescriptScope<'_>,
    steps: &[Option<&Fetch>],
    at: usize,
) {
    let Some(fetch) = steps.get(at).copied().flatten() else { return };
    let Some(row) = scope.steps.get(at) else { return };
    let scope = scope.with_repetitions(&fetch.repetitions);
    let reading = TypescriptFetch { fetch, at, steps, limit: None, is_lookup: false };
    let statement = scope.function.statement(&at.to_string());
    let leaf = |writer: &mut TypescriptWriter, name: &str| {
        write_values(writer, &scope, &format!("key{at}"), &fetch.values);
        writer.line(format!("const found{at} = await call.select({statement}, key{at});"));
        let position = writer.position();
        writer.indent_lines(|writer| {
            for (field, property) in &row.columns {
                writer.line(format!("{property}: {},", scope.read_raw(field)));
            }
            for (parent, turn) in list_row_turns(fetch).into_iter().enumerate() {
                writer.line(format!("${parent}: turn{turn},"));
            }
        });
        let raw = if writer.has_word_since(position, "raw") { "raw" } else { "" };
        writer.insert(
            position,
            &format!("const {name} = found{at}.map(({raw}): {} => ({{", row.name),
        );
        writer.line("}));");
    };
    if reading.is_single() {
        leaf(writer, &format!("step{at}"));
    } else {
        reading.write_streams(writer, &scope, &format!("streams{at}"), &|writer| {
            leaf(writer, "rows");
            writer.line("return [rows];");
        });
        writer.line(format!("const step{at} = streams{at}.flat();"));
    }
    if fetch.optional {
        write_missing(writer, fetch, row, at);
    }
}

/// The positions of the repetitions over rows.
fn list_row_turns(fetch: &Fetch) -> Vec<usize> {
    let repetitions = fetch.repetitions.iter().enumerate();
    let turns = repetitions.filter(|(_, repetition)| matches!(repetition, Repetition::Rows(_)));
    turns.map(|(at, _)| at).collect()
}

/// A row of nulls where an optional step found none.
fn write_missing(writer: &mut TypescriptWriter, fetch: &Fetch, row: &TypescriptRow, at: usize) {
    let write_nulls = |writer: &mut TypescriptWriter, first: &str| {
        writer.block(&format!("step{at}.push({{"), "});", |writer| {
            for (_, property) in &row.columns {
                writer.line(format!("{property}: null,"));
            }
            for parent in 0..row.parents.len() {
                let value = if parent == 0 { first } else { "null" };
                writer.line(format!("${parent}: {value},"));
            }
        });
    };
    if let Some(Repetition::Rows(outer)) = fetch.repetitions.first() {
        writer.line(format!("const outer{at} = step{at}.map((row) => row.$0);"));
        let first = format!("for (const missing of h.findMissing(step{outer}, outer{at})) {{");
        writer.block(&first, "}", |writer| write_nulls(writer, "missing"));
    } else {
        let first = format!("if (step{at}.length === 0) {{");
        writer.block(&first, "}", |writer| write_nulls(writer, "null"));
    }
}
