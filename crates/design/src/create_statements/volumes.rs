//! The volumes of a table as directives for comments in its schema: read back, they give partitions
//! of the same size.

use std::fmt::Write;

use model::concept::{Concept, DATES_MAX, DAY, FanOut, Growth, GrowthCurve, Origin};
use model::directive::quantity::spell;
use model::id::{AttributeId, IdList};
use model::plan::{ColumnRole, Derivation, PlannedColumn, PlannedTable, Quantiles, Volume};
use model::schema_file;
use schema::size::ColumnLayout;

use crate::volume;

/// Units in which growth is written: their days, and the least figure that is written in them.
const UNITS: [(f64, &str, f64); 2] = [(1.0, "day", 0.1), (365.0, "year", LEAST)];
/// The least figure that is written: three digits of it can be.
const LEAST: f64 = 0.01;
/// Years over which unlimited growth is considered.
const YEARS: f64 = 5.0;
/// Days of a year in directives.
const YEAR_DAYS: f64 = 365.0;
/// The number of partitions that a reader assumes by default.
const PARTITIONS: f64 = 1e6;
/// The relative difference up to which two figures count as equal.
const TOLERANCE: f64 = 0.01;

/// The directives of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VolumeDirectives {
    /// Lines above its CREATE TABLE.
    pub table: Vec<String>,
    /// The comment at the end of each column's line; empty for none.
    pub columns: Vec<String>,
}

/// The volumes of a table of a design.
pub fn volume_directives(concept: &Concept, table: &PlannedTable) -> VolumeDirectives {
    let volume = &table.volume;
    let rows = volume.partitions * volume.rows_after(0.0).mean;
    let retain = volume::retention(concept, table);
    let mut directives = Vec::new();
    // Where only growth is declared, there are no rows yet.
    let dates = if retain.is_none() { render_dates(volume) } else { String::new() };
    if rows >= 1.0 {
        directives.push(format!("{}{dates}", directive("rows", rows)));
    }
    if dates.is_empty()
        && let Some(daily) = growth(volume, rows, retain)
        && let Some(growth) = render_growth(daily)
    {
        let steps = retain.map(|_| render_steps(volume, daily)).unwrap_or_default();
        directives.push(format!("@grows {growth}{steps}"));
    }
    if let Some(seconds) = retain
        && table.options.default_time_to_live.is_none()
    {
        directives.push(format!("@retain {seconds:.0}s"));
    }
    let each = each_directive(table, retain);
    let [rows_assumed, each_assumed] = find_assumptions(concept, table);
    let (mut known, mut taken) = (Vec::new(), Vec::new());
    if rows_assumed { &mut taken } else { &mut known }.extend(directives);
    if rows_assumed || each_assumed { &mut taken } else { &mut known }.extend(each);
    let mut lines = Vec::new();
    if !known.is_empty() {
        lines.push(known.join("  "));
    }
    if !taken.is_empty() {
        lines.push(format!("assumed: {}", taken.join("  ")));
    }
    VolumeDirectives { table: lines, columns: columns(concept, table) }
}

/// `@rows 5M`
fn directive(name: &str, figure: f64) -> String {
    format!("@{name} {}", spell(figure.max(1.0)))
}

/// `24`, `20KB`
fn size(bytes: f64) -> String {
    match bytes {
        few if few < 1e3 => spell(few.max(LEAST)),
        more if more < 1e5 => format!("{more:.0}"),
        more if more < 1e8 => format!("{:.0}KB", more / 1e3),
        more => format!("{:.0}MB", more / 1e6),
    }
}

