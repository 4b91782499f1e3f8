//! Results that are computed from columns and aggregates: the client computes them from what it
//! has read.

use cql::types::{NativeType, Type};
use sqlparser::ast::{BinaryOperator, DataType, ExactNumberInfo, Expr, Function, UnaryOperator};

use super::output::is_number;
use super::parameter::ValueTarget;
use super::refusal;
use super::resolver::{Resolver, fold_name};
use super::scope::Scope;
use super::shape::{ExpressionShape, classify_expression, plain_arguments, strip_brackets};
use crate::expression::{BinaryOperation, Expression, ScalarFunction, can_cast, is_alike};
use crate::sql::expression::to_operation;
use crate::workload::OutputValue;

/// An expression over what a statement can return.
pub(super) type OutputExpression = Expression<OutputValue>;

impl Resolver<'_> {
    /// The expression of a result; constants without a type of their own have the `wanted` one.
    pub(super) fn resolve_expression(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        wanted: Option<&Type>,
    ) -> Option<OutputExpression> {
        let expression = strip_brackets(expression);
        match expression {
            Expr::Function(function) => self.resolve_call(scope, expression, function),
            Expr::Case { operand, conditions, else_result, .. } => {
                let mut values: Vec<&Expr> = conditions.iter().map(|when| &when.result).collect();
                values.extend(else_result.as_deref());
                let mut values = self.resolve_alike(scope, &values, wanted)?;
                let otherwise = else_result.as_ref().and_then(|_| values.pop());
                let mut branches = Vec::new();
                for (when, value) in conditions.iter().zip(values) {
                    let condition = match operand {
                        None => self.resolve_expression(scope, &when.condition, None)?,
                        Some(operand) => {
                            self.compare(scope, operand, BinaryOperation::Equal, &when.condition)?
                        }
                    };
                    branches.push((condition, value));
                }
                Some(Expression::Case(branches, Box::new(otherwise.unwrap_or(Expression::Null))))
            }
            Expr::BinaryOp { left, op, right } => self.resolve_operator(scope, (left, op, right)),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                let inside = self.resolve_expression(scope, expr, None)?;
                Some(Expression::Not(Box::new(inside)))
            }
            Expr::IsNull(part) => {
                let part = self.resolve_expression(scope, part, None)?;
                Some(Expression::IsNull(Box::new(part)))
            }
            Expr::IsNotNull(part) => {
                let part =
                    Expression::IsNull(Box::new(self.resolve_expression(scope, part, None)?));
                Some(Expression::Not(Box::new(part)))
            }
            Expr::InList { expr, list, negated } => {
                let mut any: Option<OutputExpression> = None;
                for value in list {
                    let one = self.compare(scope, expr, BinaryOperation::Equal, value)?;
                    any = Some(match any {
                        None => one,
                        Some(before) => join(BinaryOperation::Or, before, one),
                    });
                }
                let any = any?;
                Some(if *negated { Expression::Not(Box::new(any)) } else { any })
            }
            Expr::Cast { expr, data_type, .. } => {
                self.resolve_cast(scope, expression, expr, data_type)
            }
            _ => self.resolve_simple(scope, expression, wanted),
        }
    }

    /// A column or a constant.
    fn resolve_simple(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        wanted: Option<&Type>,
    ) -> Option<OutputExpression> {
        match classify_expression(expression) {
            ExpressionShape::Column(names) => {
                let column = self.resolve_column(scope, names)?;
                Some(Expression::Column(OutputValue::Column(column)))
            }
            ExpressionShape::Null => Some(Expression::Null),
            ExpressionShape::Constant => {
                let ty = match wanted {
                    Some(ty) if !is_number(ty) => ty.clone(),
                    _ => match constant_type(expression) {
                        Some(ty) => ty,
                        None => {
                            return self.refuse_expression(expression, &refusal::CONSTANT_OUTPUT);
                        }
                    },
                };
                let target = ValueTarget { name: "the constant", ty: &ty, usage: None };
                let constant = self.resolve_constant(expression, target)?;
                let Type::Native(native) = ty else {
                    return self.refuse_expression(expression, &refusal::CONSTANT_OUTPUT);
                };
                Some(Expression::Constant(constant, native))
            }
            ExpressionShape::Query => self.refuse_expression(expression, &refusal::SUB_QUERY),
            _ => self.refuse_expression(expression, &refusal::COMPUTED_OUTPUT),
        }
    }

    fn refuse_expression<T>(&mut self, expression: &Expr, by: &refusal::Refusal) -> Option<T> {
        self.refuse(by, self.expression_span(expression));
        None
    }

    /// An aggregate, COALESCE or CONCAT.
    fn resolve_call(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        function: &Function,
    ) -> Option<OutputExpression> {
        let name = function.name.0.last().and_then(|part| part.as_ident()).map(fold_name)?;
        let given = plain_arguments(&function.args);
        match (name.as_str(), &given[..]) {
            ("coalesce", [_, ..]) => {
                let parts = self.resolve_alike(scope, &given, None)?;
                Some(Expression::Call(ScalarFunction::Coalesce, parts))
            }
            ("count" | "sum" | "avg" | "min" | "max", _) => {
                let span = self.expression_span(expression);
                self.resolve_aggregate(scope, &name, function, span).map(Expression::Column)
            }
            _ if function.over.is_some() => self.refuse_expression(expression, &refusal::WINDOW),
            _ => self.refuse_expression(expression, &refusal::COMPUTED_OUTPUT),
        }
    }

    /// Values of one type: constants have that of the first column.
    fn resolve_alike(
        &mut self,
        scope: &Scope,
        parts: &[&Expr],
        wanted: Option<&Type>,
    ) -> Option<Vec<OutputExpression>> {
        let is_constant = |part: &Expr| {
            matches!(classify_expression(part), ExpressionShape::Constant | ExpressionShape::Null)
        };
        let mut ty = wanted.cloned();
        let mut resolved: Vec<Option<OutputExpression>> = vec![None; parts.len()];
        // Those with a type of their own come first.
        for constants in [false, true] {
            for (part, slot) in parts.iter().zip(&mut resolved) {
                if is_constant(part) == constants {
                    let value = self.resolve_expression(scope, part, ty.as_ref())?;
                    let own = value.ty(&|leaf| self.output_type(scope, *leaf));
                    // Null is of every type.
                    if value != Expression::Null {
                        if ty.as_ref().is_some_and(|ty| !is_alike(ty, &own)) {
                            return self.refuse_expression(part, &refusal::COMPUTED_OUTPUT);
                        }
                        ty.get_or_insert(own);
                    }
                    *slot = Some(value);
                }
            }
        }
        resolved.into_iter().collect()
    }

    fn compare(
        &mut self,
        scope: &Scope,
        left: &Expr,
        operation: BinaryOperation,
        right: &Expr,
    ) -> Option<OutputExpression> {
        let [left, right] =
            <[_; 2]>::try_from(self.resolve_alike(scope, &[left, right], None)?).ok()?;
        Some(join(operation, left, right))
    }

    fn resolve_operator(
        &mut self,
        scope: &Scope,
        (left, operator, right): (&Expr, &BinaryOperator, &Expr),
    ) -> Option<OutputExpression> {
        use BinaryOperation as B;
        let text = NativeType::Text.into();
        let (operation, wanted) = match to_operation(operator) {
            None | Some(B::Add | B::Subtract | B::Multiply) => {
                return self.refuse_expression(left, &refusal::COMPUTED_OUTPUT);
            }
            Some(operation @ (B::And | B::Or)) => (operation, None),
            Some(B::Concatenate) => (B::Concatenate, Some(&text)),
            Some(comparison) => return self.compare(scope, left, comparison, right),
        };
        let mut sides = Vec::new();
        for side in [left, right] {
            let value = self.resolve_expression(scope, side, wanted)?;
            let ty = value.ty(&|leaf| self.output_type(scope, *leaf));
            let expected = wanted.cloned().unwrap_or_else(|| NativeType::Boolean.into());
            if !is_alike(&ty, &expected) {
                return self.refuse_expression(side, &refusal::COMPUTED_OUTPUT);
            }
            sides.push(value);
        }
        let [left, right] = <[_; 2]>::try_from(sides).ok()?;
        Some(join(operation, left, right))
    }

    fn resolve_cast(
        &mut self,
        scope: &Scope,
        whole: &Expr,
        inside: &Expr,
        to: &DataType,
    ) -> Option<OutputExpression> {
        let Some(to) = cast_type(to) else {
            return self.refuse_expression(whole, &refusal::COMPUTED_OUTPUT);
        };
        let inside = self.resolve_expression(scope, inside, Some(&to))?;
        let from = inside.ty(&|leaf| self.output_type(scope, *leaf));
        if from == to {
            return Some(inside);
        }
        let is_null = inside == Expression::Null;
        // A number that does not fit is an error in PostgreSQL; counts fit.
        let is_whole = matches!(to, Type::Native(NativeType::Smallint | NativeType::Int));
        let is_count = |leaf: &&OutputValue| matches!(leaf, OutputValue::Count(_));
        let fits = !is_whole || inside.columns().iter().all(is_count);
        if !is_null && (!fits || !can_cast(&from, &to)) {
            return self.refuse_expression(whole, &refusal::COMPUTED_OUTPUT);
        }
        let Type::Native(to) = to else { return None };
        Some(Expression::Cast(Box::new(inside), to))
    }

    /// The type of what a statement returns.
    pub(super) fn output_type(&self, scope: &Scope, value: OutputValue) -> Type {
        match value {
            OutputValue::Column(of) | OutputValue::Least(of) | OutputValue::Greatest(of) => {
                self.attribute_of(scope, of).ty.clone()
            }
            OutputValue::Count(_) => NativeType::Bigint.into(),
            OutputValue::Sum(of) => match &self.attribute_of(scope, of).ty {
                Type::Native(NativeType::Decimal) => NativeType::Decimal.into(),
                Type::Native(NativeType::Float | NativeType::Double) => NativeType::Double.into(),
                _ => NativeType::Bigint.into(),
            },
            OutputValue::Average(_) => NativeType::Double.into(),
            OutputValue::Exists => NativeType::Boolean.into(),
        }
    }
}

