//! The result columns of a SELECT: columns, `*` and aggregates.

use std::collections::BTreeSet;

use cql::Span;
use cql::types::{NativeType, Type};
use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
    SelectItem, SelectItemQualifiedWildcardKind, Value as SqlValue, WildcardAdditionalOptions,
};

use super::condition::is_ordered;
use super::refusal;
use super::resolver::{Resolver, fold_name};
use super::result_columns::OutputExpression;
use super::scope::Scope;
use super::shape::{ExpressionShape, classify_expression, strip_brackets};
use crate::concept::Attribute;
use crate::expression::Expression;
use crate::figures::with_article;
use crate::id::{IdList, OutputId, SourceId};
use crate::workload::{Column, ComputedOutput, Output, OutputValue};

/// The most result columns, as in `PostgreSQL`.
const OUTPUTS_MAX: usize = 1_664;

/// A result column and its place.
pub(super) struct ResultColumn {
    /// What is read; the first part of a computed result.
    pub(super) output: Output,
    pub(super) span: Span,
    /// How the result is computed from what is read.
    pub(super) computed: Option<OutputExpression>,
}

impl ResultColumn {
    /// Whether it is computed from several rows.
    pub(super) fn is_aggregate(&self) -> bool {
        !matches!(self.output.value, OutputValue::Column(_))
    }

    /// Whether it is a constant.
    pub(super) fn is_constant(&self) -> bool {
        self.computed.as_ref().is_some_and(|computed| computed.columns().is_empty())
    }

    /// The column that it shows.
    pub(super) fn column(&self) -> Option<Column> {
        match self.output.value {
            OutputValue::Column(column) => Some(column),
            _ => None,
        }
    }
}

