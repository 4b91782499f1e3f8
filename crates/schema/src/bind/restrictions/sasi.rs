//! Which operators a SASI index supports, by its options.

use cql::types::{NativeType, Type};

use super::index::IndexOperator;
use crate::catalog::{Column, Index};

/// How a SASI index stores its terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SasiMode {
    /// Whole terms and prefixes of them can be looked up.
    Prefix,
    /// Any part of a term can be looked up.
    Contains,
    /// For numbers with many distinct values.
    Sparse,
}

/// The pattern of a LIKE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LikePattern {
    /// `'x%'`
    Prefix,
    /// `'%x'`
    Suffix,
    /// `'%x%'`
    Contains,
    /// `'x'`
    Matches,
}

/// The mode of a SASI index.
pub fn mode(index: &Index) -> SasiMode {
    match index.options.get("mode").map(|mode| mode.to_ascii_uppercase()).as_deref() {
        Some("CONTAINS") => SasiMode::Contains,
        Some("SPARSE") => SasiMode::Sparse,
        _ => SasiMode::Prefix,
    }
}

/// Whether the index supports the operator; `None` if SASI does not know the operator and fails.
pub(super) fn supports(index: &Index, column: &Column, operator: IndexOperator) -> Option<bool> {
    match operator {
        IndexOperator::Like => Some(is_literal(index, column)),
        IndexOperator::Equal => Some(!is_tokenized(index, column)),
        IndexOperator::In => Some(false),
        IndexOperator::Range => {
            Some(!is_literal(index, column) && mode(index) != SasiMode::Contains)
        }
        IndexOperator::Contains | IndexOperator::ContainsKey | IndexOperator::Nearest => None,
    }
}

/// Whether the index supports LIKE with that pattern.
pub(crate) fn can_serve_pattern(index: &Index, column: &Column, pattern: LikePattern) -> bool {
    match (mode(index), pattern) {
        (SasiMode::Contains, LikePattern::Prefix) => !is_tokenized(index, column),
        (SasiMode::Contains, _)
        | (SasiMode::Prefix, LikePattern::Prefix | LikePattern::Matches) => true,
        (SasiMode::Prefix | SasiMode::Sparse, _) => false,
    }
}

fn is_literal(index: &Index, column: &Column) -> bool {
    index
        .options
        .get("is_literal")
        .map_or_else(|| is_text(column), |literal| literal.eq_ignore_ascii_case("true"))
}

fn is_tokenized(index: &Index, column: &Column) -> bool {
    let analyzed =
        index.options.get("analyzed").map(|analyzed| analyzed.eq_ignore_ascii_case("true"));
    match index.options.get("analyzer_class") {
        Some(class) => {
            analyzed.unwrap_or(true)
                && !class.ends_with("NonTokenizingAnalyzer")
                && !class.ends_with("NoOpAnalyzer")
        }
        None => analyzed.unwrap_or(false) && is_text(column),
    }
}

/// Whether the column is a text. The server checks the stored type, which for a descending column
/// is `ReversedType`.
fn is_text(column: &Column) -> bool {
    !column.descending && matches!(column.ty, Type::Native(NativeType::Text | NativeType::Ascii))
}
