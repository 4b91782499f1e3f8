//! [`UserAggregation`]: the state of a user aggregate, which its functions compute.

use std::sync::Arc;

use cql::types::Type;
use schema::bind::function::{Function, FunctionKind, FunctionName};
use schema::catalog::{Catalog, UserAggregate, UserFunction};

use super::{Computation, java};

/// The state of a user aggregate.
#[derive(Clone, Debug)]
pub(super) struct UserAggregation {
    state: Option<Vec<u8>>,
    state_function: UserCall,
    final_function: Option<UserCall>,
}

/// A user function that can be called.
#[derive(Clone, Debug)]
struct UserCall {
    function: Function,
    user: Arc<UserFunction>,
}

impl UserAggregation {
    /// The initial state; `None` if a function is missing.
    pub(super) fn new(catalog: &Catalog, aggregate: &UserAggregate) -> Option<Self> {
        let mut types = vec![aggregate.state_type.clone()];
        let final_function = match &aggregate.final_function {
            Some(name) => Some(UserCall::find(catalog, &aggregate.keyspace, name, &types)?),
            None => None,
        };
        types.extend(aggregate.arguments.iter().cloned());
        let name = &aggregate.state_function;
        Some(Self {
            state: aggregate.initial.as_deref().map(<[u8]>::to_vec),
            state_function: UserCall::find(catalog, &aggregate.keyspace, name, &types)?,
            final_function,
        })
    }

    /// Adds the arguments of one row. A function that is not called on null keeps the state.
    pub(super) fn add(&mut self, arguments: &[Option<&[u8]>]) -> Result<(), Box<schema::Refusal>> {
        let mut values = vec![self.state.as_deref()];
        values.extend(arguments);
        let is_called =
            self.state_function.user.called_on_null_input || values.iter().all(Option::is_some);
        if is_called {
            self.state = self.state_function.call(&values)?;
        }
        Ok(())
    }

    pub(super) fn finish(&self) -> Computation {
        match &self.final_function {
            Some(function) => function.call(&[self.state.as_deref()]),
            None => Ok(self.state.clone()),
        }
    }
}

impl UserCall {
    fn find(catalog: &Catalog, keyspace: &str, name: &str, types: &[Type]) -> Option<Self> {
        let functions = &catalog.keyspace(keyspace)?.functions;
        let user = functions.iter().find(|own| &*own.name == name && own.types() == types)?;
        let function = Function {
            name: FunctionName { keyspace: keyspace.into(), name: name.into() },
            arguments: types.to_vec(),
            returns: user.returns.clone(),
            kind: FunctionKind::User(Arc::clone(user)),
        };
        Some(Self { function, user: Arc::clone(user) })
    }

    fn call(&self, arguments: &[Option<&[u8]>]) -> Computation {
        java::call(&self.function, &self.user, arguments)
    }
}
