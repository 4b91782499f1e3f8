//! The merge of two restrictions on the same column: two bounds form a slice, several CONTAINS
//! accumulate, everything else is refused.

use cql::Span;

use super::restriction::{ContainsRestriction, Restriction, RestrictionKind, Slice};
use crate::catalog::Table;
use crate::refusal::{NearestReason, RestrictionReason, refuse};
use crate::{Refusal, Result};

/// Merges `other` into `restriction`, which was written first. The earlier one decides which error
/// is returned. Two slices of tuples may differ in length, `(a, b) > (1, 2) AND (a) < (5)`: the
/// merged one has the columns of the longer, and each bound keeps its own length.
pub(super) fn merge(
    table: &Table,
    restriction: &Restriction,
    other: Restriction,
) -> Result<Restriction> {
    let span = other.span;
    let columns = || common_columns(table, restriction, &other);
    match (&restriction.kind, &other.kind) {
        (RestrictionKind::Equal(_), _) => Err(more_than_one(&columns(), "an Equal", span).into()),
        (RestrictionKind::In(_), _) => Err(more_than_one(&columns(), "a IN", span).into()),
        (RestrictionKind::Like(_), _) => Err(more_than_one(&columns(), "a LIKE", span).into()),
        (RestrictionKind::Slice(slice), RestrictionKind::Slice(other_slice)) => {
            check_same_start(table, restriction, &other)?;
            let slice = merge_slices(slice, other_slice, &columns(), span)?;
            let longer = restriction.columns.len() >= other.columns.len();
            let columns = if longer { restriction.columns.clone() } else { other.columns };
            let multi_column = restriction.multi_column || other.multi_column;
            Ok(Restriction { columns, multi_column, kind: RestrictionKind::Slice(slice), span })
        }
        (RestrictionKind::Slice(_), _) => Err(both_kinds("Column", &columns(), span).into()),
        (RestrictionKind::Contains(contains), RestrictionKind::Contains(more)) => {
            let kind = RestrictionKind::Contains(merge_contains(contains, more));
            Ok(Restriction { kind, ..other })
        }
        (RestrictionKind::Contains(_), _) => {
            refuse(RestrictionReason::CollectionRelation { columns: columns() }, span)
        }
        (RestrictionKind::Nearest(_), _) => {
            refuse(NearestReason::TwoRelations { columns: columns() }, span)
        }
    }
}

/// Merges two slices; each end may be given once.
pub(super) fn merge_slices(
    slice: &Slice,
    other: &Slice,
    columns: &str,
    span: Span,
) -> Result<Slice> {
    let twice = |end: &str| {
        Box::new(
            Refusal::new(
                RestrictionReason::TwoBounds { end: end.to_string(), columns: columns.to_string() },
                span,
            )
            .with_help("keep the stricter of the two"),
        )
    };
    if slice.start.is_some() && other.start.is_some() {
        return Err(twice("start"));
    }
    if slice.end.is_some() && other.end.is_some() {
        return Err(twice("end"));
    }
    Ok(Slice {
        start: slice.start.clone().or_else(|| other.start.clone()),
        end: slice.end.clone().or_else(|| other.end.clone()),
    })
}

/// `x cannot be restricted by more than one relation if it includes ...`
pub(super) fn more_than_one(columns: &str, what: &str, span: Span) -> Refusal {
    Refusal::new(
        RestrictionReason::TwoRelations { columns: columns.to_string(), what: what.to_string() },
        span,
    )
}

/// `Column "x" cannot be restricted by both an equality and an inequality relation`
pub(super) fn both_kinds(noun: &str, columns: &str, span: Span) -> Refusal {
    Refusal::new(
        RestrictionReason::EqualityAndInequality {
            noun: noun.to_string(),
            columns: columns.to_string(),
        },
        span,
    )
}

fn check_same_start(table: &Table, restriction: &Restriction, other: &Restriction) -> Result<()> {
    let (first, second) = (restriction.first_column(), other.first_column());
    if first == second {
        return Ok(());
    }
    refuse(
        RestrictionReason::TwoInequalities {
            column: table.columns()[first.max(second)].name.to_string(),
        },
        other.span,
    )
}

fn merge_contains(
    contains: &ContainsRestriction,
    more: &ContainsRestriction,
) -> ContainsRestriction {
    let mut all = contains.clone();
    all.values.extend(more.values.iter().cloned());
    all.keys.extend(more.keys.iter().cloned());
    all.entries.extend(more.entries.iter().cloned());
    all
}

fn common_columns(table: &Table, restriction: &Restriction, other: &Restriction) -> String {
    let common = restriction.columns.iter().filter(|column| other.columns.contains(column));
    // The separator is the server's.
    common.map(|column| &*table.columns()[*column].name).collect::<Vec<_>>().join(" ,")
}
