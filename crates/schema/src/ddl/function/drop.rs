//! DROP FUNCTION and DROP AGGREGATE.

use cql::statement::function::DropFunction;
use cql::types::Type;

use super::super::CatalogChange;
use super::super::access::check_keyspace;
use super::super::existence::skip_or_refuse;
use super::{check_arguments, resolve};
use crate::Result;
use crate::bind::context::Context;
use crate::bind::types;
use crate::catalog::{Keyspace, UserFunction};
use crate::refusal::{RoutineReason, refuse};

/// `DROP FUNCTION`, `DROP AGGREGATE`
pub(in crate::ddl) fn drop(cx: &Context<'_>, statement: &DropFunction) -> Result<CatalogChange> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let keyspace = cx.keyspace_of(&statement.name)?;
    let existing = cx.catalog.keyspace(&keyspace);
    let overloads = existing.map_or(0, |existing| count(existing, name));
    // The permission to drop is checked per overload, for which the types are resolved.
    if let (Some(arguments), 1..) = (&statement.arguments, overloads) {
        resolve(cx, &keyspace, arguments)?;
    }
    check_keyspace(&keyspace, span)?;
    let what = if statement.aggregate { "AGGREGATE" } else { "FUNCTION" };
    let shown = (overloads > 0).then_some(&*keyspace);
    let signature = signature(statement, &keyspace, shown);
    let missing = || {
        let kind = if statement.aggregate { "Aggregate" } else { "Function" };
        skip_or_refuse(
            statement.if_exists,
            RoutineReason::UnknownRoutine { kind: kind.to_string(), signature: signature.clone() },
            span,
        )
    };
    let Some(existing) = existing else { return missing() };
    if overloads > 1 && statement.arguments.is_none() {
        return refuse(
            RoutineReason::ManyOverloads { what: what.to_string(), name: name.to_string() },
            span,
        );
    }
    let arguments = match &statement.arguments {
        None => None,
        Some(arguments) => {
            check_arguments(arguments, shown)?;
            Some(resolve(cx, &keyspace, arguments)?)
        }
    };
    let fits = |own: &str, types: &[Type]| {
        own == &**name && arguments.as_deref().is_none_or(|given| given == types)
    };
    if statement.aggregate {
        return match existing.aggregates.iter().find(|own| fits(&own.name, &own.arguments)) {
            Some(own) => Ok(CatalogChange::DropAggregate {
                keyspace,
                name: name.clone(),
                arguments: own.arguments.clone(),
            }),
            None => missing(),
        };
    }
    let Some(function) = existing.functions.iter().find(|own| fits(&own.name, &own.types())) else {
        return missing();
    };
    check_unused(existing, function, &signature, statement)?;
    Ok(CatalogChange::DropFunction { keyspace, name: name.clone(), arguments: function.types() })
}

/// The number of functions and aggregates with that name.
fn count(keyspace: &Keyspace, name: &str) -> usize {
    keyspace.functions.iter().filter(|own| &*own.name == name).count()
        + keyspace.aggregates.iter().filter(|own| &*own.name == name).count()
}

fn signature(statement: &DropFunction, keyspace: &str, shown: Option<&str>) -> String {
    let name = &statement.name.name.text;
    match &statement.arguments {
        None => format!("{keyspace}.{name}"),
        Some(arguments) => {
            let types: Vec<_> = arguments.iter().map(|ty| types::text(ty, shown)).collect();
            format!("{keyspace}.{name}({})", types.join(", "))
        }
    }
}

fn check_unused(
    keyspace: &Keyspace,
    function: &UserFunction,
    signature: &str,
    statement: &DropFunction,
) -> Result<()> {
    let span = statement.name.span();
    let types = function.types();
    let aggregates: Vec<_> = keyspace
        .aggregates
        .iter()
        .filter(|own| {
            let state = std::iter::once(&own.state_type).chain(&own.arguments);
            own.state_function == function.name && state.eq(&types)
                || own.final_function.as_ref() == Some(&function.name)
                    && [&own.state_type].into_iter().eq(&types)
        })
        .map(|own| format!("{}.{}", own.keyspace, own.name))
        .collect();
    if !aggregates.is_empty() {
        return refuse(
            RoutineReason::UsedByAggregates {
                signature: signature.to_string(),
                aggregates: aggregates.join(", "),
            },
            span,
        );
    }
    let masks = |table: &crate::catalog::Table| {
        table.columns().iter().filter_map(|column| column.mask.as_ref()).any(|mask| {
            mask.keyspace == function.keyspace
                && mask.function == function.name
                && mask.arguments.len() + 1 == types.len()
        })
    };
    let tables: Vec<_> = keyspace
        .tables_by_change()
        .into_iter()
        .filter(|table| masks(table))
        .map(|table| &*table.name)
        .collect();
    if !tables.is_empty() {
        return refuse(
            RoutineReason::UsedByMasks {
                signature: signature.to_string(),
                tables: tables.join(", "),
            },
            span,
        );
    }
    Ok(())
}
