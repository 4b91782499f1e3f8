//! Relations as the server prints them, in error messages and view definitions.

use cql::Name;
use cql::printer::identifier;
use cql::relation::{InValues, Relation, RelationKind};

use crate::bind::term;

/// A relation as the server prints it in messages and in view definitions.
pub(crate) fn relation_text(relation: &Relation) -> String {
    match &relation.kind {
        RelationKind::Column(name, operator, value) => {
            format!("{} {} {}", identifier(&name.text), operator.text(), term::text(value))
        }
        RelationKind::In { column, negated, values } => {
            let not = if *negated { "NOT " } else { "" };
            format!("{} {not}IN {}", identifier(&column.text), values_text(values))
        }
        RelationKind::IsNotNull(name) => format!("{} IS NOT NULL", identifier(&name.text)),
        RelationKind::Element(name, key, operator, value) => format!(
            "{}[{}] {} {}",
            identifier(&name.text),
            term::text(key),
            operator.text(),
            term::text(value)
        ),
        RelationKind::Token(names, operator, value) => {
            format!("token{} {} {}", names_text(names), operator.text(), term::text(value))
        }
        RelationKind::Tuple(names, operator, value) => {
            format!("{} {} {}", names_text(names), operator.text(), term::text(value))
        }
        RelationKind::TupleIn(names, values) => {
            format!("{} IN {}", names_text(names), values_text(values))
        }
        RelationKind::Between(name, bounds) => {
            format!(
                "{} BETWEEN {} AND {}",
                identifier(&name.text),
                term::text(&bounds.0),
                term::text(&bounds.1)
            )
        }
        RelationKind::CustomIndex(index, value) => {
            let keyspace = index
                .keyspace
                .as_ref()
                .map(|keyspace| format!("{}.", identifier(&keyspace.text)))
                .unwrap_or_default();
            format!("expr({keyspace}{},{})", identifier(&index.name.text), term::text(value))
        }
    }
}

fn values_text(values: &InValues) -> String {
    match values {
        InValues::Marker(..) => "?".to_owned(),
        InValues::List(terms) => {
            format!("({})", terms.iter().map(term::text).collect::<Vec<_>>().join(", "))
        }
    }
}

fn names_text(names: &[Name]) -> String {
    format!("({})", names.iter().map(|name| identifier(&name.text)).collect::<Vec<_>>().join(", "))
}
