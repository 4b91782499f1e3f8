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

pub use crate::java::number::NumberFormatException;

pub use arithmetic::ArithmeticFailure;
pub use batches::BatchReason;
pub use columns::ColumnReason;
pub use commands::CommandReason;
pub use compaction::{CompactionReason, SizeFault};
pub use compression::CompressionReason;
pub use computation::ComputationReason;
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
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
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

/// The reasons, by family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
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
    /// The code of its rule.
    pub fn rule(&self) -> &'static str {
        match self {
            Self::Batch(reason) => reason.rule(),
            Self::Column(reason) => reason.rule(),
            Self::Command(reason) => reason.rule(),
            Self::Compaction(reason) => reason.rule(),
            Self::Compression(reason) => reason.rule(),
            Self::Computation(reason) => reason.rule(),
            Self::Condition(reason) => reason.rule(),
            Self::Format(reason) => reason.rule(),
            Self::Function(reason) => reason.rule(),
            Self::Index(reason) => reason.rule(),
            Self::Json(reason) => reason.rule(),
            Self::Keyspace(reason) => reason.rule(),
            Self::Mask(reason) => reason.rule(),
            Self::Name(reason) => reason.rule(),
            Self::Nearest(reason) => reason.rule(),
            Self::Option(reason) => reason.rule(),
            Self::Restriction(reason) => reason.rule(),
            Self::Role(reason) => reason.rule(),
            Self::Routine(reason) => reason.rule(),
            Self::Sai(reason) => reason.rule(),
            Self::Sasi(reason) => reason.rule(),
            Self::Selection(reason) => reason.rule(),
            Self::Table(reason) => reason.rule(),
            Self::Term(reason) => reason.rule(),
            Self::Trigger(reason) => reason.rule(),
            Self::Type(reason) => reason.rule(),
            Self::Value(reason) => reason.rule(),
            Self::View(reason) => reason.rule(),
            Self::Write(reason) => reason.rule(),
        }
    }

    /// The error code of the protocol.
    pub fn error(&self) -> ErrorCode {
        match self {
            Self::Batch(reason) => reason.error(),
            Self::Column(reason) => reason.error(),
            Self::Command(reason) => reason.error(),
            Self::Compaction(reason) => reason.error(),
            Self::Compression(reason) => reason.error(),
            Self::Computation(reason) => reason.error(),
            Self::Condition(reason) => reason.error(),
            Self::Format(reason) => reason.error(),
            Self::Function(reason) => reason.error(),
            Self::Index(reason) => reason.error(),
            Self::Json(reason) => reason.error(),
            Self::Keyspace(reason) => reason.error(),
            Self::Mask(reason) => reason.error(),
            Self::Name(reason) => reason.error(),
            Self::Nearest(reason) => reason.error(),
            Self::Option(reason) => reason.error(),
            Self::Restriction(reason) => reason.error(),
            Self::Role(reason) => reason.error(),
            Self::Routine(reason) => reason.error(),
            Self::Sai(reason) => reason.error(),
            Self::Sasi(reason) => reason.error(),
            Self::Selection(reason) => reason.error(),
            Self::Table(reason) => reason.error(),
            Self::Term(reason) => reason.error(),
            Self::Trigger(reason) => reason.error(),
            Self::Type(reason) => reason.error(),
            Self::Value(reason) => reason.error(),
            Self::View(reason) => reason.error(),
            Self::Write(reason) => reason.error(),
        }
    }
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

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Batch(reason) => reason.fmt(f),
            Self::Column(reason) => reason.fmt(f),
            Self::Command(reason) => reason.fmt(f),
            Self::Compaction(reason) => reason.fmt(f),
            Self::Compression(reason) => reason.fmt(f),
            Self::Computation(reason) => reason.fmt(f),
            Self::Condition(reason) => reason.fmt(f),
            Self::Format(reason) => reason.fmt(f),
            Self::Function(reason) => reason.fmt(f),
            Self::Index(reason) => reason.fmt(f),
            Self::Json(reason) => reason.fmt(f),
            Self::Keyspace(reason) => reason.fmt(f),
            Self::Mask(reason) => reason.fmt(f),
            Self::Name(reason) => reason.fmt(f),
            Self::Nearest(reason) => reason.fmt(f),
            Self::Option(reason) => reason.fmt(f),
            Self::Restriction(reason) => reason.fmt(f),
            Self::Role(reason) => reason.fmt(f),
            Self::Routine(reason) => reason.fmt(f),
            Self::Sai(reason) => reason.fmt(f),
            Self::Sasi(reason) => reason.fmt(f),
            Self::Selection(reason) => reason.fmt(f),
            Self::Table(reason) => reason.fmt(f),
            Self::Term(reason) => reason.fmt(f),
            Self::Trigger(reason) => reason.fmt(f),
            Self::Type(reason) => reason.fmt(f),
            Self::Value(reason) => reason.fmt(f),
            Self::View(reason) => reason.fmt(f),
            Self::Write(reason) => reason.fmt(f),
        }
    }
}

