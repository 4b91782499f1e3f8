//! CREATE FUNCTION.

use std::sync::Arc;

use cql::statement::function::CreateFunction;
use cql::types::Type;

use super::super::Change;
use super::super::access::check_keyspace;
use super::super::refusal::invalid;
use super::{RULE, check_arguments, check_directives, is_name, is_written_frozen, resolve};
use crate::Result;
use crate::bind::context::Context;
use crate::bind::types;
use crate::catalog::{Keyspace, UserFunction};

/// `CREATE FUNCTION`
pub(in crate::ddl) fn create(cx: &Context<'_>, statement: &CreateFunction) -> Result<Change> {
    let span = statement.name.span();
    let keyspace = cx.keyspace_of(&statement.name)?;
    check_keyspace(&keyspace, span)?;
    check_written(statement)?;
    let Some(found) = cx.catalog.keyspace(&keyspace) else {
        return invalid("SV028", format!("Keyspace '{keyspace}' doesn't exist"), span);
    };
    let arguments = resolve(cx, &keyspace, statement.arguments.iter().map(|(_, ty)| ty))?;
    let returns = types::resolve(cx.catalog, &keyspace, &statement.returns)?;
    check_body(statement)?;
    if is_kept(found, statement, &arguments, &returns)? {
        return Ok(Change::Nothing);
    }
    let names = statement.arguments.iter().map(|(name, _)| name.text.clone());
    Ok(Change::Function(Arc::new(UserFunction {
        keyspace,
        name: statement.name.name.text.clone(),
        arguments: names.zip(arguments).collect(),
        returns,
        called_on_null_input: statement.called_on_null_input,
        language: statement.language.text.clone(),
        body: statement.body.clone(),
    })))
}

/// What is wrong with the statement whatever the schema.
fn check_written(statement: &CreateFunction) -> Result<()> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    check_directives(statement.or_replace, statement.if_not_exists, span)?;
    if !statement.language.text.eq_ignore_ascii_case("java") {
        let message = "Currently only Java UDFs are available in Cassandra. For more information - CASSANDRA-18252 \
                       and CASSANDRA-17281";
        return invalid(RULE, message, statement.language.span);
    }
    if !is_name(name) {
        return invalid(RULE, format!("Function name '{name}' is invalid"), span);
    }
    let names: Vec<_> = statement.arguments.iter().map(|(name, _)| &*name.text).collect();
    if names
        .iter()
        .enumerate()
        .any(|(at, name)| names.iter().take(at).any(|earlier| earlier == name))
    {
        let message = format!(
            "Duplicate argument names for given function {name} with argument names [{}]",
            names.join(", ")
        );
        return invalid(RULE, message, span);
    }
    check_arguments(statement.arguments.iter().map(|(_, ty)| ty), None)?;
    if is_written_frozen(&statement.returns) {
        let text = types::text(&statement.returns, None);
        let message = format!(
            "Return type '{text}' cannot be frozen; remove frozen<> modifier from '{text}'"
        );
        return invalid(RULE, message, statement.returns.span);
    }
    Ok(())
}

/// The one mistake that can be told without a compiler: a body that gives back a variable that is not there.
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
    let message = format!(
        "Java source compilation failed:\nLine {line}: {name} cannot be resolved to a variable\n"
    );
    invalid(RULE, message, statement.name.span())
}

/// Whether a function of that signature is there and stays; refuses what cannot take its place.
fn is_kept(
    keyspace: &Keyspace,
    statement: &CreateFunction,
    arguments: &[Type],
    returns: &Type,
) -> Result<bool> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    if keyspace.aggregates.iter().any(|own| own.name == *name && own.arguments == arguments) {
        return invalid("SV027", format!("Function '{name}' cannot replace an aggregate"), span);
    }
    let existing =
        keyspace.functions.iter().find(|own| own.name == *name && own.types() == arguments);
    let Some(existing) = existing else { return Ok(false) };
    if statement.if_not_exists {
        return Ok(true);
    }
    if !statement.or_replace {
        return invalid("SV027", format!("Function '{name}' already exists"), span);
    }
    if statement.called_on_null_input != existing.called_on_null_input {
        let directive = if statement.called_on_null_input {
            "CALLED ON NULL INPUT"
        } else {
            "RETURNS NULL ON NULL INPUT"
        };
        return invalid(RULE, format!("Function '{name}' must have {directive} directive"), span);
    }
    if !returns.is_compatible_with(&existing.returns) {
        let message = format!(
            "Cannot replace function '{name}', the new return type {returns} is not compatible with the return type {} \
             of existing function",
            existing.returns
        );
        return invalid(RULE, message, statement.returns.span);
    }
    Ok(false)
}
