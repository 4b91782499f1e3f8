//! Charts of sizes, for the pages of designs and estimates: distributions of partitions, partitions and
//! disk over time, tombstones by day.

use design::estimate::{SizePoint, TableSeries, TombstoneSeries, TombstoneThreshold, YEAR};
use model::figures;
use model::plan::{Quantiles, Volume};

use super::html::chart::{Caption, ColumnChart, LineChart, LineSeries, RangeChart, RangeRow};
use super::html::{Anchor, Cell, DataTable, Markup, write_list};
use super::planning_dates::date_text;

/// The limit of partitions that is drawn, in bytes.
const LIMIT: f64 = 100e6;
/// Sizes that grow less, as a multiple, are stated and not drawn.
const GROWTH_LEAST: f64 = 1.05;
/// The distributions that are drawn, the largest first.
const ROWS_DRAWN: usize = 40;
/// The share of the limit from which on growth is drawn.
const DRAWN_SHARE: f64 = 0.001;
/// The share of the lowest threshold from which on tombstones are many.
const MANY_SHARE: f64 = 0.1;
/// The last date of the series, in days.
const LAST: f64 = 5.0 * YEAR;

type Quantile = (&'static str, &'static str, fn(Quantiles) -> f64);
/// The quantiles that are drawn: class, name, figure.
const QUANTILES: [Quantile; 4] = [
    ("q1", "p50", |rows| rows.p50),
    ("q2", "p99", |rows| rows.p99),
    ("q3", "p99.9", |rows| rows.p999),
    ("q4", "max", |rows| rows.max),
];

/// Writes what the figures rest on, where they are assumed.
pub(crate) fn write_basis(all: &[TableSeries], out: &mut Markup) {
    let assumed: Vec<&TableSeries> = all.iter().filter(|it| !it.is_stated).collect();
    if assumed.is_empty() {
        return;
    }
    out.element("p", &[], |out| {
        out.leaf("strong", &[], "The row counts of these tables are assumed, not stated: ");
        for (at, series) in assumed.iter().enumerate() {
            out.text(if at == 0 { "" } else { ", " });
            write_table_name(&series.table, out);
        }
        out.text(". Their figures are what would be if the assumptions held.");
    });
}

/// Writes the distributions of partition sizes, today and in five years.
pub(crate) fn write_distributions(all: &[TableSeries], out: &mut Markup) {
    let bytes = |point: &SizePoint| QUANTILES.map(|(_, _, pick)| pick(point.bytes)).to_vec();
    let rows = all.iter().filter_map(|series| {
        let later = series.sizes.iter().find(|point| (point.days - LAST).abs() < 1.0)?;
        Some(RangeRow {
            name: series.table.clone(),
            link: table_anchor(&series.table).link(),
            values: vec![bytes(series.sizes.first()?), bytes(later)],
        })
    });
    let mut rows: Vec<RangeRow> = rows.collect();
    if rows.is_empty() {
        return;
    }
    // The p99.9 of a row in five years, to which limits apply.
    let size = |row: &RangeRow| row.values.last().map_or(0.0, |it| it[2]);
    rows.sort_by(|one, other| size(other).total_cmp(&size(one)));
    let largest =
        rows.first().map(|row| format!("The largest at p99.9 are those of {}.", row.name));
    RangeChart {
        caption: Caption {
            title: "Partition sizes by table: p50, p99, p99.9 (large) and the largest",
            summary: &largest.unwrap_or_default(),
        },
        quantiles: &QUANTILES.map(|(_, name, _)| name),
        moments: &[("early", "today"), ("late", "in 5 years")],
        rows,
        most: ROWS_DRAWN,
        limit: Some((LIMIT, format!("limit of {}", figures::format_bytes(LIMIT)))),
        format: figures::format_bytes,
    }
    .write(out);
}