impl From<BatchReason> for Reason {
    fn from(reason: BatchReason) -> Self {
        Self::Batch(reason)
    }
}

impl From<ColumnReason> for Reason {
    fn from(reason: ColumnReason) -> Self {
        Self::Column(reason)
    }
}

impl From<CommandReason> for Reason {
    fn from(reason: CommandReason) -> Self {
        Self::Command(reason)
    }
}

impl From<CompactionReason> for Reason {
    fn from(reason: CompactionReason) -> Self {
        Self::Compaction(reason)
    }
}

impl From<CompressionReason> for Reason {
    fn from(reason: CompressionReason) -> Self {
        Self::Compression(reason)
    }
}

impl From<ComputationReason> for Reason {
    fn from(reason: ComputationReason) -> Self {
        Self::Computation(reason)
    }
}

impl From<ConditionReason> for Reason {
    fn from(reason: ConditionReason) -> Self {
        Self::Condition(reason)
    }
}

impl From<FormatReason> for Reason {
    fn from(reason: FormatReason) -> Self {
        Self::Format(reason)
    }
}

impl From<FunctionReason> for Reason {
    fn from(reason: FunctionReason) -> Self {
        Self::Function(reason)
    }
}

impl From<IndexReason> for Reason {
    fn from(reason: IndexReason) -> Self {
        Self::Index(reason)
    }
}

impl From<JsonReason> for Reason {
    fn from(reason: JsonReason) -> Self {
        Self::Json(reason)
    }
}

impl From<KeyspaceReason> for Reason {
    fn from(reason: KeyspaceReason) -> Self {
        Self::Keyspace(reason)
    }
}

impl From<MaskReason> for Reason {
    fn from(reason: MaskReason) -> Self {
        Self::Mask(reason)
    }
}

impl From<NameReason> for Reason {
    fn from(reason: NameReason) -> Self {
        Self::Name(reason)
    }
}

impl From<NearestReason> for Reason {
    fn from(reason: NearestReason) -> Self {
        Self::Nearest(reason)
    }
}

impl From<OptionReason> for Reason {
    fn from(reason: OptionReason) -> Self {
        Self::Option(reason)
    }
}

impl From<RestrictionReason> for Reason {
    fn from(reason: RestrictionReason) -> Self {
        Self::Restriction(reason)
    }
}

impl From<RoleReason> for Reason {
    fn from(reason: RoleReason) -> Self {
        Self::Role(reason)
    }
}

impl From<RoutineReason> for Reason {
    fn from(reason: RoutineReason) -> Self {
        Self::Routine(reason)
    }
}

impl From<SaiReason> for Reason {
    fn from(reason: SaiReason) -> Self {
        Self::Sai(reason)
    }
}

impl From<SasiReason> for Reason {
    fn from(reason: SasiReason) -> Self {
        Self::Sasi(reason)
    }
}

impl From<SelectionReason> for Reason {
    fn from(reason: SelectionReason) -> Self {
        Self::Selection(reason)
    }
}

impl From<TableReason> for Reason {
    fn from(reason: TableReason) -> Self {
        Self::Table(reason)
    }
}

impl From<TermReason> for Reason {
    fn from(reason: TermReason) -> Self {
        Self::Term(reason)
    }
}

impl From<TriggerReason> for Reason {
    fn from(reason: TriggerReason) -> Self {
        Self::Trigger(reason)
    }
}

impl From<TypeReason> for Reason {
    fn from(reason: TypeReason) -> Self {
        Self::Type(reason)
    }
}

impl From<ValueReason> for Reason {
    fn from(reason: ValueReason) -> Self {
        Self::Value(reason)
    }
}

impl From<ViewReason> for Reason {
    fn from(reason: ViewReason) -> Self {
        Self::View(reason)
    }
}

impl From<WriteReason> for Reason {
    fn from(reason: WriteReason) -> Self {
        Self::Write(reason)
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
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $name {
            $(
                #[doc = concat!("```text\n", $text, "\n```")]
                $variant $({ $(
                    #[doc = concat!("`", stringify!($field), "` of the text.")]
                    $field: $ty,
                )+ })?,
            )+
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

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                match self {
                    $(Self::$variant $({ $($field),+ })? => write!(f, $text $(, $argument)*),)+
                }
            }
        }
    };
}

use family;
