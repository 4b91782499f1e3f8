//! SQL constants as values of the type of their column.

use cql::types::{NativeType, Type};
use cql::value;
use sqlparser::ast::{Array, Expr, UnaryOperator, Value as SqlValue};

/// An expression without the brackets and casts around it.
pub(super) fn strip_casts(mut expression: &Expr) -> &Expr {
    while let Expr::Nested(inside) | Expr::Cast { expr: inside, .. } = expression {
        expression = inside;
    }
    expression
}

/// The bytes of a constant as a value of a type; `None` for another expression.
pub(in crate::relational) fn constant_bytes(expression: &Expr, ty: &Type) -> Option<Vec<u8>> {
    if let (Expr::Array(Array { elem, .. }), Type::List(element, _) | Type::Set(element, _)) =
        (strip_casts(expression), ty)
    {
        let parts: Option<Vec<_>> = elem.iter().map(|part| constant_bytes(part, element)).collect();
        let parts: Vec<_> = parts?.into_iter().map(Some).collect();
        return value::join(ty, &parts).ok();
    }
    let text = constant_text(expression)?;
    let text = match ty {
        Type::Native(NativeType::Blob) => text.strip_prefix("\\x").unwrap_or(&text),
        _ => &text,
    };
    value::from_text(ty, text, 0).ok()
}

/// The text of a constant.
pub(super) fn constant_text(expression: &Expr) -> Option<String> {
    match strip_casts(expression) {
        Expr::TypedString(typed) => literal_text(&typed.value.value),
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
            Some(format!("-{}", constant_text(expr)?))
        }
        Expr::UnaryOp { op: UnaryOperator::Plus, expr } => constant_text(expr),
        Expr::Value(value) => literal_text(&value.value),
        _ => None,
    }
}

fn literal_text(value: &SqlValue) -> Option<String> {
    match value {
        SqlValue::Number(number, _) => Some(number.clone()),
        SqlValue::Boolean(truth) => Some(truth.to_string()),
        SqlValue::SingleQuotedString(text)
        | SqlValue::EscapedStringLiteral(text)
        | SqlValue::UnicodeStringLiteral(text)
        | SqlValue::NationalStringLiteral(text) => Some(text.clone()),
        SqlValue::DollarQuotedString(text) => Some(text.value.clone()),
        SqlValue::HexStringLiteral(digits) => Some(format!("\\x{digits}")),
        _ => None,
    }
}
