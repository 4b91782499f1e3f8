//! CK014: a column that repeats the same value in every row of a partition.

use cql::Span;
use cql::printer::identifier;
use schema::catalog::Column;

use crate::vocabulary::ids::is_id;
use crate::vocabulary::matcher::matches_any;
use crate::vocabulary::times::is_time_bucket;
use crate::{
    Check, Confidence, Edit, Fix, FixKind, Location, Project, Reporter, RuleEntry, TableFacts,
};

/// Attributes of which a person or an object has only one.
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

/// Columns that name a place, and what a place has only one of.
const PLACES: &[&str] =
    &["city", "*_city", "location", "place", "station", "station_id", "station_name"];
const PLACE_ATTRIBUTES: &[&str] = &[
    "state",
    "country",
    "region",
    "latitude",
    "longitude",
    "lat",
    "lon",
    "lng",
    "elevation",
    "timezone",
];

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck014_static_candidate.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    // With time buckets, a static column would have to be written again for each of them.
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
    let is_place = matches!(table.partition_key(), [key] if matches_any(&key.name, PLACES));
    let describes_key = |column: &&Column| {
        entities.iter().any(|entity| is_attribute_of(entity, column))
            || is_place && matches_any(&column.name, PLACE_ATTRIBUTES)
    };
    let columns: Vec<&Column> = table.regulars().iter().filter(describes_key).collect();
    let Some(first) = columns.first() else { return };
    let names: Vec<&str> = columns.iter().map(|column| &*column.name).collect();
    let (names, repeat, value) = match &*names {
        [name] => (format!("`{name}`"), "repeats", "value"),
        names => (format!("`{}`", names.join("`, `")), "repeat", "values"),
    };
    let message =
        format!("{names} {repeat} the same {value} in every row of a partition of {}.", table.name);
    reporter
        .report(project.column_location(facts, &first.name), message)
        .with_column(table, first)
        .confidence(Confidence::Low)
        .help(format!(
            "declare it STATIC if it belongs to the partition rather than to the row: {} {} STATIC",
            identifier(&first.name),
            first.ty
        ))
        .with_fix(fix(project, facts, &columns));
}

/// Adds STATIC after the type of each column, if all are written in CREATE TABLE.
fn fix(project: &Project<'_>, facts: &TableFacts, columns: &[&Column]) -> Option<Fix> {
    let create = project.creation(facts)?;
    let edits: Option<Vec<Edit>> = columns
        .iter()
        .map(|column| {
            let written = create.columns.iter().find(|known| known.name.text == column.name)?;
            let end = written.type_name.span.end;
            let place = Location { text: facts.place.text, span: Span::new(end, end) };
            Some(Edit { place, text: " STATIC".to_owned() })
        })
        .collect();
    Some(Fix { title: "declare it STATIC".to_owned(), kind: FixKind::Plan, edits: edits? })
}

/// What a column identifies: `user` of `user_id`.
fn entity(column: &Column) -> Option<String> {
    let name = column.name.to_lowercase();
    let endings = ["_uuid", "_id", "uuid", "id"];
    let stem = endings.iter().find_map(|end| name.strip_suffix(end))?;
    (!stem.is_empty()).then(|| stem.to_owned())
}

/// Whether a column is an attribute of an entity: `user_name` of a user, and `username`, as the server folds `userName`.
fn is_attribute_of(entity: &str, column: &Column) -> bool {
    let name = column.name.to_lowercase();
    let rest = name.strip_prefix(entity).map(|rest| rest.strip_prefix('_').unwrap_or(rest));
    rest.is_some_and(|rest| matches_any(rest, ATTRIBUTES))
}
