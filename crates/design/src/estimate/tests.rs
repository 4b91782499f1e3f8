//! Estimates of small schemas; the figures are worked out in the comments.

use model::plan::{Bucket, FileSpan, FileSpanBasis};
use model::schema_file::{self, SchemaFile};
use model::workload::Workload;

use super::{Estimate, LimitCrossing, YEAR, alternatives, crossings, estimate_tables};
use schema::size::limits::Measure;

use crate::Options;

/// The text of seed 003, where a user's activities come to 500,000 in the first year, of 100 bytes
/// each.
const ACTIVITY: &str = "\
CREATE TABLE user_activity (
    user_id uuid,             -- @each 500k/year @distinct 1M
    activity_time timestamp,
    activity_type text,       -- @bytes 9
    details text,             -- @bytes 68
    PRIMARY KEY (user_id, activity_time)
);";

fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() <= expected.abs() * 2e-3, "{found} is not {expected}");
}

fn schema(text: &str) -> SchemaFile {
    let parsed = cql::parse(text);
    let mut session = schema::Session::with_system_tables();
    session.assume_keyspace("ks").unwrap();
    for statement in &parsed.statements {
        session.run(statement).unwrap();
    }
    schema_file::read(text, &parsed, &session.catalog).unwrap()
}

fn estimates(file: &SchemaFile) -> Vec<Estimate> {
    estimate_tables(&file.concept, &Workload::default(), &Options::default(), &file.tables)
}

#[test]
fn the_growth_table_of_seed_003() {
    let file = schema(ACTIVITY);
    let estimate = &estimates(&file)[0];
    let volume = &estimate.table.volume;
    // Flags 1, clustering 1 + 8, two lengths of 1, timestamp delta 7 in a file of five years, cells
    // 1 + 1 + 9 and 1 + 1 + 68: the seed's 100 bytes.
    assert_close(volume.row_bytes, 100.0);
    // "Year 1: 500,000 rows per user, ~50 MB per partition".
    assert_close(volume.rows_after(YEAR).p999, 500_000.0);
    assert_close(volume.bytes_after(YEAR).p999, 50e6);
    // The seed's users grow faster with the years: 1,000 rows in the first month, 5 M after three
    // years and 15 M after five, "~100 KB", "~500 MB" and "~1.5 GB". Ours have as many after 2 /
    // 1000, 10 and 30 years.
    assert_close(volume.bytes_after(YEAR / 500.0).p999, 100e3);
    assert_close(volume.bytes_after(10.0 * YEAR).p999, 500e6);
    assert_close(volume.bytes_after(30.0 * YEAR).p999, 1.5e9);
    assert!(estimate.exceeds);
}

#[test]
fn the_growth_table_of_seed_003_in_one_run() {
    // The rows of a million users; each has 1,000 in the first month.
    let text = format!(
        "-- @rows 1B, 50B in 5 months, 500B in 11 months, 5T in 35 months, 15T in 59 months\n{}",
        ACTIVITY.replace("@each 500k/year @distinct 1M", "@distinct 1M")
    );
    let file = schema(&text);
    let estimate = &estimates(&file)[0];
    let volume = &estimate.table.volume;
    let dates: Vec<f64> = std::iter::once(0.0).chain(volume.rows_curve.dates()).collect();
    let expected = [(1e3, 100e3), (50e3, 5e6), (500e3, 50e6), (5e6, 500e6), (15e6, 1.5e9)];
    for (days, (rows, bytes)) in dates.iter().zip(expected) {
        assert_close(volume.rows_after(*days).p999, rows);
        assert_close(volume.bytes_after(*days).p999, bytes);
        assert_close(volume.partitions_after(*days), 1e6);
    }
    // 100 MB are a million rows: 500,000 of the 4.5 M that the next 24 months bring.
    let days = volume.days_until(100e6).unwrap();
    assert_close(days, (11.0 + 24.0 / 9.0) * 30.0);
}

#[test]
fn collections_grow() {
    // Seed 003: 100 activities of 100 bytes in the first month, 50,000 in the sixth and 500,000
    // after a year.
    let file = schema(
        "CREATE TABLE users (user_id uuid PRIMARY KEY, name text, \n\
           activity_log list<text> -- @bytes 80 @items 100, 50k in 5 months, 500k in 11 months\n\
         );",
    );
    let volume = estimates(&file)[0].table.volume;
    let sizes = [0.0, 150.0, 330.0].map(|days| volume.bytes_after(days).p999);
    // An element has its timeuuid, two lengths, a flag and a delta beside its 80 bytes.
    let each = (sizes[2] - sizes[0]) / 499_900.0;
    assert!((96.0..106.0).contains(&each), "{each}");
    assert_close(sizes[1] - sizes[0], 49_900.0 * each);
    assert!(volume.is_unbounded() && estimates(&file)[0].exceeds);
    // Rows that live for 30 days gain no more than in 30.
    let file = schema(
        "-- @retain 30d\nCREATE TABLE users (user_id uuid PRIMARY KEY, log list<text> -- @items 10 grows 5/day\n);",
    );
    let volume = estimates(&file)[0].table.volume;
    assert_close(volume.row_cells_after(1e4) - volume.row_cells, 150.0);
    assert!(!volume.is_unbounded());
}

