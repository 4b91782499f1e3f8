//! The size of a partition: from declared rows, or from a rate and the time that it grows.

use std::fmt::Write as _;

use model::concept::DAY;
use model::figures;
use schema::catalog::Table;
use schema::size::formula;

use super::TableVolume;
use super::declaration::table_growth_rate;
use crate::Confidence;
use crate::vocabulary::ids::is_id;
use crate::vocabulary::times::{bucket_seconds, is_time, is_time_bucket};

/// Seconds that growth is looked at where nothing ends it.
const FIVE_YEARS: f64 = 5.0 * 365.0 * DAY;

/// Rows of a partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PartitionRows {
    /// On average.
    pub(crate) mean: f64,
    /// Of the largest that is declared: the 99.9th percentile, the most, or that of the most popular key.
    pub(crate) large: f64,
}

impl PartitionRows {
    /// So many times as many.
    #[must_use]
    pub(crate) fn times(self, times: f64) -> Self {
        Self { mean: self.mean * times, large: self.large * times }
    }

    /// So many more.
    #[must_use]
    pub(crate) fn plus(self, more: Self) -> Self {
        Self { mean: self.mean + more.mean, large: self.large + more.large }
    }
}

/// What ends the growth of a partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum GrowthEnd {
    /// Its rows are declared: they do not grow, or what they grow to is said.
    Declared,
    /// The time bucket of its key: after so many seconds writes go to the next partition.
    Rolls(f64),
    /// Rows expire after so many seconds.
    Expires(f64),
    /// Rows are kept for so many seconds: somebody says so, and no TTL does it.
    Retained(f64),
    /// Nothing: these seconds are looked at.
    Never(f64),
}

impl GrowthEnd {
    /// The seconds that it grows.
    pub(crate) fn seconds(self) -> f64 {
        match self {
            Self::Declared => f64::INFINITY,
            Self::Rolls(end) | Self::Expires(end) | Self::Retained(end) | Self::Never(end) => end,
        }
    }
}

/// Rows and bytes of a partition, and what they follow from.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionSize {
    /// Its rows when it stopped growing, or after five years.
    pub(crate) rows: PartitionRows,
    /// Bytes of an average one, as Cassandra 5.0 stores them.
    pub mean_bytes: f64,
    /// Bytes of a large one.
    pub large_bytes: f64,
    /// Bytes of a large one by the published formulas, the lowest and the highest.
    pub(crate) formulas: (f64, f64),
    /// Its rows today, from which it grows; none where it begins empty.
    pub(crate) today: PartitionRows,
    /// Rows that it grows by, per second; `None` where its rows are declared.
    pub(crate) per_second: Option<PartitionRows>,
    /// What ends its growth.
    pub(crate) until: GrowthEnd,
    /// How the rows follow: `100/day for 90 days: 9k rows`.
    pub(crate) arithmetic: String,
    /// High where all sizes are declared or fixed by types, else medium.
    pub(crate) confidence: Confidence,
}

impl PartitionSize {
    /// The figures that a finding rests on: rows, bytes, and what the published formulas say.
    pub(crate) fn notes(&self, facts: &crate::TableFacts) -> Vec<String> {
        let volume = &facts.volume;
        let mut notes = vec![
            self.arithmetic.clone(),
            format!(
                "{} at {} a row: {} (the published formulas say {} to {})",
                figures::pluralise(self.rows.large, "row"),
                figures::format_bytes(volume.row_bytes),
                figures::format_bytes(self.large_bytes),
                figures::format_bytes(self.formulas.0),
                figures::format_bytes(self.formulas.1),
            ),
        ];
        let guessed: Vec<&str> = volume
            .default_size_columns(&facts.table)
            .iter()
            .map(|column| &*column.name)
            .take(3)
            .collect();
        if !guessed.is_empty() {
            let names = guessed.join(", ");
            notes.push(format!("bytes of {names} are those usual for the type: say @bytes"));
        }
        notes
    }

    /// Seconds until a large partition has so many bytes; `None` if it never has, or does not grow.
    pub(crate) fn seconds_to(&self, volume: &TableVolume, bytes: f64) -> Option<f64> {
        let per_second = self.per_second?.large * volume.row_bytes;
        let today = volume.partition_bytes(self.today.large);
        let seconds = (bytes - today) / per_second;
        (seconds > 0.0 && seconds <= self.until.seconds()).then_some(seconds)
    }
}

/// The size of the partitions of a table; `None` where nothing is declared that says it.
pub(super) fn estimate_size(table: &Table, volume: &TableVolume) -> Option<PartitionSize> {
    let RowEstimate { rows, today, per_second, until, arithmetic } = estimate_rows(table, volume)?;
    let layout = volume.layout(table);
    let formulas = [formula::bytes_3x, formula::script].map(|bytes| bytes(&layout, rows.large));
    let guesses = !volume.default_size_columns(table).is_empty();
    Some(PartitionSize {
        rows,
        mean_bytes: volume.partition_bytes(rows.mean),
        large_bytes: volume.partition_bytes(rows.large),
        formulas: (formulas[0].min(formulas[1]), formulas[0].max(formulas[1])),
        today,
        per_second,
        until,
        arithmetic,
        confidence: if guesses { Confidence::Medium } else { Confidence::High },
    })
}

/// Rows of a partition, and what they follow from.
struct RowEstimate {
    rows: PartitionRows,
    today: PartitionRows,
    per_second: Option<PartitionRows>,
    until: GrowthEnd,
    arithmetic: String,
}

