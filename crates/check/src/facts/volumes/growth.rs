//! Which partitions grow without end.

use cql::types::NativeType;
use model::vocabulary::{id_stem, to_singular};
use schema::catalog::{Column, Table};

use crate::facts::lifetimes::has_ttl;
use crate::facts::tables::is_registry;
use crate::facts::workload::{is_parameter, queue_evidence, statement_values};
use crate::vocabulary::descriptions::is_descriptive;
use crate::vocabulary::entity_names::{entity_name, is_generic_id_name};
use crate::vocabulary::ids::{is_id, is_own_id};
use crate::vocabulary::keys::{is_bucket, is_number_range, is_shard};
use crate::vocabulary::life_cycle::{
    is_bounded_column, is_set_up_name, is_short_lived_id, is_short_lived_name, is_short_lived_thing,
};
use crate::vocabulary::matcher::{has_word, lowercase, matches_any};
use crate::vocabulary::people::{
    is_audience_subject, is_follower, is_hand_entered, is_page_address, is_person,
    is_privilege_name, is_site,
};
use crate::vocabulary::table_names::{
    is_activity_name, is_lookup_name, is_message_name, is_slow_history_name, is_stream_name,
    is_summary_name,
};
use crate::vocabulary::tenants::is_tenant;
use crate::vocabulary::times::{bucket_seconds, is_hour_of_day, is_time, is_time_bucket};
use crate::vocabulary::types::native_type;
use crate::vocabulary::work::{is_due_time, is_queue_name};
use crate::{Confidence, Project, TableFacts};

/// How a partition grows without end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct UnboundedGrowth<'t> {
    /// The clustering column that makes it grow.
    pub(crate) column: &'t Column,
    /// Volumes: high; only inserts among the statements: medium; the schema alone, or rows are deleted: low.
    pub(crate) confidence: Confidence,
}

/// How the partitions of a table grow without end, if they do: a clustering column is a time or made up for each event, nothing in
/// the partition key rolls over or ends by itself, nothing expires, and nobody says that they stay small.
pub(crate) fn unbounded_growth<'t>(
    project: &Project<'_>,
    facts: &'t TableFacts,
) -> Option<UnboundedGrowth<'t>> {
    let (at, confidence) = (*facts.cached.growth.get_or_init(|| find_growth(project, facts)))?;
    facts.table.clustering().get(at).map(|column| UnboundedGrowth { column, confidence })
}

/// The position of the clustering column by which partitions grow without end, and how sure that is.
fn find_growth(project: &Project<'_>, facts: &TableFacts) -> Option<(usize, Confidence)> {
    let table = &facts.table;
    let volume = &facts.volume;
    let is_settled = volume.each.is_some_and(|each| each.per.is_none())
        || volume.rows.is_some() && volume.partitions.is_some() && volume.grows.is_none();
    let is_kept = volume.retain.is_some() || has_ttl(project, facts);
    // Counters of days and hours are their own bounds, and so are those of things.
    let is_counted = table.is_counter() && !table.clustering().iter().any(is_clock);
    if is_settled || is_kept || has_rolling_key(facts) || is_counted || is_registry(facts) {
        return None;
    }
    if is_one_thing(table) && volume.each.is_none() {
        return None;
    }
    // The rows of a queue are taken away again.
    if queue_evidence(project, facts).is_some() {
        return None;
    }
    let is_declared = volume.each.is_some_and(|each| each.per.is_some());
    let is_bounded = is_daily(table)
        || has_periods(table)
        || is_slow_history(table)
        || is_lookup_name(&table.name);
    // The `id` of what somebody sets up is bounded as well.
    let is_set_up = is_set_up_name(entity_name(&table.name));
    let adds = |column: &Column| {
        let is_own = is_set_up && is_generic_id_name(&column.name);
        // What waits for its time is taken away when it has come.
        let waits = is_queue_name(&table.name) && is_due_time(column);
        is_time(column) && !is_bounded_column(column) && !is_own && !waits
    };
    // Messages that are numbered as they come: the number is a time in disguise.
    let is_numbered = is_message_name(&table.name) && !is_bounded;
    let by_number = |column: &Column| {
        is_numbered
            && (is_running_id(table, column) || is_id(column) && is_own_id(&table.name, column))
    };
    let by_time = table.clustering().iter().position(adds).filter(|_| !is_bounded);
    let by_time = by_time.or_else(|| table.clustering().iter().position(by_number));
    let by_time = by_time.or_else(|| newest_first(table).filter(|_| !is_bounded));
    // Groups of ids, each with a list of others: the list of the most popular one grows.
    let are_shards = table.partition_key().iter().all(is_shard);
    let is_listed = are_shards && table.clustering().len() > 1;
    // Names before the ids make it a directory.
    let is_directory = table.clustering().first().is_some_and(is_descriptive);
    let is_listed = is_listed && !is_directory;
    let last = table.clustering().last().filter(|last| is_listed && is_id(last));
    let last = last.map(|_| table.clustering().len() - 1);
    let declared = (is_declared && !table.clustering().is_empty()).then_some(0);
    let column = by_time.or(declared).or(last).or_else(|| audience_column(table))?;
    let is_rated = is_declared || volume.inserts.is_some() || volume.grows.is_some();
    let has_writes = is_written(project, facts);
    let deletes = facts.own_writes(project).any(|write| write.is_row_delete());
    // Most sites are small.
    let holds_pages = table.clustering().get(column).is_some_and(is_page_address);
    let confidence = match (is_rated, has_writes, deletes) {
        (false, ..) if holds_pages => Confidence::Low,
        (_, _, true) if !is_declared => Confidence::Low,
        (false, ..) if is_hand_entered(table) => Confidence::Low,
        (true, ..) => Confidence::High,
        (false, true, _) => Confidence::Medium,
        // A stream of events under a clock says it without statements.
        (false, false, _) if is_stream(table, column) => Confidence::Medium,
        (false, false, _) => Confidence::Low,
    };
    Some((column, confidence))
}