impl Resolver<'_> {
    /// The result columns of a SELECT or a write, `*` expanded.
    pub(super) fn resolve_outputs(
        &mut self,
        scope: &Scope,
        items: &[SelectItem],
    ) -> Vec<ResultColumn> {
        if items.len() > OUTPUTS_MAX {
            let message = format!("{} returns more than {OUTPUTS_MAX} columns", self.name());
            let place = self.node_span(&items[OUTPUTS_MAX]);
            self.report("MF326", place, message, "return fewer columns");
            return Vec::new();
        }
        let mut shown = Vec::new();
        for item in items {
            match item {
                SelectItem::Wildcard(options) => self.expand_wildcard(scope, options, &mut shown),
                SelectItem::QualifiedWildcard(kind, options) => {
                    self.expand_table_wildcard(scope, kind, options, &mut shown);
                }
                SelectItem::UnnamedExpr(expression) => {
                    shown.extend(self.resolve_output(scope, expression, None));
                }
                SelectItem::ExprWithAlias { expr, alias } => {
                    shown.extend(self.resolve_output(scope, expr, Some(fold_name(alias))));
                }
                SelectItem::ExprWithAliases { expr, .. } => {
                    self.refuse(&refusal::CLAUSE, self.expression_span(expr));
                }
            }
        }
        shown
    }

    /// `*`: the columns of USING once, then all others, in the order of the text.
    fn expand_wildcard(
        &mut self,
        scope: &Scope,
        options: &WildcardAdditionalOptions,
        shown: &mut Vec<ResultColumn>,
    ) {
        let span = self.check_wildcard(options);
        let merged: Vec<Column> = scope.merged.iter().map(|(_, column)| *column).collect();
        for column in &merged {
            shown.push(self.result_column(scope, *column, span));
        }
        for &source in &scope.text_order {
            for attribute in self.concept.entities[scope.entity(source)].attributes.ids() {
                let column = Column { source, attribute };
                let Attribute { name, hidden, .. } = self.attribute_of(scope, column);
                if !hidden && !scope.merged.iter().any(|(merged, _)| merged == name) {
                    shown.push(self.result_column(scope, column, span));
                }
            }
        }
    }

    /// `t.*`
    fn expand_table_wildcard(
        &mut self,
        scope: &Scope,
        kind: &SelectItemQualifiedWildcardKind,
        options: &WildcardAdditionalOptions,
        shown: &mut Vec<ResultColumn>,
    ) {
        let span = self.check_wildcard(options);
        let name = match kind {
            SelectItemQualifiedWildcardKind::ObjectName(name) => {
                name.0.last().and_then(|part| part.as_ident())
            }
            SelectItemQualifiedWildcardKind::Expr(_) => None,
        };
        let Some(name) = name else {
            self.refuse(&refusal::COMPUTED_OUTPUT, span);
            return;
        };
        let Some(source) = self.resolve_alias(scope, name) else { return };
        for attribute in self.concept.entities[scope.entity(source)].attributes.ids() {
            let column = Column { source, attribute };
            if !self.attribute_of(scope, column).hidden {
                shown.push(self.result_column(scope, column, span));
            }
        }
    }

    /// The place of a `*`; reports modifiers after it.
    fn check_wildcard(&mut self, options: &WildcardAdditionalOptions) -> Span {
        let span = self.places.span(options.wildcard_token.0.span).unwrap_or(self.named.span);
        if options.opt_except.is_some()
            || options.opt_exclude.is_some()
            || options.opt_replace.is_some()
            || options.opt_rename.is_some()
            || options.opt_ilike.is_some()
        {
            self.refuse(&refusal::CLAUSE, span);
        }
        span
    }

    fn result_column(&self, scope: &Scope, column: Column, span: Span) -> ResultColumn {
        let name = self.attribute_of(scope, column).name.clone();
        let output = Output { name, value: OutputValue::Column(column) };
        ResultColumn { output, span, computed: None }
    }

    /// A column, an aggregate, or something computed from them.
    fn resolve_output(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        alias: Option<String>,
    ) -> Option<ResultColumn> {
        let span = self.expression_span(expression);
        if let Expr::Function(function) = strip_brackets(expression) {
            let name = function.name.0.last().and_then(|part| part.as_ident()).map(fold_name)?;
            if is_aggregate(&name) || function.over.is_some() {
                let value = self.resolve_aggregate(scope, &name, function, span)?;
                let output = Output { name: alias.unwrap_or(name), value };
                return Some(ResultColumn { output, span, computed: None });
            }
        }
        let refused = match classify_expression(self.strip_idle_cast(scope, expression)) {
            ExpressionShape::Column(names) => {
                let column = self.resolve_column(scope, names)?;
                let mut shown = self.result_column(scope, column, span);
                if let Some(alias) = alias {
                    shown.output.name = alias;
                }
                return Some(shown);
            }
            ExpressionShape::Constant => {
                return self.resolve_constant_output(scope, expression, alias);
            }
            ExpressionShape::Null | ExpressionShape::Parameter(_) => &refusal::CONSTANT_OUTPUT,
            ExpressionShape::Query => &refusal::SUB_QUERY,
            _ if matches!(strip_brackets(expression), Expr::Exists { .. }) => &refusal::SUB_QUERY,
            _ => return self.resolve_computed(scope, expression, alias),
        };
        self.refuse(refused, span);
        None
    }

    /// Something computed: its first part stands for it where the order or a group names it.
    fn resolve_computed(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        alias: Option<String>,
    ) -> Option<ResultColumn> {
        let span = self.expression_span(expression);
        let computed = self.resolve_expression(scope, expression, None)?;
        let Some(&&value) = computed.columns().first() else {
            self.refuse(&refusal::CONSTANT_OUTPUT, span);
            return None;
        };
        let name = alias.unwrap_or_else(|| default_name(expression));
        Some(ResultColumn { output: Output { name, value }, span, computed: Some(computed) })
    }

    /// A constant, once for each row: a column of the key stands for the row.
    fn resolve_constant_output(
        &mut self,
        scope: &Scope,
        expression: &Expr,
        alias: Option<String>,
    ) -> Option<ResultColumn> {
        let span = self.expression_span(expression);
        let (source, table) = (SourceId::new(0), scope.tables.first());
        let key = table.and_then(|table| self.concept.entities[table.entity].primary_key().first());
        let Some(&attribute) = key else {
            self.refuse(&refusal::CONSTANT_OUTPUT, span);
            return None;
        };
        let computed = Some(self.resolve_expression(scope, expression, None)?);
        let value = OutputValue::Column(Column { source, attribute });
        let name = alias.unwrap_or_else(|| default_name(expression));
        Some(ResultColumn { output: Output { name, value }, span, computed })
    }

    /// What computed results read besides their first part, each once; nothing of it is returned.
    pub(super) fn add_hidden_outputs(
        &self,
        scope: &Scope,
        shown: &[ResultColumn],
    ) -> Vec<ResultColumn> {
        let mut hidden: Vec<ResultColumn> = Vec::new();
        for result in shown {
            let parts = result.computed.iter().flat_map(OutputExpression::columns);
            for &value in parts {
                let is_read = |other: &ResultColumn| other.output.value == value;
                if shown.iter().any(is_read) || hidden.iter().any(is_read) {
                    continue;
                }
                let taken =
                    |name: &str| shown.iter().chain(&hidden).any(|other| other.output.name == name);
                let preferred = match value {
                    OutputValue::Column(column) => self.attribute_of(scope, column).name.clone(),
                    _ => "aggregate".to_owned(),
                };
                let numbered = (2..).map(|number| format!("{preferred}_{number}"));
                let name = std::iter::once(preferred.clone()).chain(numbered).find(|it| !taken(it));
                let output = Output { name: name.unwrap_or(preferred), value };
                hidden.push(ResultColumn { output, span: result.span, computed: None });
            }
        }
        hidden
    }

    /// The result column at a position, counting from 1.
    pub(super) fn resolve_ordinal<'s>(
        &mut self,
        expression: &Expr,
        shown: &'s [ResultColumn],
        rule: &'static str,
    ) -> Option<&'s ResultColumn> {
        let number = match strip_brackets(expression) {
            Expr::Value(value) => match &value.value {
                SqlValue::Number(number, _) => number.parse::<usize>().ok(),
                _ => None,
            },
            _ => None,
        };
        let found = number.and_then(|number| shown.get(number.checked_sub(1)?));
        if found.is_none() {
            let message = format!("{} has no result column at that position", self.name());
            self.report(
                rule,
                self.expression_span(expression),
                message,
                "use the name of the column",
            );
        }
        found
    }

    /// An aggregate.
    pub(super) fn resolve_aggregate(
        &mut self,
        scope: &Scope,
        name: &str,
        function: &Function,
        span: Span,
    ) -> Option<OutputValue> {
        if function.over.is_some() {
            self.refuse(&refusal::WINDOW, span);
            return None;
        }
        if !is_aggregate(name) {
            self.refuse(&refusal::COMPUTED_OUTPUT, span);
            return None;
        }
        if let Some(filter) = &function.filter {
            self.refuse(&refusal::AGGREGATE_FILTER, self.expression_span(filter));
            return None;
        }
        let FunctionArguments::List(list) = &function.args else {
            self.refuse(&refusal::COMPUTED_OUTPUT, span);
            return None;
        };
        if list.duplicate_treatment == Some(DuplicateTreatment::Distinct) {
            self.refuse(&refusal::COUNT_DISTINCT, span);
            return None;
        }
        match &list.args[..] {
            [FunctionArg::Unnamed(FunctionArgExpr::Wildcard)] if name == "count" => {
                Some(OutputValue::Count(None))
            }
            [FunctionArg::Unnamed(FunctionArgExpr::Expr(argument))] => {
                self.resolve_aggregate_argument(scope, name, argument)
            }
            _ => {
                let message = format!("{} calls {name}() without an argument", self.name());
                self.report("MF353", span, message, "write `COUNT(*)`, `SUM(column)`, ...");
                None
            }
        }
    }

    fn resolve_aggregate_argument(
        &mut self,
        scope: &Scope,
        name: &str,
        argument: &Expr,
    ) -> Option<OutputValue> {
        let span = self.expression_span(argument);
        let ExpressionShape::Column(names) = classify_expression(argument) else {
            if name == "count" && matches!(classify_expression(argument), ExpressionShape::Constant)
            {
                return Some(OutputValue::Count(None));
            }
            self.refuse(&refusal::COMPUTED_OUTPUT, span);
            return None;
        };
        let column = self.resolve_column(scope, names)?;
        if scope.tables[column.source].left {
            self.refuse(&refusal::LEFT_AGGREGATE, span);
            return None;
        }
        if matches!(name, "min" | "max") {
            self.check_label_order(scope, column, span)?;
        }
        let attribute = self.attribute_of(scope, column);
        let value = match name {
            "count" if attribute.nullable => OutputValue::Count(Some(column)),
            "count" => OutputValue::Count(None),
            "sum" if is_number(&attribute.ty) => OutputValue::Sum(column),
            "avg" if is_number(&attribute.ty) => OutputValue::Average(column),
            "min" if is_ordered(&attribute.ty) => OutputValue::Least(column),
            "max" if is_ordered(&attribute.ty) => OutputValue::Greatest(column),
            _ => {
                let message = format!(
                    "{} is {}, which {name}() does not accept",
                    attribute.name,
                    with_article(&attribute.ty)
                );
                let accepted = if matches!(name, "sum" | "avg") {
                    "a numeric column"
                } else {
                    "a column with an ordered type"
                };
                self.report("MF353", span, message, format!("use {name}() with {accepted}"));
                return None;
            }
        };
        Some(value)
    }
}

