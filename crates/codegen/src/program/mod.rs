//! An access program: what data-access code does, in every language alike.
//!
//! It is made from a design (`translation`) and printed by the languages. Everything is resolved: each
//! value has its type, each statement its text, each row its columns. Printing decides nothing but
//! how a language writes it.
//!
//! - `data_type` and `constant`: types of CQL, and constant values.
//! - `expression`: values and conditions that the client computes.
//! - `statement`: a prepared statement, and the loops in which it is sent.
//! - `query` and `command`: the functions that read and write.

mod command;
mod constant;
mod data_type;
mod expression;
mod query;
mod statement;

pub use command::{
    ApplicationResult, Check, ClientSupply, Command, CommandStep, Parameter, Refusal, ReturnedRows,
    Run, Send, SendBinding,
};
pub use constant::ConstantValue;
pub use data_type::{DataType, Field, Record};
pub use expression::{
    Arithmetic, ComparisonOperator, Condition, Expression, ExpressionKind, RowReference,
    ScalarFunction,
};
pub use query::{
    AggregateKind, AttachedPart, Cardinality, FoldKind, Query, QueryLimit, QueryPaging, SortKey,
    Stage,
};
pub use statement::{BatchType, BucketWidth, Documentation, Fetch, Repetition, Statement, Walk};

use serde::{Deserialize, Serialize};

/// The version of the form in which programs are stored.
pub const FORMAT: u32 = 1;

/// The functions of an application, and what they need.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AccessProgram {
    /// [`FORMAT`] when it was made.
    pub format: u32,
    /// The keyspace.
    pub keyspace: String,
    /// The model file, or the schema, by its name.
    pub source: String,
    /// The user types, those that others use first.
    pub user_types: Vec<Record>,
    /// The statements that create the keyspace, types and tables.
    pub schema: Vec<String>,
    /// The functions that read, in the order of the file.
    pub queries: Vec<Query>,
    /// The functions that write, in the order of the file; after them those that they run, which
    /// are not for callers.
    pub commands: Vec<Command>,
}

impl AccessProgram {
    /// The names of all queries and writes.
    pub(crate) fn list_function_names(&self) -> impl Iterator<Item = &String> {
        let writes = self.commands.iter().map(|command| &command.name);
        self.queries.iter().map(|query| &query.name).chain(writes)
    }
}
