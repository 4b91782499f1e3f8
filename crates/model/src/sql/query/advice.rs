//! What to write instead of this very statement, where a fixed text would be too general.

use cql::Span;
use sqlparser::ast::{BinaryOperator, Expr, Query};

use super::refusal;
use super::resolver::{Resolver, fold_name};
use super::scope::Scope;
use super::shape::{ExpressionShape, classify_expression, plain_arguments, strip_brackets};
use crate::id::SourceId;
use crate::workload::SortColumn;

impl Resolver<'_> {
    /// Reports OFFSET, with the condition that continues behind the last row seen.
    pub(super) fn refuse_offset(
        &mut self,
        scope: &Scope,
        query: &Query,
        order: &[SortColumn],
        span: Span,
    ) {
        let descending = order.first().is_some_and(|first| first.descending);
        let is_plain = |it: &SortColumn| it.descending == descending && it.null_as.is_none();
        let first = SourceId::new(0);
        let keyed = scope.tables.first().map(|table| &self.concept.entities[table.entity]);
        let keyed = keyed.filter(|entity| !entity.primary_key().is_empty());
        let (Some(entity), true) = (keyed, order.iter().all(is_plain)) else {
            return self.refuse(&refusal::OFFSET, span);
        };
        let mut columns: Vec<String> =
            order.iter().map(|it| self.attribute_of(scope, it.column).name.clone()).collect();
        for part in entity.primary_key() {
            let is_sorted =
                |it: &SortColumn| it.column.source == first && it.column.attribute == *part;
            if !order.iter().any(is_sorted) {
                columns.push(entity.attributes[*part].name.clone());
            }
        }
        let marks = vec!["?"; columns.len()].join(", ");
        let (sign, direction) = if descending { ("<", " DESC") } else { (">", "") };
        let (left, right) = match &columns[..] {
            [column] => (column.clone(), marks),
            several => (format!("({})", several.join(", ")), format!("({marks})")),
        };
        let sorted: Vec<String> =
            columns.iter().map(|column| format!("{column}{direction}")).collect();
        let conjunction =
            if has_condition(query) { "add the condition" } else { "write the condition WHERE" };
        let help = format!(
            "pass the last row seen: {conjunction} `{left} {sign} {right}`, with `ORDER BY {}`",
            sorted.join(", ")
        );
        let message = format!("{} uses OFFSET, which reads every row that it skips", self.name());
        self.report("MF310", span, message, help);
    }

    /// Reports a condition that a null parameter switches off; `false` for another OR.
    pub(super) fn refuse_optional_filter(&mut self, left: &Expr, right: &Expr, span: Span) -> bool {
        let Some((parameter, condition)) =
            optional_filter(left, right).or_else(|| optional_filter(right, left))
        else {
            return false;
        };
        let message = format!(
            "{} has an optional condition: {parameter} may be null, which selects other rows of other partitions",
            self.name()
        );
        let condition = self.places.text(self.expression_span(condition));
        let help = format!(
            "write two queries: one without this condition, and one with `{}` in its place",
            condition.split_whitespace().collect::<Vec<_>>().join(" ")
        );
        self.report("MF311", span, message, help);
        true
    }

    /// Reports `lower(column)` and the like, with the column that stores the value; `false` for
    /// another expression.
    pub(super) fn refuse_folded_case(&mut self, expression: &Expr) -> bool {
        let Expr::Function(function) = strip_brackets(expression) else { return false };
        let name = function.name.0.last().and_then(|part| part.as_ident()).map(fold_name);
        let given = plain_arguments(&function.args);
        let (Some(name), [argument]) = (name, &given[..]) else { return false };
        let ExpressionShape::Column(names) = classify_expression(argument) else { return false };
        let (Some(column), "lower" | "upper") = (names.last().map(fold_name), name.as_str()) else {
            return false;
        };
        let stored = format!("{column}_{name}");
        let message = format!("{} compares {name}({column}), which no key stores", self.name());
        let help = format!(
            "add a column `{stored} text GENERATED ALWAYS AS ({name}({column})) STORED`, and compare it: `{stored} = ?`"
        );
        self.report("MF324", self.expression_span(expression), message, help);
        true
    }
}

/// Whether a query has a WHERE.
fn has_condition(query: &Query) -> bool {
    match &*query.body {
        sqlparser::ast::SetExpr::Select(select) => select.selection.is_some(),
        _ => false,
    }
}

/// The parameter and the condition of `? IS NULL OR condition`.
fn optional_filter<'e>(test: &'e Expr, condition: &'e Expr) -> Option<(&'e str, &'e Expr)> {
    let tested = match strip_brackets(test) {
        Expr::IsNull(tested) => tested,
        // `? = ''`, as for parameters that are never null.
        Expr::BinaryOp { left, op: BinaryOperator::Eq, right }
            if matches!(classify_expression(right), ExpressionShape::Constant) =>
        {
            left
        }
        _ => return None,
    };
    match classify_expression(tested) {
        ExpressionShape::Parameter(parameter) => Some((parameter, strip_brackets(condition))),
        _ => None,
    }
}
