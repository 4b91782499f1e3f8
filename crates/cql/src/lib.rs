//! The language CQL: lexer, parser, syntax tree with spans, printer, formatter, types and values.
//!
//! [`parse`] never fails and does no I/O: it returns statements, comments and errors. Every node
//! has a span.
//!
//! - `lexer` and `parser` read a text; `statement`, `relation`, `selectable`, `term`, `type_name`,
//!   `property` and `name` are the tree; `syntax_error` has the errors with their helps.
//!
//! - `printer` prints a tree, `format` a whole file with its comments.
//! - `types` are resolved types, `value` their values; `protocol` the types shared with the wire.

#![warn(clippy::indexing_slicing)]

pub mod diagnostic;
mod format;
mod hex;
mod id;
mod identifier;
pub mod keyword;
mod lexer;
pub mod name;
mod named_enum;
mod parse_options;
mod parser;
mod password;
pub mod printer;
pub mod property;
pub mod protocol;
mod redaction;
pub mod relation;
pub mod selectable;
mod severity;
pub mod span;
pub mod spelling;
pub mod statement;
pub mod syntax_error;
pub mod term;
pub mod type_name;
pub mod types;
pub mod value;

pub use diagnostic::{Diagnostic, DiagnosticLevel};
pub use format::{format, format_with};
pub use id::{HostId, SchemaVersion, StatementId, TableId, TraceId};
pub use keyword::Keyword;
pub use lexer::{Comment, CommentKind, count_tokens, is_template};
pub use name::{Name, QualifiedName};
pub use parse_options::ParseOptions;
pub use parser::{ParsedSource, parse, parse_with};
pub use password::obfuscate_password;
pub use protocol::{ChangeKind, ChangeTarget, Consistency, ErrorCode, SchemaChange};
pub use redaction::{GeneralStatement, generalize, redact};
pub use severity::Severity;
pub use span::Span;
pub use statement::write::BatchKind;
pub use statement::{Statement, StatementKind};
pub use syntax_error::{SyntaxError, SyntaxReason};
