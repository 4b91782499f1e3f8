//! The WHERE clause of a view.

use cql::Name;
use cql::printer::identifier;
use cql::relation::{InValues, Relation, RelationKind};
use cql::term::Term;
use schema::bind::term;
use schema::catalog::View;

/// The clause as the server prints it, which does not double quotes in texts.
pub(crate) fn where_clause(view: &View) -> String {
    let relations: Vec<_> = view.relations.iter().map(render_relation).collect();
    relations.join(" AND ")
}

fn render_relation(relation: &Relation) -> String {
    match &relation.kind {
        RelationKind::Column(column, operator, value) => {
            format!("{} {} {}", identifier(&column.text), operator.text(), term::text(value))
        }
        RelationKind::In { column, values: InValues::List(values), .. } => {
            format!("{} IN {}", identifier(&column.text), render_terms(values))
        }
        RelationKind::Tuple(columns, operator, value) => {
            format!("{} {} {}", render_names(columns), operator.text(), term::text(value))
        }
        RelationKind::TupleIn(columns, InValues::List(values)) => {
            format!("{} IN {}", render_names(columns), render_terms(values))
        }
        _ => cql::printer::print(relation),
    }
}

fn render_names(names: &[Name]) -> String {
    let names: Vec<_> = names.iter().map(|name| identifier(&name.text)).collect();
    format!("({})", names.join(", "))
}

fn render_terms(terms: &[Term]) -> String {
    let terms: Vec<_> = terms.iter().map(term::text).collect();
    format!("({})", terms.join(", "))
}
