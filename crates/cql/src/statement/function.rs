//! Functions, aggregates and triggers: CREATE, DROP.

use crate::name::{Name, QualifiedName};
use crate::term::Term;
use crate::type_name::TypeName;

/// `CREATE [OR REPLACE] FUNCTION [IF NOT EXISTS] f (a int) ... AS '...'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateFunction {
    /// `OR REPLACE`
    pub or_replace: bool,
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// The name of the function.
    pub name: QualifiedName,
    /// Its arguments.
    pub arguments: Vec<(Name, TypeName)>,
    /// `CALLED ON NULL INPUT` rather than `RETURNS NULL ON NULL INPUT`.
    pub called_on_null_input: bool,
    /// `RETURNS type`
    pub returns: TypeName,
    /// `LANGUAGE java`, in lower case.
    pub language: Name,
    /// The body.
    pub body: Box<str>,
}

/// `CREATE [OR REPLACE] AGGREGATE [IF NOT EXISTS] a (int) SFUNC f STYPE t ...`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateAggregate {
    /// `OR REPLACE`
    pub or_replace: bool,
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// The name of the aggregate.
    pub name: QualifiedName,
    /// The types of its arguments.
    pub arguments: Vec<TypeName>,
    /// `SFUNC f`
    pub state_function: Name,
    /// `STYPE t`
    pub state_type: TypeName,
    /// `FINALFUNC f`
    pub final_function: Option<Name>,
    /// `INITCOND value`
    pub initial: Option<Term>,
}

/// `DROP FUNCTION|AGGREGATE [IF EXISTS] f [(types)]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropFunction {
    /// Whether an aggregate is dropped.
    pub aggregate: bool,
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the function.
    pub name: QualifiedName,
    /// The argument types, if they were written.
    pub arguments: Option<Vec<TypeName>>,
}

/// `CREATE TRIGGER [IF NOT EXISTS] t ON table USING 'class'`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreateTrigger {
    /// `IF NOT EXISTS`
    pub if_not_exists: bool,
    /// The name of the trigger.
    pub name: Name,
    /// The name of the table.
    pub table: QualifiedName,
    /// The Java class.
    pub class: Box<str>,
}

/// `DROP TRIGGER [IF EXISTS] t ON table`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DropTrigger {
    /// `IF EXISTS`
    pub if_exists: bool,
    /// The name of the trigger.
    pub name: Name,
    /// The name of the table.
    pub table: QualifiedName,
}