#[test]
fn limits_are_crossed_one_after_the_other() {
    let file = schema(ACTIVITY);
    let estimate = &estimates(&file)[0];
    let crossed = crossings(estimate);
    let is_tombstones = |it: &LimitCrossing| it.limit.measure == Measure::Tombstones;
    let days = |name: &str| crossed.iter().find(|it| it.limit.name == name).unwrap().p999.unwrap();
    // 300,000 rows of 500,000 a year; 100 MB and 2 GB of 50 MB a year.
    assert_close(days("too many rows"), 0.6 * YEAR);
    assert_close(days("slow reads"), 2.0 * YEAR);
    assert_close(days("cluster instability"), 40.0 * YEAR);
    // Two cells a row.
    assert_close(days("too many values"), 0.1 * YEAR);
    // What expires crosses nothing more once it is steady.
    let kept = schema(&format!("-- @retain 30d\n{ACTIVITY}"));
    let kept = crossings(&estimates(&kept)[0]);
    assert!(kept.iter().all(|it| it.p999.is_none() || is_tombstones(it)), "{kept:?}");
    // But 1,370 rows expire a day, and are tombstones for ten.
    let first = kept.iter().find(|it| is_tombstones(it)).unwrap();
    assert_close(first.p999.unwrap(), 1_000.0 / (500_000.0 / 365.0));
}

#[test]
fn ways_to_split() {
    let file = schema(ACTIVITY);
    let estimate = &estimates(&file)[0];
    let ways = alternatives(
        &file.concept,
        &Workload::default(),
        &Options::default(),
        estimate,
        (&[Bucket::DAY, Bucket::MONTH], &[1, 4]),
    );
    let found: Vec<_> = ways.iter().map(|way| (way.bucket, way.shards, way.is_taken)).collect();
    assert_eq!(
        found,
        [
            (None, 1, true),
            (None, 4, false),
            (Some(Bucket::DAY), 1, false),
            (Some(Bucket::DAY), 4, false),
            (Some(Bucket::MONTH), 1, false),
            (Some(Bucket::MONTH), 4, false),
        ]
    );
    let rows = |at: usize| ways[at].volume.rows_after(5.0 * YEAR).p999;
    assert_close(rows(0), 2.5e6);
    // A hash distributes them at random: a shard in a thousand has 3.09 deviations more.
    assert_close(rows(1), 625_000.0 + 3.09 * (0.75_f64 * 625_000.0).sqrt());
    assert_close(rows(2), 500_000.0 / 365.25);
    assert_close(rows(4), 500_000.0 / 12.0);
    let mean: f64 = 500_000.0 / 48.0;
    assert_close(rows(5), mean + 3.09 * (0.75 * mean).sqrt());
    let fitting: Vec<_> = ways.iter().map(|way| !way.exceeds).collect();
    assert_eq!(fitting, [false, false, true, true, true, true]);
}

#[test]
fn a_table_that_cannot_be_split_has_no_other_ways() {
    let file = schema("CREATE TABLE t (a int PRIMARY KEY, b text); -- @rows 1k");
    let estimate = &estimates(&file)[0];
    let ways = alternatives(
        &file.concept,
        &Workload::default(),
        &Options::default(),
        estimate,
        (&[Bucket::DAY], &[1, 2]),
    );
    assert_eq!(ways.len(), 1);
    assert!(ways[0].is_taken);
    assert_eq!(estimate.time, None);
    assert_close(estimate.table.volume.partitions, 1_000.0);
}

#[test]
fn the_hotel_of_the_documentation() {
    // 5,000 hotels of 100 rooms, two years kept: 73,000 rows a partition, as many values.
    let file = schema(
        "CREATE TABLE available_rooms_by_hotel_date (\n\
           hotel_id text, -- @bytes 5 @each 73k @distinct 5k\n\
           date date, room_number smallint, is_available boolean,\n\
           PRIMARY KEY (hotel_id, date, room_number));",
    );
    let estimate = &estimates(&file)[0];
    let volume = &estimate.table.volume;
    assert_close(volume.today.max, 73_000.0);
    assert_close(volume.partitions, 5_000.0);
    assert_close(schema::size::formula::values(&estimate.layout, 73_000.0), 73_000.0);
    assert_close(schema::size::formula::bytes_3x(&estimate.layout, 73_000.0), 1_095_005.0);
}

#[test]
fn the_span_of_files_follows_from_compaction_and_retention() {
    let span = |text: &str, options: &Options| {
        let file = schema(text);
        let workload = Workload::default();
        let estimates = estimate_tables(&file.concept, &workload, options, &file.tables);
        estimates[0].table.volume
    };
    let table = "CREATE TABLE t (a int, b timestamp, c double, PRIMARY KEY (a, b))";
    let windows = "compaction = {'class': 'TimeWindowCompactionStrategy', \
                   'compaction_window_unit': 'HOURS', 'compaction_window_size': 12}";
    let usual = Options::default();
    let stated = Options { file_span_days: Some(1.0 / 86_400.0), ..Options::default() };
    let found = [
        (table.to_owned(), &usual, 5.0 * YEAR, FileSpanBasis::Period),
        (
            format!("{table} WITH default_time_to_live = 864000"),
            &usual,
            10.0,
            FileSpanBasis::Retention,
        ),
        (
            format!("{table} WITH default_time_to_live = 864000 AND {windows}"),
            &usual,
            0.5,
            FileSpanBasis::Window,
        ),
        (table.to_owned(), &stated, 1.0 / 86_400.0, FileSpanBasis::Stated),
    ];
    for (text, options, days, basis) in found {
        assert_eq!(span(&text, options).file_span, FileSpan { days, basis }, "{text}");
    }
    // Differences of times take 3 bytes within two seconds and 7 over years.
    let longer = span(table, &usual).row_bytes - span(table, &stated).row_bytes;
    assert!((3.9..4.1).contains(&longer), "{longer}");
}
