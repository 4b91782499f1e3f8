//! [`Refusal`]: why the server refuses a statement, as a reason with its facts; the server's text
//! is rendered from it.
//!
//! Each family of reasons is an enum in its own file, written as a table: the facts, the rule, the
//! error code, and Cassandra's exact text.

mod arithmetic;
mod batches;
mod columns;
mod commands;
mod compaction;
mod compression;
mod computation;
mod conditions;
mod format;
mod functions;
mod indexes;
mod json;
pub(crate) mod json_fault;
mod keyspaces;
mod masks;
mod names;
mod nearest;
mod options;
mod restrictions;
mod roles;
mod routines;
mod sai;
mod sasi;
mod selection;
mod tables;
mod terms;
mod triggers;
mod types;
mod values;
mod views;
mod writes;

use std::fmt;

use cql::{Diagnostic, DiagnosticLevel, ErrorCode, Span};

use crate::Result;
pub use crate::java::number::NumberFormatException;

pub use arithmetic::ArithmeticFailure;
pub use batches::BatchReason;
pub use columns::ColumnReason;
pub use commands::CommandReason;
pub use compaction::{CompactionReason, SizeFault};
pub use compression::CompressionReason;
pub use computation::{CallSignature, ComputationReason, OperationSignature};
pub use conditions::ConditionReason;
pub use format::FormatReason;
pub use functions::FunctionReason;
pub use indexes::IndexReason;
pub use json::JsonReason;
pub use json_fault::{
    CharacterFault, EndOfInput, JsonContainer, JsonFault, JsonFaultKind, JsonPlace, StringPart,
};
pub use keyspaces::KeyspaceReason;
pub use masks::MaskReason;
pub use names::NameReason;
pub use nearest::NearestReason;
pub use options::OptionReason;
pub use restrictions::RestrictionReason;
pub use roles::RoleReason;
pub use routines::RoutineReason;
pub use sai::SaiReason;
pub use sasi::SasiReason;
pub use selection::SelectionReason;
pub use tables::TableReason;
pub use terms::TermReason;
pub use triggers::TriggerReason;
pub use types::TypeReason;
pub use values::ValueReason;
pub use views::ViewReason;
pub use writes::WriteReason;

/// The server's error for a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The reason with its facts.
    pub reason: Reason,
    /// The position in the source.
    pub span: Span,
    /// What to write instead.
    pub help: Option<String>,
}

impl Refusal {
    /// A refusal for this reason, without advice.
    pub fn new(reason: impl Into<Reason>, span: Span) -> Self {
        Self { reason: reason.into(), span, help: None }
    }

    /// The same error with a help.
    #[must_use]
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The code of its rule, such as `QV001`.
    pub fn rule(&self) -> &'static str {
        self.reason.rule()
    }

    /// The error code of the protocol.
    pub fn error(&self) -> ErrorCode {
        self.reason.error()
    }

    /// The server's text.
    pub fn message(&self) -> String {
        self.reason.to_string()
    }
}

/// Refuses a statement for this reason.
pub(crate) fn refuse<T>(reason: impl Into<Reason>, span: Span) -> Result<T> {
    Err(Refusal::new(reason, span).into())
}

impl From<Refusal> for Diagnostic {
    fn from(refusal: Refusal) -> Self {
        Self {
            rule: refusal.rule(),
            level: DiagnosticLevel::Error,
            error: Some(refusal.error()),
            message: refusal.message(),
            span: refusal.span,
            help: refusal.help,
        }
    }
}

