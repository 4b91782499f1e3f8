//! Two restrictions of the same column become one, or a refusal.

use cql::Span;

use super::restriction::{Contains, Restriction, RestrictionKind, Slice};
use crate::bind::context::invalid;
use crate::catalog::Table;
use crate::{Refusal, Result};

/// Adds what `other` asks to `restriction`, which came first.
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
            same_start(table, restriction, &other)?;
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
            let message = format!(
                "Collection column {} can only be restricted by CONTAINS, CONTAINS KEY, or map-entry equality",
                columns()
            );
            Err(invalid("QV020", message, span).into())
        }
        (RestrictionKind::Nearest(_), _) => {
            let message = format!(
                "{} cannot be restricted by more than one relation in an ANN ordering",
                columns()
            );
            Err(invalid("QV030", message, span).into())
        }
    }
}

/// Puts two slices of the same columns together; each end may be given once.
pub(super) fn merge_slices(
    slice: &Slice,
    other: &Slice,
    columns: &str,
    span: Span,
) -> Result<Slice> {
    let twice = |end: &str| {
        let message =
            format!("More than one restriction was found for the {end} bound on {columns}");
        Box::new(invalid("QV019", message, span).with_help("keep the stricter of the two"))
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
    let message =
        format!("{columns} cannot be restricted by more than one relation if it includes {what}");
    invalid("QV019", message, span)
}

/// `Column "x" cannot be restricted by both an equality and an inequality relation`
pub(super) fn both_kinds(noun: &str, columns: &str, span: Span) -> Refusal {
    let message = format!(
        "{noun} \"{columns}\" cannot be restricted by both an equality and an inequality relation"
    );
    invalid("QV019", message, span)
}

fn same_start(table: &Table, restriction: &Restriction, other: &Restriction) -> Result<()> {
    let (first, second) = (restriction.first_column(), other.first_column());
    if first == second {
        return Ok(());
    }
    let message = format!(
        "Column \"{}\" cannot be restricted by two inequalities not starting with the same column",
        table.columns()[first.max(second)].name
    );
    Err(invalid("QV019", message, other.span).into())
}

fn merge_contains(contains: &Contains, more: &Contains) -> Contains {
    let mut all = contains.clone();
    all.values.extend(more.values.iter().cloned());
    all.keys.extend(more.keys.iter().cloned());
    all.entries.extend(more.entries.iter().cloned());
    all
}

fn common_columns(table: &Table, restriction: &Restriction, other: &Restriction) -> String {
    let common = restriction.columns.iter().filter(|column| other.columns.contains(column));
    // The server's own separator.
    common.map(|column| &*table.columns()[*column].name).collect::<Vec<_>>().join(" ,")
}
