//! Conditions on indexed columns that the index does not serve.

use std::sync::Arc;

use cql::Span;
use cql::relation::{Operator, RelationKind};
use cql::statement::select::Select;
use schema::bind::restrictions::index::{IndexOperator, supports};
use schema::catalog::{Column, Index, IndexClass, Table};

use crate::project::StatementOutcome;
use crate::{Project, ReplayedStatement};

/// A condition on an indexed column that no index serves.
#[derive(Clone, Debug)]
pub(crate) struct IndexMismatch<'t> {
    /// The table.
    pub(crate) table: Arc<Table>,
    /// The column.
    pub(crate) column: &'t Column,
    /// Its index.
    pub(crate) index: &'t Index,
    /// How it is compared, as it is written.
    pub(crate) operator: &'static str,
    /// Where.
    pub(crate) span: Span,
}

/// The conditions of a query on indexed columns that no index serves: the server filters, or refuses the query for that reason.
pub(crate) fn index_mismatches<'p>(
    project: &'p Project<'_>,
    seen: &'p ReplayedStatement,
    select: &Select,
) -> Vec<IndexMismatch<'p>> {
    let table = match (&seen.outcome, seen.read()) {
        (_, Some(read)) => &read.table,
        (StatementOutcome::Refused(refusal), _) if refusal.rule() == "QV001" => {
            let stated = select.table.keyspace.as_ref().map(|name| &*name.text);
            let keyspace = stated.or(seen.keyspace.as_deref());
            let known =
                keyspace.and_then(|name| project.catalog.table(name, &select.table.name.text));
            let Some(table) = known else { return Vec::new() };
            table
        }
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    if table.indexes.is_empty() {
        return found;
    }
    for relation in &select.relations {
        let Some((name, needed, operator)) = index_operator(&relation.kind) else { continue };
        let Some(at) = table.column_index(name) else { continue };
        let is_filtered = seen.read().is_none_or(|read| read.filtering.columns.contains(&at));
        let Some(column) =
            table.columns().get(at).filter(|column| is_filtered && !column.is_primary_key())
        else {
            continue;
        };
        let own = || table.indexes.iter().filter(|index| index.column == column.name);
        let is_served =
            own().any(|index| supports(index, column, needed, relation.span).unwrap_or(true));
        let known = own().find(|index| matches!(index.class, IndexClass::Sai | IndexClass::Legacy));
        if let (false, Some(index)) = (is_served, known) {
            found.push(IndexMismatch {
                table: table.clone(),
                column,
                index,
                operator,
                span: relation.span,
            });
        }
    }
    found
}

/// The column of a condition, what it needs of an index, and how that is written.
fn index_operator(kind: &RelationKind) -> Option<(&str, IndexOperator, &'static str)> {
    match kind {
        RelationKind::Column(name, operator, _) => {
            let needed = match operator {
                Operator::Eq => IndexOperator::Equal,
                Operator::Lt | Operator::Lte | Operator::Gt | Operator::Gte => IndexOperator::Range,
                Operator::Contains => IndexOperator::Contains,
                Operator::ContainsKey => IndexOperator::ContainsKey,
                Operator::Like => IndexOperator::Like,
                Operator::Neq => return None,
            };
            Some((&name.text, needed, operator.text()))
        }
        RelationKind::In { column, negated: false, .. } => {
            Some((&column.text, IndexOperator::In, "IN"))
        }
        RelationKind::Element(column, _, Operator::Eq, _) => {
            Some((&column.text, IndexOperator::Equal, "="))
        }
        _ => None,
    }
}
