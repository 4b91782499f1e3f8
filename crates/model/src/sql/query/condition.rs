//! The conditions of WHERE and ON: comparisons, ranges and row values.

use cql::Span;
use cql::types::{NativeType, Type};
use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value as SqlValue};

use super::parameter::{ParameterUse, ParameterUseKind, ValueTarget};
use super::refusal::{self, Refusal};
use super::resolver::Resolver;
use super::scope::Scope;
use super::shape::{ExpressionShape, classify_expression, column_name, strip_brackets};
use crate::figures::with_article;
use crate::workload::{Column, Comparison, Condition, Predicate, Value};

impl Resolver<'_> {
    /// Resolves conditions, all of which must hold.
    pub(super) fn resolve_conditions(
        &mut self,
        scope: &Scope,
        conditions: &[&Expr],
    ) -> Vec<Condition> {
        let mut resolved = Vec::new();
        for condition in conditions {
            if let Some((predicates, span)) = self.resolve_condition(scope, condition) {
                resolved
                    .extend(predicates.into_iter().map(|predicate| Condition { predicate, span }));
            }
        }
        resolved
    }

    /// Resolves one condition; BETWEEN and equal row values give several predicates, `true` none.
    fn resolve_condition(
        &mut self,
        scope: &Scope,
        condition: &Expr,
    ) -> Option<(Vec<Predicate>, Span)> {
        let span = self.expression_span(condition);
        let predicates = match condition {
            Expr::BinaryOp { left, op, right } => {
                self.resolve_binary(scope, (left, op, right), span)?
            }
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::IsTrue(_) => {
                vec![self.resolve_truth(scope, condition, true)?]
            }
            Expr::IsFalse(_) => vec![self.resolve_truth(scope, condition, false)?],
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                let span = self.with_keyword_before(self.expression_span(expr), "NOT");
                return self
                    .resolve_negation(scope, expr, span)
                    .map(|predicate| (vec![predicate], span));
            }
            Expr::IsNull(operand) | Expr::IsNotNull(operand) => {
                let span = span.union(self.keyword_span(span, "NULL"));
                let is_null = matches!(condition, Expr::IsNull(_));
                return Some((vec![self.resolve_null_test(scope, operand, is_null, span)?], span));
            }
            Expr::IsUnknown(operand) | Expr::IsNotUnknown(operand) => {
                let span = span.union(self.keyword_span(span, "UNKNOWN"));
                let is_null = matches!(condition, Expr::IsUnknown(_));
                return Some((vec![self.resolve_null_test(scope, operand, is_null, span)?], span));
            }
            Expr::InList { expr, list, negated: false } => {
                vec![self.resolve_in(scope, expr, list)?]
            }
            Expr::Between { expr, negated: false, low, high } => {
                self.resolve_between(scope, expr, low, high)?
            }
            Expr::AnyOp { left, compare_op, right, .. } => {
                vec![self.resolve_any(scope, (left, compare_op, right), span)?]
            }
            Expr::Like { negated: false, any: false, expr, pattern, escape_char } => {
                if let Some(escape) = escape_char {
                    self.refuse(&refusal::LIKE, self.expression_span(escape));
                    return None;
                }
                vec![self.resolve_like(scope, expr, pattern, span)?]
            }
            Expr::Value(value) if value.value == SqlValue::Boolean(true) => Vec::new(),
            other => {
                self.refuse(condition_refusal(other), span);
                return None;
            }
        };
        Some((predicates, span))
    }

    /// `left op right`
    fn resolve_binary(
        &mut self,
        scope: &Scope,
        (left, operator, right): (&Expr, &BinaryOperator, &Expr),
        span: Span,
    ) -> Option<Vec<Predicate>> {
        let Some(comparison) = to_comparison(operator) else {
            let place = match operator {
                BinaryOperator::Or => self.or_span(left, span),
                _ => span,
            };
            if *operator == BinaryOperator::Or && self.refuse_optional_filter(left, right, span) {
                return None;
            }
            self.refuse(operator_refusal(operator), place);
            if *operator == BinaryOperator::Or {
                self.report_or_sides(scope, [left, right]);
            }
            return None;
        };
        let (left, right) = (self.strip_idle_cast(scope, left), self.strip_idle_cast(scope, right));
        let shape = |side: &'_ Expr| self.find_excluded_column(side).is_some();
        let (value_left, value_right) = (shape(left), shape(right));
        let classify = |side, is_value: bool| {
            if is_value { ExpressionShape::Constant } else { classify_expression(side) }
        };
        match (classify(left, value_left), classify(right, value_right)) {
            (ExpressionShape::Row(left), ExpressionShape::Row(right)) => {
                self.resolve_row_comparison(scope, left, comparison, right, span)
            }
            (ExpressionShape::Column(_), ExpressionShape::Column(_)) => {
                self.refuse(&refusal::COLUMNS_COMPARED, span);
                None
            }
            (ExpressionShape::Column(_), _) => {
                Some(vec![self.resolve_comparison(scope, left, comparison, right)?])
            }
            (_, ExpressionShape::Column(_)) => {
                // The value precedes the column, so its parameter is numbered first anyway.
                Some(vec![self.resolve_comparison(
                    scope,
                    right,
                    flip_comparison(comparison),
                    left,
                )?])
            }
            (left_shape, right_shape) => {
                if !self.refuse_folded_case(left) && !self.refuse_folded_case(right) {
                    self.refuse(columnless_refusal(&left_shape, &right_shape), span);
                }
                None
            }
        }
    }

    /// Reports other errors on the sides of an OR, which is rejected as a whole.
    fn report_or_sides(&mut self, scope: &Scope, sides: [&Expr; 2]) {
        let mut open = sides.to_vec();
        while let Some(side) = open.pop() {
            match side {
                Expr::BinaryOp { left: first, op: BinaryOperator::Or, right: second } => {
                    open.extend([&**second, &**first]);
                }
                Expr::BinaryOp { op, .. } if to_comparison(op).is_some() => {
                    self.resolve_condition(scope, side);
                }
                _ => {}
            }
        }
    }

    /// The place of the OR after an expression.
    fn or_span(&self, left: &Expr, span: Span) -> Span {
        let end = self.expression_span(left).end;
        self.keyword_span(Span::new(end, span.end), "OR")
    }

    /// `column op value`
    fn resolve_comparison(
        &mut self,
        scope: &Scope,
        column: &Expr,
        comparison: Comparison,
        value: &Expr,
    ) -> Option<Predicate> {
        let names = column_name(column)?;
        let span = self.expression_span(column);
        let column = self.resolve_column(scope, names);
        let Some(column) = column else {
            self.refuse_sub_query(value);
            return None;
        };
        self.check_comparable(scope, column, comparison, span)?;
        let value = self.resolve_operand(scope, column, comparison, value)?;
        Some(Predicate::Compare { column, comparison, value })
    }

    /// Reports a subquery that is compared with an unknown column; other values cannot be checked.
    fn refuse_sub_query(&mut self, value: &Expr) {
        if let ExpressionShape::Query = classify_expression(value) {
            self.refuse(&refusal::SUB_QUERY, self.expression_span(value));
        }
    }

    /// The value that a column is compared with.
    pub(super) fn resolve_operand(
        &mut self,
        scope: &Scope,
        column: Column,
        comparison: Comparison,
        value: &Expr,
    ) -> Option<Value> {
        let attribute = self.attribute_of(scope, column);
        let kind = if comparison == Comparison::Equal {
            ParameterUseKind::Equal
        } else {
            ParameterUseKind::Range
        };
        let usage = ParameterUse { attribute: scope.attribute(column), kind };
        self.resolve_value(
            value,
            ValueTarget { name: &attribute.name, ty: &attribute.ty, usage: Some(usage) },
        )
    }

    /// Reports a column whose type does not support the comparison.
    pub(super) fn check_comparable(
        &mut self,
        scope: &Scope,
        column: Column,
        comparison: Comparison,
        span: Span,
    ) -> Option<()> {
        let attribute = self.attribute_of(scope, column);
        if attribute.ty.is_collection() {
            self.refuse(&refusal::CONTAINS, span);
            return None;
        }
        if comparison == Comparison::Equal
            && !matches!(attribute.ty, Type::Native(NativeType::Duration))
        {
            return Some(());
        }
        if is_ordered(&attribute.ty) {
            return self.check_label_order(scope, column, span);
        }
        let message =
            format!("{} is {}, which has no order", attribute.name, with_article(&attribute.ty));
        self.report("MF324", span, message, "compare it with `=`, or use another column");
        None
    }

    /// A boolean column alone.
    fn resolve_truth(&mut self, scope: &Scope, condition: &Expr, truth: bool) -> Option<Predicate> {
        let operand = match condition {
            Expr::IsTrue(operand) | Expr::IsFalse(operand) => operand,
            other => other,
        };
        let span = self.expression_span(operand);
        let column = self.resolve_condition_column(scope, operand)?;
        let attribute = self.attribute_of(scope, column);
        if attribute.ty != Type::Native(NativeType::Boolean) {
            let message =
                format!("{} is {}, not a boolean", attribute.name, with_article(&attribute.ty));
            let help = format!("compare it with a value: `{} = ?`", attribute.name);
            self.report("MF324", span, message, help);
            return None;
        }
        let value = Value::Literal(truth.to_string());
        Some(Predicate::Compare { column, comparison: Comparison::Equal, value })
    }

    /// `NOT condition`, where a supported condition is equivalent.
    fn resolve_negation(
        &mut self,
        scope: &Scope,
        condition: &Expr,
        span: Span,
    ) -> Option<Predicate> {
        match strip_brackets(condition) {
            column @ (Expr::Identifier(_) | Expr::CompoundIdentifier(_)) => {
                self.resolve_truth(scope, column, false)
            }
            Expr::IsNull(operand) => self.resolve_null_test(scope, operand, false, span),
            Expr::IsNotNull(operand) => self.resolve_null_test(scope, operand, true, span),
            _ => {
                self.refuse(&refusal::NEGATION, span);
                None
            }
        }
    }

    /// `column IS NULL` or `column IS NOT NULL`
    fn resolve_null_test(
        &mut self,
        scope: &Scope,
        operand: &Expr,
        is_null: bool,
        span: Span,
    ) -> Option<Predicate> {
        let column = self.resolve_condition_column(scope, operand)?;
        let attribute = self.attribute_of(scope, column);
        if attribute.ty.is_collection() {
            self.refuse(&refusal::ARRAY_IS_NULL, span);
            return None;
        }
        if is_null && !attribute.nullable && !scope.tables[column.source].left {
            let message = format!("{} is declared NOT NULL, so it is never null", attribute.name);
            let help = format!("remove the condition, or NOT NULL from {}", attribute.name);
            self.report("MF323", span, message, help);
            return None;
        }
        Some(if is_null { Predicate::Null { column } } else { Predicate::NotNull { column } })
    }

    /// The column that a condition predicates.
    pub(super) fn resolve_condition_column(
        &mut self,
        scope: &Scope,
        operand: &Expr,
    ) -> Option<Column> {
        if let Some(names) = column_name(self.strip_idle_cast(scope, operand)) {
            return self.resolve_column(scope, names);
        }
        let refused = match classify_expression(operand) {
            ExpressionShape::Computed { from_columns: true } | ExpressionShape::CastColumn => {
                &refusal::COMPUTED_COLUMN
            }
            ExpressionShape::Query => &refusal::SUB_QUERY,
            _ => &refusal::NO_COLUMN,
        };
        self.refuse(refused, self.expression_span(operand));
        None
    }

    /// `column BETWEEN low AND high`
    fn resolve_between(
        &mut self,
        scope: &Scope,
        operand: &Expr,
        low: &Expr,
        high: &Expr,
    ) -> Option<Vec<Predicate>> {
        let column = self.resolve_condition_column(scope, operand)?;
        let span = self.expression_span(operand);
        self.check_comparable(scope, column, Comparison::Less, span)?;
        let mut predicates = Vec::new();
        for (comparison, value) in
            [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)]
        {
            let value = self.resolve_operand(scope, column, comparison, value);
            predicates.extend(value.map(|value| Predicate::Compare { column, comparison, value }));
        }
        Some(predicates)
    }

    /// `(a, b) op (x, y)`
    fn resolve_row_comparison(
        &mut self,
        scope: &Scope,
        left: &[Expr],
        comparison: Comparison,
        right: &[Expr],
        span: Span,
    ) -> Option<Vec<Predicate>> {
        if left.len() != right.len() {
            let message = format!("the row values compared by {} differ in length", self.name());
            self.report("MF324", span, message, "provide one value for each column");
            return None;
        }
        let columns_first = left.iter().all(|side| column_name(side).is_some());
        let (columns, values, comparison) = if columns_first {
            (left, right, comparison)
        } else {
            (right, left, flip_comparison(comparison))
        };
        let mut pairs = Vec::new();
        for (column, value) in columns.iter().zip(values) {
            let place = self.expression_span(column);
            let Some(column) = self.resolve_condition_column(scope, column) else { continue };
            if self.check_comparable(scope, column, comparison, place).is_none() {
                continue;
            }
            pairs.extend(
                self.resolve_operand(scope, column, comparison, value).map(|value| (column, value)),
            );
        }
        if pairs.len() < columns.len() {
            return None;
        }
        if comparison == Comparison::Equal || pairs.len() == 1 {
            let compare = |(column, value)| Predicate::Compare { column, comparison, value };
            return Some(pairs.into_iter().map(compare).collect());
        }
        let (columns, values) = pairs.into_iter().unzip();
        Some(vec![Predicate::Row { columns, comparison, values }])
    }
}

