//! CLUSTERING ORDER BY in the order of the key.

use cql::statement::table::{ClusteringOrder, PrimaryKey};
use cql::{Name, Span, StatementKind};

use super::{RefusalContext, TextChange, text_length};

/// Lists the clustering columns in key order, up to the last one that is named.
pub(super) fn rewrite(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let (key, order): (&PrimaryKey, &[ClusteringOrder]) = match &refused.statement.kind {
        StatementKind::CreateTable(create) => {
            (create.primary_keys.first()?, &create.options.clustering_order)
        }
        StatementKind::CreateView(create) => {
            (&create.primary_key, &create.options.clustering_order)
        }
        _ => return None,
    };
    let position = |name: &Name| key.clustering.iter().position(|column| column == name);
    let places: Option<Vec<usize>> = order.iter().map(|item| position(&item.column)).collect();
    let mut places = places?;
    places.sort_unstable();
    if places.windows(2).any(|pair| pair.first() == pair.last()) {
        return None;
    }
    let is_view = matches!(refused.statement.kind, StatementKind::CreateView(_));
    let named = if is_view { key.clustering.len() } else { places.last()? + 1 };
    let items: Vec<String> = key
        .clustering
        .iter()
        .take(named)
        .map(|column| {
            let given = order.iter().find(|item| item.column == *column);
            let direction = if given.is_some_and(|item| item.descending) { "DESC" } else { "ASC" };
            format!("{} {direction}", refused.text(column.span))
        })
        .collect();
    let (first, last) = (order.first()?, order.last()?);
    let rest = refused.text_after(last.column.span.end);
    let end = last.column.span.end + text_length(rest.get(..rest.find(')')?)?);
    let list = Span::new(first.column.span.start, end);
    TextChange::new_safe("list the columns in key order", vec![(list, items.join(", "))])
}
