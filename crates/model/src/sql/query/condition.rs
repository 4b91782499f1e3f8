//! Conditions of WHERE and ON.

use cql::Span;
use cql::types::{NativeType, Type};
use sqlparser::ast::{BinaryOperator, Expr, UnaryOperator, Value as SqlValue};

use super::parameter::{Met, Target, Way, article};
use super::refusal::{self, Refusal};
use super::resolver::Resolver;
use super::scope::Scope;
use super::shape::{Shape, bare, column_name, shape};
use crate::workload::{Column, Comparison, Condition, Test, Value};

impl Resolver<'_> {
    /// Resolves conditions, all of which must hold.
    pub(super) fn conditions(&mut self, scope: &Scope, conditions: &[&Expr]) -> Vec<Condition> {
        let mut found = Vec::new();
        for condition in conditions {
            if let Some((tests, span)) = self.condition(scope, condition) {
                found.extend(tests.into_iter().map(|test| Condition { test, span }));
            }
        }
        found
    }

    /// One condition; BETWEEN and equal row values are several, `true` is none.
    fn condition(&mut self, scope: &Scope, condition: &Expr) -> Option<(Vec<Test>, Span)> {
        let span = self.expression(condition);
        let tests = match condition {
            Expr::BinaryOp { left, op, right } => self.operator(scope, (left, op, right), span)?,
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) | Expr::IsTrue(_) => {
                vec![self.truth(scope, condition, true)?]
            }
            Expr::IsFalse(_) => vec![self.truth(scope, condition, false)?],
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                let span = self.with_keyword_before(self.expression(expr), "NOT");
                return self.negated(scope, expr, span).map(|test| (vec![test], span));
            }
            Expr::IsNotNull(operand) => {
                let span = span.to(self.keyword(span, "NULL"));
                let column = self.tested(scope, operand)?;
                return Some((vec![Test::NotNull { column }], span));
            }
            Expr::InList { expr, list, negated: false } => vec![self.in_list(scope, expr, list)?],
            Expr::Between { expr, negated: false, low, high } => {
                self.between(scope, expr, low, high)?
            }
            Expr::AnyOp { left, compare_op, right, .. } => {
                vec![self.any(scope, (left, compare_op, right), span)?]
            }
            Expr::Like { negated: false, any: false, expr, pattern, escape_char } => {
                if let Some(escape) = escape_char {
                    self.refuse(&refusal::LIKE, self.expression(escape));
                    return None;
                }
                vec![self.like(scope, expr, pattern, span)?]
            }
            Expr::Value(value) if value.value == SqlValue::Boolean(true) => Vec::new(),
            other => {
                let span = if let Expr::IsNull(_) = other {
                    span.to(self.keyword(span, "NULL"))
                } else {
                    span
                };
                self.refuse(refused(other), span);
                return None;
            }
        };
        Some((tests, span))
    }

    /// `left op right`
    fn operator(
        &mut self,
        scope: &Scope,
        (left, operator, right): (&Expr, &BinaryOperator, &Expr),
        span: Span,
    ) -> Option<Vec<Test>> {
        let Some(comparison) = comparison(operator) else {
            let place = match operator {
                BinaryOperator::Or => self.or(left, span),
                _ => span,
            };
            self.refuse(refused_operator(operator), place);
            if *operator == BinaryOperator::Or {
                self.sides(scope, [left, right]);
            }
            return None;
        };
        let (left, right) = (self.idle(scope, left), self.idle(scope, right));
        match (shape(left), shape(right)) {
            (Shape::Row(left), Shape::Row(right)) => {
                self.rows(scope, left, comparison, right, span)
            }
            (Shape::Column(_), Shape::Column(_)) => {
                self.refuse(&refusal::COLUMNS_COMPARED, span);
                None
            }
            (Shape::Column(_), _) => Some(vec![self.compare(scope, left, comparison, right)?]),
            (_, Shape::Column(_)) => {
                // The value stands first, and so does its parameter.
                Some(vec![self.compare(scope, right, turned(comparison), left)?])
            }
            (left, right) => {
                self.refuse(without_column(&left, &right), span);
                None
            }
        }
    }

    /// Reports what else is wrong on the sides of an OR, which is refused as a whole.
    fn sides(&mut self, scope: &Scope, sides: [&Expr; 2]) {
        let mut open = sides.to_vec();
        while let Some(side) = open.pop() {
            match side {
                Expr::BinaryOp { left: first, op: BinaryOperator::Or, right: second } => {
                    open.extend([&**second, &**first]);
                }
                Expr::BinaryOp { op, .. } if comparison(op).is_some() => {
                    self.condition(scope, side);
                }
                _ => {}
            }
        }
    }

    /// The place of the OR behind an expression.
    fn or(&self, left: &Expr, span: Span) -> Span {
        let end = self.expression(left).end;
        self.keyword(Span::new(end, span.end), "OR")
    }

    /// `column op value`
    fn compare(
        &mut self,
        scope: &Scope,
        column: &Expr,
        comparison: Comparison,
        value: &Expr,
    ) -> Option<Test> {
        let names = column_name(column)?;
        let span = self.expression(column);
        let column = self.column(scope, names);
        let Some(column) = column else {
            self.value_of_unknown(value);
            return None;
        };
        self.comparable(scope, column, comparison, span)?;
        let value = self.value_for(scope, column, comparison, value)?;
        Some(Test::Compare { column, comparison, value })
    }

    /// What stands beside a column that is not known is still looked at for what is refused by name.
    fn value_of_unknown(&mut self, value: &Expr) {
        if let Shape::Query = shape(value) {
            self.refuse(&refusal::SUB_QUERY, self.expression(value));
        }
    }

    /// The value that a column is compared with.
    pub(super) fn value_for(
        &mut self,
        scope: &Scope,
        column: Column,
        comparison: Comparison,
        value: &Expr,
    ) -> Option<Value> {
        let attribute = self.attribute_of(scope, column);
        let way = if comparison == Comparison::Equal { Way::Equal } else { Way::Range };
        let met = Met { attribute: scope.attribute(column), way };
        self.value(value, Target { name: &attribute.name, ty: &attribute.ty, met: Some(met) })
    }

    /// Reports a column that cannot be compared so.
    pub(super) fn comparable(
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
            return Some(());
        }
        let message = format!("{} has no order: it is {}", attribute.name, article(&attribute.ty));
        self.report("MF324", span, message, "compare it with `=`, or another column");
        None
    }

    /// A column of truth values, alone.
    fn truth(&mut self, scope: &Scope, condition: &Expr, truth: bool) -> Option<Test> {
        let operand = match condition {
            Expr::IsTrue(operand) | Expr::IsFalse(operand) => operand,
            other => other,
        };
        let span = self.expression(operand);
        let column = self.tested(scope, operand)?;
        let attribute = self.attribute_of(scope, column);
        if attribute.ty != Type::Native(NativeType::Boolean) {
            let message =
                format!("{} is no condition: it is {}", attribute.name, article(&attribute.ty));
            let help = format!("compare it with a value: `{} = ?`", attribute.name);
            self.report("MF324", span, message, help);
            return None;
        }
        let value = Value::Literal(truth.to_string());
        Some(Test::Compare { column, comparison: Comparison::Equal, value })
    }

    /// `NOT condition`, where another condition says the same.
    fn negated(&mut self, scope: &Scope, condition: &Expr, span: Span) -> Option<Test> {
        match bare(condition) {
            column @ (Expr::Identifier(_) | Expr::CompoundIdentifier(_)) => {
                self.truth(scope, column, false)
            }
            Expr::IsNull(operand) => {
                let column = self.tested(scope, operand)?;
                Some(Test::NotNull { column })
            }
            _ => {
                self.refuse(&refusal::NEGATION, span);
                None
            }
        }
    }

    /// The column that a condition tests.
    pub(super) fn tested(&mut self, scope: &Scope, operand: &Expr) -> Option<Column> {
        if let Some(names) = column_name(self.idle(scope, operand)) {
            return self.column(scope, names);
        }
        let refused = match shape(operand) {
            Shape::Computed { from_columns: true } | Shape::CastColumn => &refusal::COMPUTED_COLUMN,
            Shape::Query => &refusal::SUB_QUERY,
            _ => &refusal::NO_COLUMN,
        };
        self.refuse(refused, self.expression(operand));
        None
    }

    /// `column BETWEEN low AND high`
    fn between(
        &mut self,
        scope: &Scope,
        operand: &Expr,
        low: &Expr,
        high: &Expr,
    ) -> Option<Vec<Test>> {
        let column = self.tested(scope, operand)?;
        let span = self.expression(operand);
        self.comparable(scope, column, Comparison::Less, span)?;
        let mut tests = Vec::new();
        for (comparison, value) in
            [(Comparison::GreaterOrEqual, low), (Comparison::LessOrEqual, high)]
        {
            let value = self.value_for(scope, column, comparison, value);
            tests.extend(value.map(|value| Test::Compare { column, comparison, value }));
        }
        Some(tests)
    }

    /// `(a, b) op (x, y)`
    fn rows(
        &mut self,
        scope: &Scope,
        left: &[Expr],
        comparison: Comparison,
        right: &[Expr],
        span: Span,
    ) -> Option<Vec<Test>> {
        if left.len() != right.len() {
            let message = format!("the rows that {} compares differ in length", self.name());
            self.report("MF324", span, message, "give a value for each column");
            return None;
        }
        let columns_first = left.iter().all(|side| column_name(side).is_some());
        let (columns, values, comparison) = if columns_first {
            (left, right, comparison)
        } else {
            (right, left, turned(comparison))
        };
        let mut pairs = Vec::new();
        for (column, value) in columns.iter().zip(values) {
            let place = self.expression(column);
            let Some(column) = self.tested(scope, column) else { continue };
            if self.comparable(scope, column, comparison, place).is_none() {
                continue;
            }
            pairs.extend(
                self.value_for(scope, column, comparison, value).map(|value| (column, value)),
            );
        }
        if pairs.len() < columns.len() {
            return None;
        }
        if comparison == Comparison::Equal || pairs.len() == 1 {
            let test = |(column, value)| Test::Compare { column, comparison, value };
            return Some(pairs.into_iter().map(test).collect());
        }
        let (columns, values) = pairs.into_iter().unzip();
        Some(vec![Test::Row { columns, comparison, values }])
    }
}

