//! The size of a partition: from declared rows, or from a rate and the time that it grows.

use std::fmt::Write as _;

use model::concept::DAY;
use model::figures;
use schema::catalog::Table;
use schema::size::formula;

use super::Volume;
use super::declared::growth;
use crate::{Confidence, column_class};

/// Seconds that growth is looked at where nothing ends it.
const FIVE_YEARS: f64 = 5.0 * 365.0 * DAY;

/// Rows of a partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartitionRows {
    /// On average.
    pub mean: f64,
    /// Of the largest that is declared: the 99.9th percentile, the most, or that of the most popular key.
    pub large: f64,
}

impl PartitionRows {
    /// So many times as many.
    #[must_use]
    pub fn times(self, times: f64) -> Self {
        Self { mean: self.mean * times, large: self.large * times }
    }

    /// So many more.
    #[must_use]
    pub fn plus(self, more: Self) -> Self {
        Self { mean: self.mean + more.mean, large: self.large + more.large }
    }
}

/// What ends the growth of a partition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
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

impl Until {
    /// The seconds that it grows.
    pub fn seconds(self) -> f64 {
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
    pub rows: PartitionRows,
    /// Bytes of an average one, as Cassandra 5.0 stores them.
    pub mean_bytes: f64,
    /// Bytes of a large one.
    pub large_bytes: f64,
    /// Bytes of a large one by the published formulas, the lowest and the highest.
    pub formulas: (f64, f64),
    /// Its rows today, from which it grows; none where it begins empty.
    pub today: PartitionRows,
    /// Rows that it grows by, per second; `None` where its rows are declared.
    pub per_second: Option<PartitionRows>,
    /// What ends its growth.
    pub until: Until,
    /// How the rows follow: `100/day for 90 days: 9k rows`.
    pub arithmetic: String,
    /// High where all sizes are declared or fixed by types, else medium.
    pub confidence: Confidence,
}

impl PartitionSize {
    /// The figures that a finding rests on: rows, bytes, and what the published formulas say.
    pub fn notes(&self, facts: &crate::TableFacts) -> Vec<String> {
        let volume = &facts.volume;
        let mut notes = vec![
            self.arithmetic.clone(),
            format!(
                "{} at {} a row: {} (the published formulas say {} to {})",
                figures::counted(self.rows.large, "row"),
                figures::bytes(volume.row_bytes),
                figures::bytes(self.large_bytes),
                figures::bytes(self.formulas.0),
                figures::bytes(self.formulas.1),
            ),
        ];
        let guessed: Vec<&str> =
            volume.guessed(&facts.table).iter().map(|column| &*column.name).take(3).collect();
        if !guessed.is_empty() {
            let names = guessed.join(", ");
            notes.push(format!("bytes of {names} are those usual for the type: say @bytes"));
        }
        notes
    }

