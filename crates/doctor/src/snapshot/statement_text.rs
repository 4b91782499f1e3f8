//! The text of a statement without its values.

use cql::relation::{InValues, Relation, RelationKind};
use cql::{Span, StatementKind};

use super::statement::StatementShape;

/// The longest text that is looked at; the rest is cut off.
const LENGTH_MAX: usize = 1_000_000;

impl StatementShape {
    /// The text of a statement with a `?` for each value and one for each list of IN, and the
    /// number of values of the longest such list.
    pub fn redact(text: &str) -> (String, Option<u64>) {
        let end = text.char_indices().map(|(at, _)| at).find(|at| *at >= LENGTH_MAX);
        let text = end.and_then(|end| text.get(..end)).unwrap_or(text);
        let parsed = cql::parse(text);
        let mut lists: Vec<(Span, usize)> = Vec::new();
        for statement in &parsed.statements {
            for relation in relations(&statement.kind) {
                lists.extend(find_list(relation));
            }
        }
        lists.sort_by_key(|(span, _)| span.start);
        let longest = lists.iter().map(|(_, count)| *count as u64).max();
        let mut shortened = String::new();
        let mut from = 0;
        for (span, _) in lists {
            let Some((start, end)) = enclosing_parentheses(text, span) else { continue };
            if start < from {
                continue;
            }
            shortened.push_str(text.get(from..start).unwrap_or_default());
            shortened.push('?');
            from = end;
        }
        shortened.push_str(text.get(from..).unwrap_or_default());
        let redacted = cql::redact(&shortened);
        (redacted.trim().trim_end_matches(';').trim_end().to_owned(), longest)
    }
}

/// The parentheses around the values of a list.
fn enclosing_parentheses(text: &str, values: Span) -> Option<(usize, usize)> {
    let start = usize::try_from(values.start).ok()?;
    let end = usize::try_from(values.end).ok()?;
    let before = text.get(..start)?.trim_end();
    let after = text.get(end..)?;
    let space = after.len() - after.trim_start().len();
    (before.ends_with('(') && after.trim_start().starts_with(')'))
        .then(|| (before.len() - 1, end + space + 1))
}

/// The relations of the WHERE clauses of a statement.
fn relations(statement: &StatementKind) -> &[Relation] {
    match statement {
        StatementKind::Select(select) => &select.relations,
        StatementKind::Update(update) => &update.relations,
        StatementKind::Delete(delete) => &delete.relations,
        _ => &[],
    }
}

/// The values of an IN, from the first to the last.
fn find_list(relation: &Relation) -> Option<(Span, usize)> {
    let (RelationKind::In { values, .. } | RelationKind::TupleIn(_, values)) = &relation.kind
    else {
        return None;
    };
    let InValues::List(values) = values else { return None };
    let (first, last) = (values.first()?, values.last()?);
    Some((Span { start: first.span.start, end: last.span.end }, values.len()))
}

#[cfg(test)]
mod tests {
    use super::StatementShape;

    #[test]
    fn values_and_lists_are_left_out() {
        let ids: Vec<String> = (0..500).map(|id| id.to_string()).collect();
        let text =
            format!("SELECT * FROM shop.products WHERE id IN ({}) AND c > 'x';", ids.join(", "));
        let (shape, count) = StatementShape::redact(&text);
        assert_eq!(shape, "SELECT * FROM shop.products WHERE id IN ? AND c > ?");
        assert_eq!(count, Some(500));
        assert_eq!(StatementShape::redact("SELECT 'open").1, None);
    }
}
