//! TB003: nulls that are inserted.

use cql::statement::write::{Insert, InsertValues};
use cql::term::{Term, TermKind};
use cql::{Name, Span};

use crate::fix::{Edit, Fix};
use crate::project::{WriteStatement, WriteSyntax};
use crate::{Check, FixKind, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb003_null_insert.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    for write in project.writes_of(seen) {
        let WriteSyntax::Insert(insert) = write.syntax else { continue };
        match &insert.values {
            InsertValues::Columns { columns, values } => {
                check_nulls(project, &write, columns, values, reporter);
            }
            InsertValues::Json { value, default_unset: false } => {
                check_json(project, &write, insert, value, reporter);
            }
            InsertValues::Json { .. } => {}
        }
    }
}

fn check_nulls(
    project: &Project<'_>,
    write: &WriteStatement<'_>,
    columns: &[Name],
    values: &[Term],
    reporter: &mut Reporter<'_>,
) {
    let is_null = |term: &Term| term.kind == TermKind::Null;
    let nulls: Vec<&Name> = columns
        .iter()
        .zip(values)
        .filter(|(_, term)| is_null(term))
        .map(|(name, _)| name)
        .collect();
    let Some(first) = values.iter().find(|term| is_null(term)) else { return };
    let place = |span| Location { text: write.place.text, span };
    let names: Vec<&str> = nulls.iter().map(|name| &*name.text).collect();
    let each =
        if names.len() == 1 { "writes a cell tombstone" } else { "writes a cell tombstone each" };
    let message = format!("Inserting null into `{}` {each}.", names.join("`, `"));
    let kept = |all: Vec<&str>| all.join(", ");
    let left: Vec<(&Name, &Term)> =
        columns.iter().zip(values).filter(|(_, term)| !is_null(term)).collect();
    let written = |span: Span| project.text_at(place(span));
    let edits = span_of(columns.iter().map(|name| name.span))
        .zip(span_of(values.iter().map(|term| term.span)));
    let fix = edits.map(|(names, terms)| Fix {
        title: "remove the column".to_owned(),
        kind: FixKind::Unsafe,
        edits: vec![
            Edit {
                place: place(names),
                text: kept(left.iter().map(|(name, _)| written(name.span)).collect()),
            },
            Edit {
                place: place(terms),
                text: kept(left.iter().map(|(_, term)| written(term.span)).collect()),
            },
        ],
    });
    reporter
        .report(place(first.span), message)
        .with_table(&write.plan.table)
        .help("remove the column from the statement, or bind a marker and leave it unset")
        .with_fix(fix);
}

fn check_json(
    project: &Project<'_>,
    write: &WriteStatement<'_>,
    insert: &Insert,
    value: &Term,
    reporter: &mut Reporter<'_>,
) {
    let table = &write.plan.table;
    let place = |span| Location { text: write.place.text, span };
    // A document that names every column writes no null for what is absent.
    let text = project.text_at(place(value.span)).to_lowercase();
    let is_absent = |name: &str| !text.contains(&format!("\"{}\"", name.to_lowercase()));
    let is_literal = matches!(value.kind, TermKind::Constant(_));
    let absent =
        table.regulars().iter().filter(|column| is_literal && is_absent(&column.name)).count();
    if table.regulars().is_empty() || is_literal && absent == 0 || insert.if_not_exists {
        return;
    }
    let message = "Columns that the document omits are written as null, a tombstone each.";
    reporter
        .report(place(value.span), message)
        .with_table(table)
        .help("append DEFAULT UNSET to the statement")
        .fix(
            FixKind::Unsafe,
            "add DEFAULT UNSET",
            place(Span::new(value.span.end, value.span.end)),
            " DEFAULT UNSET",
        );
}

/// From the start of the first to the end of the last.
fn span_of(mut spans: impl Iterator<Item = Span>) -> Option<Span> {
    let first = spans.next()?;
    Some(Span::new(first.start, spans.last().unwrap_or(first).end))
}
