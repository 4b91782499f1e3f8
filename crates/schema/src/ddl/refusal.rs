//! The five ways in which the server refuses a schema statement.

use cql::{ErrorCode, Span};

use crate::{Refusal, Result};

/// 0x2200: the statement does not fit the schema.
pub(super) fn invalid<T>(rule: &'static str, message: impl Into<String>, span: Span) -> Result<T> {
    refuse(rule, ErrorCode::Invalid, message.into(), span)
}

/// 0x2300: an option that cannot be.
pub(super) fn config<T>(rule: &'static str, message: impl Into<String>, span: Span) -> Result<T> {
    refuse(rule, ErrorCode::Config, message.into(), span)
}

/// 0x2000: what the server notices only after parsing, and still calls a syntax error.
pub(super) fn syntax<T>(rule: &'static str, message: impl Into<String>, span: Span) -> Result<T> {
    refuse(rule, ErrorCode::Syntax, message.into(), span)
}

/// 0x0000: the server trips over it.
pub(super) fn server<T>(rule: &'static str, message: impl Into<String>, span: Span) -> Result<T> {
    refuse(rule, ErrorCode::Server, message.into(), span)
}

/// 0x2400: it exists already.
pub(super) fn exists<T>(message: impl Into<String>, span: Span) -> Result<T> {
    refuse("SV027", ErrorCode::AlreadyExists, message.into(), span)
}

/// 0x2100: it belongs to the server.
pub(super) fn unauthorized<T>(message: impl Into<String>, span: Span) -> Result<T> {
    refuse("SV029", ErrorCode::Unauthorized, message.into(), span)
}

fn refuse<T>(rule: &'static str, code: ErrorCode, message: String, span: Span) -> Result<T> {
    Err(Box::new(Refusal::text(rule, code, message, span)))
}
