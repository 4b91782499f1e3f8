//! CO010: a map whose keys anybody makes up.

use cql::types::{Frozen, NativeType, Type};

use crate::facts::{Touch, is_attributes_name, touches_of};
use crate::{Asks, Category, Check, Confidence, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "CO010",
    name: "map-as-dynamic-columns",
    category: Category::Types,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("map_as_dynamic_columns.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let table = &facts.table;
    let is_map = |ty: &Type| match ty {
        Type::Map(entry, Frozen::No) => {
            let text = |ty: &Type| *ty == Type::Native(NativeType::Text);
            text(&entry.0) && (text(&entry.1) || entry.1 == Type::Native(NativeType::Blob))
        }
        _ => false,
    };
    let mut columns = table
        .columns()
        .iter()
        .enumerate()
        .filter(|(_, column)| is_map(&column.ty) && is_attributes_name(&column.name))
        .peekable();
    if facts.view.is_some() || columns.peek().is_none() {
        return;
    }
    let touched = touches_of(project, facts);
    for (at, column) in columns {
        let puts = touched.iter().find(|one| {
            one.column.name == column.name && matches!(one.touch, Touch::Put | Touch::Append)
        });
        let Some(puts) = puts.filter(|_| facts.volume.items(at).is_none()) else { continue };
        let name = &column.name;
        found
            .at(
                project.column_place(facts, name),
                format!("Any number of keys is possible in `{name}`."),
            )
            .of_column(table, column)
            .confidence(Confidence::High)
            .related(puts.place, "puts any key")
            .help("bound the number of keys in the application, and say it with `@items 20`");
    }
}
