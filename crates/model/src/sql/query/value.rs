//! Values of expressions: parameters and constants, for the column that they are compared with or
//! written to.

use cql::Span;
use sqlparser::ast::Expr;

use super::parameter::{ParameterUseKind, ValueTarget};
use super::refusal;
use super::resolver::{Resolver, fold_name};
use super::shape::{ExpressionShape, classify_expression};
use crate::concept::ClientValue;
use crate::figures::with_article;
use crate::sql::client_value::{assign_client_value, find_client_value};
use crate::workload::Value;

/// The value of an expression for a column.
pub(super) enum ValueOrNull {
    /// A value.
    Value(Value),
    /// `NULL`
    Null,
}

impl Resolver<'_> {
    /// The value of an expression, which may not be NULL.
    pub(super) fn resolve_value(
        &mut self,
        expression: &Expr,
        target: ValueTarget<'_>,
    ) -> Option<Value> {
        match self.resolve_value_or_null(expression, target)? {
            ValueOrNull::Value(value) => Some(value),
            ValueOrNull::Null => {
                self.refuse(&refusal::NULL_COMPARED, self.expression_span(expression));
                None
            }
        }
    }

    /// The value of an expression, or NULL.
    pub(super) fn resolve_value_or_null(
        &mut self,
        expression: &Expr,
        target: ValueTarget<'_>,
    ) -> Option<ValueOrNull> {
        let span = self.expression_span(expression);
        if let Some(value) = find_client_value(expression) {
            return self.resolve_function(value, span, target);
        }
        if let Some(name) = self.find_excluded_column(expression) {
            return self.resolve_excluded(&fold_name(name), span, target);
        }
        let refused = match classify_expression(expression) {
            ExpressionShape::Null => return Some(ValueOrNull::Null),
            ExpressionShape::Parameter(placeholder) => {
                let position = self.resolve_parameter(placeholder, span, target)?;
                return Some(ValueOrNull::Value(Value::Parameter(position)));
            }
            ExpressionShape::Constant => {
                let constant = self.resolve_constant(expression, target)?;
                return Some(ValueOrNull::Value(Value::Literal(constant)));
            }
            ExpressionShape::Array(elements) if elements.iter().any(is_parameter) => {
                &refusal::ARRAY_OF_PARAMETERS
            }
            ExpressionShape::Array(elements) => {
                let constant = self.resolve_array(elements, target)?;
                return Some(ValueOrNull::Value(Value::Literal(constant)));
            }
            ExpressionShape::Column(_) | ExpressionShape::CastColumn => &refusal::COLUMNS_COMPARED,
            ExpressionShape::Query => &refusal::SUB_QUERY,
            ExpressionShape::Row(_) => &refusal::CONDITION,
            ExpressionShape::Computed { from_columns: true } => &refusal::COMPUTED_COLUMN,
            ExpressionShape::Computed { from_columns: false } => &refusal::COMPUTED_VALUE,
        };
        self.refuse(refused, span);
        None
    }

    /// The value of a function that the client computes.
    fn resolve_function(
        &mut self,
        value: ClientValue,
        span: Span,
        target: ValueTarget<'_>,
    ) -> Option<ValueOrNull> {
        // A comparison converts the column, not the value: a date is its midnight.
        let is_written = target.usage.is_none_or(|usage| usage.kind == ParameterUseKind::Written);
        let assigned = assign_client_value(value, target.ty);
        if let Some(value) = assigned.filter(|assigned| is_written || *assigned == value) {
            let position = self.resolve_client_value(value, target);
            return Some(ValueOrNull::Value(Value::Parameter(position)));
        }
        let message = format!(
            "{} is {value}, which is not a valid value for {}, {}",
            self.places.text(span),
            target.name,
            with_article(target.ty)
        );
        self.report("MF340", span, message, "compute it in the application and pass it: `?`");
        None
    }
}

/// Whether an expression is a parameter.
pub(super) fn is_parameter(expression: &Expr) -> bool {
    matches!(classify_expression(expression), ExpressionShape::Parameter(_))
}
