//! The language: tokens, typed syntax with spans, a forgiving parser, a canonical printer, types and values.
//!
//! [`parse`] never fails and does no IO: it returns statements, comments and diagnostics. Every node has a span.

pub mod diagnostic;
pub mod name;
pub mod printer;
pub mod property;
pub mod relation;
pub mod selectable;
pub mod span;
pub mod statement;
pub mod term;
pub mod type_name;
pub mod types;
pub mod value;

pub use diagnostic::{Diagnostic, ErrorCode, Severity};
pub use name::{Name, QualifiedName};
pub use span::Span;
pub use statement::{Statement, StatementKind};