/// Whether a column is a time of seconds or less.
fn is_clock(column: &Column) -> bool {
    native_type(&column.ty) == Some(NativeType::Timestamp) && bucket_seconds(column).is_none()
}

/// Whether a table holds what happens or is measured, by its name, at times that a clock gives.
fn is_stream(table: &Table, column: usize) -> bool {
    use NativeType::{Timestamp, Timeuuid};
    let ty = table.clustering().get(column).and_then(|column| native_type(&column.ty));
    // What is noted of a thing is less than what somebody does, or what happens in a whole system.
    let is_thing = |column: &Column| is_id(column) && !is_person(column) && !is_tenant(column);
    let is_activity = is_activity_name(&table.name) && !table.partition_key().iter().any(is_thing);
    (is_stream_name(&table.name) || is_activity) && matches!(ty, Some(Timestamp | Timeuuid))
}

/// The position of an id that rows are sorted by with the newest first: a time in disguise, for nobody reads random ids backwards. It is
/// that of the rows, or of what happens once; the ids of other things are a list of them.
fn newest_first(table: &Table) -> Option<usize> {
    let is_blob = |column: &Column| native_type(&column.ty) == Some(NativeType::Blob);
    let first = table.clustering().first().filter(|first| first.descending)?;
    // A random id has no order: whoever sorts it has not thought of time.
    let is_random = native_type(&first.ty) == Some(NativeType::Uuid);
    let is_own = is_id(first) && is_own_id(&table.name, first) && !is_random;
    let happens = (is_id(first) || is_blob(first)) && is_short_lived_name(first);
    ((is_own || happens) && !is_bounded_column(first)).then_some(0)
}

/// Whether a partition is one thing, by the name of the table: the time that follows its id is one of its properties.
pub(crate) fn is_one_thing(table: &Table) -> bool {
    let [key] = table.partition_key() else { return false };
    let name = lowercase(&table.name);
    let thing = to_singular(entity_name(&name));
    let is_measure = |column: &Column| {
        use NativeType::{Decimal, Double, Float};
        matches!(native_type(&column.ty), Some(Decimal | Double | Float))
    };
    let stem = lowercase(&key.name);
    let stem = id_stem(&stem).map(|stem| stem.trim_end_matches('_'));
    // The plain id of what happens once is that of the row.
    let is_event = is_generic_id_name(&key.name) && is_short_lived_thing(&thing);
    let is_own = is_event || stem.is_some_and(|stem| to_singular(stem) == thing);
    // Sensors whose rows are one number and a time are series.
    let is_series = table.regulars().len() < 3 && table.regulars().iter().any(is_measure);
    is_own && !is_series && table.clustering().iter().all(is_time)
}

/// Whether a column numbers the rows of its table.
fn is_running_id(table: &Table, column: &Column) -> bool {
    const SEQUENCES: &[&str] = &["seq", "seq_*", "*_seq", "sequence", "sequence_*", "*_sequence"];
    native_type(&column.ty) == Some(NativeType::Bigint)
        && (is_own_id(&table.name, column) || matches_any(&column.name, SEQUENCES))
}

/// Whether a program writes a table, or statements that get values from outside: literals alone fill a trial.
fn is_written(project: &Project<'_>, facts: &TableFacts) -> bool {
    facts.writes(project).any(|seen| {
        let mut given = statement_values(project, seen).into_iter().flat_map(|one| one.values);
        project.is_program(seen.place) || given.any(|(_, term)| is_parameter(term))
    })
}

