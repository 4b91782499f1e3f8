//! CREATE AGGREGATE.

use std::sync::Arc;

use cql::Name;
use cql::statement::function::CreateAggregate;
use cql::term::{Term, TermKind};
use cql::type_name::TypeName;
use cql::types::Type;

use super::super::access::check_keyspace;
use super::super::existence::existing_keyspace;
use super::super::{CatalogChange, literal};
use super::{check_arguments, check_directives, is_name, is_written_frozen, resolve};
use crate::Result;
use crate::bind::context::Context;
use crate::bind::term::BoundTerm;
use crate::bind::types;
use crate::catalog::{Keyspace, UserAggregate, UserFunction};
use crate::refusal::{RoutineReason, refuse};

/// `CREATE AGGREGATE`
pub(in crate::ddl) fn create(
    cx: &Context<'_>,
    statement: &CreateAggregate,
) -> Result<CatalogChange> {
    let (name, span) = (&statement.name.name.text, statement.name.span());
    let keyspace = cx.keyspace_of(&statement.name)?;
    // The permission to execute the state function is checked first, for which the types are
    // resolved.
    check_types(cx, &keyspace, statement)?;
    check_keyspace(&keyspace, span)?;
    check_directives(statement.or_replace, statement.if_not_exists, span)?;
    if !is_name(name) {
        return refuse(RoutineReason::AggregateName { name: name.to_string() }, span);
    }
    check_arguments(&statement.arguments, Some(&keyspace))?;
    if is_written_frozen(&statement.state_type) {
        let text = types::text(&statement.state_type, Some(&keyspace));
        return refuse(RoutineReason::FrozenStateType { ty: text }, statement.state_type.span);
    }
    let found = existing_keyspace(cx, &keyspace, span)?;
    let arguments = resolve(cx, &keyspace, &statement.arguments)?;
    let state_type = types::resolve(cx.catalog, &keyspace, &statement.state_type)?;
    let request = AggregateRequest {
        cx,
        keyspace: found,
        statement,
        arguments: &arguments,
        state_type: &state_type,
    };
    let state_function = request.state_function()?;
    let returns = match &statement.final_function {
        None => state_function.returns.clone(),
        Some(name) => request.final_function(name)?.returns.clone(),
    };
    let initial = request.initial_state(state_function)?;
    if request.check_existing(&returns)? {
        return Ok(CatalogChange::Nothing);
    }
    Ok(CatalogChange::Aggregate(Arc::new(UserAggregate {
        keyspace,
        name: name.clone(),
        state_function: statement.state_function.text.clone(),
        final_function: statement.final_function.as_ref().map(|name| name.text.clone()),
        returns,
        initial,
        arguments,
        state_type,
    })))
}

fn check_types(cx: &Context<'_>, keyspace: &str, statement: &CreateAggregate) -> Result<()> {
    for name in std::iter::once(&statement.state_type).chain(&statement.arguments) {
        types::resolve(cx.catalog, keyspace, name)?;
    }
    Ok(())
}

/// The definition of an aggregate with resolved types.
struct AggregateRequest<'a> {
    cx: &'a Context<'a>,
    keyspace: &'a Keyspace,
    statement: &'a CreateAggregate,
    arguments: &'a [Type],
    state_type: &'a Type,
}

impl<'a> AggregateRequest<'a> {
    fn state_function(&self) -> Result<&'a UserFunction> {
        let name = &self.statement.state_function;
        let types: Vec<Type> =
            std::iter::once(self.state_type).chain(self.arguments).cloned().collect();
        let written = std::iter::once(&self.statement.state_type).chain(&self.statement.arguments);
        let signature = self.signature(name, written);
        let function = self.find(name, &types, "State", &signature)?;
        if function.returns != *self.state_type {
            return refuse(
                RoutineReason::StateFunctionReturns { signature: signature.clone() },
                name.span,
            );
        }
        Ok(function)
    }

    fn final_function(&self, name: &Name) -> Result<&'a UserFunction> {
        let signature = self.signature(name, std::iter::once(&self.statement.state_type));
        self.find(name, std::slice::from_ref(self.state_type), "Final", &signature)
    }

    fn signature<'b>(&self, name: &Name, types: impl Iterator<Item = &'b TypeName>) -> String {
        let types: Vec<_> = types.map(|ty| types::text(ty, Some(&self.keyspace.name))).collect();
        format!("{}.{}({})", self.keyspace.name, name.text, types.join(", "))
    }

    fn find(
        &self,
        name: &Name,
        types: &[Type],
        role: &str,
        signature: &str,
    ) -> Result<&'a UserFunction> {
        let mut functions = self.keyspace.functions.iter();
        if let Some(found) = functions.find(|own| own.name == name.text && own.types() == types) {
            return Ok(found);
        }
        if self
            .keyspace
            .aggregates
            .iter()
            .any(|own| own.name == name.text && own.arguments == types)
        {
            return refuse(
                RoutineReason::NotScalar {
                    role: role.to_string(),
                    signature: signature.to_string(),
                },
                name.span,
            );
        }
        refuse(
            RoutineReason::UnknownStateFunction {
                role: role.to_string(),
                signature: signature.to_string(),
            },
            name.span,
        )
    }

    /// The initial state; refused if the state function requires one and there is none.
    fn initial_state(&self, state_function: &UserFunction) -> Result<Option<Box<[u8]>>> {
        let state = match &self.statement.initial {
            None => BoundTerm::NULL,
            Some(value) => self.bind_initial(value)?,
        };
        if state == BoundTerm::NULL && !state_function.called_on_null_input {
            return refuse(
                RoutineReason::NoInitialState {
                    aggregate: self.statement.name.name.text.to_string(),
                    keyspace: self.keyspace.name.to_string(),
                    function: state_function.name.to_string(),
                },
                self.statement.name.span(),
            );
        }
        Ok(if let BoundTerm::Value(bytes) = state { bytes } else { None })
    }

    fn bind_initial(&self, value: &Term) -> Result<BoundTerm> {
        let bound = literal::prepare(self.cx, &self.keyspace.name, value, self.state_type)?;
        let is_null = bound == BoundTerm::NULL;
        if is_null && !matches!(value.kind, TermKind::Null | TermKind::Placeholder(_)) {
            return refuse(RoutineReason::EmptyInitialState, value.span);
        }
        Ok(bound)
    }

    /// Whether an aggregate with that signature exists and is kept; refuses one that cannot replace
    /// it.
    fn check_existing(&self, returns: &Type) -> Result<bool> {
        let (name, span) = (&self.statement.name.name.text, self.statement.name.span());
        if self
            .keyspace
            .functions
            .iter()
            .any(|own| own.name == *name && own.types() == self.arguments)
        {
            return refuse(
                RoutineReason::AggregateReplacesFunction { name: name.to_string() },
                span,
            );
        }
        let mut aggregates = self.keyspace.aggregates.iter();
        let existing = aggregates.find(|own| own.name == *name && own.arguments == self.arguments);
        let Some(existing) = existing else { return Ok(false) };
        if self.statement.if_not_exists {
            return Ok(true);
        }
        if !self.statement.or_replace {
            return refuse(RoutineReason::AggregateExists { name: name.to_string() }, span);
        }
        if !returns.is_compatible_with(&existing.returns) {
            return refuse(
                RoutineReason::AggregateReturns {
                    name: name.to_string(),
                    returns: returns.to_string(),
                    existing: existing.returns.to_string(),
                },
                span,
            );
        }
        Ok(false)
    }
}