/// Writes the disk that tables take over the years.
pub(crate) fn write_disk(all: &[TableSeries], out: &mut Markup) {
    let is_shown =
        |point: &&SizePoint| (point.days / YEAR - (point.days / YEAR).round()).abs() < 1e-9;
    let dates: Vec<(f64, String)> = all
        .first()
        .map(|series| series.sizes.iter().filter(is_shown).map(|it| date(it.days)).collect())
        .unwrap_or_default();
    let layers = all.iter().map(|series| {
        let values = series.sizes.iter().filter(is_shown).map(|point| point.disk_bytes);
        (series.table.clone(), values.collect())
    });
    let layers: Vec<(String, Vec<f64>)> = layers.collect();
    if layers.is_empty() || dates.is_empty() {
        return;
    }
    let [today, later] = [0, dates.len() - 1].map(|at| {
        let figures = layers.iter().filter_map(|(_, values)| values.get(at));
        figures::format_bytes(figures.sum())
    });
    ColumnChart {
        caption: Caption {
            title: "Disk over the years, with all replicas, before compression",
            summary: &format!("From {today} today to {later} in 5 years."),
        },
        dates: &dates,
        layers,
        format: figures::format_bytes,
    }
    .write(out);
}

/// A date with its name on an axis.
fn date(days: f64) -> (f64, String) {
    let name = if days <= 0.0 { "today".to_owned() } else { figures::format_time_ahead(days) };
    (days, name)
}

/// The growth of the partitions of a table: a chart where they grow.
pub(crate) fn write_growth(series: &TableSeries, volume: &Volume, out: &mut Markup) {
    let (Some(first), Some(last)) = (series.sizes.first(), series.sizes.last()) else { return };
    let grows = |pick: fn(Quantiles) -> f64| pick(last.bytes) > pick(first.bytes) * GROWTH_LEAST;
    if !grows(|it| it.p999) && !grows(|it| it.max) && !grows(|it| it.p50) {
        return out.leaf("p", &[("class", "faint")], "Its partitions do not grow.");
    }
    if last.bytes.max < LIMIT * DRAWN_SHARE {
        let [today, later] =
            [first, last].map(|point| figures::format_bytes(QUANTILES[2].2(point.bytes)));
        let text =
            format!("Its partitions stay small: {today} at p99.9 today, {later} in 5 years.");
        return out.leaf("p", &[("class", "faint")], &text);
    }
    let dates: Vec<(f64, String)> = series.sizes.iter().map(|point| date(point.days)).collect();
    let lines = QUANTILES.map(|(class, name, pick)| LineSeries {
        class,
        name,
        values: series.sizes.iter().map(|point| pick(point.bytes)).collect(),
    });
    let exceeded = match volume.days_until(LIMIT) {
        None => format!("p99.9 never exceeds {}.", figures::format_bytes(LIMIT)),
        Some(days) if days <= 0.0 => {
            format!("p99.9 exceeds {} today.", figures::format_bytes(LIMIT))
        }
        Some(days) => {
            format!("p99.9 exceeds {} {}.", figures::format_bytes(LIMIT), date_text(days))
        }
    };
    LineChart {
        caption: Caption { title: "Partition size over time", summary: &exceeded },
        dates: &dates,
        series: lines.into_iter().collect(),
        limits: vec![(LIMIT, figures::format_bytes(LIMIT))],
        is_logarithmic: true,
        format: figures::format_bytes,
    }
    .write(out);
}

/// Writes the tombstones of the tables in which rows are deleted or expire.
pub(crate) fn write_tombstones(all: &[TableSeries], out: &mut Markup) {
    let all = all.iter();
    let dying: Vec<(&str, &TombstoneSeries)> =
        all.filter_map(|it| Some((it.table.as_str(), it.tombstones.as_ref()?))).collect();
    if dying.is_empty() {
        return;
    }
    out.leaf("h3", &[("id", "tombstones")], "Tombstones");
    out.leaf(
        "p",
        &[],
        "What is deleted or expires stays as a tombstone until its grace has passed and compaction removes it; reads scan it until then. Days count from the start of the workload.",
    );
    let (many, few): (Vec<_>, Vec<_>) =
        dying.into_iter().partition(|(_, series)| has_many_tombstones(series));
    for (table, series) in many {
        write_table_tombstones(table, series, out);
    }
    if few.is_empty() {
        return;
    }
    let head = [
        "table",
        "grace",
        "a partition at p99.9, after it",
        "the same, nothing removed, after a month",
    ];
    let mut rows = DataTable::new("Tables with few tombstones", &head);
    for (table, series) in few {
        let last = series.points.last();
        let count = |value: f64| Cell::Figure { text: figures::format_count(value), value };
        rows.add_row([
            Cell::Link { name: table.to_owned(), to: table_anchor(table).link() },
            Cell::prose(figures::format_days(series.growth.grace_days)),
            count(last.map_or(0.0, |point| point.protected.p999)),
            count(last.map_or(0.0, |point| point.protected.p999 + point.droppable.p999)),
        ]);
    }
    rows.write(out);
}

