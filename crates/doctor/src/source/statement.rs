//! Statements in logs, as shapes.

use super::phrase::Phrase;
use crate::snapshot::{StatementShape, TableName};

/// A statement without its values, and what its text tells beside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShapedStatement {
    /// The shape.
    pub shape: StatementShape,
    /// The table that it reads or writes, if it names its keyspace or one is in use.
    pub table: Option<TableName>,
    /// The most values of an IN list. Of a text that is cut off it may be less than there were.
    pub in_values: Option<u64>,
    /// Whether the end of the text is missing.
    pub is_cut: bool,
}

/// The shape of a statement that a client sent.
pub fn shape_statement(keyspace: &str, text: &str) -> ShapedStatement {
    let general = cql::generalize(text.trim().trim_end_matches(';'));
    finish(keyspace, general)
}

/// The shape of a read that a replica printed (`ReadCommand.toCQLString`). It is not what a client
/// sent: since 4.1, `ALLOW FILTERING` is always added; up to 4.0, texts are not quoted, so that values
/// are found by their place.
pub(super) fn shape_read_command(text: &str) -> ShapedStatement {
    let text = text.trim();
    let mut phrase = Phrase::new(text);
    let text = phrase.take_until_last(" ALLOW FILTERING").unwrap_or(text);
    let mut phrase = Phrase::new(text);
    let mut general = match phrase.take_until(" WHERE ") {
        None => cql::generalize(text),
        Some(head) => {
            let mut general = cql::generalize(head);
            let (conditions, in_values, is_cut) = shape_conditions(phrase.rest());
            general.text.push_str(" WHERE ");
            general.text.push_str(&conditions);
            general.in_values = in_values;
            general.is_cut = is_cut;
            general
        }
    };
    general.is_cut |= !text.is_char_boundary(text.len());
    finish("", general)
}

fn finish(keyspace: &str, general: cql::GeneralStatement) -> ShapedStatement {
    let table = find_table(keyspace, &general.text);
    let named = table.as_ref().is_some_and(|(_, is_qualified)| *is_qualified);
    let keyspace = if named { String::new() } else { keyspace.to_owned() };
    ShapedStatement {
        shape: StatementShape { keyspace, text: general.text },
        table: table.map(|(table, _)| table),
        in_values: general.in_values,
        is_cut: general.is_cut,
    }
}

/// What follows the conditions of a read.
const CLAUSES: [&str; 5] =
    [" ORDER BY ", " GROUP BY ", " PER PARTITION LIMIT ", " LIMIT ", " ALLOW FILTERING"];

/// Conditions with a `?` for each value, by the places of operators: `a, b = x y, 2 AND c > z`. A
/// value that contains ` AND ` yields one condition too many, in which everything is a value.
fn shape_conditions(text: &str) -> (String, Option<u64>, bool) {
    let end =
        CLAUSES.iter().filter_map(|clause| find_last(text, clause)).min().unwrap_or(text.len());
    let (conditions, clauses) = text.split_at(end);
    let mut shaped: Vec<String> = Vec::new();
    let mut in_values = None;
    let mut is_cut = false;
    for condition in split_words(conditions, " AND ") {
        let Some((columns, operator, value)) = split_operator(condition) else {
            // The end of a value, or a condition that was cut off.
            is_cut |= !condition.trim_start().starts_with("expr(");
            continue;
        };
        if operator == "IN" {
            let values = value.matches(", ").count() + 1;
            in_values = in_values.max(u64::try_from(values).ok());
            is_cut |= !value.ends_with(')');
        }
        let names: Vec<&str> = columns.split(", ").collect();
        if operator == "=" && names.len() > 1 && !columns.starts_with(['(', 't']) {
            shaped.extend(names.iter().map(|name| format!("{name} = ?")));
        } else if operator == "IN" {
            shaped.push(format!("{columns} IN (?)"));
        } else {
            shaped.push(format!("{columns} {operator} ?"));
        }
    }
    let clauses = cql::generalize(clauses.trim()).text;
    let blank = if clauses.is_empty() { "" } else { " " };
    (format!("{}{blank}{clauses}", shaped.join(" AND ")), in_values, is_cut)
}

fn find_last(text: &str, words: &str) -> Option<usize> {
    memchr::memmem::rfind(text.as_bytes(), words.as_bytes())
}

/// The parts of a text between words.
fn split_words<'a>(text: &'a str, words: &'a str) -> impl Iterator<Item = &'a str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        let mut phrase = Phrase::new(text);
        match phrase.take_until(words) {
            Some(part) => {
                rest = Some(phrase.rest());
                Some(part)
            }
            None => rest.take(),
        }
    })
}

/// The operators of conditions; the longer ones first.
const OPERATORS: [&str; 10] = [
    " CONTAINS KEY ",
    " CONTAINS ",
    " LIKE ",
    " NOT IN ",
    " IN ",
    " >= ",
    " <= ",
    " != ",
    " = ",
    " > ",
];

