//! User functions and aggregates.

use cql::types::Type;

/// A user function.
#[derive(Clone, Debug, PartialEq)]
pub struct UserFunction {
    /// Its keyspace.
    pub keyspace: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// Names and types of its arguments; collections and user types are not frozen.
    pub arguments: Vec<(Box<str>, Type)>,
    /// What it returns.
    pub returns: Type,
    /// Called even when an argument is null.
    pub called_on_null_input: bool,
    /// `java` or another language.
    pub language: Box<str>,
    /// The body.
    pub body: Box<str>,
}

/// A user aggregate.
#[derive(Clone, Debug, PartialEq)]
pub struct UserAggregate {
    /// Its keyspace.
    pub keyspace: Box<str>,
    /// Its name.
    pub name: Box<str>,
    /// The types of its arguments; collections and user types are not frozen.
    pub arguments: Vec<Type>,
    /// The state function.
    pub state_function: Box<str>,
    /// The type of its state.
    pub state_type: Type,
    /// The final function.
    pub final_function: Option<Box<str>>,
    /// What it returns.
    pub returns: Type,
    /// The state it starts with; none for null.
    pub initial: Option<Box<[u8]>>,
}

impl UserFunction {
    /// The types of its arguments.
    pub fn types(&self) -> Vec<Type> {
        self.arguments.iter().map(|(_, ty)| ty.clone()).collect()
    }
}
