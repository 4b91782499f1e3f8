//! The row filter of a SELECT at execution: its operands must be values.

use cql::Span;

use crate::bind::restrictions::sasi::{self, LikePattern};
use crate::bind::restrictions::{
    ContainsRestriction, IndexRegistry, Operand, Restriction, RestrictionId, RestrictionKind,
    Restrictions, is_null,
};
use crate::bind::term::BoundTerm;
use crate::catalog::{IndexClass, Table};
use crate::refusal::{RestrictionReason, ValueReason, refuse};
use crate::{Refusal, Result};

/// The restrictions in the row filter: those that an index serves and those that rows are checked
/// for.
pub fn expressions(restrictions: &Restrictions) -> Vec<RestrictionId> {
    let mut expressions = Vec::new();
    let filters = restrictions.filters;
    if filters.partition {
        let count = restrictions.partition.columns.restrictions.len();
        expressions.extend((0..count).map(RestrictionId::Partition));
    }
    if filters.clustering {
        expressions.extend(clustering_expressions(restrictions));
    }
    if filters.others {
        expressions.extend((0..restrictions.others.restrictions.len()).map(RestrictionId::Other));
    }
    expressions
}

/// The clustering restrictions that the slice does not cover. One that an index serves does not
/// continue the slice here, so those after it are in the filter as well. Operators on which an
/// index fails were refused before.
fn clustering_expressions(restrictions: &Restrictions) -> Vec<RestrictionId> {
    let table = &*restrictions.table;
    let registry = IndexRegistry::new(table);
    let mut expressions = Vec::new();
    let mut next = 0;
    for (at, restriction) in restrictions.clustering.restrictions.iter().enumerate() {
        let start = table.columns()[restriction.first_column()].position;
        let by_row = restriction.is_contains() || restriction.is_like() || start != next;
        if by_row || registry.supports(restriction).unwrap_or(true) {
            expressions.push(RestrictionId::Clustering(at));
        } else if !restriction.is_slice() {
            next = table.columns()[restriction.last_column()].position + 1;
        }
    }
    expressions
}

/// Checks the operands of the row filter.
pub(super) fn check(restrictions: &Restrictions) -> Result<()> {
    for restriction in restrictions.select(&expressions(restrictions)) {
        restriction.check_calls()?;
        check_expression(restriction, &restrictions.table)?;
    }
    Ok(())
}

fn check_expression(restriction: &Restriction, table: &Table) -> Result<()> {
    let refuse = |reason: RestrictionReason| refuse(reason, restriction.span);
    match &restriction.kind {
        RestrictionKind::Equal(operand) => check_operand(restriction, operand, table),
        RestrictionKind::In(_) if restriction.columns.len() > 1 => {
            refuse(RestrictionReason::FilterTupleIn)
        }
        RestrictionKind::In(_) => Ok(()),
        RestrictionKind::Slice(_) if restriction.multi_column => {
            refuse(RestrictionReason::FilterTupleSlice)
        }
        RestrictionKind::Slice(slice) => {
            for bound in [&slice.start, &slice.end].into_iter().flatten() {
                check_operand(restriction, &bound.value, table)?;
            }
            Ok(())
        }
        RestrictionKind::Contains(contains) => check_contains(restriction, contains, table),
        RestrictionKind::Nearest(term) => {
            check_term(restriction, term, restriction.first_column(), table)
        }
        RestrictionKind::Like(term) => check_like(restriction, term, table),
    }
}

fn check_operand(restriction: &Restriction, operand: &Operand, table: &Table) -> Result<()> {
    let Operand::Terms(terms) = operand else { return Ok(()) };
    for (column, term) in restriction.columns.iter().zip(terms) {
        check_term(restriction, term, *column, table)?;
    }
    Ok(())
}

fn check_term(
    restriction: &Restriction,
    term: &BoundTerm,
    column: usize,
    table: &Table,
) -> Result<()> {
    if !is_null(term) {
        return Ok(());
    }
    refuse(
        ValueReason::UnsupportedNull { column: table.columns()[column].name.to_string() },
        restriction.span,
    )
}

fn check_contains(
    restriction: &Restriction,
    contains: &ContainsRestriction,
    table: &Table,
) -> Result<()> {
    let column = restriction.first_column();
    for term in contains.values.iter().chain(&contains.keys) {
        check_term(restriction, term, column, table)?;
    }
    for (key, value) in &contains.entries {
        let part = if is_null(key) {
            "key"
        } else if is_null(value) {
            "value"
        } else {
            continue;
        };
        return refuse(
            ValueReason::UnsupportedNullEntry {
                part: part.to_string(),
                column: table.columns()[column].name.to_string(),
            },
            restriction.span,
        );
    }
    Ok(())
}

fn check_like(restriction: &Restriction, term: &BoundTerm, table: &Table) -> Result<()> {
    let value = match term {
        BoundTerm::Value(Some(value)) => value,
        BoundTerm::Value(None) => return Err(like_null(restriction.span).into()),
        _ => return Ok(()),
    };
    let column = &table.columns()[restriction.first_column()];
    let Some((pattern, rest)) = like_pattern(value) else {
        return refuse(RestrictionReason::EmptyLike, restriction.span);
    };
    let serves = |index: &&crate::catalog::Index| {
        index.column == column.name
            && index.class == IndexClass::Sasi
            && sasi::can_serve_pattern(index, column, pattern)
    };
    if table.indexes.iter().any(|index| serves(&index)) {
        return Ok(());
    }
    let (before, after) = match pattern {
        LikePattern::Prefix => ("", "%"),
        LikePattern::Suffix => ("%", ""),
        LikePattern::Contains => ("%", "%"),
        LikePattern::Matches => ("", ""),
    };
    refuse(
        RestrictionReason::LikeForm {
            column: column.name.to_string(),
            before: before.to_string(),
            after: after.to_string(),
            term: String::from_utf8_lossy(rest).to_string(),
        },
        restriction.span,
    )
}

/// The server fails here instead of returning a proper error.
fn like_null(span: Span) -> Refusal {
    Refusal::new(RestrictionReason::LikeNull, span)
}

/// The kind of a LIKE pattern, and its text without the wildcards; `None` if nothing is left.
pub fn like_pattern(value: &[u8]) -> Option<(LikePattern, &[u8])> {
    let (pattern, rest) = match value {
        [b'%', middle @ .., b'%'] => (LikePattern::Contains, middle),
        [rest @ .., b'%'] => (LikePattern::Prefix, rest),
        [b'%', rest @ ..] => (LikePattern::Suffix, rest),
        rest => (LikePattern::Matches, rest),
    };
    (!rest.is_empty()).then_some((pattern, rest))
}
