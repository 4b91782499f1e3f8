//! The cells that a selection fetches. The server computes them while it prepares a statement, and
//! fails on keys that it does not expect.

use cql::Span;
use cql::types::{NativeType, Type};

use super::Expression;
use crate::bind::term::{BoundTerm, class_failure};
use crate::catalog::Table;
use crate::refusal::ValueReason;
use crate::{Refusal, Result};

/// Fails as the server does: on null elements of multi-cell collections, and on markers in them
/// inside of `WRITETIME` and similar functions.
pub(super) fn check(table: &Table, selected: &[&Expression], span: Span) -> Result<()> {
    if !selected.iter().all(|expression| is_known(table, expression)) {
        return Ok(());
    }
    // The keys are collected first, and compared when all are known.
    let mut null = None;
    for expression in selected {
        fetch(table, expression, &mut null, span)?;
    }
    null.map_or(Ok(()), |failure| Err(Box::new(failure)))
}

/// The type of the column of a part, if it is a multi-cell collection.
fn multi_cell<'a>(table: &'a Table, of: &Expression) -> Option<&'a Type> {
    let Expression::Column(at) = of else { return None };
    table.columns().get(*at).map(|column| &column.ty).filter(|ty| ty.is_multi_cell())
}

/// Whether all cells are known before the execution.
fn is_known(table: &Table, expression: &Expression) -> bool {
    match expression {
        Expression::Column(_) | Expression::Term(_) | Expression::CellInfo { .. } => true,
        Expression::Field(of, _) => is_known(table, of),
        Expression::Element { of, key, .. } => {
            is_known(table, of) && (multi_cell(table, of).is_none() || key.is_constant())
        }
        Expression::Slice { of, from, to, .. } => {
            let is_constant = from.iter().chain(to).all(BoundTerm::is_constant);
            is_known(table, of) && (multi_cell(table, of).is_none() || is_constant)
        }
        _ => parts(expression).into_iter().all(|part| is_known(table, part)),
    }
}

/// Fails on a key that is not a constant; records the failure that the first null key leads to.
fn fetch(
    table: &Table,
    expression: &Expression,
    null: &mut Option<Refusal>,
    span: Span,
) -> Result<()> {
    let (of, first, last) = match expression {
        Expression::Element { of, key, .. } => (of, Some(key), None),
        Expression::Slice { of, from, to, .. } => (of, from.as_ref(), to.as_ref()),
        _ => {
            let mut parts = parts(expression).into_iter();
            return parts.try_for_each(|part| fetch(table, part, null, span));
        }
    };
    let Some(ty) = multi_cell(table, of) else { return fetch(table, of, null, span) };
    for key in first.into_iter().chain(last) {
        if let Some(class) = class_of_term(key, ty) {
            return Err(
                class_failure(class, "org.apache.cassandra.cql3.Term$Terminal", span).into()
            );
        }
    }
    if first == Some(&BoundTerm::NULL) {
        let (method, variable) = null_access(place(ty));
        let failure = || {
            Refusal::new(
                ValueReason::NullBuffer {
                    method: method.to_string(),
                    variable: variable.to_string(),
                },
                span,
            )
        };
        null.get_or_insert_with(failure);
    }
    Ok(())
}

/// The first access in the server's comparison of keys, on which null fails.
fn null_access(key: &Type) -> (&'static str, &'static str) {
    use NativeType as N;
    match key {
        Type::Native(N::Ascii | N::Blob | N::Date | N::Inet | N::Text | N::Time) => {
            ("hasArray", "buffer1")
        }
        Type::Native(N::Smallint | N::Tinyint) => ("position", "value"),
        _ => ("remaining", "value"),
    }
}

/// The type of a map's keys or of a set's elements.
fn place(collection: &Type) -> &Type {
    match collection {
        Type::Map(entry, _) => &entry.0,
        Type::Set(element, _) => element,
        _ => collection,
    }
}

/// The direct subexpressions.
fn parts(expression: &Expression) -> Vec<&Expression> {
    match expression {
        Expression::Column(_) | Expression::Term(_) => Vec::new(),
        Expression::CellInfo { of, .. }
        | Expression::Field(of, _)
        | Expression::Element { of, .. }
        | Expression::Slice { of, .. } => vec![of],
        Expression::Call { arguments: parts, .. }
        | Expression::Collection { elements: parts, .. } => parts.iter().collect(),
        Expression::Map { entries, .. } => {
            entries.iter().flat_map(|(key, value)| [key, value]).collect()
        }
        Expression::UserType { fields, .. } => fields.iter().map(|(_, value)| value).collect(),
    }
}

/// The server's class of a term that is not constant.
fn class_of_term(key: &BoundTerm, collection: &Type) -> Option<&'static str> {
    Some(match (key, place(collection)) {
        (BoundTerm::Value(_), _) => return None,
        (BoundTerm::Call { .. }, _) => "org.apache.cassandra.cql3.functions.FunctionCall",
        (BoundTerm::Marker(_), Type::List(..)) => "org.apache.cassandra.cql3.Lists$Marker",
        (BoundTerm::Marker(_), Type::Set(..)) => "org.apache.cassandra.cql3.Sets$Marker",
        (BoundTerm::Marker(_), Type::Map(..)) => "org.apache.cassandra.cql3.Maps$Marker",
        (BoundTerm::Marker(_), Type::User(..)) => "org.apache.cassandra.cql3.UserTypes$Marker",
        (BoundTerm::Marker(_), _) => "org.apache.cassandra.cql3.Constants$Marker",
        (_, Type::List(..)) => "org.apache.cassandra.cql3.Lists$DelayedValue",
        (_, Type::Set(..)) => "org.apache.cassandra.cql3.Sets$DelayedValue",
        (_, Type::User(..)) => "org.apache.cassandra.cql3.UserTypes$DelayedValue",
        (_, Type::Tuple(..)) => "org.apache.cassandra.cql3.Tuples$DelayedValue",
        (_, Type::Vector(..)) => "org.apache.cassandra.cql3.Vectors$DelayedValue",
        _ => "org.apache.cassandra.cql3.Maps$DelayedValue",
    })
}
