//! The defaults of attributes.

use cql::Diagnostic;
use cql::types::{NativeType, Type};
use cql::value;
use sqlparser::ast::{DataType, Expr, Ident, Spanned, Value as SqlValue};

use super::super::client_value::{assign_client_value, find_client_value};
use super::super::draft::ModelDraft;
use super::super::expression::ExpressionReader;
use super::super::literal::{assignment_literal, parse_constant};
use super::super::table::{ColumnDeclaration, DefaultDeclaration, TableDeclaration};
use super::super::token;
use super::super::types::TypeRegistry;
use crate::concept::{Attribute, ClientValue, ColumnDefault, DefaultValue, Entity};
use crate::diagnostics::error;
use crate::expression::{Expression, Scalar, evaluate};

/// Sets the defaults of all attributes.
pub(super) fn add_defaults(draft: &mut ModelDraft, table: &TableDeclaration, entity: &mut Entity) {
    for (column, attribute) in table.columns.iter().zip(&mut entity.attributes) {
        if column.ty.is_none() {
            continue;
        }
        let Some(declared) = &column.default else { continue };
        match resolve_default(&draft.types, &table.name.text, column, attribute, declared) {
            Ok(default) => attribute.default = default,
            Err(error) => {
                draft.errors.push(*error);
                // Reported once: not again by each statement that relies on it.
                let value = DefaultValue::Constant("null".to_owned());
                attribute.default =
                    Some(ColumnDefault { value, sql: String::new(), always: false });
            }
        }
    }
}

fn resolve_default(
    types: &TypeRegistry,
    table: &str,
    column: &ColumnDeclaration,
    attribute: &Attribute,
    declared: &DefaultDeclaration,
) -> Result<Option<ColumnDefault>, Box<Diagnostic>> {
    let expression = match declared {
        DefaultDeclaration::Sequence { always } => {
            let value = DefaultValue::Client(ClientValue::NextNumber);
            let default = ColumnDefault { value, sql: "nextval".to_owned(), always: *always };
            return Ok(Some(default));
        }
        DefaultDeclaration::Expression(expression) => expression,
    };
    if is_null(expression) {
        return Ok(None);
    }
    if let Some(other) = find_column(expression) {
        let place = token::byte_span(other.span).unwrap_or(column.name.span);
        let name = &attribute.name;
        let message = format!("the default of {table}.{name} refers to a column, {}", other.value);
        let help = format!(
            "write a constant or a function as the default, or declare {name} GENERATED ALWAYS AS ({}) STORED",
            other.value
        );
        return Err(Box::new(error("MF220", place, message, help)));
    }
    let ty = &attribute.ty;
    let value = if let Some(value) = find_client_value(expression) {
        // A time as a text has a form of its own.
        let is_text = matches!(ty, Type::Native(NativeType::Text));
        assign_client_value(value, ty)
            .map(DefaultValue::Client)
            .or(is_text.then_some(DefaultValue::Unsupported))
    } else if !is_castable(types, expression, ty) {
        None
    } else {
        match assignment_literal(expression, ty) {
            Some(literal) => Some(DefaultValue::Constant(literal)),
            None if plain_constant(expression).is_some_and(|text| !is_opaque(ty, &text)) => None,
            None => Some(compute_constant(types, expression, attribute)),
        }
    };
    let sql = expression.to_string();
    let Some(value) = value else {
        let place = token::byte_span(expression.span()).unwrap_or(column.name.span);
        let name = &attribute.name;
        let message =
            format!("the default of {table}.{name}, {sql}, is not a value of its type, {ty}");
        let help = format!("write a default of type {ty}, or change the type of {name}");
        return Err(Box::new(error("MF220", place, message, help)));
    };
    let value = round_default(attribute, value);
    Ok(Some(ColumnDefault { value, sql, always: false }))
}

