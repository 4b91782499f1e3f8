//! Estimates as a page: sizes, limits and alternatives of each table, with the charts of a design.

use design::estimate::{ReadScan, TableSeries, YEAR, crossings, table_series};
use model::figures;
use model::plan::Volume;

use super::estimate_limits::{crossing_text, limit_text};
use super::estimate_report::{EstimateReport, TableEstimate};
use super::estimate_sizes::QUANTILES;
use super::estimate_text::{describe_split, primary_key, summary};
use super::html::{Cell, DataTable, Markup, Page, Section, Tile, Tone, write_prose};
use super::planning_dates::{date_text, is_far, list_series_dates};
use super::ring_text::load_text;
use super::size_charts::{self, table_anchor};

/// The page of an estimate.
pub(crate) fn page(report: &EstimateReport<'_>) -> Page {
    let series = list_series(report);
    let lead = format!(
        "{} as of {}, with {}",
        figures::pluralise(report.tables.len() as f64, "table"),
        report.as_of,
        figures::pluralise(f64::from(report.concept.copies()), "replica")
    );
    let mut page = Page::new("Estimate of sizes", &report.concept.keyspace, lead);
    for tile in tiles(report) {
        page.add_tile(tile);
    }
    let mut sizes = Section::new("sizes", "Sizes over time");
    let out = sizes.content();
    if let Some(notice) = report.notice() {
        out.element("p", &[], |out| write_prose(&notice, out));
    }
    size_charts::write_distributions(&series, out);
    size_charts::write_disk(&series, out);
    size_charts::write_tombstones(&series, out);
    page.add_section(sizes);
    let mut tables = Section::new("tables", "Tables");
    for (of, series) in report.tables.iter().zip(&series) {
        let name = &of.estimate.table.name;
        tables.add_entry(name, table_anchor(name));
        write_table(report, of, series, tables.content());
    }
    page.add_section(tables);
    page.add_section(assumptions(report));
    page
}

/// The series of charts: on more dates than those of the report.
fn list_series(report: &EstimateReport<'_>) -> Vec<TableSeries> {
    let volumes = report.tables.iter().map(|of| &of.estimate.table.volume);
    let stated = report.tables.iter().flat_map(|of| &of.series.sizes).map(|point| point.days);
    let dates = list_series_dates(volumes.flat_map(Volume::curve_dates).chain(stated));
    let series = report.tables.iter().map(|of| {
        let reads = of.series.tombstones.iter().flat_map(|it| &it.reads);
        let reads: Vec<ReadScan> = reads.map(|(scan, _)| scan.clone()).collect();
        table_series(report.concept, &of.estimate, of.balance.as_ref(), &reads, &dates)
    });
    series.collect()
}

fn tiles(report: &EstimateReport<'_>) -> Vec<Tile> {
    let copies = f64::from(report.concept.copies());
    let disk = |days: f64| {
        let tables = report.tables.iter();
        let bytes = tables.map(|of| of.estimate.table.volume.table_bytes_after(days));
        figures::format_bytes(bytes.sum::<f64>() * copies)
    };
    let exceeding = report.tables.iter().filter(|of| of.estimate.exceeds).count();
    let mut tiles = vec![
        Tile {
            label: "Beyond the limits".to_owned(),
            value: figures::pluralise(exceeding as f64, "table"),
            remark: format!(
                "{} or {} a partition",
                figures::format_bytes(report.options.limits.partition_bytes),
                figures::pluralise(report.options.limits.partition_rows, "row")
            ),
            tone: if exceeding == 0 { Tone::Good } else { Tone::Bad },
        },
        Tile {
            label: "Disk today".to_owned(),
            value: disk(0.0),
            remark: format!("{} in 5 years, with all replicas", disk(5.0 * YEAR)),
            tone: Tone::Neutral,
        },
    ];
    tiles.extend(report.load.map(|(load, table)| Tile {
        label: "Hottest node".to_owned(),
        value: format!("{:.2} ×", load.ratio()),
        remark: load_text(load, table),
        tone: Tone::Neutral,
    }));
    tiles
}

