//! Guards of statements, and the predicates that the client tests.

use cql::types::Type;
use model::constant::element_type;
use model::plan::{ClientCheck, Guard, Operand};
use model::workload::{Column, Comparison, Predicate, Value};

use super::expression::lower_expression;
use super::operand::align;
use super::scope::Scope;
use crate::program::{Check, ComparisonOperator, Condition, Expression};

impl Scope<'_> {
    /// A guard.
    pub(super) fn lower_guard(&self, guard: &Guard) -> Condition {
        let of = |operand: &Operand| self.lower_typed(operand, None).0;
        let all = |guards: &[Guard]| guards.iter().map(|guard| self.lower_guard(guard)).collect();
        match guard {
            Guard::NotNull(operand) => Condition::NotNull(of(operand)),
            Guard::Null(operand) => Condition::Null(of(operand)),
            Guard::Compares(one, comparison, other) => {
                self.lower_comparison(one, *comparison, other)
            }
            Guard::Fails(one, comparison, other) => {
                Condition::Not(Box::new(self.lower_comparison(one, *comparison, other)))
            }
            Guard::Differ(one, other) => {
                let (one, other) = self.lower_pair(one, other);
                Condition::Differ(one, other)
            }
            Guard::Has(array, element) => self.lower_holds(array, element),
            Guard::Lacks(array, element) => {
                Condition::Not(Box::new(self.lower_holds(array, element)))
            }
            Guard::Any(guards) => Condition::Any(all(guards)),
            Guard::All(guards) => Condition::All(all(guards)),
        }
    }

    fn lower_comparison(
        &self,
        one: &Operand,
        comparison: Comparison,
        other: &Operand,
    ) -> Condition {
        let (one, other) = self.lower_pair(one, other);
        Condition::Compares(one, lower_operator(comparison), other)
    }

    /// Two operands that are compared: a constant has the type of the other.
    fn lower_pair(&self, one: &Operand, other: &Operand) -> (Expression, Expression) {
        if matches!(one, Operand::Literal(_)) {
            let (other, ty) = self.lower_typed(other, None);
            return align(self.lower_typed(one, Some(&ty)).0, other);
        }
        let (one, ty) = self.lower_typed(one, None);
        align(one, self.lower_typed(other, Some(&ty)).0)
    }

    fn lower_holds(&self, array: &Operand, element: &Operand) -> Condition {
        let (array, ty) = self.lower_typed(array, None);
        let (element, _) = self.lower_typed(element, element_type(&ty));
        Condition::Holds(array, element)
    }

    /// A check of the client.
    pub(super) fn lower_check(&self, check: &ClientCheck) -> Check {
        let leaf = |part: &Operand| self.lower_typed(part, None);
        let (condition, _) = lower_expression(&check.condition, &leaf);
        Check { sql: check.sql.clone(), condition: Condition::IsMet(condition) }
    }

    /// A predicate over columns of the current row.
    pub(super) fn lower_predicate(
        &self,
        predicate: &Predicate,
        column: &dyn Fn(Column) -> (Expression, Type),
    ) -> Condition {
        let compares = |of: &Column, value: &Value| {
            let (mine, ty) = column(*of);
            align(mine, self.lower_value(value, Some(&ty)).0)
        };
        match predicate {
            Predicate::Compare { column: of, comparison, value } => {
                let (mine, with) = compares(of, value);
                Condition::Compares(mine, lower_operator(*comparison), with)
            }
            Predicate::In { column: of, values } => {
                let (mine, ty) = column(*of);
                let values = values
                    .iter()
                    .map(|value| self.lower_value(value, Some(&ty)).0.convert(mine.ty.clone()));
                let values = values.collect();
                Condition::In(mine, values)
            }
            Predicate::AnyOf { column: of, parameter } => {
                Condition::Holds(self.parameter(parameter.index()).0, column(*of).0)
            }
            Predicate::Holds { column: of, value } => {
                let (array, ty) = column(*of);
                let (element, _) = self.lower_value(value, element_type(&ty));
                Condition::Holds(array, element)
            }
            Predicate::Row { columns, comparison, values } => {
                let pairs = columns.iter().zip(values).map(|(of, value)| compares(of, value));
                Condition::RowCompares(pairs.collect(), lower_operator(*comparison))
            }
            Predicate::Prefix { column: of, value } => {
                let (mine, with) = compares(of, value);
                Condition::StartsWith(mine, with)
            }
            Predicate::NotNull { column: of } => Condition::NotNull(column(*of).0),
            Predicate::Null { column: of } => Condition::Null(column(*of).0),
        }
    }
}

const fn lower_operator(comparison: Comparison) -> ComparisonOperator {
    match comparison {
        Comparison::Equal => ComparisonOperator::Equal,
        Comparison::Less => ComparisonOperator::Less,
        Comparison::LessOrEqual => ComparisonOperator::LessOrEqual,
        Comparison::Greater => ComparisonOperator::Greater,
        Comparison::GreaterOrEqual => ComparisonOperator::GreaterOrEqual,
    }
}