/// How an operator compares.
pub(super) fn comparison(operator: &BinaryOperator) -> Option<Comparison> {
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
fn turned(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Equal => Comparison::Equal,
        Comparison::Less => Comparison::Greater,
        Comparison::LessOrEqual => Comparison::GreaterOrEqual,
        Comparison::Greater => Comparison::Less,
        Comparison::GreaterOrEqual => Comparison::LessOrEqual,
    }
}

/// Whether values of a type have an order that people ask for.
pub(super) fn is_ordered(ty: &Type) -> bool {
    matches!(ty, Type::Native(native) if *native != NativeType::Duration)
}

/// What is refused about a condition.
fn refused(condition: &Expr) -> &'static Refusal {
    match condition {
        Expr::IsNull(_) | Expr::IsUnknown(_) | Expr::IsNotTrue(_) | Expr::IsNotFalse(_) => {
            &refusal::IS_NULL
        }
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

/// What is refused about an operator.
fn refused_operator(operator: &BinaryOperator) -> &'static Refusal {
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

/// What is refused about a comparison in which no side is a plain column.
fn without_column(left: &Shape<'_>, right: &Shape<'_>) -> &'static Refusal {
    let sides = [left, right];
    let any = |test: fn(&Shape<'_>) -> bool| sides.iter().any(|side| test(side));
    if any(|side| matches!(side, Shape::Query)) {
        &refusal::SUB_QUERY
    } else if any(|side| matches!(side, Shape::Computed { from_columns: true } | Shape::CastColumn))
    {
        &refusal::COMPUTED_COLUMN
    } else {
        &refusal::NO_COLUMN
    }
}
