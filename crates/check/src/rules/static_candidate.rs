//! CK014: a column that repeats the same value in every row of a partition.

use model::catalog::Column;

use crate::facts::{is_id, is_time_bucket, named};
use crate::{
    Asks, Category, Check, Confidence, FixKind, Found, Place, Project, Rule, Severity, TableFacts,
};

/// What people and things have one of.
const ATTRIBUTES: &[&str] = &[
    "name",
    "first_name",
    "last_name",
    "firstname",
    "lastname",
    "full_name",
    "display_name",
    "email",
    "title",
    "avatar",
    "picture",
    "image",
    "photo",
    "country",
    "city",
    "address",
    "phone",
    "phone_number",
    "description",
    "timezone",
    "locale",
    "birthday",
    "birth_date",
    "url",
    "logo",
];

pub(super) static RULE: Rule = Rule {
    code: "CK014",
    name: "static-candidate",
    category: Category::Clustering,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("static_candidate.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Found<'_>) {
    let table = &facts.table;
    // In buckets of time a static column would be written again for each of them.
    if table.is_view
        || table.clustering().is_empty()
        || table.is_counter()
        || table.is_compact()
        || table.partition_key().iter().any(is_time_bucket)
    {
        return;
    }
    let entities: Vec<String> =
        table.partition_key().iter().filter(|column| is_id(column)).filter_map(entity).collect();
    for column in table.regulars() {
        let Some(entity) = entities.iter().find(|entity| describes(entity, column)) else {
            continue;
        };
        let message = format!(
            "`{}` repeats the same value in every row of a partition of {}.",
            column.name, table.name
        );
        let end = project.type_place(facts, &column.name);
        let after = Place { text: end.text, span: cql::Span::new(end.span.end, end.span.end) };
        let finding = found.at(project.column_place(facts, &column.name), message);
        finding.of_column(table, column).confidence(Confidence::Low).help(format!(
            "declare it STATIC, if it belongs to the {entity} and not to the row: {} {} STATIC",
            column.name, column.ty
        ));
        if project
            .creation(facts)
            .is_some_and(|create| create.columns.iter().any(|known| known.name.text == column.name))
        {
            finding.fix(FixKind::Plan, "declare it STATIC", after, " STATIC");
        }
    }
}

/// What a column identifies: `user` of `user_id`.
fn entity(column: &Column) -> Option<String> {
    let name = column.name.to_lowercase();
    let stem = name.strip_suffix("_uuid").or_else(|| name.strip_suffix("_id"))?;
    (!stem.is_empty()).then(|| stem.to_owned())
}

/// Whether a column is an attribute of a thing: `user_name` of a user.
fn describes(entity: &str, column: &Column) -> bool {
    let name = column.name.to_lowercase();
    let rest = name.strip_prefix(entity).and_then(|rest| rest.strip_prefix('_'));
    rest.is_some_and(|rest| named(rest, ATTRIBUTES))
}