/// The columns, the operator and the value of a condition. The columns are names, so the first
/// operator is the one.
fn split_operator(condition: &str) -> Option<(&str, &str, &str)> {
    let operators = OPERATORS.iter().chain(&[" < "]);
    let found = operators.filter_map(|operator| Some((condition.find(operator)?, *operator)));
    let (at, operator) = found.min_by_key(|(at, operator)| (*at, usize::MAX - operator.len()))?;
    let columns = condition.get(..at)?.trim();
    let is_names = columns.chars().all(|sign| {
        sign.is_alphanumeric() || matches!(sign, '_' | ',' | ' ' | '(' | ')' | '"' | '[' | ']')
    });
    let value = condition.get(at + operator.len()..)?.trim();
    // A subscript is a value: `m[key] = value`.
    let columns = columns.split('[').next().unwrap_or_default();
    (is_names && !columns.is_empty()).then(|| (columns, operator.trim(), value))
}

/// The table after FROM, INTO or UPDATE, and whether its keyspace is written before it.
fn find_table(keyspace: &str, text: &str) -> Option<(TableName, bool)> {
    let mut words = text.split_whitespace();
    while let Some(word) = words.next() {
        let is_before =
            ["FROM", "INTO", "UPDATE"].iter().any(|name| word.eq_ignore_ascii_case(name));
        if is_before {
            let name = words.next()?;
            let name = name.split('(').next().unwrap_or_default().trim_end_matches([';', ',']);
            return split_name(keyspace, name);
        }
    }
    None
}

/// A name of a table as it is written, with or without its keyspace.
pub(super) fn split_name(keyspace: &str, name: &str) -> Option<(TableName, bool)> {
    let unquote = |part: &str| match part.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'))
    {
        Some(inside) => inside.replace("\"\"", "\""),
        None => part.to_ascii_lowercase(),
    };
    let (table, is_qualified) = match name.split_once('.') {
        Some((keyspace, table)) => (TableName::new(&unquote(keyspace), &unquote(table)), true),
        None if keyspace.is_empty() => return None,
        None => (TableName::new(keyspace, &unquote(name)), false),
    };
    (!table.keyspace.is_empty() && !table.table.is_empty()).then_some((table, is_qualified))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(text: &str) -> String {
        shape_read_command(text).shape.text
    }

    #[test]
    fn reads_of_replicas() {
        let found = shape_read_command(
            "SELECT * FROM shop.events WHERE device = 'sensor 0' AND day = 'it''s' LIMIT 5000 ALLOW FILTERING",
        );
        assert_eq!(
            found.shape.text,
            "SELECT * FROM shop.events WHERE device = ? AND day = ? LIMIT ?"
        );
        assert_eq!(found.table, Some(TableName::new("shop", "events")));
        assert!(!found.is_cut);
        assert_eq!(
            shape("SELECT * FROM ks.t LIMIT 10 ALLOW FILTERING"),
            "SELECT * FROM ks.t LIMIT ?"
        );
        assert_eq!(
            shape(
                "SELECT * FROM ks.t WHERE token(k) > token(1, 2) AND token(k) <= 9223372036854775807 LIMIT 7"
            ),
            "SELECT * FROM ks.t WHERE token(k) > ? AND token(k) <= ? LIMIT ?"
        );
        assert_eq!(
            shape(
                "SELECT a, b FROM ks.t WHERE k = 1 AND (c, d) IN ((1, 2), (3, 4)) ORDER BY c DESC"
            ),
            "SELECT a, b FROM ks.t WHERE k = ? AND (c, d) IN (?) ORDER BY c DESC"
        );
    }

    #[test]
    fn texts_without_quotes_do_not_become_names() {
        assert_eq!(
            shape(
                "SELECT * FROM ks.t WHERE name, day = John Smith, 2020-01-01 AND c > secret word LIMIT 100"
            ),
            "SELECT * FROM ks.t WHERE name = ? AND day = ? AND c > ? LIMIT ?"
        );
        let odd = shape("SELECT * FROM ks.t WHERE name = him AND her LIMIT 100");
        assert_eq!(odd, "SELECT * FROM ks.t WHERE name = ? LIMIT ?");
        assert!(
            !shape("SELECT * FROM ks.t WHERE tags CONTAINS x@y.z AND m[me] = you").contains("me]")
        );
    }

    #[test]
    fn texts_that_are_cut_off_are_marked() {
        let cut = shape_read_command("SELECT * FROM ks.t WHERE k = 1 AND c IN (1, 2, 3, 4");
        assert_eq!(cut.shape.text, "SELECT * FROM ks.t WHERE k = ? AND c IN (?)");
        assert_eq!((cut.in_values, cut.is_cut), (Some(4), true));
    }

    #[test]
    fn statements_of_clients() {
        let found = shape_statement("shop", "select * from Users where id = 5;");
        assert_eq!(
            found.shape,
            StatementShape {
                keyspace: "shop".into(),
                text: "select * from Users where id = ?".into()
            }
        );
        assert_eq!(found.table, Some(TableName::new("shop", "users")));
        let found = shape_statement("shop", "INSERT INTO other.\"T\"(a) VALUES (1)");
        assert_eq!((&*found.shape.keyspace, found.table), ("", Some(TableName::new("other", "T"))));
        assert_eq!(shape_statement("", "UPDATE t SET a = 1").table, None);
    }
}
