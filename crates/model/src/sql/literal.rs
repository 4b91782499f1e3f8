//! SQL constants as CQL literals.

use cql::types::{NativeType, Type};
use cql::value;
use sqlparser::ast::{Array, BinaryOperator, Expr, UnaryOperator, Value as SqlValue};

/// How a constant is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ConstantKind {
    Number,
    Text,
    Truth,
}

/// The kind and text of a constant, without casts and brackets around it.
pub(super) fn parse_constant(expression: &Expr) -> Option<(ConstantKind, String)> {
    match expression {
        Expr::Nested(nested) => parse_constant(nested),
        Expr::Cast { expr, .. } => parse_constant(expr),
        Expr::TypedString(typed) => {
            string_text(&typed.value.value).map(|text| (ConstantKind::Text, text))
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match parse_constant(expr)? {
            (ConstantKind::Number, number) => Some((ConstantKind::Number, format!("-{number}"))),
            _ => None,
        },
        Expr::UnaryOp { op: UnaryOperator::Plus, expr } => {
            parse_constant(expr).filter(|(kind, _)| *kind == ConstantKind::Number)
        }
        Expr::Value(value) => match &value.value {
            SqlValue::Number(number, _) => Some((ConstantKind::Number, number.clone())),
            SqlValue::Boolean(truth) => Some((ConstantKind::Truth, truth.to_string())),
            other => string_text(other).map(|text| (ConstantKind::Text, text)),
        },
        _ => None,
    }
}

/// The text of a string constant.
pub(super) fn string_text(value: &SqlValue) -> Option<String> {
    match value {
        SqlValue::SingleQuotedString(text)
        | SqlValue::EscapedStringLiteral(text)
        | SqlValue::UnicodeStringLiteral(text)
        | SqlValue::NationalStringLiteral(text) => Some(text.clone()),
        SqlValue::DollarQuotedString(text) => Some(text.value.clone()),
        SqlValue::HexStringLiteral(digits) => Some(format!("\\x{digits}")),
        _ => None,
    }
}

/// The CQL literal of a constant for a type; `None` where it is not a value of the type.
pub(super) fn cql_literal(kind: ConstantKind, text: &str, ty: &Type) -> Option<String> {
    let Type::Native(native) = ty else { return None };
    let allowed = match native {
        NativeType::Boolean => kind != ConstantKind::Number,
        NativeType::Bigint
        | NativeType::Counter
        | NativeType::Decimal
        | NativeType::Double
        | NativeType::Float
        | NativeType::Int
        | NativeType::Smallint
        | NativeType::Tinyint
        | NativeType::Varint => kind != ConstantKind::Truth,
        _ => kind == ConstantKind::Text,
    };
    let is_text = matches!(native, NativeType::Text | NativeType::Ascii);
    if !allowed || (text.is_empty() && !is_text) {
        return None;
    }
    let read = match native {
        NativeType::Blob => text.strip_prefix("\\x")?,
        // `now` depends on when it is read, so it is not a constant.
        NativeType::Timestamp if text.eq_ignore_ascii_case("now") => return None,
        _ => text,
    };
    let bytes = value::from_text(ty, read, 0).ok()?;
    value::literal(ty, Some(&bytes)).ok()
}

/// The CQL literal of a constant expression that is written into a column of a type: a number may be
/// written into a text, a fraction is rounded, and constants are computed. `None` where it is not
/// constant, or not a value of the type.
pub(super) fn assignment_literal(expression: &Expr, ty: &Type) -> Option<String> {
    let stripped = strip_casts(expression);
    match (stripped, ty) {
        (Expr::Array(Array { elem, .. }), Type::List(element, _) | Type::Set(element, _)) => {
            let parts: Option<Vec<_>> =
                elem.iter().map(|part| assignment_literal(part, element)).collect();
            Some(collection_literal(ty, &parts?))
        }
        (_, Type::List(element, _) | Type::Set(element, _)) => {
            let (ConstantKind::Text, text) = parse_constant(stripped)? else { return None };
            let parts: Option<Vec<_>> = array_elements(&text)?
                .iter()
                .map(|part| cql_literal(ConstantKind::Text, part, element))
                .collect();
            Some(collection_literal(ty, &parts?))
        }
        (_, Type::Map(..)) => match parse_constant(stripped)? {
            (ConstantKind::Text, text) if text.trim().is_empty() => Some("{}".to_owned()),
            _ => None,
        },
        _ => {
            let (kind, text) = fold_constant(stripped)?;
            assign(kind, &text, ty)
        }
    }
}

fn collection_literal(ty: &Type, parts: &[String]) -> String {
    match ty {
        Type::Set(..) => format!("{{{}}}", parts.join(", ")),
        _ => format!("[{}]", parts.join(", ")),
    }
}

/// An expression without the brackets and casts around it.
fn strip_casts(mut expression: &Expr) -> &Expr {
    while let Expr::Nested(inside) | Expr::Cast { expr: inside, .. } = expression {
        expression = inside;
    }
    expression
}

/// A constant, or what is computed from constants: whole numbers with + - *, and texts with ||.
fn fold_constant(expression: &Expr) -> Option<(ConstantKind, String)> {
    let Expr::BinaryOp { left, op, right } = strip_casts(expression) else {
        return parse_constant(expression);
    };
    let (one, other) = (fold_constant(left)?, fold_constant(right)?);
    if *op == BinaryOperator::StringConcat {
        let text = one.0 == ConstantKind::Text && other.0 == ConstantKind::Text;
        return text.then(|| (ConstantKind::Text, one.1 + &other.1));
    }
    let (one, other): (i64, i64) = (one.1.parse().ok()?, other.1.parse().ok()?);
    let number = match op {
        BinaryOperator::Plus => one.checked_add(other),
        BinaryOperator::Minus => one.checked_sub(other),
        BinaryOperator::Multiply => one.checked_mul(other),
        _ => None,
    }?;
    Some((ConstantKind::Number, number.to_string()))
}

/// A constant as `PostgreSQL` assigns it to a column.
fn assign(kind: ConstantKind, text: &str, ty: &Type) -> Option<String> {
    let Type::Native(native) = ty else { return None };
    match native {
        NativeType::Text | NativeType::Ascii => cql_literal(ConstantKind::Text, text, ty),
        NativeType::Boolean if kind == ConstantKind::Text => {
            let word = text.trim().to_lowercase();
            let is_prefix = |whole: &str| !word.is_empty() && whole.starts_with(&word);
            if is_prefix("true") || is_prefix("yes") || word == "on" || word == "1" {
                Some("true".to_owned())
            } else if is_prefix("false") || is_prefix("no") || word == "off" || word == "0" {
                Some("false".to_owned())
            } else {
                None
            }
        }
        NativeType::Smallint | NativeType::Int | NativeType::Bigint
            if kind == ConstantKind::Number && text.contains('.') =>
        {
            cql_literal(kind, &round_decimal(text)?, ty)
        }
        _ => cql_literal(kind, text, ty),
    }
}

/// A decimal number without an exponent, rounded to a whole one, halves away from zero.
fn round_decimal(text: &str) -> Option<String> {
    let (whole, fraction) = text.split_once('.')?;
    if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let negative = whole.starts_with('-');
    let digits = whole.trim_start_matches('-');
    let number: i64 = if digits.is_empty() { 0 } else { digits.parse().ok()? };
    let up = fraction.bytes().next().is_some_and(|digit| digit >= b'5');
    let number = number.checked_add(i64::from(up))?;
    Some(if negative { number.checked_neg()? } else { number }.to_string())
}

/// The elements of an array in `PostgreSQL`'s text form, `{a,"b c"}`; `None` where one is null or an
/// array.
fn array_elements(text: &str) -> Option<Vec<String>> {
    let inside = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let mut elements = Vec::new();
    let mut characters = inside.chars().peekable();
    if inside.trim().is_empty() {
        return Some(elements);
    }
    loop {
        while characters.next_if(|next| next.is_whitespace()).is_some() {}
        let mut element = String::new();
        if characters.next_if_eq(&'"').is_some() {
            loop {
                match characters.next()? {
                    '"' => break,
                    '\\' => element.push(characters.next()?),
                    other => element.push(other),
                }
            }
            while characters.next_if(|next| next.is_whitespace()).is_some() {}
        } else {
            while let Some(next) = characters.next_if(|next| *next != ',') {
                if matches!(next, '{' | '}' | '"') {
                    return None;
                }
                element.push(next);
            }
            element.truncate(element.trim_end().len());
            if element.is_empty() || element.eq_ignore_ascii_case("null") {
                return None;
            }
        }
        elements.push(element);
        match characters.next() {
            None => return Some(elements),
            Some(',') => {}
            Some(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_spelt_as_cql() {
        let spelt = |kind, text, native: NativeType| cql_literal(kind, text, &native.into());
        assert_eq!(spelt(ConstantKind::Text, "it's", NativeType::Text).as_deref(), Some("'it''s'"));
        assert_eq!(spelt(ConstantKind::Number, "7", NativeType::Int).as_deref(), Some("7"));
        assert_eq!(spelt(ConstantKind::Text, "7", NativeType::Int).as_deref(), Some("7"));
        assert_eq!(
            spelt(ConstantKind::Truth, "true", NativeType::Boolean).as_deref(),
            Some("true")
        );
        assert_eq!(
            spelt(ConstantKind::Text, "\\xCAFE", NativeType::Blob).as_deref(),
            Some("0xcafe")
        );
        let uuid = "123E4567-e89b-12d3-a456-426614174000";
        assert_eq!(spelt(ConstantKind::Text, uuid, NativeType::Uuid), Some(uuid.to_lowercase()));
        let day = spelt(ConstantKind::Text, "2024-02-29", NativeType::Date);
        assert_eq!(day.as_deref(), Some("'2024-02-29'"));
    }

    #[test]
    fn constants_are_assigned_as_postgres_assigns_them() {
        use sqlparser::dialect::PostgreSqlDialect;
        use sqlparser::parser::Parser;
        use std::sync::Arc;

        let assigned = |sql: &str, ty: Type| {
            let mut parser = Parser::new(&PostgreSqlDialect {}).try_with_sql(sql).unwrap();
            assignment_literal(&parser.parse_expr().unwrap(), &ty)
        };
        let native = |sql: &str, native: NativeType| assigned(sql, native.into());
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(native("'x'::character varying", NativeType::Text), some("'x'"));
        assert_eq!(native("5", NativeType::Text), some("'5'"));
        assert_eq!(native("'f'::bool", NativeType::Boolean), some("false"));
        assert_eq!(native("'on'", NativeType::Boolean), some("true"));
        assert_eq!(native("1", NativeType::Boolean), None);
        assert_eq!(native("('-1'::integer)", NativeType::Int), some("-1"));
        assert_eq!(native("(-1)", NativeType::Bigint), some("-1"));
        // What PostgreSQL 15 stores for DEFAULT 0.5, -2.5 and 2.4 of an integer column.
        assert_eq!(native("0.5", NativeType::Int), some("1"));
        assert_eq!(native("-2.5", NativeType::Int), some("-3"));
        assert_eq!(native("2.4", NativeType::Int), some("2"));
        assert_eq!(native("60 * 60 * 24", NativeType::Int), some("86400"));
        assert_eq!(native("'a' || 'b'", NativeType::Text), some("'ab'"));
        assert_eq!(native("'abc'", NativeType::Int), None);
        assert_eq!(native("true", NativeType::Int), None);
        let list = || Type::List(Arc::new(NativeType::Text.into()), cql::types::Frozenness::No);
        let set = || Type::Set(Arc::new(NativeType::Int.into()), cql::types::Frozenness::No);
        assert_eq!(assigned("'{}'::text[]", list()), some("[]"));
        assert_eq!(assigned("ARRAY[]::text[]", list()), some("[]"));
        assert_eq!(assigned("'{a,\"b, c\"}'", list()), some("['a', 'b, c']"));
        assert_eq!(assigned("ARRAY['a'::text, 'it''s']", list()), some("['a', 'it''s']"));
        assert_eq!(assigned("'{1,2}'::int[]", set()), some("{1, 2}"));
        assert_eq!(assigned("'{1,x}'::int[]", set()), None);
        assert_eq!(assigned("'{{1},{2}}'", set()), None);
    }

    #[test]
    fn other_types_are_refused() {
        let refused =
            |kind, text, native: NativeType| cql_literal(kind, text, &native.into()).is_none();
        assert!(refused(ConstantKind::Number, "7", NativeType::Text));
        assert!(refused(ConstantKind::Number, "1.5", NativeType::Int));
        assert!(refused(ConstantKind::Number, "40000", NativeType::Smallint));
        assert!(refused(ConstantKind::Truth, "true", NativeType::Int));
        assert!(refused(ConstantKind::Number, "1", NativeType::Boolean));
        assert!(refused(ConstantKind::Text, "", NativeType::Int));
        assert!(refused(ConstantKind::Text, "now", NativeType::Timestamp));
        assert!(refused(ConstantKind::Text, "2024-02-30", NativeType::Date));
        assert!(refused(ConstantKind::Text, "x", NativeType::Uuid));
    }
}