/// The comparison of an operator.
pub(super) fn to_comparison(operator: &BinaryOperator) -> Option<Comparison> {
    match operator {
        BinaryOperator::Eq => Some(Comparison::Equal),
        BinaryOperator::Lt => Some(Comparison::Less),
        BinaryOperator::LtEq => Some(Comparison::LessOrEqual),
        BinaryOperator::Gt => Some(Comparison::Greater),
        BinaryOperator::GtEq => Some(Comparison::GreaterOrEqual),
        _ => None,
    }
}

/// The comparison with its sides exchanged.
fn flip_comparison(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::Equal,
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}

/// Whether values of a type have a useful order.
pub(super) fn is_ordered(ty: &Type) -> bool {
    matches!(ty, Type::Native(native) if *native != NativeType::Duration)
}

/// The refusal of an unsupported condition.
fn condition_refusal(condition: &Expr) -> &'static Refusal {
    match condition {
        Expr::IsNotTrue(_) | Expr::IsNotFalse(_) => &refusal::IS_NOT_TRUE,
        Expr::InSubquery { .. } | Expr::Exists { .. } | Expr::Subquery(_) => &refusal::SUB_QUERY,
        Expr::InList { .. } | Expr::Between { .. } | Expr::Like { negated: true, .. } => {
            &refusal::NEGATION
        }
        Expr::IsDistinctFrom(..) | Expr::IsNotDistinctFrom(..) | Expr::AllOp { .. } => {
            &refusal::NEGATION
        }
        Expr::ILike { .. } | Expr::SimilarTo { .. } | Expr::RLike { .. } => &refusal::ILIKE,
        Expr::Like { .. } => &refusal::LIKE,
        Expr::Value(_) => &refusal::NO_COLUMN,
        Expr::Function(_) | Expr::Case { .. } | Expr::Cast { .. } => &refusal::COMPUTED_COLUMN,
        _ => &refusal::CONDITION,
    }
}

