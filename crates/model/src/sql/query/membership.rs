//! Conditions on one of several values: IN, ANY, and how a text begins.

use cql::Span;
use cql::types::{Frozen, NativeType, Type};
use sqlparser::ast::{BinaryOperator, Expr};

use super::constant::text;
use super::parameter::{Met, Target, Way, article};
use super::refusal;
use super::resolver::Resolver;
use super::scope::Scope;
use super::shape::{Shape, bare, column_name, shape, uncast};
use super::value::is_parameter;
use crate::workload::{Column, Comparison, Test, Value};

impl Resolver<'_> {
    /// `column IN (a, b)`
    pub(super) fn in_list(&mut self, scope: &Scope, operand: &Expr, list: &[Expr]) -> Option<Test> {
        if let Shape::Row(_) = shape(operand) {
            self.refuse(&refusal::ROWS_IN, self.expression(operand));
            return None;
        }
        let column = self.tested(scope, operand)?;
        let place = self.expression(operand);
        self.comparable(scope, column, Comparison::Equal, place)?;
        self.one_of(scope, column, list)
    }

    /// A column that has one of several values; each counts once.
    fn one_of(&mut self, scope: &Scope, column: Column, list: &[Expr]) -> Option<Test> {
        let found: Vec<Option<Value>> = list
            .iter()
            .map(|value| self.value_for(scope, column, Comparison::Equal, value))
            .collect();
        let mut values: Vec<Value> = Vec::with_capacity(found.len());
        let mut literals = std::collections::BTreeSet::new();
        for value in found {
            match value? {
                Value::Literal(literal) if !literals.insert(literal.clone()) => {}
                value => values.push(value),
            }
        }
        if values.len() == 1 {
            let value = values.remove(0);
            return Some(Test::Compare { column, comparison: Comparison::Equal, value });
        }
        Some(Test::In { column, values })
    }

    /// `column = ANY(?)` or `? = ANY(array_column)`
    pub(super) fn any(
        &mut self,
        scope: &Scope,
        (left, operator, right): (&Expr, &BinaryOperator, &Expr),
        span: Span,
    ) -> Option<Test> {
        if *operator != BinaryOperator::Eq {
            self.refuse(&refusal::NEGATION, span);
            return None;
        }
        if let Some(names) = column_name(right) {
            let place = self.expression(right);
            let column = self.column(scope, names)?;
            return self.holds(scope, left, column, place);
        }
        let column = self.tested(scope, left)?;
        let place = self.expression(left);
        self.comparable(scope, column, Comparison::Equal, place)?;
        match shape(right) {
            Shape::Array(elements) => self.one_of(scope, column, elements),
            Shape::Parameter(placeholder) => {
                let attribute = self.attribute_of(scope, column);
                let ty = Type::List(std::sync::Arc::new(attribute.ty.freeze()), Frozen::No);
                let met = met(scope, column);
                let target = Target { name: &attribute.name, ty: &ty, met: Some(met) };
                let parameter = self.parameter(placeholder, self.expression(right), target)?;
                Some(Test::AnyOf { column, parameter })
            }
            Shape::Query => {
                self.refuse(&refusal::SUB_QUERY, self.expression(right));
                None
            }
            _ => {
                let message = format!("{} does not give ANY a list", self.name());
                let place = self.expression(right);
                self.report("MF340", place, message, "write `= ANY(?)`, or `IN (...)`");
                None
            }
        }
    }

    /// `? = ANY(array_column)`
    fn holds(&mut self, scope: &Scope, value: &Expr, column: Column, place: Span) -> Option<Test> {
        let attribute = self.attribute_of(scope, column);
        let (Type::List(element, _) | Type::Set(element, _)) = &attribute.ty else {
            let message =
                format!("{} is no array: it is {}", attribute.name, article(&attribute.ty));
            self.report("MF340", place, message, format!("write `{} = ?`", attribute.name));
            return None;
        };
        let met = met(scope, column);
        let target = Target { name: &attribute.name, ty: element, met: Some(met) };
        let value = self.value(value, target)?;
        Some(Test::Holds { column, value })
    }

    /// `column LIKE 'x%'` or `column LIKE ? || '%'`
    pub(super) fn like(
        &mut self,
        scope: &Scope,
        operand: &Expr,
        pattern: &Expr,
        span: Span,
    ) -> Option<Test> {
        let column = self.tested(scope, operand)?;
        let attribute = self.attribute_of(scope, column);
        if attribute.ty != Type::Native(NativeType::Text) {
            let message =
                format!("{} is no text: it is {}", attribute.name, article(&attribute.ty));
            self.report(
                "MF340",
                self.expression(operand),
                message,
                "compare it with `=` or a range",
            );
            return None;
        }
        match pattern_of(pattern) {
            Pattern::Prefix(prefix) if prefix.is_empty() => {
                self.refuse(&refusal::LIKE, span);
                None
            }
            Pattern::Prefix(prefix) => {
                Some(Test::Prefix { column, value: Value::Literal(quoted(&prefix)) })
            }
            Pattern::Whole(whole) => {
                let value = Value::Literal(quoted(&whole));
                Some(Test::Compare { column, comparison: Comparison::Equal, value })
            }
            Pattern::Parameter(parameter) => {
                let value = self.value_for(scope, column, Comparison::GreaterOrEqual, parameter)?;
                Some(Test::Prefix { column, value })
            }
            Pattern::Unknown => {
                self.refuse(&refusal::LIKE_UNKNOWN, span);
                None
            }
            Pattern::Other => {
                self.refuse(&refusal::LIKE, span);
                None
            }
        }
    }
}

fn met(scope: &Scope, column: Column) -> Met {
    Met { attribute: scope.attribute(column), way: Way::Equal }
}

/// What a pattern asks.
enum Pattern<'e> {
    /// Texts that begin so.
    Prefix(String),
    /// This text.
    Whole(String),
    /// Texts that begin with a parameter.
    Parameter(&'e Expr),
    /// A parameter, which may be anything.
    Unknown,
    /// Something else.
    Other,
}

fn pattern_of(pattern: &Expr) -> Pattern<'_> {
    match bare(pattern) {
        Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } => {
            let ends = constant_text(right).is_some_and(|end| end == "%");
            match (ends, constant_text(left)) {
                (true, None) if is_parameter(left) => Pattern::Parameter(left),
                (true, Some(start)) => text_pattern(&format!("{start}%")),
                _ => Pattern::Other,
            }
        }
        other if is_parameter(other) => Pattern::Unknown,
        other => constant_text(other).map_or(Pattern::Other, |text| text_pattern(&text)),
    }
}

/// The pattern that a text is: `%` and `_` are wildcards unless a backslash stands before them.
fn text_pattern<'e>(pattern: &str) -> Pattern<'e> {
    let mut prefix = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => prefix.extend(characters.next()),
            '%' if characters.as_str().is_empty() => return Pattern::Prefix(prefix),
            '%' | '_' => return Pattern::Other,
            other => prefix.push(other),
        }
    }
    Pattern::Whole(prefix)
}

fn constant_text(expression: &Expr) -> Option<String> {
    match uncast(expression) {
        Expr::Value(value) => text(&value.value),
        _ => None,
    }
}

/// A text as a CQL constant.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