/// Whether a function aggregates rows.
pub(super) fn is_aggregate(name: &str) -> bool {
    matches!(name, "count" | "sum" | "avg" | "min" | "max")
}

/// The name that `PostgreSQL` gives a result without one.
fn default_name(expression: &Expr) -> String {
    match strip_brackets(expression) {
        Expr::Function(function) => {
            let name = function.name.0.last().and_then(|part| part.as_ident());
            name.map_or_else(|| "?column?".to_owned(), fold_name)
        }
        Expr::Case { .. } => "case".to_owned(),
        Expr::Cast { expr, .. } => match strip_brackets(expr) {
            Expr::Identifier(name) => fold_name(name),
            other => default_name(other),
        },
        _ => "?column?".to_owned(),
    }
}

/// Gives every result a name of its own: `PostgreSQL` may return several of one name, but the
/// statements of a plan and the rows of a client refer to them by name.
pub(super) fn number_repeated_names(shown: &mut [ResultColumn]) {
    let mut taken: BTreeSet<String> = shown.iter().map(|it| it.output.name.clone()).collect();
    let mut seen = BTreeSet::new();
    for result in shown {
        let name = &mut result.output.name;
        if !seen.insert(name.clone()) {
            let mut numbered = (2..).map(|number: u32| format!("{name}_{number}"));
            let free = numbered.find(|it| !taken.contains(it)).unwrap_or_default();
            taken.insert(free.clone());
            *name = free;
        }
    }
}