/// `, 50k in 180d, 500k in 365d`: rows of the whole table at the dates of its curves.
fn render_dates(volume: &Volume) -> String {
    let curves = [volume.rows_curve, volume.partitions_curve];
    let mut dates: Vec<f64> =
        curves.iter().flat_map(|curve| curve.dates().collect::<Vec<_>>()).collect();
    dates.sort_by(f64::total_cmp);
    dates.dedup();
    dates.truncate(DATES_MAX);
    if let Some(last) =
        dates.last().copied().filter(|_| curves.iter().any(GrowthCurve::is_by_rates))
    {
        // After the last date that is written, growth is as before it.
        dates.truncate(DATES_MAX - 1);
        dates.push(last + YEAR_DAYS);
    }
    let rows = |days: f64| volume.partitions_after(days) * volume.rows_after(days).mean;
    let mut text = String::new();
    for days in dates {
        let _ = write!(text, ", {} in {days:.0}d", spell(rows(days).max(1.0)));
    }
    text
}

/// `, 1M/day from 180d`: the rates at which rows come later, where they come at `daily` today.
fn render_steps(volume: &Volume, daily: f64) -> String {
    let curves = [volume.rows_curve, volume.partitions_curve];
    let curve = curves.into_iter().find(|curve| !curve.is_linear()).unwrap_or_default();
    let mut slopes = curve.slopes().into_iter();
    let first = slopes.next().map_or(1.0, |(_, slope)| slope);
    let steps = slopes.filter_map(|(days, slope)| {
        Some(format!(", {} from {days:.0}d", render_growth(daily * slope / first)?))
    });
    steps.collect()
}

/// New rows of the whole table per day.
fn growth(volume: &Volume, rows: f64, retain: Option<f64>) -> Option<f64> {
    let daily = match retain {
        Some(seconds) => rows * DAY / seconds.max(1.0),
        None if volume.grows_for.is_none() && volume.per_day.mean > 0.0 => {
            volume.partitions * volume.per_day.mean
        }
        None => volume.partitions_per_day * volume.rows_after(0.0).mean,
    };
    (daily > 0.0).then_some(daily)
}

/// `100k/day`; per year where a day has hardly any, nothing where a year has hardly any.
fn render_growth(daily: f64) -> Option<String> {
    let (days, unit) = unit(daily)?;
    Some(format!("{}/{unit}", spell(daily * days)))
}

fn unit(daily: f64) -> Option<(f64, &'static str)> {
    let unit = UNITS.into_iter().find(|(days, _, least)| daily * days >= *least);
    unit.map(|(days, name, _)| (days, name))
}

/// `@each 5 p99 200 max 20k`: rows of a partition; nothing where each has one.
fn each_directive(table: &PlannedTable, retain: Option<f64>) -> Option<String> {
    let volume = &table.volume;
    table.clustering().next()?;
    // A closed bucket has its final size; rows that only expire are described by their growth.
    let lives = retain.map(|seconds| seconds / DAY);
    let grows =
        volume.per_day.mean > 0.0 && (volume.grows_for.is_none() || volume.grows_for == lives);
    let unit = unit(volume.per_day.mean).filter(|_| grows && table.bucket().is_none());
    let (rows, per) = match unit {
        Some((days, unit)) => {
            // The directive has one shape for the rows of today and for new ones: that of both
            // together.
            let later = volume.rows_after(volume.grows_for.unwrap_or(YEARS * volume::YEAR));
            let daily = volume.per_day.mean / later.mean;
            (later.map(|rows| rows * daily * days), format!("/{unit}"))
        }
        None => (volume.rows_after(0.0), String::new()),
    };
    (rows.mean >= LEAST).then(|| figures(rows, volume.partitions, &per))
}

fn figures(rows: Quantiles, partitions: f64, per: &str) -> String {
    let p99 = rows.p99.max(rows.mean);
    let p999 = rows.p999.max(p99);
    let max = rows.max.max(p999);
    let mut text = format!("@each {}{per}", spell(rows.mean));
    let mut last = rows.mean;
    let mut say = |word: &str, figure: f64| {
        if spell(figure) != spell(last) {
            let _ = write!(text, " {word} {}{per}", spell(figure));
            last = figure;
        }
    };
    say("p99", p99);
    // What a reader would assume without the directive.
    let fan_out =
        FanOut { mean: rows.mean, p99, p999: None, max, per: None, origin: Origin::Given };
    let follows = |partitions: f64| is_same(fan_out.p999(partitions), p999);
    if !follows(partitions) || !follows(PARTITIONS) && partitions <= 0.0 {
        say("p99.9", p999);
    }
    say("max", max);
    text
}