    /// Seconds until a large partition has so many bytes; `None` if it never has, or does not grow.
    pub fn seconds_to(&self, volume: &Volume, bytes: f64) -> Option<f64> {
        let per_second = self.per_second?.large * volume.row_bytes;
        let today = volume.partition_bytes(self.today.large);
        let seconds = (bytes - today) / per_second;
        (seconds > 0.0 && seconds <= self.until.seconds()).then_some(seconds)
    }
}

/// The size of the partitions of a table; `None` where nothing is declared that says it.
pub(super) fn of(table: &Table, volume: &Volume) -> Option<PartitionSize> {
    let Counted { rows, today, per_second, until, arithmetic } = rows(table, volume)?;
    let layout = volume.layout(table);
    let formulas = [formula::documented, formula::script].map(|bytes| bytes(&layout, rows.large));
    let guesses = !volume.guessed(table).is_empty();
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
struct Counted {
    rows: PartitionRows,
    today: PartitionRows,
    per_second: Option<PartitionRows>,
    until: Until,
    arithmetic: String,
}

impl Counted {
    /// Rows that do not grow.
    fn settled(rows: PartitionRows, arithmetic: String) -> Self {
        let today = PartitionRows { mean: 0.0, large: 0.0 };
        Self { rows, today, per_second: None, until: Until::Declared, arithmetic }
    }
}

fn rows(table: &Table, volume: &Volume) -> Option<Counted> {
    if table.clustering().is_empty() {
        let one = PartitionRows { mean: 1.0, large: 1.0 };
        return Some(Counted::settled(one, "1 row: there is no clustering column".to_owned()));
    }
    if let Some(each) = volume.each.filter(|each| each.per.is_none()) {
        let parents = volume.partitions.unwrap_or(1e6);
        let rows = PartitionRows { mean: each.mean, large: each.p999(parents).max(each.mean) };
        return Some(Counted::settled(rows, declared(rows)));
    }
    if let Some((rate, source)) = rate(table, volume) {
        let until = until(table, volume)?;
        return Some(grown(volume, rate, &source, until));
    }
    let (all, partitions) = (volume.rows?, volume.partitions?);
    let mean = all / partitions.max(1.0);
    let rows = PartitionRows { mean, large: (mean * volume.skewed.max(1.0)).min(all) };
    let mut arithmetic = format!(
        "{} in {}: {} each",
        figures::counted(all, "row"),
        figures::counted(partitions, "partition"),
        figures::counted(mean, "row")
    );
    if volume.skewed > 1.0 {
        let most = figures::counted(rows.large, "row");
        let _ = write!(arithmetic, ", {most} under the most popular key");
    }
    Some(Counted::settled(rows, arithmetic))
}

/// Rows that come at a rate, to those that are there today where nothing ends it.
fn grown(volume: &Volume, rate: PartitionRows, source: &str, until: Until) -> Counted {
    let there = volume.rows.zip(volume.partitions).filter(|_| {
        matches!(until, Until::Never(_)) && volume.each.is_some_and(|each| each.per.is_some())
    });
    let mean = there.map_or(0.0, |(rows, partitions)| rows / partitions.max(1.0));
    let today = rate.times(mean / rate.mean.max(f64::MIN_POSITIVE));
    let come = rate.times(until.seconds());
    let rows = today.plus(come);
    let mut arithmetic = format!(
        "{} a partition ({source}) for {}: {}",
        figures::rate(rate.large),
        figures::duration(until.seconds()),
        figures::counted(come.large, "row"),
    );
    if today.large >= 0.5 {
        let _ = write!(arithmetic, ", with {} of today", figures::count(today.large));
    }
    Counted { rows, today, per_second: Some(rate), until, arithmetic }
}

fn declared(rows: PartitionRows) -> String {
    let mean = figures::counted(rows.mean, "row");
    if rows.large > rows.mean {
        let large = figures::count(rows.large);
        format!("@each: {mean} a partition, {large} in a large one")
    } else {
        format!("@each: {mean} a partition")
    }
}

/// Rows that a partition grows by, per second, and what says so.
fn rate(table: &Table, volume: &Volume) -> Option<(PartitionRows, String)> {
    if let Some(each) = volume.each
        && let Some(per) = each.per
    {
        let parents = volume.spread.or(volume.partitions).unwrap_or(1e6);
        let large = each.p999(parents).max(each.mean);
        return Some((PartitionRows { mean: each.mean, large }.times(1.0 / per), "@each".into()));
    }
    // What is inserted again is not added: only a time or an id among the clustering columns makes every row a new one.
    let each_is_new = |column: &schema::catalog::Column| {
        column_class::is_time(column) || column_class::is_id(column)
    };
    if !table.clustering().iter().any(each_is_new) {
        return None;
    }
    let (all, spread) = (growth(volume)?, volume.spread?);
    let mean = all / spread.max(1.0);
    let large = (mean * volume.skewed.max(1.0)).min(all);
    let over = figures::counted(spread, "partition");
    let source = format!("{} over {over}", figures::rate(all));
    Some((PartitionRows { mean, large }, source))
}

/// What ends the growth; `None` where the key has a time bucket of unknown width.
fn until(table: &Table, volume: &Volume) -> Option<Until> {
    let expires = volume.expires.map(Until::Expires);
    let retained = volume.retain.map(Until::Retained);
    let ends = expires.or(retained).unwrap_or(Until::Never(FIVE_YEARS));
    let buckets =
        || table.partition_key().iter().filter(|column| column_class::is_time_bucket(column));
    if buckets().next().is_none() {
        return Some(ends);
    }
    let named = buckets().filter_map(column_class::bucket_seconds).reduce(f64::min);
    let width = named.or_else(|| {
        let (lived, column) = (volume.retain?, buckets().next()?);
        Some(lived / volume.distinct(table.column_index(&column.name)?)?.max(1.0))
    });
    match width {
        Some(width) if width <= ends.seconds() => Some(Until::Rolls(width)),
        Some(_) => Some(ends),
        None => match ends {
            Until::Never(_) => None,
            bounded => Some(bounded),
        },
    }
}
