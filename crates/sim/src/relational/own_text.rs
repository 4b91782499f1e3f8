//! Conditions and generated columns in the words of the model file, where `SQLite` reads them as
//! `PostgreSQL` does: over whole numbers, texts and booleans, which it stores as they are.
//!
//! What it reads differently (decimals, times, the case of letters) is written from the resolved
//! expression, which only `PostgreSQL` can then refute.

use cql::types::{NativeType, Type};
use model::concept::Entity;
use sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, UnaryOperator,
    Value as SqlValue,
};

use super::rewrite::{fold_name, last_part};
use super::sqlite_tables::mark_capitals;

/// The text of an expression as the file has it, with its names in quotes; `None` where `SQLite`
/// might read it differently.
pub(super) fn find_own_text(entity: &Entity, sql: &str) -> Option<String> {
    let mut expression = model::sql::parse_expression(sql).ok()?;
    is_read_alike(entity, &mut expression).then(|| expression.to_string())
}

/// Whether both databases read an expression alike; puts its names in quotes.
fn is_read_alike(entity: &Entity, expression: &mut Expr) -> bool {
    let of = |part: &mut Expr| is_read_alike(entity, part);
    match expression {
        Expr::Nested(inside)
        | Expr::IsNull(inside)
        | Expr::IsNotNull(inside)
        | Expr::IsTrue(inside)
        | Expr::IsFalse(inside)
        | Expr::UnaryOp { op: UnaryOperator::Not | UnaryOperator::Minus, expr: inside } => {
            of(inside)
        }
        Expr::Identifier(name) => {
            let column = fold_name(name);
            name.value = mark_capitals(&column);
            name.quote_style = Some('"');
            has_plain_values(entity, &column)
        }
        Expr::Value(value) => match &value.value {
            SqlValue::Number(number, _) => number.parse::<i64>().is_ok(),
            SqlValue::SingleQuotedString(_) | SqlValue::Boolean(_) | SqlValue::Null => true,
            _ => false,
        },
        Expr::BinaryOp { left, op, right } => is_plain_operator(op) && of(left) && of(right),
        Expr::Between { expr, low, high, .. } => of(expr) && of(low) && of(high),
        Expr::InList { expr, list, .. } => of(expr) && list.iter_mut().all(of),
        Expr::Case { operand: None, conditions, else_result, .. } => {
            conditions.iter_mut().all(|when| of(&mut when.condition) && of(&mut when.result))
                && else_result.as_deref_mut().is_none_or(of)
        }
        Expr::Function(function) => {
            let FunctionArguments::List(list) = &mut function.args else { return false };
            let is_known = match last_part(&function.name).as_deref() {
                Ok("length" | "abs") => list.args.len() == 1,
                // One argument is not enough for SQLite.
                Ok("coalesce") => list.args.len() > 1,
                _ => false,
            };
            is_known
                && list.args.iter_mut().all(|argument| match argument {
                    FunctionArg::Unnamed(FunctionArgExpr::Expr(argument)) => of(argument),
                    _ => false,
                })
        }
        _ => false,
    }
}

/// Whether the values of a column are stored as they are written.
fn has_plain_values(entity: &Entity, name: &str) -> bool {
    let attribute = entity.attributes.iter().find(|attribute| attribute.name == name);
    attribute.is_some_and(|attribute| {
        matches!(
            attribute.ty,
            Type::Native(
                NativeType::Text
                    | NativeType::Smallint
                    | NativeType::Int
                    | NativeType::Bigint
                    | NativeType::Boolean
            )
        )
    })
}

const fn is_plain_operator(operator: &BinaryOperator) -> bool {
    matches!(
        operator,
        BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::StringConcat
            | BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::Lt
            | BinaryOperator::LtEq
            | BinaryOperator::Gt
            | BinaryOperator::GtEq
            | BinaryOperator::And
            | BinaryOperator::Or
    )
}

#[cfg(test)]
mod tests {
    use super::find_own_text;

    #[test]
    fn plain_expressions_stay_as_they_are() {
        let file = model::sql::read(
            "CREATE TABLE t (a int PRIMARY KEY, b text, c boolean, d numeric, e timestamp);",
            "t",
        );
        let entity = file.unwrap().concept.entities.remove(0);
        for (sql, own) in [
            ("a > 0 AND b IN ('x', 'y')", r#""a" > 0 AND "b" IN ('x', 'y')"#),
            ("CASE WHEN c THEN A ELSE -a END", r#"CASE WHEN "c" THEN "a" ELSE -"a" END"#),
            ("length(b) BETWEEN 1 AND 3", r#"length("b") BETWEEN 1 AND 3"#),
        ] {
            assert_eq!(find_own_text(&entity, sql).as_deref(), Some(own));
        }
        for sql in ["d > 0", "lower(b) = 'x'", "e > '2020-01-01'", "a / 2", "a > 0.5"] {
            assert_eq!(find_own_text(&entity, sql), None, "{sql}");
        }
    }
}
