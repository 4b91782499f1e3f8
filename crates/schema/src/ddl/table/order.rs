//! The CLUSTERING ORDER BY clause of a table.

use cql::statement::table::ClusteringOrder;
use cql::{Name, Span};

use crate::Result;
use crate::refusal::{TableReason, refuse};

/// Refuses a column that is named twice, an error of the parser. `owner` is the table or view.
pub(in crate::ddl) fn check_distinct(order: &[ClusteringOrder], owner: &str) -> Result<()> {
    for (at, item) in order.iter().enumerate() {
        if order.iter().take(at).any(|earlier| earlier.column == item.column) {
            return refuse(
                TableReason::DuplicateOrder {
                    column: item.column.text.to_string(),
                    owner: owner.to_string(),
                },
                item.column.span,
            );
        }
    }
    Ok(())
}

/// Checks that the clause names a prefix of the clustering columns, in order.
pub(super) fn check(order: &[ClusteringOrder], clustering: &[Name]) -> Result<()> {
    let others: Vec<&Name> = order
        .iter()
        .map(|item| &item.column)
        .filter(|column| !clustering.contains(column))
        .collect();
    if let Some(first) = others.first() {
        let names: Vec<_> = others.iter().map(|name| &*name.text).collect();
        return refuse(TableReason::OrderOfOthers { columns: names.join(", ") }, first.span);
    }
    for (item, expected) in order.iter().zip(clustering) {
        if item.column == *expected {
            continue;
        }
        return refuse_order(order, expected, &item.column.text, item.column.span);
    }
    Ok(())
}

fn refuse_order(order: &[ClusteringOrder], expected: &Name, found: &str, span: Span) -> Result<()> {
    let expected_text = &expected.text;
    if order.iter().any(|item| item.column == *expected) {
        return refuse(
            TableReason::OrderOfColumns {
                expected: expected_text.to_string(),
                found: found.to_string(),
            },
            span,
        );
    }
    refuse(TableReason::MissingOrder { column: expected_text.to_string() }, span)
}
