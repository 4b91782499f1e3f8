//! `expr(index, value)`: expressions for custom indexes, all of which are refused.

use cql::relation::{Relation, RelationKind};
use cql::term::Term;
use cql::{QualifiedName, Span};

use crate::Result;
use crate::catalog::{IndexClass, Table};
use crate::refusal::{RestrictionReason, refuse};

/// Checks the custom expressions of a SELECT. No index class of the server accepts any, so the
/// check only finds out which error the server returns.
pub(super) fn check(table: &Table, relations: &[Relation]) -> Result<()> {
    let mut expressions = relations.iter().filter_map(expression);
    let Some((name, _, span)) = expressions.next() else { return Ok(()) };
    if expressions.next().is_some() {
        return refuse(RestrictionReason::ManyExpressions, span);
    }
    let (index, queried) = (name.name.text.to_string(), table.qualified_name());
    let reason = if name.keyspace.as_ref().is_some_and(|keyspace| keyspace.text != table.keyspace) {
        RestrictionReason::OtherTableIndex { index, table: queried }
    } else {
        match table.indexes.iter().find(|own| own.name == name.name.text) {
            None => RestrictionReason::UnknownIndex { index, table: queried },
            Some(own) if own.class == IndexClass::Legacy => {
                RestrictionReason::NoCustomIndex { index }
            }
            Some(_) => RestrictionReason::NoExpressions { index },
        }
    };
    refuse(reason, span)
}

/// Refuses custom expressions in writes.
pub(super) fn refuse_in_writes(relations: &[Relation]) -> Result<()> {
    let Some((.., span)) = relations.iter().find_map(expression) else { return Ok(()) };
    refuse(RestrictionReason::ExpressionInWrite, span)
}

fn expression(relation: &Relation) -> Option<(&QualifiedName, &Term, Span)> {
    match &relation.kind {
        RelationKind::CustomIndex(name, value) => Some((name, value, relation.span)),
        _ => None,
    }
}
