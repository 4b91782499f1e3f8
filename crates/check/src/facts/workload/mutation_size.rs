//! Bytes that statements send, as the server counts them for a batch.

use cql::statement::write::WriteKind;
use cql::term::{ConstantKind, Term, TermKind};
use model::schema_file;
use schema::access::{WriteEffect, WritePlan};
use schema::catalog::{Column, Table};

use super::statement_values::column_value;
use crate::{Project, TableFacts};

/// A cell beside its value: timestamp, lifetime, time of deletion.
const CELL_OVERHEAD: f64 = 16.0;
/// A row or a deletion beside its values.
const ROW_OVERHEAD: f64 = 12.0;

/// The bytes of one write, and whether all its sizes are known.
pub(super) fn statement_bytes(
    project: &Project<'_>,
    write: &WritePlan,
    kind: &WriteKind,
) -> (f64, bool) {
    let table = &*write.table;
    let facts = project.facts(table);
    let mut bytes = ROW_OVERHEAD;
    let mut are_known = true;
    let mut add = |(more, is_known): (f64, bool), around: f64| {
        bytes += more + around;
        are_known &= is_known;
    };
    for column in table.clustering() {
        add(value_bytes(table, facts, column, column_value(kind, &column.name)), 0.0);
    }
    if matches!(write.effect, WriteEffect::Upsert | WriteEffect::Count) {
        for column in write.columns.iter().filter_map(|at| table.columns().get(*at)) {
            add(value_bytes(table, facts, column, column_value(kind, &column.name)), CELL_OVERHEAD);
        }
    }
    (bytes, are_known)
}

/// The bytes of a value: fixed by its type, as it is written, as declared, or as such values usually are (then not known).
fn value_bytes(
    table: &Table,
    facts: Option<&TableFacts>,
    column: &Column,
    term: Option<&Term>,
) -> (f64, bool) {
    if let Some(fixed) =
        column.ty.value_length_if_fixed().and_then(|length| u32::try_from(length).ok())
    {
        return (f64::from(fixed), true);
    }
    if let Some(written) = term.and_then(literal_bytes) {
        return (written, true);
    }
    let (usual, usual_items) = schema_file::usual_sizes(&column.ty);
    let position = table.column_index(&column.name);
    let declared = position.zip(facts).and_then(|(at, facts)| {
        let items = facts.volume.items(at).unwrap_or(usual_items);
        Some(facts.volume.bytes(at)? * items)
    });
    declared.map_or((usual * usual_items, false), |bytes| (bytes, true))
}

/// The bytes of a literal; `None` where a marker or function makes the value.
fn literal_bytes(term: &Term) -> Option<f64> {
    let length = |text: &str| f64::from(u32::try_from(text.len()).unwrap_or(u32::MAX));
    let all = |terms: &[Term]| {
        terms.iter().map(|term| literal_bytes(term).map(|bytes| bytes + 4.0)).sum::<Option<f64>>()
    };
    match &term.kind {
        TermKind::Null => Some(0.0),
        TermKind::Constant(constant) => Some(match constant.kind {
            ConstantKind::String => length(&constant.text),
            ConstantKind::Hex => length(&constant.text) / 2.0,
            ConstantKind::Boolean => 1.0,
            ConstantKind::Uuid => 16.0,
            _ => 8.0,
        }),
        TermKind::List(terms) | TermKind::Set(terms) | TermKind::Tuple(terms) => all(terms),
        TermKind::Map(pairs) => pairs
            .iter()
            .map(|(key, value)| Some(literal_bytes(key)? + literal_bytes(value)? + 8.0))
            .sum(),
        _ => None,
    }
}
