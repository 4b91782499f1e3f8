//! Why a table is split, in words.

use model::id::{Numbered, SourceId, TableId};
use model::plan::topic::{BucketTopic, HeatTopic};
use model::plan::{About, Bucket, Note, NoteKind, PlannedTable, Topic, Volume};

use super::{exceeds, excess, shards_for};
use crate::{Context, volume};
use model::figures::{bytes, count, counted, days, rate, writes};

/// Why a bucket, and why this wide. `coarser` is the next width that was not taken.
pub(super) fn bucket(
    context: Context<'_>,
    table: &PlannedTable,
    whole: &Volume,
    (width, held): (Bucket, &Volume),
    coarser: Option<(Bucket, Volume)>,
) -> String {
    let over = horizon(context, table);
    let why = if exceeds(context, table, whole) {
        let grows = match whole.per_day.p999 {
            daily if daily > 0.0 => format!(" ({} more a day)", count(daily)),
            _ => String::new(),
        };
        format!(
            "without it a partition would hold {}{grows} at p99.9 {over}, more than {}",
            size(whole, whole_days(context, table)),
            bound(context)
        )
    } else {
        "nothing is given by equality, so the rows of a stretch of time lie together".to_owned()
    };
    let holds = match width {
        Bucket::Range(width) => {
            format!("a range of {} values holds no more rows", count(to_f64(width)))
        }
        _ => format!("a {} holds {}", width.name(), size(held, 0.0)),
    };
    let wider = coarser.map(|(coarser, would_hold)| {
        format!(", a {} would hold {}", coarser.name(), size(&would_hold, 0.0))
    });
    let number = shards_for(excess(context, table, whole));
    let instead = (number > 1)
        .then(|| format!("; {number} shards instead would all have to be read each time"));
    format!("{why}; {holds}{}{}", wider.unwrap_or_default(), instead.unwrap_or_default())
}

/// Why shards, and why so many.
pub(super) fn shards(
    context: Context<'_>,
    table: &PlannedTable,
    held: &Volume,
    number: u32,
) -> String {
    let limits = &context.options.limits;
    let mut parts = Vec::new();
    if exceeds(context, table, held) {
        let in_days = whole_days(context, table);
        let each = held.rows_after(in_days).p999 / f64::from(number);
        parts.push(format!(
            "a partition would hold {} at p99.9 {}, more than {}; {number} shards hold {} each",
            size(held, in_days),
            horizon(context, table),
            bound(context),
            counted(each, "row"),
        ));
    }
    if held.hottest_writes > limits.hot_writes {
        parts.push(format!(
            "the hottest partition would take {}, more than {}; {number} shards take {} each",
            writes(held.hottest_writes),
            rate(limits.hot_writes),
            rate(held.hottest_writes / f64::from(number)),
        ));
    }
    let why_not = if table.bucket().is_some() {
        "a finer bucket than this there is none"
    } else {
        "no time that the reads go by could divide it"
    };
    format!(
        "{} ({why_not}); a read that does not know the row's key visits all {number}",
        parts.join("; ")
    )
}

/// That nobody says how fast the rows of a bucketed table come.
pub(super) fn unknown_growth(
    context: Context<'_>,
    table: &PlannedTable,
    whole: &Volume,
    at: TableId,
) -> Note {
    let entities = table.holds.sources.iter();
    let names = entities.filter_map(|source| context.concept.entities.at(source.entity));
    let entity = names.map(|entity| entity.name.as_str()).next().unwrap_or_default();
    let topic = BucketTopic::UnknownGrowth {
        table: table.name.clone(),
        rows: whole.today.p999,
        days: volume::horizon(context, table),
        entity: entity.to_owned(),
    };
    let topic = Topic::from(topic);
    Note { kind: NoteKind::Assumption, about: About::Table(at), topic, span: None }
}

/// That rows are taken to come when what they are joined to did.
pub(super) fn time_of_another(
    context: Context<'_>,
    table: &PlannedTable,
    at: TableId,
) -> Option<Note> {
    let (_, of, bucket) = table.bucket()?;
    let entity = |source: SourceId| {
        let entity = table.holds.sources.at(source)?.entity;
        context.concept.entities.at(entity)
    };
    let tip = volume::tip(context.concept, table)?;
    let (rows, other) = (entity(tip)?, entity(of.source)?);
    let attribute = &other.attributes.at(of.attribute)?.name;
    bucket.days().filter(|_| tip != of.source)?;
    let topic = BucketTopic::TimeOfAnother {
        table: table.name.clone(),
        entity: rows.name.clone(),
        other: other.name.clone(),
        attribute: attribute.clone(),
    };
    let topic = Topic::from(topic);
    Some(Note { kind: NoteKind::Assumption, about: About::Table(at), topic, span: None })
}

/// That the row which remembers the oldest bucket is written too often.
pub(super) fn hot_memory(context: Context<'_>, table: &PlannedTable, at: TableId) -> Option<Note> {
    let limit = context.options.limits.hot_writes;
    let written = table.volume.hottest_writes;
    (table.remembers.is_some() && written > limit).then(|| {
        let table = table.name.clone();
        let topic = Topic::from(HeatTopic::HotOldestBucket { table, writes: written, limit });
        Note { kind: NoteKind::Warning, about: About::Table(at), topic, span: None }
    })
}

/// `212k rows, 22 MB`
fn size(volume: &Volume, in_days: f64) -> String {
    let rows = volume.rows_after(in_days).p999;
    format!("{}, {}", counted(rows, "row"), bytes(volume.bytes_after(in_days).p999))
}

/// `300k rows or 100 MB`
fn bound(context: Context<'_>) -> String {
    let limits = &context.options.limits;
    format!("{} or {}", counted(limits.partition_rows, "row"), bytes(limits.partition_bytes))
}

/// The time that growth is looked at.
fn horizon(context: Context<'_>, table: &PlannedTable) -> String {
    match volume::retention(context.concept, table) {
        Some(seconds) => format!("within its retention of {}", model::figures::duration(seconds)),
        None => format!("after {}", days(context.options.limits.years * volume::YEAR)),
    }
}

fn whole_days(context: Context<'_>, table: &PlannedTable) -> f64 {
    volume::horizon(context, table)
}

#[expect(clippy::cast_precision_loss, reason = "powers of ten up to the bound")]
fn to_f64(width: u64) -> f64 {
    width as f64
}