/// Whether the rows of a table, and those of a partition, are based on assumptions.
fn find_assumptions(concept: &Concept, table: &PlannedTable) -> [bool; 2] {
    let Some(tip) = volume::tip(concept, table).and_then(|at| table.holds.sources.member(at))
    else {
        return [true; 2];
    };
    let Some(entity) = concept.entities.member(tip.entity) else { return [true; 2] };
    let key: Vec<AttributeId> = table
        .partition_key()
        .filter_map(|column| volume::attribute_of(&column.derivation))
        .filter(|of| table.holds.sources.member(of.source) == Some(tip))
        .map(|of| of.attribute)
        .collect();
    let in_key = |at: &AttributeId| key.contains(at);
    let references: Vec<_> =
        entity.references.iter().filter(|one| one.attributes.iter().all(in_key)).collect();
    let refers = |at: &AttributeId| references.iter().any(|one| one.attributes.contains(at));
    let is_assumed = |at: &AttributeId| {
        let attribute = entity.attributes.member(*at);
        attribute.is_some_and(|found| found.distinct.origin == Origin::Assumed) && !refers(at)
    };
    let is_key = entity.keys.iter().any(|parts| parts.iter().all(in_key));
    let grows = entity.references.iter().any(|reference| reference.fan_out.per.is_some());
    [
        entity.rows.origin == Origin::Assumed && !grows,
        references.iter().any(|reference| reference.fan_out.origin == Origin::Assumed)
            || !is_key && key.iter().any(is_assumed),
    ]
}

/// Bytes and elements of the columns where the type gives other values or none, and the number of
/// values of those in the partition key.
fn columns(concept: &Concept, table: &PlannedTable) -> Vec<String> {
    let say = |(column, field): (&PlannedColumn, ColumnLayout)| {
        let (bytes, items) = schema_file::usual_sizes(&field.ty);
        let mut directives = Vec::new();
        if field.ty.value_length_if_fixed().is_none()
            && !field.ty.is_counter()
            && !is_same(field.bytes, bytes)
        {
            directives.push(format!("@bytes {}", size(field.bytes)));
        }
        let growth = item_growth(concept, table, column);
        if field.ty.is_collection() && !(is_same(field.items, items) && growth.is_empty()) {
            directives.push(format!("{}{growth}", directive("items", field.items)));
        }
        directives
            .extend(values(concept, table, column).map(|values| directive("distinct", values)));
        directives.join(" ")
    };
    let fields = table.columns.iter().map(|one| (one, volume::field(concept, table, one)));
    fields.map(say).collect()
}

/// ` grows 5/day`, or elements at dates; nothing where a collection does not grow.
fn item_growth(concept: &Concept, table: &PlannedTable, column: &PlannedColumn) -> String {
    let of = volume::attribute_of(&column.derivation);
    let Some(found) = of.and_then(|of| volume::attribute(concept, table, of)) else {
        return String::new();
    };
    let Growth { daily, curve } = found.items_growth;
    let mut text = String::new();
    for days in curve.dates() {
        let _ = write!(text, ", {} in {days:.0}d", spell(found.items_after(days)));
    }
    match render_growth(daily) {
        Some(rate) if text.is_empty() && daily > 0.0 => format!(" grows {rate}"),
        _ => text,
    }
}

fn is_same(one: f64, other: f64) -> bool {
    (one / other - 1.0).abs() <= TOLERANCE
}

