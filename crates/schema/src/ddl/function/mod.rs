//! CREATE and DROP FUNCTION and AGGREGATE.
//!
//! Bodies are stored, but not compiled: most functions with an invalid body are accepted here and
//! refused by the server.

mod aggregate;
mod drop;
mod scalar;

use cql::Span;
use cql::type_name::{TypeName, TypeNameKind};
use cql::types::Type;

use crate::Result;
use crate::bind::context::Context;
use crate::bind::types;
use crate::refusal::{RoutineReason, refuse};

pub(super) use aggregate::create as create_aggregate;
pub(super) use drop::drop;
pub(super) use scalar::create;

/// Whether a name has only characters that are valid for functions.
fn is_name(name: &str) -> bool {
    !name.contains(['/', '[', ']'])
}

/// Whether a type is frozen explicitly, which functions do not allow.
fn is_written_frozen(name: &TypeName) -> bool {
    match &name.kind {
        TypeNameKind::Frozen(inner) => {
            is_written_frozen(inner)
                || !matches!(inner.kind, TypeNameKind::Tuple(_) | TypeNameKind::Vector(..))
        }
        _ => false,
    }
}

/// Refuses frozen arguments. `keyspace` is the one that the server has added to the names of user
/// types by then.
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

/// Resolves argument and return types: collections are not frozen.
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