/// Defines [`Reason`], which delegates to the families, from a table of them.
macro_rules! families {
    ($($(#[$meta:meta])* $variant:ident($family:ident),)+) => {
        /// The reasons, by family.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum Reason {
            $($(#[$meta])* $variant($family),)+
        }

        impl Reason {
            /// The code of its rule.
            pub fn rule(&self) -> &'static str {
                match self { $(Self::$variant(reason) => reason.rule(),)+ }
            }

            /// The error code of the protocol.
            pub fn error(&self) -> ErrorCode {
                match self { $(Self::$variant(reason) => reason.error(),)+ }
            }
        }

        impl fmt::Display for Reason {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self { $(Self::$variant(reason) => reason.fmt(f),)+ }
            }
        }

        $(impl From<$family> for Reason {
            fn from(reason: $family) -> Self {
                Self::$variant(reason)
            }
        })+
    };
}

families! {
    /// The errors of a batch.
    Batch(BatchReason),
    /// The errors of a change of a column.
    Column(ColumnReason),
    /// The errors of a command, or of how a statement is sent.
    Command(CommandReason),
    /// The errors of a compaction map.
    Compaction(CompactionReason),
    /// The errors of a compression map.
    Compression(CompressionReason),
    /// The errors of a function at execution.
    Computation(ComputationReason),
    /// The errors of a condition.
    Condition(ConditionReason),
    /// A text, or bytes, that are not a value of their type.
    Format(FormatReason),
    /// The errors of a call.
    Function(FunctionReason),
    /// The errors of an index definition.
    Index(IndexReason),
    /// The errors of JSON.
    Json(JsonReason),
    /// The errors of a keyspace or its replication.
    Keyspace(KeyspaceReason),
    /// The errors of a mask.
    Mask(MaskReason),
    /// A name that cannot be resolved.
    Name(NameReason),
    /// The errors of an ordering by ANN.
    Nearest(NearestReason),
    /// The errors of an option.
    Option(OptionReason),
    /// The errors of a WHERE clause.
    Restriction(RestrictionReason),
    /// The errors of a statement on roles.
    Role(RoleReason),
    /// The errors of a definition of a function or aggregate.
    Routine(RoutineReason),
    /// The errors of a storage-attached index.
    Sai(SaiReason),
    /// The errors of a SASI index.
    Sasi(SasiReason),
    /// The errors of the other clauses of a SELECT.
    Selection(SelectionReason),
    /// The errors of a table definition.
    Table(TableReason),
    /// The errors of a term.
    Term(TermReason),
    /// The errors of a trigger.
    Trigger(TriggerReason),
    /// The errors of a type.
    Type(TypeReason),
    /// The errors of a value.
    Value(ValueReason),
    /// The errors of a view definition.
    View(ViewReason),
    /// The errors of a write.
    Write(WriteReason),
}

impl Reason {
    /// The keyspace that does not exist, if that is the reason.
    pub fn missing_keyspace(&self) -> Option<&str> {
        match self {
            Self::Name(
                NameReason::UnknownKeyspace { keyspace }
                | NameReason::MissingKeyspace { keyspace }
                | NameReason::NoSuchKeyspace { keyspace }
                | NameReason::AbsentKeyspace { keyspace },
            ) => Some(keyspace),
            _ => None,
        }
    }
}

/// Defines the enum of a family of reasons from a table. Each line has the reason with its facts,
/// its rule, the error code, and Cassandra's text, which contains the facts.
macro_rules! family {
    (
        $(#[$meta:meta])*
        $name:ident {
            $($variant:ident $({ $($field:ident: $ty:ty),+ $(,)? })? = $rule:literal, $code:ident,
                $text:literal $(, $argument:expr)*;)+
        }
    ) => {
        cql::sentences! {
            $(#[$meta])*
            $name {
                $($variant $({ $($field: $ty),+ })? = $text $(, $argument)*;)+
            }
        }

        impl $name {
            /// The code of its rule.
            pub fn rule(&self) -> &'static str {
                match self { $(Self::$variant { .. } => $rule,)+ }
            }

            /// The error code of the protocol.
            pub fn error(&self) -> cql::ErrorCode {
                match self { $(Self::$variant { .. } => cql::ErrorCode::$code,)+ }
            }
        }
    };
}

use family;
