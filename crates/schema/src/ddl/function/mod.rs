//! CREATE and DROP FUNCTION and AGGREGATE.
//!
//! Bodies are kept and not compiled: most functions whose body is no Java are accepted here and refused by the server.

mod aggregate;
mod drop;
mod scalar;

use cql::Span;
use cql::type_name::{TypeName, TypeNameKind};
use cql::types::Type;

use super::refusal::refuse;
use crate::Result;
use crate::bind::context::Context;
use crate::bind::types;
use crate::refusal::RoutineReason;

pub(super) use aggregate::create as create_aggregate;
pub(super) use drop::drop;
pub(super) use scalar::create;

/// Characters that names of functions must do without.
fn is_name(name: &str) -> bool {
    !name.contains(['/', '[', ']'])
}

/// Types of functions must not be frozen, except those that always are.
fn is_written_frozen(name: &TypeName) -> bool {
    match &name.kind {
        TypeNameKind::Frozen(inner) => {
            is_written_frozen(inner)
                || !matches!(inner.kind, TypeNameKind::Tuple(_) | TypeNameKind::Vector(..))
        }
        _ => false,
    }
}

/// Refuses frozen arguments. `keyspace` is what the server has put before the names of user types by now.
fn check_arguments<'a>(
    arguments: impl IntoIterator<Item = &'a TypeName>,
    keyspace: Option<&str>,
) -> Result<()> {
    match arguments.into_iter().find(|name| is_written_frozen(name)) {
        Some(name) => {
            let text = types::text(name, keyspace);
            refuse(RoutineReason::FrozenArgument { ty: text }, name.span)
        }
        None => Ok(()),
    }
}

/// The types as functions take and give them: as written, collections are not frozen.
fn resolve<'a>(
    cx: &Context<'_>,
    keyspace: &str,
    names: impl IntoIterator<Item = &'a TypeName>,
) -> Result<Vec<Type>> {
    names.into_iter().map(|name| types::resolve(cx.catalog, keyspace, name)).collect()
}

fn check_directives(or_replace: bool, if_not_exists: bool, span: Span) -> Result<()> {
    if or_replace && if_not_exists {
        return refuse(RoutineReason::ReplaceIfNotExists, span);
    }
    Ok(())
}