/// The number of values of a column of the partition key, where it is declared.
fn values(concept: &Concept, table: &PlannedTable, column: &PlannedColumn) -> Option<f64> {
    let (Derivation::Attribute(of) | Derivation::Element(of)) = column.derivation else {
        return None;
    };
    let distinct = volume::attribute(concept, table, of)?.distinct;
    let is_said = column.role == ColumnRole::Partition && distinct.origin == Origin::Given;
    // A reference to a table of more rows has more values: its partitions are counted by those.
    let is_whole_key = table.partition_key().count() == 1;
    let is_exceeded = table.volume.partitions > distinct.value * (1.0 + TOLERANCE);
    (is_said && !(is_whole_key && is_exceeded)).then_some(distinct.value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Options, design};

    #[test]
    fn what_is_known_and_what_is_taken() {
        let text = "
            -- @rows 1M  @grows 100/day
            CREATE TABLE users (user_id uuid PRIMARY KEY,
              country text NOT NULL, -- @distinct 200 @bytes 2
              name text);
            -- @rows 1B  @retain 90d
            CREATE TABLE actions (action_id uuid PRIMARY KEY, /* @time */
              user_id uuid NOT NULL REFERENCES users, -- @each 10/day p99 500/day max 5k/day
              what text);
            CREATE TABLE notes (note_id uuid PRIMARY KEY, user_id uuid NOT NULL REFERENCES users);
            -- name: User :one
            SELECT name FROM users WHERE user_id = ?;
            -- name: UsersByCountry :many
            SELECT user_id FROM users WHERE country = ?;
            -- name: Actions :many
            SELECT action_id, what FROM actions WHERE user_id = ?;
            -- name: Notes :many
            SELECT note_id FROM notes WHERE user_id = ?;
            ";
        let file = model::sql::read(text, "shop").unwrap();
        let design = design(&file.concept, &file.workload, &Options::for_method());
        let directives_of = |name: &str| {
            let table = design.tables.iter().find(|table| table.name == name);
            volume_directives(&file.concept, table.unwrap_or_else(|| panic!("{name}")))
        };
        assert_eq!(directives_of("users").table, ["@rows 1M  @grows 100/day"]);
        let by_country = directives_of("users_by_country");
        assert_eq!(by_country.table, ["@rows 1M  @grows 100/day  @each 0.5/day"]);
        assert_eq!(by_country.columns, ["@bytes 2 @distinct 200", ""]);
        // 1M users have 10 a day for 90 days: 900M.
        assert_eq!(
            directives_of("actions_by_user").table,
            ["@rows 900M  @grows 10M/day  @each 10/day p99 500/day max 5k/day"]
        );
        // Nobody says how many notes there are: 1M, one for each user.
        assert_eq!(
            directives_of("notes_by_user").table,
            ["assumed: @rows 1M  @each 1 p99 10 max 100"]
        );
    }

    #[test]
    fn the_rare_is_said_where_it_does_not_follow() {
        let rows =
            |p999| Quantiles { mean: 5.0, p50: 5.0, p95: 5.0, p99: 200.0, p999, max: 20_000.0 };
        // 200 * (20,000 / 200)^(1 / (7 - 2))
        assert_eq!(figures(rows(502.377), 1e7, ""), "@each 5 p99 200 max 20k");
        assert_eq!(
            figures(rows(900.0), 1e7, "/day"),
            "@each 5/day p99 200/day p99.9 900/day max 20k/day"
        );
        assert_eq!(figures(Quantiles::even(50.0), 1e7, ""), "@each 50");
        // A mean above its percentiles would contradict itself.
        let odd = Quantiles { mean: 5.0, p50: 1.0, p95: 1.5, p99: 2.0, p999: 3.0, max: 4.0 };
        assert_eq!(figures(odd, 1e7, ""), "@each 5");
    }

    #[test]
    fn sizes_as_directives_have_them() {
        let written = [0.001, 24.0, 1_500.0, 250_000.0, 21.6e6, 300e6].map(size);
        assert_eq!(written, ["0.01", "24", "1500", "250KB", "21600KB", "300MB"]);
        assert_eq!(render_growth(0.04), Some("14.6/year".to_owned()));
        assert_eq!(render_growth(1e-9), None);
    }
}
