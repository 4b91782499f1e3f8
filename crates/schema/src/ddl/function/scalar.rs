//! CREATE FUNCTION.

use std::sync::Arc;

use cql::statement::function::CreateFunction;
use cql::types::Type;

use super::super::CatalogChange;
use super::super::access::check_keyspace;
use super::super::existence::existing_keyspace;
use super::{check_arguments, check_directives, is_name, is_written_frozen, resolve};
use crate::Result;
use crate::bind::context::Context;
use crate::bind::types;
use crate::catalog::{Keyspace, UserFunction};
use crate::refusal::{RoutineReason, refuse};

/// `CREATE FUNCTION`
pub(in crate::ddl) fn create(
    cx: &Context<'_>,
    statement: &CreateFunction,
) -> Result<CatalogChange> {
    let span = statement.name.span();
    let keyspace = cx.keyspace_of(&statement.name)?;
    check_keyspace(&keyspace, span)?;
    check_written(statement)?;
    let found = existing_keyspace(cx, &keyspace, span)?;
    let arguments = resolve(cx, &keyspace, statement.arguments.iter().map(|(_, ty)| ty))?;
    let returns = types::resolve(cx.catalog, &keyspace, &statement.returns)?;
    check_body(statement)?;
    if check_existing(found, statement, &arguments, &returns)? {
        return Ok(CatalogChange::Nothing);
    }
    let names = statement.arguments.iter().map(|(name, _)| name.text.clone());
    Ok(CatalogChange::Function(Arc::new(UserFunction {
        keyspace,
        name: statement.name.name.text.clone(),
        arguments: names.zip(arguments).collect(),
        returns,
        called_on_null_input: statement.called_on_null_input,
        language: statement.language.text.clone(),
        body: statement.body.clone(),
    })))
}

/// Errors of the statement that do not depend on the schema.
fn check_written(statement: &CreateFunction) -> Result<()> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    check_directives(statement.or_replace, statement.if_not_exists, span)?;
    if !statement.language.text.eq_ignore_ascii_case("java") {
        return refuse(RoutineReason::OnlyJava, statement.language.span);
    }
    if !is_name(name) {
        return refuse(RoutineReason::FunctionName { name: name.to_string() }, span);
    }
    let names: Vec<_> = statement.arguments.iter().map(|(name, _)| &*name.text).collect();
    if names
        .iter()
        .enumerate()
        .any(|(at, name)| names.iter().take(at).any(|earlier| earlier == name))
    {
        return refuse(
            RoutineReason::DuplicateArguments {
                name: name.to_string(),
                arguments: names.join(", "),
            },
            span,
        );
    }
    check_arguments(statement.arguments.iter().map(|(_, ty)| ty), None)?;
    if is_written_frozen(&statement.returns) {
        let text = types::text(&statement.returns, None);
        return refuse(RoutineReason::FrozenReturnType { ty: text }, statement.returns.span);
    }
    Ok(())
}

/// The only error that can be found without a compiler: a body that returns an undefined variable.
fn check_body(statement: &CreateFunction) -> Result<()> {
    let given =
        statement.body.trim().strip_prefix("return ").and_then(|rest| rest.strip_suffix(';'));
    let Some(name) = given.map(str::trim) else { return Ok(()) };
    let is_variable = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let is_known = matches!(name, "null" | "true" | "false" | "this" | "udfContext" | "super")
        || statement.arguments.iter().any(|(argument, _)| &*argument.text == name);
    if !is_variable || is_known {
        return Ok(());
    }
    let line = 1 + statement
        .body
        .find(name)
        .map_or(0, |at| statement.body.bytes().take(at).filter(|byte| *byte == b'\n').count());
    refuse(
        RoutineReason::JavaCompilation { line: line.to_string(), name: name.to_string() },
        statement.name.span(),
    )
}

/// Whether a function with that signature exists and is kept; refuses one that cannot replace it.
fn check_existing(
    keyspace: &Keyspace,
    statement: &CreateFunction,
    arguments: &[Type],
    returns: &Type,
) -> Result<bool> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    if keyspace.aggregates.iter().any(|own| own.name == *name && own.arguments == arguments) {
        return refuse(RoutineReason::FunctionReplacesAggregate { name: name.to_string() }, span);
    }
    let existing =
        keyspace.functions.iter().find(|own| own.name == *name && own.types() == arguments);
    let Some(existing) = existing else { return Ok(false) };
    if statement.if_not_exists {
        return Ok(true);
    }
    if !statement.or_replace {
        return refuse(RoutineReason::FunctionExists { name: name.to_string() }, span);
    }
    if statement.called_on_null_input != existing.called_on_null_input {
        let directive = if statement.called_on_null_input {
            "CALLED ON NULL INPUT"
        } else {
            "RETURNS NULL ON NULL INPUT"
        };
        return refuse(
            RoutineReason::NullDirective {
                name: name.to_string(),
                directive: directive.to_string(),
            },
            span,
        );
    }
    if !returns.is_compatible_with(&existing.returns) {
        return refuse(
            RoutineReason::FunctionReturns {
                name: name.to_string(),
                returns: returns.to_string(),
                existing: existing.returns.to_string(),
            },
            statement.returns.span,
        );
    }
    Ok(false)
}
