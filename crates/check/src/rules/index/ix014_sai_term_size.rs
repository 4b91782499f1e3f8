//! IX014: values too long for an index.

use cql::types::{NativeType, Type};
use model::figures;
use schema::catalog::{Column, IndexClass};

use crate::vocabulary::types::native_type;

use crate::{Check, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const WARN: Limit = Limit::new("sai-term-warn", 1_024.0).describe(
    "size in bytes of a string or frozen value in a storage-attached index at which the server warns",
);
const FAIL: Limit = Limit::new("sai-term-fail", 8_192.0)
    .describe("size in bytes of a string or frozen value that a storage-attached index rejects");
const VECTOR_WARN: Limit = Limit::new("sai-vector-warn", 16_384.0)
    .describe("size in bytes of a vector at which the server warns");
const VECTOR_FAIL: Limit = Limit::new("sai-vector-fail", 32_768.0)
    .describe("size in bytes of a vector that a storage-attached index rejects");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix014_sai_term_size.md"), Check::Table(check)).with_limits(&[
        WARN,
        FAIL,
        VECTOR_WARN,
        VECTOR_FAIL,
    ]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    for index in &facts.table.indexes {
        let Some(column) = facts.table.column(&index.column) else { continue };
        let Some(bytes) = term_bytes(facts, column) else { continue };
        let (warn, fail) = match (&index.class, &column.ty) {
            (IndexClass::Sai, Type::Vector(..)) => {
                (reporter.limit(&VECTOR_WARN), reporter.limit(&VECTOR_FAIL))
            }
            (IndexClass::Sai, _) => (reporter.limit(&WARN), reporter.limit(&FAIL)),
            (IndexClass::Legacy, _) => (f64::INFINITY, 65_534.0),
            _ => continue,
        };
        let severity = match () {
            () if bytes > fail => Severity::High,
            () if bytes > warn => Severity::Medium,
            () => continue,
        };
        let limit = if bytes > fail { fail } else { warn };
        reporter
            .report(
                project.index_location(facts, index),
                format!("Values of `{}` exceed the term limit of the index.", column.name),
            )
            .with_column(&facts.table, column)
            .severity(severity)
            .note(format!(
                "{} on average; the limit is {}",
                figures::format_bytes(bytes),
                figures::format_bytes(limit)
            ))
            .help("index a digest of the value, or a short column");
    }
}

/// Bytes of an indexed value: those of a vector, or those that are declared.
fn term_bytes(facts: &TableFacts, column: &Column) -> Option<f64> {
    let position = facts.table.column_index(&column.name)?;
    match &column.ty {
        Type::Vector(element, dimension) if native_type(element) == Some(NativeType::Float) => {
            Some(4.0 * f64::from(*dimension))
        }
        ty if ty.is_collection() && !ty.is_multi_cell() => {
            Some(facts.volume.bytes(position)? * facts.volume.items(position)?)
        }
        _ => facts.volume.bytes(position),
    }
}
