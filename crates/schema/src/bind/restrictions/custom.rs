//! `expr(index, value)`.

use cql::relation::{Relation, RelationKind};
use cql::term::Term;
use cql::{QualifiedName, Span};

use crate::Result;
use crate::bind::context::invalid;
use crate::catalog::{IndexClass, Table};

/// Checks the custom expressions of a SELECT. No index that comes with the server takes any.
pub(super) fn check(table: &Table, relations: &[Relation]) -> Result<()> {
    let mut expressions = relations.iter().filter_map(expression);
    let Some((name, _, span)) = expressions.next() else { return Ok(()) };
    if expressions.next().is_some() {
        let message = "Multiple custom index expressions in a single query are not supported";
        return Err(invalid("IX010", message, span).into());
    }
    let index_name = &name.name.text;
    let qualified = table.qualified_name();
    let message = if name.keyspace.as_ref().is_some_and(|keyspace| keyspace.text != table.keyspace)
    {
        format!("Target index {index_name} cannot be used to query {qualified}")
    } else {
        match table.indexes.iter().find(|index| index.name == *index_name) {
            None => {
                format!("Invalid index expression, index {index_name} not found for {qualified}")
            }
            Some(index) if index.class == IndexClass::Legacy => {
                format!(
                    "Only CUSTOM indexes may be used in custom index expressions, {index_name} is not valid"
                )
            }
            Some(_) => format!("Index {index_name} does not support custom expressions"),
        }
    };
    Err(invalid("IX010", message, span).into())
}

/// Writes take no custom expressions.
pub(super) fn refuse_in_writes(relations: &[Relation]) -> Result<()> {
    let Some((.., span)) = relations.iter().find_map(expression) else { return Ok(()) };
    let message =
        "Custom index expressions cannot be used in WHERE clauses for UPDATE or DELETE statements";
    Err(invalid("IX010", message, span).into())
}

fn expression(relation: &Relation) -> Option<(&QualifiedName, &Term, Span)> {
    match &relation.kind {
        RelationKind::CustomIndex(name, value) => Some((name, value, relation.span)),
        _ => None,
    }
}
