//! What an editor shows of a name: a table in Chebotko's marks with its sizes, a column with its type.

use std::fmt::Write;

use cql::Span;
use schema::catalog::{Column, ColumnKind, Table};

use super::names::{ResolvedName, resolve_name};
use crate::{Project, TableFacts};
use model::figures;

/// What is shown, as Markdown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The name that it is about.
    pub span: Span,
    /// The words.
    pub text: String,
}

/// What is known of the name at a place.
pub fn hover(project: &Project<'_>, text: usize, offset: usize) -> Option<Hover> {
    let (word, meaning) = resolve_name(project, text, offset)?;
    let text = match meaning {
        ResolvedName::Table(table) => describe_table(project, table),
        ResolvedName::Column(table, column) => {
            let column = table.columns().get(column)?;
            format!(
                "`{}` {} {} of `{}`",
                mark(column),
                column.name,
                column.ty,
                table.qualified_name()
            )
        }
        ResolvedName::Type(name) => {
            let own = project.catalog.keyspaces.values();
            let ty = own.into_iter().find_map(|known| known.types.get(&name))?;
            let fields = ty.fields.iter().map(|(name, ty)| format!("{name} {ty}"));
            format!("type `{name}` ({})", fields.collect::<Vec<_>>().join(", "))
        }
    };
    Some(Hover { span: word.span, text })
}

/// The mark of a column in a Chebotko diagram.
fn mark(column: &Column) -> &'static str {
    match column.kind {
        ColumnKind::Partition => "K",
        ColumnKind::Clustering if column.descending => "C↓",
        ColumnKind::Clustering => "C↑",
        ColumnKind::Static => "S",
        ColumnKind::Regular if column.ty.is_counter() => "++",
        ColumnKind::Regular => "",
    }
}

fn describe_table(project: &Project<'_>, table: &Table) -> String {
    let mut text = format!("**{}**\n\n```\n", table.qualified_name());
    let widest = table.columns().iter().map(|column| column.name.chars().count()).max();
    let width = widest.unwrap_or(0);
    for column in table.columns() {
        let _ = writeln!(text, "{:<2}  {:<width$}  {}", mark(column), column.name, column.ty);
    }
    text.push_str("```\n");
    if let Some(facts) = project.facts(table) {
        describe_sizes(facts, &mut text);
        let _ = write!(
            text,
            "\n\nread by {}, written by {}",
            figures::pluralise(facts.reads.len() as f64, "statement"),
            figures::pluralise(facts.writes.len() as f64, "statement")
        );
    }
    text
}

fn describe_sizes(facts: &TableFacts, text: &mut String) {
    let volume = &facts.volume;
    let row = figures::format_bytes(volume.row_bytes);
    match volume.partition_rows() {
        Some(rows) => {
            let size = |rows: f64| figures::format_bytes(volume.partition_bytes(rows));
            let _ = write!(
                text,
                "\na partition: {} of {row} and {} on average, {} and {} at the largest",
                figures::pluralise(rows.mean, "row"),
                size(rows.mean),
                figures::pluralise(rows.large, "row"),
                size(rows.large)
            );
        }
        None => {
            let _ = write!(
                text,
                "\na row: about {row}; `@each` or `@rows` say how large partitions are"
            );
        }
    }
}
