//! CK009: rows of the same moment overwrite each other.

use cql::types::NativeType;
use model::figures;
use schema::catalog::{Column, Table};

use crate::facts::tables::is_registry;
use crate::facts::volumes::is_one_thing;
use crate::remedies::NewKey;
use crate::vocabulary::ids::{is_id, is_own_id};
use crate::vocabulary::matcher::{has_word, matches_any};
use crate::vocabulary::people::{is_actor, is_person, is_property_of_person};
use crate::vocabulary::quantities::{is_measured_value, is_quantity_name};
use crate::vocabulary::table_names::{is_event_name, is_summary_name};
use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const SHARE: Limit = Limit::new("collision-share", 0.001)
    .describe("share of a partition's rows that may fall within the same clock tick");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck009_row_collision_risk.md"), Check::Table(check))
        .with_limits(&[SHARE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(time) = table.clustering().last() else { return };
    if table.is_view
        || table.is_counter()
        || !is_clock(time)
        || is_summary_name(&table.name)
        || is_registry(facts)
    {
        return;
    }
    let rate = facts.volume.each.and_then(|each| Some(each.max / each.per?));
    let share = rate.map(|rate| rate * time_resolution(time));
    let Some((severity, confidence)) = evaluate(facts, share, reporter.limit(&SHARE)) else {
        return;
    };
    let new = NewKey::from_table(table);
    let own = table.regulars().iter().find(|column| is_pointer(column));
    let new = match own {
        Some(own) => new.with_clustering_column(&own.name),
        None => new.with_new_clustering_column(table, "id", "timeuuid"),
    };
    let message = format!(
        "Two rows with the same `{}` in one partition of {} overwrite each other.",
        time.name, table.name
    );
    let finding = reporter.report(project.key_location(facts, &time.name), message);
    finding.with_column(table, time).severity(severity).confidence(confidence).help(format!(
        "append an id to the key: {}; or replace `{}` with a timeuuid",
        new.clause(),
        time.name
    ));
    if let (Some(rate), Some(share)) = (rate, share) {
        finding.note(format!(
            "{} to one partition: about {} % of the rows share a clock tick with another",
            figures::format_rate(rate),
            figures::format_count((share * 100.0).min(100.0))
        ));
    }
    finding.with_fix(project.rekey_fix(facts, &new, "append an id to the key"));
}

/// The severity: by declared rates; otherwise by an id that the key omits, or by an event table
/// without an id in its key.
fn evaluate(facts: &TableFacts, share: Option<f64>, limit: f64) -> Option<(Severity, Confidence)> {
    let table = &facts.table;
    let is_one_series = table.primary_key().iter().any(is_id);
    let ids = table.primary_key().iter().filter(|column| is_id(column)).count();
    let points = table.regulars().iter().any(is_pointer);
    // What one source measures is a sample, whatever is said of it.
    let is_series = matches_any(&table.name, &["*series*"]);
    let is_told = !is_series && table.regulars().iter().any(is_report);
    let happens = is_event_name(&table.name) && !is_sample_series(&table.name) || is_told;
    let is_rare = share.is_some_and(|share| share <= limit);
    // Writes of a single writer are sequential: they collide only if it is faster than its clock.
    let is_certain = share.is_some_and(|share| share >= 1.0);
    let time = table.clustering().last().and_then(|column| native_type(&column.ty));
    let is_day = matches!(time, Some(NativeType::Date | NativeType::Time));
    match (is_one_series, points) {
        _ if is_certain || share.is_some() && !is_rare && !is_one_series => {
            Some((Severity::High, Confidence::High))
        }
        _ if is_rare || is_day || is_one_thing(table) => None,
        (false, true) => Some((Severity::High, Confidence::Medium)),
        (false, false) if happens || has_person(table) => Some((Severity::High, Confidence::Low)),
        (false, false) => has_words_only(table).then_some((Severity::Medium, Confidence::Low)),
        // Several things are measured in one moment.
        (true, _) if ids == 1 && has_named_value(table) => {
            Some((Severity::Medium, Confidence::Medium))
        }
        // Rows of many people under one thing.
        (true, _) if has_property_of_person(table) || has_actor(table) => {
            Some((Severity::High, Confidence::Low))
        }
        // Rows come from several sources, and the key names another thing.
        (true, _) if is_told && !is_single_writer(table) && (points || ids == 1) => {
            Some((Severity::Medium, Confidence::Medium))
        }
        (true, true) if has_own_id(table) => Some((Severity::Medium, Confidence::Medium)),
        (true, true) => happens.then_some((Severity::Low, Confidence::Medium)),
        (true, false) => None,
    }
}

/// Whether rows hold words and no figures: they say what happened, and were not measured by a clock.
fn has_words_only(table: &Table) -> bool {
    use NativeType::{Ascii, Text};
    let is_text = |column: &Column| matches!(native_type(&column.ty), Some(Ascii | Text));
    let regulars = table.regulars();
    regulars.len() > 1 && regulars.iter().all(is_text) && !is_single_writer(table)
}

/// Whether rows are pairs of a name and a value, and the key omits the name: what else is measured in that moment has the same key.
fn has_named_value(table: &Table) -> bool {
    let has = |is_it: fn(&str) -> bool| table.regulars().iter().any(|column| is_it(&column.name));
    has(is_quantity_name) && has(is_measured_value)
}

/// Whether rows have an id of their own, which the key omits.
fn has_own_id(table: &Table) -> bool {
    table.regulars().iter().any(|column| is_pointer(column) && is_own_id(&table.name, column))
}

/// Whether rows say something of a person, and the key names none: `user_country` of the views of a video.
fn has_property_of_person(table: &Table) -> bool {
    !table.primary_key().iter().any(is_person)
        && !is_single_writer(table)
        && table.columns().iter().any(is_property_of_person)
}

/// Whether rows say who did something, and the key names none who could: the bidder of an auction.
fn has_actor(table: &Table) -> bool {
    let key = table.primary_key();
    !is_single_writer(table) && !key.iter().any(is_actor) && table.regulars().iter().any(is_actor)
}

/// Whether rows name a person, and the key names none: who joined a group.
fn has_person(table: &Table) -> bool {
    !is_single_writer(table) && table.regulars().iter().any(is_person)
}

/// Whether the key names who writes: a person, a device, or what one person edits.
fn is_single_writer(table: &Table) -> bool {
    const SOURCES: &[&str] =
        &["*device*", "*sensor*", "*host*", "*node*", "*vehicle*", "*session*"];
    let key = table.primary_key();
    key.iter().any(|column| is_person(column) || matches_any(&column.name, SOURCES))
        || has_word(&table.name, &["edits", "history", "revisions", "versions"])
}

/// A time taken from a clock when a row is written; timeuuids are unique, and time spans are keys
/// of aggregates.
fn is_clock(column: &Column) -> bool {
    const SPANS: &[&str] = &[
        "window*",
        "*_window",
        "*bucket*",
        "hour",
        "*_hour",
        "day",
        "*_day",
        "week",
        "month",
        "period*",
        "interval*",
    ];
    is_time(column)
        && native_type(&column.ty) != Some(NativeType::Timeuuid)
        && !matches_any(&column.name, SPANS)
}

/// Resolution of the type in seconds.
fn time_resolution(column: &Column) -> f64 {
    match native_type(&column.ty) {
        Some(NativeType::Date) => 86_400.0,
        Some(NativeType::Int) => 1.0,
        Some(NativeType::Time) => 1e-9,
        Some(NativeType::Double | NativeType::Decimal) => 1e-6,
        _ => 1e-3,
    }
}

/// An event id outside the key.
fn is_pointer(column: &Column) -> bool {
    is_id(column) && !column.is_multi_cell()
}

/// What tells one event from another: its title, its address, its kind. Samples have none.
fn is_report(column: &Column) -> bool {
    const REPORTS: &[&str] = &[
        "type",
        "*_type",
        "kind",
        "title",
        "*_title",
        "headline",
        "message",
        "content",
        "body",
        "url",
        "*_url",
        "full_text",
        "subject",
    ];
    matches!(native_type(&column.ty), Some(NativeType::Text | NativeType::Ascii))
        && matches_any(&column.name, REPORTS)
}

/// Series of samples: a second sample of the same moment intentionally replaces the first.
fn is_sample_series(table: &str) -> bool {
    matches_any(
        table,
        &[
            "*metric*",
            "*measurement*",
            "*reading*",
            "*sample*",
            "*history*",
            "*timeline*",
            "*sensor*",
            "*series*",
        ],
    )
}
