//! CO009: elements that are looked for in all rows.

use cql::StatementKind;
use cql::relation::{Operator, RelationKind};
use model::access::FilterScope;
use model::catalog::{Column, Table};

use crate::facts::is_registry;
use crate::{Asks, Category, Check, Found, Place, Project, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "CO009",
    name: "contains-without-index",
    category: Category::Types,
    severity: Severity::High,
    asks: &[Asks::Schema, Asks::Queries],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("contains_without_index.md"),
};

fn check(project: &Project<'_>, seen: &Seen, found: &mut Found<'_>) {
    let (Some(read), Some(statement)) = (seen.read(), project.syntax(seen)) else { return };
    let StatementKind::Select(select) = &statement.kind else { return };
    if read.filtering.scope != FilterScope::Everywhere
        || project.facts(&read.table).is_some_and(|facts| is_registry(project, facts))
    {
        return;
    }
    for relation in &select.relations {
        let (name, part) = match &relation.kind {
            RelationKind::Column(name, Operator::Contains, _) => (name, "values"),
            RelationKind::Column(name, Operator::ContainsKey, _) => (name, "keys"),
            RelationKind::Element(name, ..) => (name, "entries"),
            _ => continue,
        };
        let Some(column) = read.table.column(&name.text) else { continue };
        let place = Place { text: seen.place.text, span: relation.span };
        found
            .at(
                place,
                format!(
                    "No index knows the elements of `{}`: every row of {} is read.",
                    name.text, read.table.name
                ),
            )
            .of_column(&read.table, column)
            .help(help(project, &read.table, column, part));
    }
}

fn help(project: &Project<'_>, table: &Table, column: &Column, part: &str) -> String {
    let (table, column) =
        (cql::printer::identifier(&table.name), cql::printer::identifier(&column.name));
    let kind = if project.settings.target.is_apache_from((5, 0)) { " USING 'sai'" } else { "" };
    format!(
        "keep a table by element, or index them: CREATE INDEX ON {table} ({part}({column})){kind}"
    )
}