/// The refusal of an unsupported operator.
fn operator_refusal(operator: &BinaryOperator) -> &'static Refusal {
    match operator {
        BinaryOperator::Or | BinaryOperator::Xor => &refusal::OR,
        BinaryOperator::NotEq => &refusal::NEGATION,
        BinaryOperator::AtArrow | BinaryOperator::ArrowAt | BinaryOperator::PGOverlap => {
            &refusal::CONTAINS
        }
        BinaryOperator::Arrow
        | BinaryOperator::LongArrow
        | BinaryOperator::HashArrow
        | BinaryOperator::HashLongArrow
        | BinaryOperator::Question
        | BinaryOperator::AtQuestion => &refusal::JSON,
        BinaryOperator::PGRegexMatch
        | BinaryOperator::PGRegexIMatch
        | BinaryOperator::PGRegexNotMatch
        | BinaryOperator::PGRegexNotIMatch
        | BinaryOperator::PGILikeMatch => &refusal::ILIKE,
        _ => &refusal::CONDITION,
    }
}

/// The refusal of a comparison in which no side is a plain column.
fn columnless_refusal(left: &ExpressionShape<'_>, right: &ExpressionShape<'_>) -> &'static Refusal {
    let sides = [left, right];
    let any =
        |predicate: fn(&ExpressionShape<'_>) -> bool| sides.iter().any(|side| predicate(side));
    if any(|side| matches!(side, ExpressionShape::Query)) {
        &refusal::SUB_QUERY
    } else if any(|side| {
        matches!(
            side,
            ExpressionShape::Computed { from_columns: true } | ExpressionShape::CastColumn
        )
    }) {
        &refusal::COMPUTED_COLUMN
    } else {
        &refusal::NO_COLUMN
    }
}
