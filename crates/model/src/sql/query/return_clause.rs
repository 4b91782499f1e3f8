//! RETURNING: what a write returns of the rows that it inserts, changes or deletes.

use sqlparser::ast::{Expr, SelectItem};

use super::output::{is_aggregate, list_computed_outputs};
use super::refusal::{self, Refusal};
use super::resolver::{Resolver, fold_name};
use super::scope::Scope;
use super::shape::{ExpressionShape, classify_expression, strip_brackets};
use crate::id::SourceId;
use crate::sql::source::Cardinality;
use crate::workload::{Output, Returning, Source};

impl Resolver<'_> {
    /// Resolves RETURNING; `None` where there is none, or where its rows are ignored (`:exec`).
    pub(super) fn resolve_returning(
        &mut self,
        scope: &Scope,
        items: Option<&[SelectItem]>,
    ) -> Option<Returning> {
        let items = items?;
        let mut is_refused = false;
        for item in items {
            if let Some((refused, expression)) = find_unsupported(item) {
                let span = self.expression_span(expression);
                self.refuse(refused, span);
                is_refused = true;
            }
        }
        if is_refused {
            return None;
        }
        let mut shown = self.resolve_outputs(scope, items);
        if let Some(aggregate) = shown.iter().find(|result| result.is_aggregate()) {
            self.refuse(&refusal::RETURNING_AGGREGATE, aggregate.span);
            return None;
        }
        let returned = shown.len();
        shown.extend(self.add_hidden_outputs(scope, &shown));
        let table = &scope.tables[SourceId::new(0)];
        let source = Source { entity: table.entity, alias: table.alias.clone(), join: None };
        let outputs: Vec<Output> = shown.iter().map(|shown| shown.output.clone()).collect();
        let computed = list_computed_outputs(shown.get(..returned).unwrap_or_default(), &outputs);
        let many = match self.named.cardinality {
            Cardinality::Exec => return None,
            Cardinality::One => false,
            Cardinality::Many => true,
        };
        Some(Returning { source, outputs, computed, many })
    }
}

/// What a write cannot return, with its expression.
fn find_unsupported(item: &SelectItem) -> Option<(&'static Refusal, &Expr)> {
    let (SelectItem::UnnamedExpr(expression) | SelectItem::ExprWithAlias { expr: expression, .. }) =
        item
    else {
        return None;
    };
    let refused = match strip_brackets(expression) {
        Expr::Exists { .. } => &refusal::RETURNING_QUERY,
        Expr::Function(function) => {
            let name = function.name.0.last().and_then(|part| part.as_ident()).map(fold_name)?;
            (function.over.is_some() || is_aggregate(&name))
                .then_some(&refusal::RETURNING_AGGREGATE)?
        }
        _ => match classify_expression(expression) {
            ExpressionShape::Query => &refusal::RETURNING_QUERY,
            ExpressionShape::Constant | ExpressionShape::Null | ExpressionShape::Parameter(_) => {
                &refusal::RETURNING_CONSTANT
            }
            _ => return None,
        },
    };
    Some((refused, expression))
}
