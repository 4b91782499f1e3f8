//! SASI indexes.

use cql::Span;
use cql::types::{NativeType, Type};

use super::TARGET;
use crate::Result;
use crate::catalog::{Column, ColumnKind, Index, Table};
use crate::java::number;
use crate::java::order::JavaOptionMap;
use crate::refusal::{SasiReason, refuse};

const ANALYZERS: &str = "org.apache.cassandra.index.sasi.analyzer.";

/// Checks one of the table's SASI indexes.
pub(super) fn check(table: &Table, index: &Index, span: Span) -> Result<()> {
    let target = index.options.get(TARGET).map_or("", |target| &**target);
    let column = if target.contains(',') { None } else { table.column(&index.column) };
    let Some(column) = column else {
        return refuse(SasiReason::NoColumn { target: target.to_string() }, span);
    };
    if column.is_multi_cell() {
        return refuse(SasiReason::ComplexColumn, span);
    }
    if column.kind == ColumnKind::Partition {
        return refuse(SasiReason::PartitionKey, span);
    }
    check_analyzer(column, index, span)?;
    check_mode(column, index, span)
}

fn is_text(ty: &Type) -> bool {
    matches!(ty, Type::Native(NativeType::Text | NativeType::Ascii))
}

fn check_analyzer(column: &Column, index: &Index, span: Span) -> Result<()> {
    let Some(class) = index.options.get("analyzer_class") else { return Ok(()) };
    let Some(
        simple @ ("StandardAnalyzer"
        | "NonTokenizingAnalyzer"
        | "DelimiterAnalyzer"
        | "NoOpAnalyzer"),
    ) = class.strip_prefix(ANALYZERS)
    else {
        if matches!(&**class, "java.lang.Object" | "java.lang.String") {
            return fail(index, span);
        }
        return refuse(SasiReason::UnknownAnalyzer { class: class.to_string() }, span);
    };
    if simple != "NoOpAnalyzer" && (!is_text(&column.ty) || column.descending) {
        return refuse(
            SasiReason::AnalyzerType { analyzer: simple.to_string(), ty: column.ty.to_string() },
            span,
        );
    }
    let has = |name: &str| index.options.contains_key(name);
    if simple == "NonTokenizingAnalyzer"
        && has("case_sensitive")
        && (has("normalize_lowercase") || has("normalize_uppercase"))
    {
        return refuse(SasiReason::CaseSensitiveAndNormalize, span);
    }
    Ok(())
}

fn check_mode(column: &Column, index: &Index, span: Span) -> Result<()> {
    let option = |name: &str| index.options.get(name).map(|value| &**value);
    let mode = option("mode").unwrap_or("PREFIX");
    let is_sparse = match mode.to_uppercase().as_str() {
        "PREFIX" | "CONTAINS" => false,
        "SPARSE" => true,
        _ => return refuse(SasiReason::UnknownMode { mode: mode.to_string() }, span),
    };
    if option("max_compaction_flush_memory_in_mb")
        .is_some_and(|text| number::parse_long(text).is_err())
    {
        return fail(index, span);
    }
    let is_literal = option("is_literal")
        .map_or(is_text(&column.ty) && !column.descending, number::parse_boolean);
    let is_analyzed =
        option("analyzed").map_or(option("analyzer_class").is_some(), number::parse_boolean);
    if is_sparse && is_literal {
        return refuse(SasiReason::SparseLiteral, span);
    }
    if is_sparse && is_analyzed {
        return refuse(SasiReason::SparseAnalyzed, span);
    }
    Ok(())
}

/// The error of the server's own check.
fn fail<T>(index: &Index, span: Span) -> Result<T> {
    let options = index.options.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
    let options = JavaOptionMap::new(options).copy();
    refuse(SasiReason::FailedCheck { options: options.text() }, span)
}
