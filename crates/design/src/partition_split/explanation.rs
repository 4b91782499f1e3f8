//! The reasons for a split, in words.

use model::id::{IdList, SourceId, TableId};
use model::plan::topic::{BucketTopic, HeatTopic};
use model::plan::{Bucket, Note, NoteKind, NoteSubject, PlannedTable, Topic, Volume};

use super::{excess, is_over_limit, shards_for};
use crate::{Context, volume};
use model::figures::{
    format_bytes, format_count, format_days, format_rate, format_writes, pluralise, with_article,
};

/// Why a bucket, and why this wide. `coarser` is the next width that was not taken.
pub(super) fn explain_bucket(
    context: Context<'_>,
    table: &PlannedTable,
    whole: &Volume,
    (width, held): (Bucket, &Volume),
    coarser: Option<&(Bucket, Volume)>,
) -> String {
    let over = horizon_text(context, table);
    let why = if is_over_limit(context, table, whole) {
        let grows = match whole.per_day.p999 {
            daily if daily > 0.0 => format!(" ({} more a day)", format_count(daily)),
            _ => String::new(),
        };
        format!(
            "without it a partition would hold {}{grows} at p99.9 {over}, more than {}",
            size_text(whole, whole_days(context, table)),
            limit_text(context)
        )
    } else {
        "no column is given by equality, so the rows of one period are stored together".to_owned()
    };
    let holds = match width {
        Bucket::Range(width) => {
            format!(
                "a range of {} values holds no more rows than that",
                format_count(to_f64(width))
            )
        }
        _ => format!("{} holds {}", with_article(width), size_text(held, 0.0)),
    };
    let wider = coarser.map(|(coarser, would_hold)| {
        format!(", {} would hold {}", with_article(coarser), size_text(would_hold, 0.0))
    });
    let number = shards_for(excess(context, table, whole));
    let instead = (number > 1).then(|| {
        format!("; with {number} shards instead, each read would have to query all of them")
    });
    format!("{why}; {holds}{}{}", wider.unwrap_or_default(), instead.unwrap_or_default())
}

/// Why shards, and why so many.
pub(super) fn explain_shards(
    context: Context<'_>,
    table: &PlannedTable,
    held: &Volume,
    number: u32,
) -> String {
    let limits = &context.options.limits;
    let mut parts = Vec::new();
    if is_over_limit(context, table, held) {
        let in_days = whole_days(context, table);
        let each = held.rows_after(in_days).p999 / f64::from(number);
        parts.push(format!(
            "a partition would hold {} at p99.9 {}, more than {}; {number} shards hold {} each",
            size_text(held, in_days),
            horizon_text(context, table),
            limit_text(context),
            pluralise(each, "row"),
        ));
    }
    if held.hottest_writes > limits.hot_writes {
        parts.push(format!(
            "the hottest partition would receive {}, more than {}; {number} shards receive {} each",
            format_writes(held.hottest_writes),
            format_rate(limits.hot_writes),
            format_rate(held.hottest_writes / f64::from(number)),
        ));
    }
    let why_not = if table.bucket().is_some() {
        "there is no finer bucket"
    } else {
        "the reads use no time column that could divide it"
    };
    format!("{} ({why_not}); a read without the row's key queries all {number}", parts.join("; "))
}

/// The assumption on the growth of a bucketed table for which none is declared.
pub(super) fn unknown_growth_note(
    context: Context<'_>,
    table: &PlannedTable,
    whole: &Volume,
    at: TableId,
) -> Note {
    let entities = table.holds.sources.iter();
    let names = entities.filter_map(|source| context.concept.entities.member(source.entity));
    let entity = names.map(|entity| entity.name.as_str()).next().unwrap_or_default();
    let topic = BucketTopic::UnknownGrowth {
        table: table.name.clone(),
        rows: whole.today.p999,
        days: volume::horizon(context, table),
        entity: entity.to_owned(),
    };
    let topic = Topic::from(topic);
    Note { kind: NoteKind::Assumption, about: NoteSubject::Table(at), topic, span: None }
}

/// The assumption that rows are created at the time of the row that they are joined to.
pub(super) fn time_of_another_note(
    context: Context<'_>,
    table: &PlannedTable,
    at: TableId,
) -> Option<Note> {
    let (_, of, bucket) = table.bucket()?;
    let entity = |source: SourceId| {
        let entity = table.holds.sources.member(source)?.entity;
        context.concept.entities.member(entity)
    };
    let tip = volume::tip(context.concept, table)?;
    let (rows, other) = (entity(tip)?, entity(of.source)?);
    let attribute = &other.attributes.member(of.attribute)?.name;
    bucket.days().filter(|_| tip != of.source)?;
    let topic = BucketTopic::TimeOfAnother {
        table: table.name.clone(),
        entity: rows.name.clone(),
        other: other.name.clone(),
        attribute: attribute.clone(),
    };
    let topic = Topic::from(topic);
    Some(Note { kind: NoteKind::Assumption, about: NoteSubject::Table(at), topic, span: None })
}

/// The warning that the row with the oldest bucket is written too often.
pub(super) fn hot_bucket_table_note(
    context: Context<'_>,
    table: &PlannedTable,
    at: TableId,
) -> Option<Note> {
    let limit = context.options.limits.hot_writes;
    let written = table.volume.hottest_writes;
    (table.remembers.is_some() && written > limit).then(|| {
        let table = table.name.clone();
        let topic = Topic::from(HeatTopic::HotOldestBucket { table, writes: written, limit });
        Note { kind: NoteKind::Warning, about: NoteSubject::Table(at), topic, span: None }
    })
}

/// `212k rows, 22 MB`
fn size_text(volume: &Volume, in_days: f64) -> String {
    let rows = volume.rows_after(in_days).p999;
    format!("{}, {}", pluralise(rows, "row"), format_bytes(volume.bytes_after(in_days).p999))
}

/// `300k rows or 100 MB`
fn limit_text(context: Context<'_>) -> String {
    let limits = &context.options.limits;
    format!(
        "{} or {}",
        pluralise(limits.partition_rows, "row"),
        format_bytes(limits.partition_bytes)
    )
}

/// The period over which growth is considered, in words.
fn horizon_text(context: Context<'_>, table: &PlannedTable) -> String {
    match volume::retention(context.concept, table) {
        Some(seconds) => {
            format!("within its retention of {}", model::figures::format_duration(seconds))
        }
        None => format!("after {}", format_days(context.options.limits.years * volume::YEAR)),
    }
}

fn whole_days(context: Context<'_>, table: &PlannedTable) -> f64 {
    volume::horizon(context, table)
}

#[expect(clippy::cast_precision_loss, reason = "powers of ten up to the bound")]
fn to_f64(width: u64) -> f64 {
    width as f64
}
