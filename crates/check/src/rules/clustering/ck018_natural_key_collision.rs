//! CK018: a key of names and days, although the rows have an id.

use cql::types::NativeType;
use model::vocabulary::{id_stem, to_singular};
use schema::catalog::{Column, Table};

use crate::facts::tables::is_registry;
use crate::remedies::NewKey;
use crate::remedies::column_names;
use crate::vocabulary::descriptions::is_descriptive;
use crate::vocabulary::entity_names::entity_name;
use crate::vocabulary::ids::{is_id, is_own_id};
use crate::vocabulary::life_cycle::is_set_up_name;
use crate::vocabulary::matcher::{has_word, lowercase, matches_any};
use crate::vocabulary::quantities::{is_count, is_money_name};
use crate::vocabulary::status::is_score;
use crate::vocabulary::times::{is_hour_of_day, is_time, is_time_bucket};
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
    if let Some(own) = find_unranked(table) {
        return report_rank(project, facts, own, reporter);
    }
    if let Some(thing) = find_owned_thing(table) {
        return report_one_of_many(project, facts, &thing, reporter);
    }
    if let Some(source) = find_source(table) {
        return report_source(project, facts, source, reporter);
    }
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

/// The id outside the key of a table that is sorted by a score, an amount or a count alone.
fn find_unranked(table: &Table) -> Option<&Column> {
    let last = table.clustering().last()?;
    let is_rank = is_score(last) || is_money_name(&last.name) || is_count(last);
    let is_plain = !table.is_view && !table.is_counter() && !is_id(last) && !is_time(last);
    // With a time before it, it is a sample of that moment.
    let has_id = table.clustering().iter().any(|column| is_id(column) || is_time(column));
    table.regulars().iter().find(|column| is_id(column)).filter(|_| is_rank && is_plain && !has_id)
}

fn report_rank(
    project: &Project<'_>,
    facts: &TableFacts,
    own: &Column,
    reporter: &mut Reporter<'_>,
) {
    let table = &facts.table;
    let Some(last) = table.clustering().last() else { return };
    let new = NewKey::from_table(table).with_clustering_column(&own.name);
    reporter
        .report(
            project.key_location(facts, &last.name),
            format!(
                "Two rows of {} with the same `{}` in one partition overwrite each other.",
                table.name, last.name
            ),
        )
        .with_column(table, last)
        .confidence(Confidence::Medium)
        .help(format!("add the id as the last clustering column: {}", new.clause()))
        .with_fix(project.rekey_fix(facts, &new, "add the row's id to the key"));
}

/// The id outside a key that consists of spans of time alone: of all sources, the key holds one row for each span.
fn find_source(table: &Table) -> Option<&Column> {
    let key = table.primary_key();
    let is_span = |column: &Column| is_time_bucket(column) || is_hour_of_day(column);
    let is_short = table.is_view || table.is_counter() || table.clustering().is_empty();
    let is_picked = |column: &Column| {
        matches_any(&column.name, &["top*", "best*", "last*", "first*", "max*", "min*", "next*"])
    };
    let mut ids = table.regulars().iter().filter(|column| is_id(column) && !is_picked(column));
    ids.next().filter(|_| !is_short && key.iter().all(is_span))
}

fn report_source(
    project: &Project<'_>,
    facts: &TableFacts,
    source: &Column,
    reporter: &mut Reporter<'_>,
) {
    let table = &facts.table;
    let Some(last) = table.clustering().last() else { return };
    let new = NewKey::from_table(table).with_clustering_column(&source.name);
    let message = format!(
        "{} keeps one row for each `{}`, whatever its `{}`: the next one overwrites it.",
        table.name, last.name, source.name
    );
    reporter
        .report(project.key_location(facts, &last.name), message)
        .with_column(table, last)
        .confidence(Confidence::Medium)
        .help(format!("add `{}` to the key: {}", source.name, new.clause()))
        .with_fix(project.rekey_fix(facts, &new, "add the id to the key"));
}

/// Whether a table `things_by_other` is keyed by the other thing alone, which may have many of them.
fn is_one_of_many(facts: &TableFacts, thing: &str) -> bool {
    let table = &facts.table;
    let [key] = table.primary_key() else { return false };
    let is_own =
        id_stem(&key.name).is_some_and(|stem| to_singular(stem.trim_end_matches('_')) == thing);
    !table.is_view
        && !table.is_counter()
        && entity_name(&table.name) != &*table.name
        && !has_word(&table.name, &["latest", "last", "current"])
        && !table.regulars().is_empty()
        && !table.regulars().iter().any(|column| column.ty.is_collection())
        && is_id(key)
        && !is_own
        && !is_own_id(&table.name, key)
}

/// What a table `owner_things` holds, if the owner is the whole key and the id of the thing is outside of it.
fn find_owned_thing(table: &Table) -> Option<String> {
    let ([key], false) = (table.primary_key(), table.is_view) else { return None };
    let name = lowercase(&table.name);
    let (owner, things) = name.split_once('_')?;
    let thing = to_singular(things);
    let is_owner = lowercase(&key.name).starts_with(owner) && thing != things;
    let is_id_of_thing = |column: &Column| {
        is_id(column) && !column.ty.is_collection() && matches!(&*column.name, "id" | "uuid")
            || lowercase(&column.name).strip_suffix("_id") == Some(&*thing)
    };
    let has_id = table.regulars().iter().any(is_id_of_thing);
    (is_owner && has_id && !is_set_up_name(things)).then_some(thing)
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
    let table = lowercase(table);
    let held = entity_name(&table);
    let is = |thing: &&&str| held.split('_').any(|word| to_singular(word) == **thing);
    REPEATED.iter().find(is).copied()
}

fn is_identity(table: &str, column: &Column) -> bool {
    let is_scalar = native_type(&column.ty).is_some();
    is_scalar && is_own_id(table, column)
}
