//! The CLUSTERING ORDER BY clause of a table.

use cql::statement::table::ClusteringOrder;
use cql::{Name, Span};

use super::super::refusal::invalid;
use crate::Result;

/// Refuses a column that is named twice, which the parser notices. `owner` names the table or view.
pub(in crate::ddl) fn check_distinct(order: &[ClusteringOrder], owner: &str) -> Result<()> {
    for (at, item) in order.iter().enumerate() {
        if order.iter().take(at).any(|earlier| earlier.column == item.column) {
            let message = format!(
                "Duplicate column '{}' in CLUSTERING ORDER BY clause for {owner}",
                item.column.text
            );
            return invalid("SV006", message, item.column.span);
        }
    }
    Ok(())
}

/// The clause names a prefix of the clustering columns, in their order.
pub(super) fn check(order: &[ClusteringOrder], clustering: &[Name]) -> Result<()> {
    let others: Vec<&Name> = order
        .iter()
        .map(|item| &item.column)
        .filter(|column| !clustering.contains(column))
        .collect();
    if let Some(first) = others.first() {
        let names: Vec<_> = others.iter().map(|name| &*name.text).collect();
        let message = format!(
            "Only clustering key columns can be defined in CLUSTERING ORDER directive: [{}] are not clustering columns",
            names.join(", ")
        );
        return invalid("SV006", message, first.span);
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
        let message = format!(
            "The order of columns in the CLUSTERING ORDER directive must match that of the clustering columns \
             ({expected_text} must appear before {found})"
        );
        return invalid("SV006", message, span);
    }
    invalid("SV006", format!("Missing CLUSTERING ORDER for column {expected_text}"), span)
}
