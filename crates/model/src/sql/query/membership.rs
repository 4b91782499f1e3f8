//! Conditions with several values: IN, ANY and prefixes (LIKE).

use cql::Span;
use cql::types::{Frozenness, NativeType, Type};
use sqlparser::ast::{BinaryOperator, Expr};

use super::parameter::{ParameterUse, ParameterUseKind, ValueTarget};
use super::refusal;
use super::resolver::Resolver;
use super::scope::Scope;
use super::shape::{
    ExpressionShape, classify_expression, column_name, strip_brackets, strip_casts,
};
use super::value::is_parameter;
use crate::figures::with_article;
use crate::sql::literal::string_text;
use crate::workload::{Column, Comparison, Predicate, Value};

impl Resolver<'_> {
    /// `column IN (a, b)`
    pub(super) fn resolve_in(
        &mut self,
        scope: &Scope,
        operand: &Expr,
        list: &[Expr],
    ) -> Option<Predicate> {
        if let ExpressionShape::Row(_) = classify_expression(operand) {
            self.refuse(&refusal::ROWS_IN, self.expression_span(operand));
            return None;
        }
        let column = self.resolve_condition_column(scope, operand)?;
        let place = self.expression_span(operand);
        self.check_comparable(scope, column, Comparison::Equal, place)?;
        self.resolve_one_of(scope, column, list)
    }

    /// A column that has one of several values; duplicates are removed.
    fn resolve_one_of(
        &mut self,
        scope: &Scope,
        column: Column,
        list: &[Expr],
    ) -> Option<Predicate> {
        let resolved: Vec<Option<Value>> = list
            .iter()
            .map(|value| self.resolve_operand(scope, column, Comparison::Equal, value))
            .collect();
        let mut values: Vec<Value> = Vec::with_capacity(resolved.len());
        let mut literals = std::collections::BTreeSet::new();
        for value in resolved {
            match value? {
                Value::Literal(literal) if !literals.insert(literal.clone()) => {}
                value => values.push(value),
            }
        }
        if values.len() == 1 {
            let value = values.remove(0);
            return Some(Predicate::Compare { column, comparison: Comparison::Equal, value });
        }
        Some(Predicate::In { column, values })
    }

    /// `column = ANY(?)` or `? = ANY(array_column)`
    pub(super) fn resolve_any(
        &mut self,
        scope: &Scope,
        (left, operator, right): (&Expr, &BinaryOperator, &Expr),
        span: Span,
    ) -> Option<Predicate> {
        if *operator != BinaryOperator::Eq {
            self.refuse(&refusal::NEGATION, span);
            return None;
        }
        if let Some(names) = column_name(right) {
            let place = self.expression_span(right);
            let column = self.resolve_column(scope, names)?;
            return self.resolve_contains(scope, left, column, place);
        }
        let column = self.resolve_condition_column(scope, left)?;
        let place = self.expression_span(left);
        self.check_comparable(scope, column, Comparison::Equal, place)?;
        match classify_expression(right) {
            ExpressionShape::Array(elements) => self.resolve_one_of(scope, column, elements),
            ExpressionShape::Parameter(placeholder) => {
                let attribute = self.attribute_of(scope, column);
                let ty = Type::List(std::sync::Arc::new(attribute.ty.freeze()), Frozenness::No);
                let usage = equality_use(scope, column);
                let target = ValueTarget { name: &attribute.name, ty: &ty, usage: Some(usage) };
                let parameter =
                    self.resolve_parameter(placeholder, self.expression_span(right), target)?;
                Some(Predicate::AnyOf { column, parameter })
            }
            ExpressionShape::Query => {
                self.refuse(&refusal::SUB_QUERY, self.expression_span(right));
                None
            }
            _ => {
                let message = format!("the operand of ANY in {} is not a list", self.name());
                let place = self.expression_span(right);
                self.report("MF340", place, message, "use `= ANY(?)` or `IN (...)`");
                None
            }
        }
    }

    /// `? = ANY(array_column)`
    fn resolve_contains(
        &mut self,
        scope: &Scope,
        value: &Expr,
        column: Column,
        place: Span,
    ) -> Option<Predicate> {
        let attribute = self.attribute_of(scope, column);
        let (Type::List(element, _) | Type::Set(element, _)) = &attribute.ty else {
            let message =
                format!("{} is {}, not an array", attribute.name, with_article(&attribute.ty));
            self.report("MF340", place, message, format!("write `{} = ?`", attribute.name));
            return None;
        };
        let usage = equality_use(scope, column);
        let target = ValueTarget { name: &attribute.name, ty: element, usage: Some(usage) };
        let value = self.resolve_value(value, target)?;
        Some(Predicate::Holds { column, value })
    }

    /// `column LIKE 'x%'` or `column LIKE ? || '%'`
    pub(super) fn resolve_like(
        &mut self,
        scope: &Scope,
        operand: &Expr,
        pattern: &Expr,
        span: Span,
    ) -> Option<Predicate> {
        let column = self.resolve_condition_column(scope, operand)?;
        let attribute = self.attribute_of(scope, column);
        if attribute.ty != Type::Native(NativeType::Text) {
            let message =
                format!("{} is {}, not a text", attribute.name, with_article(&attribute.ty));
            self.report(
                "MF340",
                self.expression_span(operand),
                message,
                "compare it with `=` or a range",
            );
            return None;
        }
        match parse_pattern(pattern) {
            LikePattern::Prefix(prefix) if prefix.is_empty() => {
                self.refuse(&refusal::LIKE, span);
                None
            }
            LikePattern::Prefix(prefix) => {
                Some(Predicate::Prefix { column, value: Value::Literal(quote_text(&prefix)) })
            }
            LikePattern::Whole(whole) => {
                let value = Value::Literal(quote_text(&whole));
                Some(Predicate::Compare { column, comparison: Comparison::Equal, value })
            }
            LikePattern::Parameter(parameter) => {
                let value =
                    self.resolve_operand(scope, column, Comparison::GreaterOrEqual, parameter)?;
                Some(Predicate::Prefix { column, value })
            }
            LikePattern::Unknown => {
                self.refuse(&refusal::LIKE_UNKNOWN, span);
                None
            }
            LikePattern::Other => {
                self.refuse(&refusal::LIKE, span);
                None
            }
        }
    }
}

