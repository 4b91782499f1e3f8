//! The WHERE clause of a view: key columns must not be null, other columns may have no more than
//! that.

use std::sync::Arc;

use cql::Name;
use cql::relation::RelationKind;
use cql::statement::view::CreateView;

use super::key;
use crate::Result;
use crate::bind::context::Context;
use crate::bind::restrictions::{self, StatementType, WhereClause};
use crate::catalog::Table;
use crate::java::order::{identifier_hash, sort_by_hash};
use crate::refusal::{ViewReason, refuse};

/// Checks the relations.
pub(super) fn check(cx: &Context<'_>, base: &Arc<Table>, statement: &CreateView) -> Result<()> {
    for relation in &statement.relations {
        if matches!(relation.kind, RelationKind::Token(..)) {
            return refuse(ViewReason::Token, relation.span);
        }
    }
    for relation in &statement.relations {
        if matches!(relation.kind, RelationKind::CustomIndex(..)) {
            return refuse(
                ViewReason::CustomIndex { view: statement.name.name.text.to_string() },
                relation.span,
            );
        }
    }
    analyse(cx, base, statement)?;
    let restricted: Vec<&Name> =
        statement.relations.iter().flat_map(|relation| relation.kind.columns()).collect();
    let free = key::names(statement).filter(|name| !restricted.contains(name));
    let free = sort_by_hash(free, |name| identifier_hash(&name.text));
    if !free.is_empty() {
        let names: Vec<_> = free.iter().map(|name| &*name.text).collect();
        return refuse(
            ViewReason::UnrestrictedKey { columns: names.join(", ") },
            statement.primary_key.span,
        );
    }
    check_others(base, statement)
}

/// The errors that the clause would have in a query.
fn analyse(cx: &Context<'_>, base: &Arc<Table>, statement: &CreateView) -> Result<()> {
    let clause = WhereClause {
        statement: StatementType::Select,
        table: base,
        relations: &statement.relations,
        orderings: &[],
        only_statics: false,
        allow_filtering: true,
        for_view: true,
    };
    let mut alone = Context::for_schema(cx.catalog, cx.keyspace, cx.span);
    restrictions::analyse(&mut alone, clause).map(|_| ())
}

fn check_others(base: &Table, statement: &CreateView) -> Result<()> {
    let is_key = |name: &str| base.primary_key().iter().any(|column| &*column.name == name);
    let mut illegal: Vec<&Name> = Vec::new();
    for relation in statement
        .relations
        .iter()
        .filter(|relation| !matches!(relation.kind, RelationKind::IsNotNull(_)))
    {
        for name in relation.kind.columns() {
            if !is_key(&name.text) && !illegal.contains(&name) {
                illegal.push(name);
            }
        }
    }
    let Some(first) = illegal.first() else { return Ok(()) };
    let names: Vec<_> = illegal.iter().map(|name| &*name.text).collect();
    refuse(ViewReason::RestrictedOthers { columns: names.join(",") }, first.span)
}
