//! Conditions that the client tests.

use crate::program::{Condition, Expression};

use super::code::PythonExpression as Code;
use super::scope::PythonScope;
use super::values::{comparison, to_deferred};

impl PythonScope<'_> {
    /// Whether a condition holds.
    pub(super) fn condition(&self, condition: &Condition) -> Code {
        let all = |conditions: &[Condition]| {
            Code::Tuple(conditions.iter().map(|it| self.condition(it)).collect())
        };
        match condition {
            Condition::NotNull(value) => Code::support("not_null", vec![self.value(value)]),
            Condition::Null(value) => Code::support("is_null", vec![self.value(value)]),
            Condition::Compares(one, operator, other) => {
                Code::support(comparison(*operator), vec![self.key(one), self.key(other)])
            }
            Condition::Differ(one, other) => {
                Code::support("differ", vec![self.key(one), self.key(other)])
            }
            Condition::Holds(array, element) => {
                let key = self.key_function(&element.ty);
                Code::support("holds", vec![self.value(array), self.value(element), key])
            }
            Condition::In(value, others) => {
                let others = others.iter().map(|other| self.key(other)).collect();
                Code::support("is_in", vec![self.key(value), Code::Tuple(others)])
            }
            Condition::RowCompares(pairs, operator) => {
                let pairs = pairs.iter().map(|pair| self.pair(pair)).collect();
                let operator = Code::Atom(format!("support.{}", comparison(*operator)));
                Code::support("row_compares", vec![operator, Code::Tuple(pairs)])
            }
            Condition::StartsWith(text, prefix) => {
                Code::support("starts_with", vec![self.value(text), self.value(prefix)])
            }
            Condition::IsMet(truth) => {
                Code::support("is_met", vec![to_deferred(self.value(truth))])
            }
            Condition::Not(other) => Code::support("negate", vec![self.condition(other)]),
            Condition::Any(conditions) => Code::Call("any".to_owned(), vec![all(conditions)]),
            Condition::All(conditions) => Code::Call("all".to_owned(), vec![all(conditions)]),
        }
    }

    fn pair(&self, pair: &(Expression, Expression)) -> Code {
        Code::Tuple(vec![self.key(&pair.0), self.key(&pair.1)])
    }
}