fn equality_use(scope: &Scope, column: Column) -> ParameterUse {
    ParameterUse { attribute: scope.attribute(column), kind: ParameterUseKind::Equal }
}

/// A LIKE pattern.
enum LikePattern<'e> {
    /// Texts with this prefix.
    Prefix(String),
    /// Exactly this text.
    Whole(String),
    /// Texts with a parameter as prefix.
    Parameter(&'e Expr),
    /// A parameter, whose wildcards are unknown.
    Unknown,
    /// Any other pattern.
    Other,
}

fn parse_pattern(pattern: &Expr) -> LikePattern<'_> {
    match strip_brackets(pattern) {
        Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } => {
            let is_prefix = constant_text(right).is_some_and(|end| end == "%");
            match (is_prefix, constant_text(left)) {
                (true, None) if is_parameter(left) => LikePattern::Parameter(left),
                (true, Some(start)) => parse_text_pattern(&format!("{start}%")),
                _ => LikePattern::Other,
            }
        }
        other if is_parameter(other) => LikePattern::Unknown,
        other => constant_text(other).map_or(LikePattern::Other, |text| parse_text_pattern(&text)),
    }
}

/// The pattern of a constant: `%` and `_` are wildcards unless escaped by a backslash.
fn parse_text_pattern<'e>(pattern: &str) -> LikePattern<'e> {
    let mut prefix = String::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => prefix.extend(characters.next()),
            '%' if characters.as_str().is_empty() => return LikePattern::Prefix(prefix),
            '%' | '_' => return LikePattern::Other,
            other => prefix.push(other),
        }
    }
    LikePattern::Whole(prefix)
}

fn constant_text(expression: &Expr) -> Option<String> {
    match strip_casts(expression) {
        Expr::Value(value) => string_text(&value.value),
        _ => None,
    }
}

/// A text as a CQL constant.
fn quote_text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
