//! [`UserFunction`] and [`UserAggregate`].

use cql::types::Type;

/// A user function.
#[derive(Clone, Debug, PartialEq)]
pub struct UserFunction {
    /// The keyspace of the function.
    pub keyspace: Box<str>,
    /// The name of the function.
    pub name: Box<str>,
    /// The names and types of its arguments; collections and user types are not frozen.
    pub arguments: Vec<(Box<str>, Type)>,
    /// The return type.
    pub returns: Type,
    /// Whether it is called even if an argument is null.
    pub called_on_null_input: bool,
    /// `java` or another language.
    pub language: Box<str>,
    /// The body as written.
    pub body: Box<str>,
}

/// A user aggregate.
#[derive(Clone, Debug, PartialEq)]
pub struct UserAggregate {
    /// The keyspace of the aggregate.
    pub keyspace: Box<str>,
    /// The name of the aggregate.
    pub name: Box<str>,
    /// The types of its arguments; collections and user types are not frozen.
    pub arguments: Vec<Type>,
    /// The name of the state function.
    pub state_function: Box<str>,
    /// The type of its state.
    pub state_type: Type,
    /// The name of the final function.
    pub final_function: Option<Box<str>>,
    /// The return type.
    pub returns: Type,
    /// The initial state; `None` for null.
    pub initial: Option<Box<[u8]>>,
}

impl UserFunction {
    /// The types of its arguments.
    pub fn types(&self) -> Vec<Type> {
        self.arguments.iter().map(|(_, ty)| ty.clone()).collect()
    }
}
