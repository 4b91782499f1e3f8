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

/// Bytes that are sent, and whether all their sizes are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct SentBytes {
    pub(super) bytes: f64,
    /// Fixed by a type, written, or declared.
    pub(super) is_known: bool,
}

impl SentBytes {
    pub(super) const fn exact(bytes: f64) -> Self {
        Self { bytes, is_known: true }
    }

    /// Adds these to what is sent already.
    pub(super) fn add(&mut self, more: Self) {
        self.bytes += more.bytes;
        self.is_known &= more.is_known;
    }
}

/// The bytes of one write.
pub(super) fn statement_bytes(
    project: &Project<'_>,
    write: &WritePlan,
    kind: &WriteKind,
) -> SentBytes {
    let table = &*write.table;
    let facts = project.facts(table);
    let mut sent = SentBytes::exact(ROW_OVERHEAD);
    for column in table.clustering() {
        sent.add(value_bytes(table, facts, column, column_value(kind, &column.name)));
    }
    if matches!(write.effect, WriteEffect::Upsert | WriteEffect::Count) {
        for column in write.columns.iter().filter_map(|at| table.columns().get(*at)) {
            let value = value_bytes(table, facts, column, column_value(kind, &column.name));
            sent.add(SentBytes { bytes: value.bytes + CELL_OVERHEAD, ..value });
        }
    }
    sent
}

/// The bytes of a value: fixed by its type, as it is written, as declared, or as such values usually are (then not known).
fn value_bytes(
    table: &Table,
    facts: Option<&TableFacts>,
    column: &Column,
    term: Option<&Term>,
) -> SentBytes {
    if let Some(fixed) =
        column.ty.value_length_if_fixed().and_then(|length| u32::try_from(length).ok())
    {
        return SentBytes::exact(f64::from(fixed));
    }
    if let Some(written) = term.and_then(literal_bytes) {
        return SentBytes::exact(written);
    }
    let (usual, usual_items) = schema_file::usual_sizes(&column.ty);
    let position = table.column_index(&column.name);
    let declared = position.zip(facts).and_then(|(at, facts)| {
        let items = facts.volume.items(at).unwrap_or(usual_items);
        Some(facts.volume.bytes(at)? * items)
    });
    let assumed = SentBytes { bytes: usual * usual_items, is_known: false };
    declared.map_or(assumed, SentBytes::exact)
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