fn join(
    operation: BinaryOperation,
    left: OutputExpression,
    right: OutputExpression,
) -> OutputExpression {
    Expression::Binary(operation, Box::new(left), Box::new(right))
}

/// The type of a constant without a column beside it.
fn constant_type(constant: &Expr) -> Option<Type> {
    use sqlparser::ast::Value;
    let native = match super::shape::strip_casts(constant) {
        Expr::Value(value) => match &value.value {
            Value::Boolean(_) => NativeType::Boolean,
            Value::Number(number, _) if number.parse::<i32>().is_ok() => NativeType::Int,
            Value::Number(number, _) if number.parse::<i64>().is_ok() => NativeType::Bigint,
            Value::Number(..) => NativeType::Decimal,
            _ => NativeType::Text,
        },
        Expr::UnaryOp { expr, .. } => return constant_type(expr),
        _ => return None,
    };
    Some(native.into())
}

/// The type of a cast that keeps values as they are.
fn cast_type(to: &DataType) -> Option<Type> {
    let native = match to {
        DataType::SmallInt(_) | DataType::Int2(_) => NativeType::Smallint,
        DataType::Int(_) | DataType::Integer(_) | DataType::Int4(_) => NativeType::Int,
        DataType::BigInt(_) | DataType::Int8(_) => NativeType::Bigint,
        DataType::Float8 | DataType::DoublePrecision | DataType::Double(_) => NativeType::Double,
        DataType::Numeric(ExactNumberInfo::None) | DataType::Decimal(ExactNumberInfo::None) => {
            NativeType::Decimal
        }
        DataType::Text | DataType::Varchar(None) | DataType::CharacterVarying(None) => {
            NativeType::Text
        }
        DataType::Boolean | DataType::Bool => NativeType::Boolean,
        DataType::Date => NativeType::Date,
        DataType::Timestamp(None, _) => NativeType::Timestamp,
        DataType::Uuid => NativeType::Uuid,
        _ => return None,
    };
    Some(native.into())
}