/// How results are made from what is read; nothing where they are just that.
pub(super) fn list_computed_outputs(
    shown: &[ResultColumn],
    read: &[Output],
) -> Vec<ComputedOutput> {
    if shown.iter().all(|result| result.computed.is_none()) {
        return Vec::new();
    }
    let mut position = |value: &OutputValue| {
        let at = read.find_id(|output| output.value == *value);
        Expression::Column(at.unwrap_or_else(|| OutputId::new(0)))
    };
    let results = shown.iter().enumerate().map(|(at, result)| {
        let value = match &result.computed {
            Some(computed) => computed.substitute(&mut position),
            None => Expression::Column(OutputId::new(at)),
        };
        ComputedOutput { name: result.output.name.clone(), value }
    });
    results.collect()
}

/// Whether values of a type can be summed.
pub(super) fn is_number(ty: &Type) -> bool {
    let Type::Native(native) = ty else { return false };
    is_whole_number(ty)
        || matches!(native, NativeType::Float | NativeType::Double | NativeType::Decimal)
}

/// Whether values of a type are whole numbers.
pub(super) fn is_whole_number(ty: &Type) -> bool {
    matches!(
        ty,
        Type::Native(
            NativeType::Tinyint
                | NativeType::Smallint
                | NativeType::Int
                | NativeType::Bigint
                | NativeType::Varint
        )
    )
}