fn write_table(
    report: &EstimateReport<'_>,
    of: &TableEstimate,
    series: &TableSeries,
    out: &mut Markup,
) {
    let table = &of.estimate.table;
    let id = table_anchor(&table.name).to_string();
    let heading = format!("{id}-title");
    let attributes = [("id", &*id), ("data-table", &*table.name), ("aria-labelledby", &*heading)];
    out.element("article", &attributes, |out| {
        out.element("h3", &[("id", &heading)], |out| {
            out.leaf("code", &[], &format!("{} {}", table.name, primary_key(table)));
        });
        let mut facts = DataTable::new(format!("Figures of {}", table.name), &["figure", "value"]);
        for [name, value] in summary(of) {
            facts.add_row([Cell::prose(name), Cell::prose(value)]);
        }
        facts.write(out);
        sizes(of).write(out);
        size_charts::write_growth(series, &table.volume, out);
        write_limits(report, of, out);
        if !of.alternatives.is_empty() {
            out.leaf("h4", &[], "Alternative buckets and shards");
            alternatives(report, of).write(out);
        }
    });
}

/// Rows and bytes per partition on the dates of the report.
fn sizes(of: &TableEstimate) -> DataTable {
    let points = &of.series.sizes;
    let caption = format!("Partitions of {}", of.estimate.table.name);
    let mut rows = DataTable::new(caption, &["of a partition"]);
    rows.add_columns(points.iter().map(|point| date_text(point.days)));
    for (name, pick) in QUANTILES {
        let figures = points.iter().map(|point| {
            let text = figures::pluralise(pick(point.rows), "row");
            let text = format!("{text}, {}", figures::format_bytes(pick(point.bytes)));
            Cell::Figure { text, value: pick(point.bytes) }
        });
        let row: Vec<Cell> = std::iter::once(Cell::prose(name)).chain(figures).collect();
        rows.add_row(row);
    }
    rows
}

/// When limits are exceeded, and what happens then.
fn write_limits(report: &EstimateReport<'_>, of: &TableEstimate, out: &mut Markup) {
    let caption = format!("Limits that {} exceeds", of.estimate.table.name);
    let mut rows = DataTable::new(caption, &["limit", "at p99.9", "at max", "then", "source"]);
    for crossing in crossings(&of.estimate) {
        if is_far(crossing.p999) && is_far(crossing.largest) {
            continue;
        }
        let limit = crossing.limit;
        rows.add_row([
            Cell::prose(format!("{}, {}", limit_text(limit), limit.name)),
            Cell::prose(crossing_text(report, of, crossing.p999)),
            Cell::prose(crossing_text(report, of, crossing.largest)),
            Cell::prose(limit.consequence),
            Cell::prose(limit.source),
        ]);
    }
    if rows.is_empty() {
        return out.leaf("p", &[], "No limit is exceeded.");
    }
    rows.write(out);
}

fn alternatives(report: &EstimateReport<'_>, of: &TableEstimate) -> DataTable {
    let days = report.options.limits.years * YEAR;
    let caption = format!("Alternative splits of {}", of.estimate.table.name);
    let head = ["bucket", "shards", "partitions", "p50", "p99.9", "max", ""];
    let mut rows = DataTable::new(caption, &head);
    for split in &of.alternatives {
        let bytes = |value: f64| Cell::Figure { text: figures::format_bytes(value), value };
        let size = split.volume.bytes_after(days);
        let partitions = split.volume.partitions_after(days);
        rows.add_row([
            Cell::prose(split.bucket.map_or_else(|| "none".to_owned(), |it| it.to_string())),
            Cell::Figure { text: split.shards.to_string(), value: f64::from(split.shards) },
            Cell::Figure { text: figures::format_count(partitions), value: partitions },
            bytes(size.p50),
            bytes(size.p999),
            bytes(size.max),
            Cell::prose(describe_split(split)),
        ]);
    }
    rows
}

fn assumptions(report: &EstimateReport<'_>) -> Section {
    let mut section = Section::new("assumptions", "Assumptions");
    if report.assumptions.is_empty() {
        return section;
    }
    section.content().element("ul", &[], |out| {
        for assumption in report.assumptions {
            out.element("li", &[], |out| {
                write_prose(&assumption.topic.to_string(), out);
                let help = assumption.topic.help();
                out.element("p", &[("class", "faint")], |out| write_prose(&help, out));
            });
        }
    });
    section
}