/// Whether a read of a partition scans so many tombstones that their course is worth a chart.
fn has_many_tombstones(series: &TombstoneSeries) -> bool {
    let most = series.points.last().map_or(0.0, |it| it.protected.p999 + it.droppable.p999);
    let least = series.thresholds.iter().map(|it| it.limit.most).fold(f64::INFINITY, f64::min);
    most >= least * MANY_SHARE
}

fn write_table_tombstones(table: &str, series: &TombstoneSeries, out: &mut Markup) {
    out.element("h4", &[], |out| write_table_name(table, out));
    let dates: Vec<(f64, String)> = std::iter::once((0.0, "start".to_owned()))
        .chain(series.points.iter().map(|it| (it.day, figures::format_days(it.day))))
        .collect();
    // Nothing was deleted before the start.
    let values = |pick: &dyn Fn(usize) -> f64| -> Vec<f64> {
        std::iter::once(0.0).chain((0..series.points.len()).map(pick)).collect()
    };
    let points = &series.points;
    let kept = values(&|at| points[at].protected.p999);
    let most = values(&|at| points[at].protected.p999 + points[at].droppable.p999);
    let mut lines = vec![
        LineSeries { class: "c0", name: "where compaction keeps up", values: kept },
        LineSeries { class: "c1", name: "where it removes nothing", values: most },
    ];
    if lines[0].values == lines[1].values {
        lines.truncate(1);
    }
    let limits = series.thresholds.iter().map(|it| {
        let limit = figures::format_count(it.limit.most);
        (it.limit.most, format!("{}, {limit}", it.limit.name))
    });
    LineChart {
        caption: Caption {
            title: "Tombstones in a partition at p99.9, which a read of all of it scans",
            summary: &threshold_text(&series.thresholds),
        },
        dates: &dates,
        series: lines,
        limits: limits.collect(),
        is_logarithmic: false,
        format: figures::format_count,
    }
    .write(out);
    let threshold = threshold_text(&series.thresholds);
    write_list("faint", (!threshold.is_empty()).then_some(threshold), out);
    write_scans(table, series, out);
}

/// What queries scan, by day.
fn write_scans(table: &str, series: &TombstoneSeries, out: &mut Markup) {
    let caption = format!("Tombstones that queries of {table} scan per read");
    let mut rows = DataTable::new(caption, &["query", "live rows"]);
    rows.add_columns(
        series.points.iter().map(|it| format!("after {}", figures::format_days(it.day))),
    );
    rows.add_columns(["thresholds".to_owned()]);
    for (scan, thresholds) in &series.reads {
        let count = |value: f64| Cell::Figure { text: figures::format_count(value), value };
        let mut row = vec![Cell::prose(&scan.name), count(scan.rows)];
        let protected = |day: f64| scan.tombstones_per_day * day.min(series.growth.grace_days);
        row.extend(series.points.iter().map(|it| count(protected(it.day))));
        row.push(Cell::prose(threshold_text(thresholds)));
        rows.add_row(row);
    }
    if !rows.is_empty() {
        rows.write(out);
    }
}

/// When the thresholds of Cassandra are reached, in a sentence.
fn threshold_text(thresholds: &[TombstoneThreshold]) -> String {
    let sentence = |it: &TombstoneThreshold| {
        let limit = format!("{} ({})", figures::format_count(it.limit.most), it.limit.name);
        match (it.compacted, it.kept) {
            (Some(day), _) => Some(format!("{limit} after {}", figures::format_days(day))),
            (None, Some(day)) => Some(format!(
                "{limit} after {} where compaction removes nothing, else never",
                figures::format_days(day)
            )),
            (None, None) => None,
        }
    };
    let reached: Vec<String> = thresholds.iter().filter_map(sentence).collect();
    if reached.is_empty() { String::new() } else { format!("Reached: {}.", reached.join("; ")) }
}

/// The id of the description of a table.
pub(crate) fn table_anchor(name: &str) -> Anchor {
    Anchor::new("table", name)
}

/// Writes the name of a table with a link to its description.
fn write_table_name(name: &str, out: &mut Markup) {
    out.leaf("a", &[("href", &table_anchor(name).link())], name);
}
