//! Constants: literals as values of the receiver's type.

use cql::term::{Constant, ConstantKind};
use cql::types::{Assignability, NativeType, Type};
use cql::{Span, value};

use super::BoundTerm;
use crate::Result;
use crate::bind::context::{Context, Receiver};
use crate::refusal::{FormatReason, TermReason, refuse};

/// Checks a constant against its receiver, and parses its text as a value of that type.
pub(super) fn prepare(
    cx: &Context<'_>,
    constant: &Constant,
    receiver: &Receiver,
    span: Span,
) -> Result<BoundTerm> {
    if !test_assignment(constant, &receiver.ty).is_assignable() {
        return refuse(
            TermReason::Constant {
                kind: kind_name(constant.kind),
                text: constant.text.to_string(),
                column: receiver.name.to_string(),
                ty: receiver.ty.clone(),
            },
            span,
        );
    }
    match value::parse_constant(&receiver.ty, constant.kind, &constant.text, cx.now_ms) {
        Ok(bytes) => Ok(BoundTerm::Value(Some(bytes.into()))),
        Err(error) => refuse(FormatReason::Constant(error), span),
    }
}

/// Whether a constant can be assigned to that type.
pub(super) fn test_assignment(constant: &Constant, receiver: &Type) -> Assignability {
    value::test_constant_assignment(constant.kind, &constant.text, receiver)
}

/// The type of a constant without a receiver.
pub(super) fn preferred_type(constant: &Constant) -> Option<NativeType> {
    value::preferred_type(constant.kind, &constant.text).ok()
}

/// The kind of a constant in messages.
fn kind_name(kind: ConstantKind) -> &'static str {
    match kind {
        ConstantKind::String => "STRING",
        ConstantKind::Integer => "INTEGER",
        ConstantKind::Float => "FLOAT",
        ConstantKind::Boolean => "BOOLEAN",
        ConstantKind::Duration => "DURATION",
        ConstantKind::Uuid => "UUID",
        ConstantKind::Hex => "HEX",
    }
}