/// Whether there are a few rows a day or an hour: less than 100,000 in ten years. Days and hours are their own bounds, and what stands
/// beside them are names and kinds, not things of their own; or the name says that the rows are sums over spans of time.
fn is_daily(table: &Table) -> bool {
    let clustering = table.clustering();
    // The name of a timestamp must tell how long its span is: windows may be of seconds.
    let is_long = |column: &Column| {
        native_type(&column.ty) != Some(NativeType::Timestamp) || bucket_seconds(column).is_some()
    };
    let is_span = |column: &Column| {
        native_type(&column.ty) == Some(NativeType::Date)
            || is_time_bucket(column) && is_long(column)
            || is_hour_of_day(column)
    };
    let is_beside =
        |column: &Column| !is_time(column) && !is_id(column) && !is_count_of_day(column);
    let has_span = clustering.iter().any(is_span);
    has_span && clustering.iter().all(|column| is_span(column) || is_beside(column))
        || is_summary_name(&table.name)
            && table.regulars().iter().any(is_number)
            && clustering.iter().filter(|column| is_time(column)).count() == 1
            && clustering.iter().all(|column| is_time(column) || is_beside(column))
}

/// Whether rows are periods of days, from a first to a last one: they follow each other, and there are few.
fn has_periods(table: &Table) -> bool {
    let is_date = |column: &Column| native_type(&column.ty) == Some(NativeType::Date);
    let ends = |column: &Column| {
        is_date(column) && matches_any(&column.name, &["*end", "end_*", "*until", "*_to"])
    };
    table.clustering().first().is_some_and(is_date) && table.regulars().iter().any(ends)
}

/// Whether a column is a number, as sums are.
fn is_number(column: &Column) -> bool {
    use NativeType::{Bigint, Decimal, Double, Float, Int, Smallint, Varint};
    let ty = native_type(&column.ty);
    matches!(ty, Some(Bigint | Decimal | Double | Float | Int | Smallint | Varint))
}

/// Whether a column numbers what there are many of in a day: rooms, seats.
fn is_count_of_day(column: &Column) -> bool {
    matches_any(&column.name, &["*_number", "*_no", "number", "seat*", "room*"])
}

/// Whether rows say what became of one thing over the years, and each is made by hand: who owned it, who paid for it.
fn is_slow_history(table: &Table) -> bool {
    let key = table.partition_key();
    let is_one = key.iter().any(|column| is_id(column) && !is_person(column) && !is_tenant(column));
    is_one && is_slow_history_name(&table.name)
}

/// Whether a partition takes no more rows after some time: its key has a time, or names something that ends by itself.
fn has_rolling_key(facts: &TableFacts) -> bool {
    let key = facts.table.partition_key();
    // A timeuuid is a moment, unless it is the id of somebody who stays.
    let stays = |column: &Column| is_person(column) || is_tenant(column);
    let is_moment = |column: &Column| {
        is_time_bucket(column)
            || is_number_range(column)
            || native_type(&column.ty) == Some(NativeType::Timeuuid) && !stays(column)
            || matches!(native_type(&column.ty), Some(NativeType::Timestamp | NativeType::Date))
    };
    // Shards divide what grows under another column; alone, there is a fixed number of them and the whole table is in them.
    let shards = key.iter().filter(|column| is_bucket(column)).count();
    // A job that runs again and again does not end.
    let recurs = has_word(&facts.table.name, &["runs", "executions"]);
    key.iter().any(|column| is_moment(column) || is_short_lived_id(column) && !recurs)
        || shards > 0 && shards < key.len()
}

/// The position of the clustering column that gathers everybody in one partition: users behind an experiment, a campaign, an application,
/// the pages of a site.
fn audience_column(table: &Table) -> Option<usize> {
    let is_split = |column: &Column| is_bucket(column) || is_time(column);
    let key = table.partition_key();
    let stands_alone = !key.iter().any(|column| is_person(column) || is_split(column));
    let is_open = !table.is_view && !is_privilege_name(&table.name);
    let is_there = is_open && stands_alone && key.iter().any(is_audience_subject);
    let is_site = is_open && stands_alone && key.iter().all(is_site);
    let gathers =
        |column: &Column| is_there && is_person(column) || is_site && is_page_address(column);
    let splits = |column: &Column| is_split(column) || is_follower(column);
    let is_followed = is_open && !key.iter().any(splits);
    let first = table.clustering().first().filter(|first| is_followed && is_follower(first));
    table.clustering().iter().position(gathers).or_else(|| first.map(|_| 0))
}

/// Why partitions of a table are large, if they are: the rows that are declared, or that they grow without end.
pub(crate) fn large_partition_evidence(
    project: &Project<'_>,
    facts: &TableFacts,
    rows: f64,
) -> Option<(Option<f64>, Confidence)> {
    if let Some(known) = facts.volume.partition_rows() {
        return (known.large > rows).then_some((Some(known.large), Confidence::High));
    }
    unbounded_growth(project, facts).map(|growth| (None, growth.confidence))
}