impl RowEstimate {
    /// Rows that do not grow.
    fn new_constant(rows: PartitionRows, arithmetic: String) -> Self {
        let today = PartitionRows { mean: 0.0, large: 0.0 };
        Self { rows, today, per_second: None, until: GrowthEnd::Declared, arithmetic }
    }
}

fn estimate_rows(table: &Table, volume: &TableVolume) -> Option<RowEstimate> {
    if table.clustering().is_empty() {
        let one = PartitionRows { mean: 1.0, large: 1.0 };
        return Some(RowEstimate::new_constant(
            one,
            "1 row: there is no clustering column".to_owned(),
        ));
    }
    if let Some(each) = volume.each.filter(|each| each.per.is_none()) {
        let parents = volume.partitions.unwrap_or(1e6);
        let rows = PartitionRows { mean: each.mean, large: each.p999(parents).max(each.mean) };
        return Some(RowEstimate::new_constant(rows, describe_fan_out(rows)));
    }
    if let Some((rate, source)) = partition_growth_rate(table, volume) {
        let until = growth_end(table, volume)?;
        return Some(estimate_growth(volume, rate, &source, until));
    }
    let (all, partitions) = (volume.rows?, volume.partitions?);
    let mean = all / partitions.max(1.0);
    let rows = PartitionRows { mean, large: (mean * volume.skewed.max(1.0)).min(all) };
    let mut arithmetic = format!(
        "{} in {}: {} each",
        figures::pluralise(all, "row"),
        figures::pluralise(partitions, "partition"),
        figures::pluralise(mean, "row")
    );
    if volume.skewed > 1.0 {
        let most = figures::pluralise(rows.large, "row");
        let _ = write!(arithmetic, ", {most} under the most popular key");
    }
    Some(RowEstimate::new_constant(rows, arithmetic))
}

/// Rows that come at a rate, to those that are there today where nothing ends it.
fn estimate_growth(
    volume: &TableVolume,
    rate: PartitionRows,
    source: &str,
    until: GrowthEnd,
) -> RowEstimate {
    let there = volume.rows.zip(volume.partitions).filter(|_| {
        matches!(until, GrowthEnd::Never(_)) && volume.each.is_some_and(|each| each.per.is_some())
    });
    let mean = there.map_or(0.0, |(rows, partitions)| rows / partitions.max(1.0));
    let today = rate.times(mean / rate.mean.max(f64::MIN_POSITIVE));
    let come = rate.times(until.seconds());
    let rows = today.plus(come);
    let mut arithmetic = format!(
        "{} a partition ({source}) for {}: {}",
        figures::format_rate(rate.large),
        figures::format_duration(until.seconds()),
        figures::pluralise(come.large, "row"),
    );
    if today.large >= 0.5 {
        let _ = write!(arithmetic, ", with {} of today", figures::format_count(today.large));
    }
    RowEstimate { rows, today, per_second: Some(rate), until, arithmetic }
}

fn describe_fan_out(rows: PartitionRows) -> String {
    let mean = figures::pluralise(rows.mean, "row");
    if rows.large > rows.mean {
        let large = figures::format_count(rows.large);
        format!("@each: {mean} a partition, {large} in a large one")
    } else {
        format!("@each: {mean} a partition")
    }
}

/// Rows that a partition grows by, per second, and what says so.
fn partition_growth_rate(table: &Table, volume: &TableVolume) -> Option<(PartitionRows, String)> {
    if let Some(each) = volume.each
        && let Some(per) = each.per
    {
        let parents = volume.spread.or(volume.partitions).unwrap_or(1e6);
        let large = each.p999(parents).max(each.mean);
        return Some((PartitionRows { mean: each.mean, large }.times(1.0 / per), "@each".into()));
    }
    // What is inserted again is not added: only a time or an id among the clustering columns makes every row a new one.
    let each_is_new = |column: &schema::catalog::Column| is_time(column) || is_id(column);
    if !table.clustering().iter().any(each_is_new) {
        return None;
    }
    let (all, spread) = (table_growth_rate(volume)?, volume.spread?);
    let mean = all / spread.max(1.0);
    let large = (mean * volume.skewed.max(1.0)).min(all);
    let over = figures::pluralise(spread, "partition");
    let source = format!("{} over {over}", figures::format_rate(all));
    Some((PartitionRows { mean, large }, source))
}

/// What ends the growth; `None` where the key has a time bucket of unknown width.
fn growth_end(table: &Table, volume: &TableVolume) -> Option<GrowthEnd> {
    let expires = volume.expires.map(GrowthEnd::Expires);
    let retained = volume.retain.map(GrowthEnd::Retained);
    let ends = expires.or(retained).unwrap_or(GrowthEnd::Never(FIVE_YEARS));
    let buckets = || table.partition_key().iter().filter(|column| is_time_bucket(column));
    if buckets().next().is_none() {
        return Some(ends);
    }
    let named = buckets().filter_map(bucket_seconds).reduce(f64::min);
    let width = named.or_else(|| {
        let (lived, column) = (volume.retain?, buckets().next()?);
        Some(lived / volume.distinct(table.column_index(&column.name)?)?.max(1.0))
    });
    match width {
        Some(width) if width <= ends.seconds() => Some(GrowthEnd::Rolls(width)),
        Some(_) => Some(ends),
        None => match ends {
            GrowthEnd::Never(_) => None,
            bounded => Some(bounded),
        },
    }
}
