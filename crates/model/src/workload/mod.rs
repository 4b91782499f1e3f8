//! The workload of an application: its reads and writes, resolved against the
//! [`crate::concept::Concept`].

mod canonical_source;
mod change;
mod derivation;
mod optional_join;
mod read;
mod result_columns;
mod return_clause;
mod stated_result;
mod write;

pub use change::{RateChange, change_rate};
pub use derivation::derive_writes;
pub(crate) use derivation::find_followed_attributes;
pub use optional_join::settle_joins;
pub use read::{
    Comparison, ComputedOutput, Condition, Join, Limit, Output, OutputValue, Predicate, Read,
    SortColumn, Source,
};
pub use result_columns::{ResultColumns, attribute_type, sum_type};
pub use return_clause::Returning;
pub use stated_result::{RangeSpan, ResultSize, StatedResult};
pub use write::{Assignment, AssignmentValue, DerivedPart, Upsert, Write, WriteKind};

pub(crate) use canonical_source::canonical_sources;
pub(crate) use optional_join::join_reference;

use cql::types::Type;

use crate::concept::ClientValue;
use crate::id::{AttributeId, OutputId, ParameterId, ReadId, SourceId, members};

members! {
    Read: ReadId;
    Write: WriteId;
    Output: OutputId;
    Parameter: ParameterId;
    Source: SourceId;
    Option<SourceId>: SourceId;
    SourceId: SourceId;
}

/// All reads and writes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Workload {
    /// The reads, in the order of the file.
    pub reads: Vec<Read>,
    /// The writes, in the order of the file; after them those that they imply
    /// ([`derive_writes`]).
    pub writes: Vec<Write>,
}

impl Workload {
    /// The writes that the file states.
    pub fn list_stated_writes(&self) -> &[Write] {
        let stated = self.writes.iter().take_while(|write| write.is_stated()).count();
        self.writes.get(..stated).unwrap_or_default()
    }
}

/// An attribute of one of the sources of a read (or of a table).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Column {
    /// The position among the sources.
    pub source: SourceId,
    /// The position among the attributes of that source's entity.
    pub attribute: AttributeId,
}

/// What a column is compared with or set to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// The parameter at this position of the statement's list.
    Parameter(ParameterId),
    /// A constant, in CQL's spelling (`'open'`, `7`, `true`).
    Literal(String),
}

/// A parameter of a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its own name (`:name`) or that of the column it is used for, made unique within the
    /// statement by a number.
    pub name: String,
    /// Its type; a list for `= ANY(?)`.
    pub ty: Type,
    /// Where its value comes from.
    pub supply: Supply,
}

/// Where the value of a parameter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Supply {
    /// The user or the application.
    User,
    /// An earlier step of the workflow: a read and the position among its outputs.
    Step {
        /// The read.
        read: ReadId,
        /// The position among its outputs.
        output: OutputId,
    },
    /// The client makes it when it runs the statement: the text has a function or a default in its
    /// place. Such parameters follow those of the text.
    Client(ClientValue),
    /// An id that no earlier step returns and no user enters, which is reported.
    Nobody,
}
