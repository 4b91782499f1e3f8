//! Values: parameters and constants, for the column that they meet.

use sqlparser::ast::Expr;

use super::parameter::Target;
use super::refusal;
use super::resolver::Resolver;
use super::shape::{Shape, shape};
use crate::workload::Value;

/// What an expression gives to a column.
pub(super) enum Given {
    /// A value.
    Value(Value),
    /// `NULL`
    Null,
}

impl Resolver<'_> {
    /// The value of an expression, which may not be NULL.
    pub(super) fn value(&mut self, expression: &Expr, target: Target<'_>) -> Option<Value> {
        match self.given(expression, target)? {
            Given::Value(value) => Some(value),
            Given::Null => {
                self.refuse(&refusal::NULL_COMPARED, self.expression(expression));
                None
            }
        }
    }

    /// The value of an expression, or NULL.
    pub(super) fn given(&mut self, expression: &Expr, target: Target<'_>) -> Option<Given> {
        let span = self.expression(expression);
        let refused = match shape(expression) {
            Shape::Null => return Some(Given::Null),
            Shape::Parameter(placeholder) => {
                let position = self.parameter(placeholder, span, target)?;
                return Some(Given::Value(Value::Parameter(position)));
            }
            Shape::Constant => {
                let constant = self.constant(expression, target)?;
                return Some(Given::Value(Value::Literal(constant)));
            }
            Shape::Array(elements) if elements.iter().any(is_parameter) => {
                &refusal::ARRAY_OF_PARAMETERS
            }
            Shape::Array(elements) => {
                let constant = self.array(elements, target)?;
                return Some(Given::Value(Value::Literal(constant)));
            }
            Shape::Column(_) | Shape::CastColumn => &refusal::COLUMNS_COMPARED,
            Shape::Query => &refusal::SUB_QUERY,
            Shape::Row(_) => &refusal::CONDITION,
            Shape::Computed { from_columns: true } => &refusal::COMPUTED_COLUMN,
            Shape::Computed { from_columns: false } => &refusal::COMPUTED_VALUE,
        };
        self.refuse(refused, span);
        None
    }
}

/// Whether an expression is a parameter.
pub(super) fn is_parameter(expression: &Expr) -> bool {
    matches!(shape(expression), Shape::Parameter(_))
}