/// The value of an expression over constants, as the client computes it once and for all.
fn compute_constant(
    types: &TypeRegistry,
    expression: &Expr,
    attribute: &Attribute,
) -> DefaultValue {
    let reader = ExpressionReader { types, column: &|_| None };
    let read = reader.read_value(expression, &attribute.ty, None).ok();
    let value = read.and_then(|it| evaluate(&it, &mut |_| Scalar::Null));
    let bytes = value.filter(|value| value.ty() == attribute.ty).and_then(|it| it.to_bytes());
    let literal = bytes.and_then(|bytes| value::literal(&attribute.ty, Some(&bytes)).ok());
    literal.map_or(DefaultValue::Unsupported, DefaultValue::Constant)
}

/// Rounds a constant to the digits that its column keeps after the point.
fn round_default(attribute: &Attribute, value: DefaultValue) -> DefaultValue {
    let (Some(scale), DefaultValue::Constant(literal)) = (attribute.scale(), &value) else {
        return value;
    };
    let digits = literal.split_once('.').map_or(0, |(_, digits)| digits.len());
    if digits <= scale as usize && !literal.contains(['e', 'E']) {
        return value;
    }
    let constant = Expression::<()>::Constant(literal.clone(), NativeType::Decimal);
    let rounded = evaluate(&Expression::Round(Box::new(constant), scale), &mut |()| Scalar::Null);
    let bytes = rounded.and_then(|rounded| rounded.to_bytes());
    let literal = bytes.and_then(|bytes| value::literal(&attribute.ty, Some(&bytes)).ok());
    literal.map_or(value, DefaultValue::Constant)
}

/// A column that an expression refers to.
fn find_column(expression: &Expr) -> Option<&Ident> {
    match expression {
        _ if find_client_value(expression).is_some() => None,
        Expr::Identifier(name) => Some(name),
        Expr::Nested(inside)
        | Expr::Cast { expr: inside, .. }
        | Expr::UnaryOp { expr: inside, .. } => find_column(inside),
        Expr::BinaryOp { left, right, .. } => find_column(left).or_else(|| find_column(right)),
        _ => None,
    }
}

/// Whether it is `NULL`, with or without a cast.
fn is_null(expression: &Expr) -> bool {
    match expression {
        Expr::Nested(inside) | Expr::Cast { expr: inside, .. } => is_null(inside),
        Expr::Value(value) => value.value == SqlValue::Null,
        _ => false,
    }
}

/// The text of a single constant: where it has no literal of the type, it is a mistake.
fn plain_constant(expression: &Expr) -> Option<String> {
    parse_constant(expression).map(|(_, text)| text)
}

/// Whether a constant may be a value of the type in `PostgreSQL`, although it is not read.
fn is_opaque(ty: &Type, text: &str) -> bool {
    let Type::Native(native) = ty else { return true };
    let words = ["infinity", "-infinity", "epoch", "now", "today", "tomorrow", "yesterday"];
    let is_time = matches!(native, NativeType::Date | NativeType::Time | NativeType::Timestamp);
    let is_special = words.contains(&text.to_lowercase().as_str());
    *native == NativeType::Duration
        || (is_time && (is_special || text.starts_with(|first: char| first.is_ascii_digit())))
}

/// Whether the type that the expression is cast to can be assigned to a column of a type.
fn is_castable(types: &TypeRegistry, expression: &Expr, ty: &Type) -> bool {
    let data_type: &DataType = match expression {
        Expr::Nested(inside) => return is_castable(types, inside, ty),
        Expr::Cast { data_type, .. } => data_type,
        _ => return true,
    };
    let Ok(cast) = types.resolve(data_type, cql::Span::default()) else { return true };
    let family = |ty: &Type| {
        use cql::types::NativeType as N;
        match ty {
            Type::Native(N::Text | N::Ascii) => 0,
            Type::Native(N::Smallint | N::Int | N::Bigint | N::Decimal | N::Double | N::Float) => 1,
            Type::Native(N::Boolean) => 2,
            Type::Native(N::Date | N::Timestamp) => 3,
            Type::Native(N::Uuid | N::Timeuuid) => 4,
            Type::Native(N::Time) => 5,
            Type::Native(_) => 6,
            Type::List(..) | Type::Set(..) => 7,
            _ => 8,
        }
    };
    family(ty) == 0 || family(ty) == family(&cast.ty)
}
