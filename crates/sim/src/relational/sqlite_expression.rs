//! Expressions of generated columns and constraints, in `SQLite`'s dialect and on stored values.

use cql::types::{NativeType, Type};
use model::concept::Entity;
use model::expression::{BinaryOperation, Expression, ScalarFunction};
use model::id::{AttributeId, IdList};
use rusqlite::types::Value;

use super::sqlite_tables::{literal, quote_name};
use super::sqlite_value::{SCALE, encode};
use crate::value::parse_constant;

/// The digits of stored decimals.
const DIGITS: u32 = 6;

/// The text of an expression over the columns of an entity.
pub(super) fn write_expression(entity: &Entity, expression: &Expression<AttributeId>) -> String {
    write(entity, expression).0
}

/// The text and the type of an expression.
fn write(entity: &Entity, expression: &Expression<AttributeId>) -> (String, NativeType) {
    let of = |part: &Expression<AttributeId>| write(entity, part);
    match expression {
        Expression::Column(at) => match entity.attributes.member(*at) {
            Some(attribute) => (quote_name(&attribute.name), native(&attribute.ty)),
            None => ("NULL".to_owned(), NativeType::Text),
        },
        Expression::Constant(text, ty) => (write_constant(text, *ty), *ty),
        Expression::Null => ("NULL".to_owned(), NativeType::Text),
        Expression::Binary(operation, left, right) => write_binary(*operation, of(left), of(right)),
        Expression::Not(part) => (format!("(NOT {})", of(part).0), NativeType::Boolean),
        Expression::IsNull(part) => (format!("({} IS NULL)", of(part).0), NativeType::Boolean),
        Expression::Cast(part, to) => {
            let (text, from) = of(part);
            let text = if *to == NativeType::Text {
                format!("CAST({text} AS TEXT)")
            } else {
                convert((text, from), *to)
            };
            (text, *to)
        }
        Expression::Round(part, digits) => {
            let (text, ty) = of(part);
            (write_rounding(&text, *digits), ty)
        }
        Expression::Call(function, arguments) => {
            write_call(*function, arguments.iter().map(of).collect())
        }
        Expression::Case(branches, otherwise) => {
            let (mut text, mut ty) = ("CASE".to_owned(), NativeType::Text);
            for (condition, value) in branches {
                let (value, own) = of(value);
                text = format!("{text} WHEN {} THEN {value}", of(condition).0);
                ty = own;
            }
            (format!("({text} ELSE {} END)", of(otherwise).0), ty)
        }
    }
}

/// A stored decimal with so many digits after the point, halves away from zero.
pub(super) fn write_rounding(text: &str, digits: u32) -> String {
    let unit = 10_i64.pow(DIGITS.saturating_sub(digits));
    // A division of whole numbers drops the rest, so half a unit is added before.
    let half = unit / 2;
    format!(
        "(CASE WHEN {text} < 0 THEN (({text} - {half}) / {unit}) * {unit} \
         ELSE (({text} + {half}) / {unit}) * {unit} END)"
    )
}

const fn native(ty: &Type) -> NativeType {
    match ty {
        Type::Native(native) => *native,
        _ => NativeType::Blob,
    }
}

fn write_constant(text: &str, ty: NativeType) -> String {
    let ty = Type::Native(ty);
    let bytes = parse_constant(&ty, text).bytes;
    let stored = bytes.and_then(|bytes| encode(&ty, &bytes).ok());
    literal(&stored.unwrap_or(Value::Null))
}

/// A number in the stored form of another type.
fn convert((text, from): (String, NativeType), to: NativeType) -> String {
    match (from, to) {
        (NativeType::Decimal, NativeType::Double) => format!("({text} / {SCALE}.0)"),
        (NativeType::Decimal | NativeType::Double, _) => text,
        (_, NativeType::Decimal) => format!("({text} * {SCALE})"),
        (_, NativeType::Double) => format!("CAST({text} AS REAL)"),
        _ => text,
    }
}

fn write_binary(
    operation: BinaryOperation,
    (left, one): (String, NativeType),
    (right, other): (String, NativeType),
) -> (String, NativeType) {
    let symbol = operation.symbol();
    let wider = [NativeType::Double, NativeType::Decimal]
        .into_iter()
        .find(|ty| one == *ty || other == *ty)
        .unwrap_or(one);
    match operation {
        BinaryOperation::And | BinaryOperation::Or => {
            (format!("({left} {symbol} {right})"), NativeType::Boolean)
        }
        BinaryOperation::Concatenate => (format!("({left} || {right})"), NativeType::Text),
        BinaryOperation::Multiply if one == NativeType::Decimal && other == one => {
            (format!("(({left} / 1000) * ({right} / 1000))"), NativeType::Decimal)
        }
        BinaryOperation::Multiply if wider == NativeType::Decimal => {
            (format!("({left} * {right})"), NativeType::Decimal)
        }
        _ => {
            let (left, right) = (convert((left, one), wider), convert((right, other), wider));
            let is_number = matches!(
                operation,
                BinaryOperation::Add | BinaryOperation::Subtract | BinaryOperation::Multiply
            );
            let ty = if is_number { wider } else { NativeType::Boolean };
            (format!("({left} {symbol} {right})"), ty)
        }
    }
}

fn write_call(
    function: ScalarFunction,
    arguments: Vec<(String, NativeType)>,
) -> (String, NativeType) {
    let ty = arguments.first().map_or(NativeType::Text, |(_, ty)| *ty);
    let texts: Vec<String> = arguments.into_iter().map(|(text, _)| text).collect();
    let first = texts.first().cloned().unwrap_or_default();
    // SQLite changes the case of ASCII alone; the generated texts have one letter beyond it.
    let text = match function {
        ScalarFunction::Lower => format!("replace(lower({first}), 'Ö', 'ö')"),
        ScalarFunction::Upper => format!("replace(upper({first}), 'ö', 'Ö')"),
        ScalarFunction::Length => return (format!("length({first})"), NativeType::Int),
        ScalarFunction::Trim => format!("trim({first})"),
        ScalarFunction::Absolute => format!("abs({first})"),
        ScalarFunction::Coalesce if texts.len() == 1 => first,
        ScalarFunction::Coalesce => format!("coalesce({})", texts.join(", ")),
        // SQLite's functions of several values are null where one of them is.
        ScalarFunction::Greatest | ScalarFunction::Least => {
            let name = if function == ScalarFunction::Greatest { "max" } else { "min" };
            let rest = texts.iter().skip(1);
            rest.fold(first, |so_far, next| {
                format!("coalesce({name}({so_far}, {next}), {so_far}, {next})")
            })
        }
    };
    (text, ty)
}
