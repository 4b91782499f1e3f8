//! Expressions of generated columns, constraints and results.

use cql::types::{NativeType, Type};
use model::expression::{BinaryOperation, Expression as Source, ScalarFunction as Function};

use super::data_type;
use super::operand::lower_constant;
use super::scope::null_of;
use crate::program::{Arithmetic, ComparisonOperator, Expression, ExpressionKind, ScalarFunction};

/// An expression with leaves that are given; and its type.
pub(super) fn lower_expression<T>(
    expression: &Source<T>,
    leaf: &dyn Fn(&T) -> (Expression, Type),
) -> (Expression, Type) {
    let ty = expression.ty(&|of: &T| leaf(of).1);
    let of = |part: &Source<T>| lower_expression(part, leaf);
    let boxed = |part: &Source<T>| Box::new(of(part).0);
    let into = |part: &Source<T>, ty: &Type| Box::new(of(part).0.convert(data_type(ty)));
    let kind = match expression {
        Source::Column(column) => return leaf(column),
        Source::Constant(literal, native) => {
            return lower_constant(literal, Some(&Type::Native(*native)));
        }
        Source::Null => return null_of(ty),
        Source::Binary(operation, left, right) => match operation {
            BinaryOperation::Add | BinaryOperation::Subtract | BinaryOperation::Multiply => {
                ExpressionKind::Arithmetic(
                    arithmetic(*operation),
                    into(left, &ty),
                    into(right, &ty),
                )
            }
            BinaryOperation::Concatenate => {
                ExpressionKind::Concatenate(into(left, &ty), into(right, &ty))
            }
            BinaryOperation::And => ExpressionKind::And(boxed(left), boxed(right)),
            BinaryOperation::Or => ExpressionKind::Or(boxed(left), boxed(right)),
            _ => {
                let common = common_type(left, right, leaf);
                let sides = (into(left, &common), into(right, &common));
                ExpressionKind::Compare(comparison(*operation), sides.0, sides.1)
            }
        },
        Source::Not(part) => ExpressionKind::Not(boxed(part)),
        Source::IsNull(part) => ExpressionKind::IsNull(boxed(part)),
        Source::Call(function, arguments) => {
            let keeps_type = matches!(
                function,
                Function::Coalesce | Function::Greatest | Function::Least | Function::Absolute
            );
            let arguments =
                arguments.iter().map(|part| if keeps_type { *into(part, &ty) } else { of(part).0 });
            ExpressionKind::Call(lower_function(*function), arguments.collect())
        }
        Source::Case(branches, otherwise) => {
            let branches = branches.iter().map(|(when, then)| (of(when).0, *into(then, &ty)));
            ExpressionKind::Case(branches.collect(), into(otherwise, &ty))
        }
        Source::Cast(part, _) => ExpressionKind::Convert(boxed(part)),
        Source::Round(part, digits) => ExpressionKind::Round(into(part, &ty), *digits),
    };
    (Expression { ty: data_type(&ty), kind }, ty)
}

/// The type in which two values are compared.
fn common_type<T>(
    left: &Source<T>,
    right: &Source<T>,
    leaf: &dyn Fn(&T) -> (Expression, Type),
) -> Type {
    let ty = |of: &Source<T>| of.ty(&|column: &T| leaf(column).1);
    if matches!(left, Source::Null) {
        return ty(right);
    }
    let (left, right) = (ty(left), ty(right));
    let rank = |ty: &Type| match ty {
        Type::Native(NativeType::Smallint) => 1,
        Type::Native(NativeType::Int) => 2,
        Type::Native(NativeType::Bigint) => 3,
        Type::Native(NativeType::Decimal) => 4,
        Type::Native(NativeType::Float) => 5,
        Type::Native(NativeType::Double) => 6,
        _ => 0,
    };
    if rank(&right) > rank(&left) { right } else { left }
}

const fn arithmetic(operation: BinaryOperation) -> Arithmetic {
    match operation {
        BinaryOperation::Subtract => Arithmetic::Subtract,
        BinaryOperation::Multiply => Arithmetic::Multiply,
        _ => Arithmetic::Add,
    }
}

const fn comparison(operation: BinaryOperation) -> ComparisonOperator {
    match operation {
        BinaryOperation::NotEqual => ComparisonOperator::NotEqual,
        BinaryOperation::Less => ComparisonOperator::Less,
        BinaryOperation::LessOrEqual => ComparisonOperator::LessOrEqual,
        BinaryOperation::Greater => ComparisonOperator::Greater,
        BinaryOperation::GreaterOrEqual => ComparisonOperator::GreaterOrEqual,
        _ => ComparisonOperator::Equal,
    }
}

const fn lower_function(function: Function) -> ScalarFunction {
    match function {
        Function::Lower => ScalarFunction::Lower,
        Function::Upper => ScalarFunction::Upper,
        Function::Length => ScalarFunction::Length,
        Function::Trim => ScalarFunction::Trim,
        Function::Coalesce => ScalarFunction::Coalesce,
        Function::Absolute => ScalarFunction::Absolute,
        Function::Greatest => ScalarFunction::Greatest,
        Function::Least => ScalarFunction::Least,
    }
}
