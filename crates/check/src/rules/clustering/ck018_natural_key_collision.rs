//! CK018: a key of names and days, although the rows have an id.

use cql::types::NativeType;
use model::vocabulary::{id_stem, to_singular};
use schema::catalog::Column;

use crate::facts::tables::is_registry;
use crate::remedies::NewKey;
use crate::remedies::column_names;
use crate::vocabulary::descriptions::is_descriptive;
use crate::vocabulary::ids::{is_id, is_own_id};
use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

/// Events that can occur more than once for the same person or place.
const REPEATED: &[&str] = &[
    "reservation",
    "booking",
    "order",
    "visit",
    "payment",
    "comment",
    "purchase",
    "transaction",
    "ticket",
    "invoice",
    "appointment",
    "message",
    "event",
    "review",
    "claim",
    "shipment",
    "delivery",
    "call",
    "session",
    "stay",
    "trip",
    "favorite",
    "favourite",
    "like",
    "vote",
    "rating",
    "share",
];

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck018_natural_key_collision.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(thing) = event_name(&table.name) else { return };
    let key = table.primary_key();
    let Some(last) = key.last() else { return };
    if is_one_of_many(facts, thing) {
        return report_one_of_many(project, facts, thing, reporter);
    }
    let own = table.regulars().iter().find(|column| is_identity(&table.name, column));
    let is_foreign = |column: &Column| is_id(column) && !is_own_id(&table.name, column);
    let is_clock = is_time(last) && native_type(&last.ty) != Some(NativeType::Date);
    if table.is_view
        || table.is_counter()
        || is_registry(facts)
        // CK009 reports rows of the same moment.
        || is_clock
        || !key.iter().all(|column| is_descriptive(column) || is_foreign(column))
        || !key.iter().any(is_descriptive)
    {
        return;
    }
    let Some(own) = own else { return };
    let new = NewKey::from_table(table).with_clustering_column(&own.name);
    reporter
        .report(
            project.key_location(facts, &last.name),
            format!("Two {thing}s with the same {} overwrite each other.", column_names(key)),
        )
        .with_column(table, last)
        .confidence(Confidence::Low)
        .with_related(
            project.column_location(facts, &own.name),
            "this column distinguishes them, but is not in the key",
        )
        .help(format!("add the {thing}'s id as the last clustering column: {}", new.clause()))
        .with_fix(project.rekey_fix(facts, &new, "add the row's id to the key"));
}

/// Whether a table `things_by_other` is keyed by the other thing alone, which may have many of them.
fn is_one_of_many(facts: &TableFacts, thing: &str) -> bool {
    let table = &facts.table;
    let [key] = table.primary_key() else { return false };
    let is_own =
        id_stem(&key.name).is_some_and(|stem| to_singular(stem.trim_end_matches('_')) == thing);
    !table.is_view
        && !table.is_counter()
        && table.name.contains("_by_")
        && !table.regulars().is_empty()
        && !table.regulars().iter().any(|column| column.ty.is_collection())
        && is_id(key)
        && !is_own
        && !is_own_id(&table.name, key)
}

fn report_one_of_many(
    project: &Project<'_>,
    facts: &TableFacts,
    thing: &str,
    reporter: &mut Reporter<'_>,
) {
    let table = &facts.table;
    let [key] = table.primary_key() else { return };
    let Some(first) = table.regulars().first() else { return };
    let new = NewKey::from_table(table).with_clustering_column(&first.name);
    reporter
        .report(
            project.key_location(facts, &key.name),
            format!(
                "{} keeps one {thing} for each `{}`: the next one overwrites it.",
                table.name, key.name
            ),
        )
        .with_column(table, key)
        .confidence(Confidence::Low)
        .help(format!("add what tells them apart as a clustering column: {}", new.clause()))
        .with_fix(project.rekey_fix(facts, &new, "add a clustering column"));
}

/// What a table holds, if it is an event that can recur.
fn event_name(table: &str) -> Option<&'static str> {
    let table = table.to_lowercase();
    let held = table.split("_by_").next().unwrap_or_default().to_owned();
    let is = |thing: &&&str| held.split('_').any(|word| to_singular(word) == **thing);
    REPEATED.iter().find(is).copied()
}

fn is_identity(table: &str, column: &Column) -> bool {
    let is_scalar = native_type(&column.ty).is_some();
    is_scalar && is_own_id(table, column)
}
