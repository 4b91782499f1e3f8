//! Estimates of small schemas; the figures are worked out in the comments.

use model::plan::{Bucket, FileSpan, FileSpanBasis};
use model::schema_file::{self, SchemaFile};
use model::workload::Workload;

use super::{
    CollectionSeries, Estimate, LimitCrossing, TableSeries, YEAR, alternatives, crossings,
    estimate_tables, interpolate_read_ms, table_series,
};
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
    estimate_tables(&file.concept, &file.workload, &Options::default(), &file.tables)
}

/// The series of the first table.
fn series(text: &str, dates: &[f64]) -> TableSeries {
    let file = schema(text);
    table_series(&file.concept, &estimates(&file)[0], None, &[], dates)
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

/// A queue in one partition, as in seed 003: as much is deleted as comes.
const QUEUE: &str = "\
-- @rows 100
CREATE TABLE message_queue (
    queue_id text,            -- @distinct 1
    message_id timeuuid,
    payload text,
    PRIMARY KEY (queue_id, message_id)
);
-- @rate 16667/day
DELETE FROM message_queue WHERE queue_id = ? AND message_id = ?;";

#[test]
fn tombstones_of_a_queue_by_day() {
    let found = series(QUEUE, &[0.0]).tombstones.unwrap();
    // Day by day: each tombstone is protected for ten days, then compaction may drop it.
    let mut made = Vec::new();
    for day in 1..=30_u32 {
        made.push(f64::from(day - 1));
        let Some(point) = found.points.iter().find(|it| (it.day - f64::from(day)).abs() < 0.1)
        else {
            continue;
        };
        let (mut protected, mut droppable) = (0.0, 0.0);
        for of in &made {
            if f64::from(day) - of <= 10.0 { protected += 16_667.0 } else { droppable += 16_667.0 }
        }
        assert_close(point.protected.mean, protected);
        assert_close(point.droppable.mean, droppable);
        assert_close(point.live.mean, 100.0);
        assert_close(point.count_entries().mean, 100.0 + protected);
        assert_close(point.count_entries_at_most().mean, 100.0 + protected + droppable);
    }
    let days: Vec<f64> = found.points.iter().map(|point| point.day).collect();
    assert_eq!(days, [1.0, 7.0, 10.0, 30.0]);
    // The seed's last day: 500,000 tombstones, a read of 2 s. It is reached only uncompacted.
    let last = &found.points[3];
    assert_close(last.count_entries_at_most().mean, 500_110.0);
    assert_close(interpolate_read_ms(last.count_entries_at_most().mean), 2_000.0);
    // 1,000 after 1,000 / 16,667 of a day, 100,000 after six days, before any is dropped.
    let reached: Vec<_> = found.thresholds.iter().map(|it| it.compacted.unwrap()).collect();
    assert_close(reached[0], 0.06);
    assert_close(reached[1], 6.0);
}

#[test]
fn tombstones_that_grace_keeps_below_the_threshold() {
    // 5,000 a day with a grace of a day: never 100,000, unless nothing compacts for twenty days.
    let queue = QUEUE.replace("16667/day", "5k/day");
    let short = queue.replace("message_id)\n);", "message_id)\n) WITH gc_grace_seconds = 86400;");
    let found = series(&short, &[0.0]).tombstones.unwrap();
    let days: Vec<f64> = found.points.iter().map(|point| point.day).collect();
    assert_eq!(days, [1.0, 7.0, 30.0]);
    let most = found.points.iter().map(|it| it.protected.mean).fold(0.0, f64::max);
    assert_close(most, 5_000.0);
    let fails = &found.thresholds[1];
    assert_eq!((fails.compacted, fails.kept), (None, Some(20.0)));
    // Without deletes there is nothing to tell.
    assert_eq!(series(ACTIVITY, &[0.0]).tombstones, None);
}

#[test]
fn published_times_of_reads() {
    // The three days of seed 003.
    for (scanned, ms) in [(1_100.0, 5.0), (50_100.0, 200.0), (500_100.0, 2_000.0), (0.0, 0.0)] {
        assert_close(interpolate_read_ms(scanned), ms);
    }
    // Beyond them 1,800 ms for 450,000 entries.
    assert_close(interpolate_read_ms(950_100.0), 3_800.0);
}

#[test]
fn the_collection_of_seed_003() {
    // 100, 50,000 and 500,000 activities of 100 bytes with what is stored beside them: "10 KB", "5 MB",
    // "50 MB".
    let found = series(
        "CREATE TABLE users (user_id uuid PRIMARY KEY, name text, \n\
           activity_log list<text> -- @bytes 80 @items 100, 50k in 5 months, 500k in 11 months\n\
         );",
        &[0.0, 150.0, 330.0],
    );
    let CollectionSeries { column, points, crossings } = &found.collections[0];
    assert_eq!(column, "activity_log");
    for (point, (elements, bytes)) in points.iter().zip([(100.0, 10e3), (5e4, 5e6), (5e5, 50e6)]) {
        assert_close(point.elements, elements);
        assert!((point.bytes / bytes - 1.0).abs() < 0.06, "{} is not {bytes}", point.bytes);
    }
    let days: Vec<_> = crossings.iter().map(|it| it.days.unwrap()).collect();
    // 100 elements are there; 64 KB are some 630 elements, 10 MB some 100,000: a ninth of the
    // 450,000 of the 180 days after the first 150.
    assert!(days[0] < 0.01 && (1.0..2.5).contains(&days[1]), "{days:?}");
    assert!((165.0..172.0).contains(&days[2]), "{days:?}");
    // Of a collection that neither grows nor is large there is nothing to say.
    let small = "CREATE TABLE t (a int PRIMARY KEY, b set<text>);";
    assert_eq!(series(small, &[0.0]).collections, []);
}

#[test]
fn rates_in_steps_against_a_loop_over_days() {
    // 1,000 users; each has 2 new rows a day, 10 from day 100 on, 1 from day 400 on.
    let table = "\
-- @rows 1k
CREATE TABLE log (
    user_id int,              -- @each 2/day, 10/day from 100 days, 1/day from 400 days @distinct 1k
    at timestamp,
    what text,
    PRIMARY KEY (user_id, at)
)";
    let arrivals = |day: i32| {
        if day < 100 {
            2.0
        } else if day < 400 {
            10.0
        } else {
            1.0
        }
    };
    let dates = [0.0, 50.0, 130.0, 400.0, 700.0];
    let forever = series(&format!("{table};"), &dates);
    let kept = series(&format!("{table} WITH default_time_to_live = 2592000;"), &dates);
    for (at, days) in [0, 50, 130, 400, 700].into_iter().enumerate() {
        // A row today, and all that come.
        let all: f64 = 1.0 + (0..days).map(arrivals).sum::<f64>();
        assert_close(forever.sizes[at].rows.mean, all);
        // Those of the last 30 days; before today, as many came as today.
        let last: f64 = (days - 30..days).map(arrivals).sum();
        assert_close(kept.sizes[at].rows.mean, last);
        assert_close(kept.sizes[at].table_rows, 1e3 * last);
    }
    // The largest partition is that of days 130 to 400, not that of the end: 300 rows.
    let estimate = &estimates(&schema(&format!("{table} WITH default_time_to_live = 2592000;")))[0];
    let fullest = estimate.table.volume.fullest_day(5.0 * YEAR);
    assert!([130.0, 400.0].contains(&fullest), "{fullest}");
    assert_close(estimate.table.volume.rows_after(fullest).max, 300.0);
    let rows = |limit: f64| {
        let volume = &estimate.table.volume;
        volume.first_day(limit, |days| volume.rows_after(days).max)
    };
    // 60 rows until day 100, then 8 more each day.
    assert_close(rows(100.0).unwrap(), 105.0);
    assert_eq!((rows(59.0), rows(301.0)), (Some(0.0), None));
}

#[test]
fn partitions_that_come_and_expire() {
    // 100 new sessions a day and 300 from day 60 on, kept for 10 days, one partition each.
    let text = "\
-- @grows 100/day, 300/day from 60 days
CREATE TABLE sessions (id uuid PRIMARY KEY, data text) WITH default_time_to_live = 864000;";
    let found = series(text, &[0.0, 60.0, 65.0, 70.0, 1_000.0]);
    let partitions: Vec<f64> = found.sizes.iter().map(|point| point.partitions).collect();
    for (found, expected) in partitions.iter().zip([1e3, 1e3, 2e3, 3e3, 3e3]) {
        assert_close(*found, expected);
    }
}

#[test]
fn figures_at_dates_of_each_partition() {
    // The growth table of seed 003, said of a user.
    let text = ACTIVITY.replace(
        "@each 500k/year",
        "@each 1k, 50k in 5 months, 500k in 11 months, 5M in 35 months, 15M in 59 months",
    );
    let dates = [0.0, 150.0, 330.0, 1_050.0, 1_770.0];
    let found = series(&text, &dates);
    let expected = [(1e3, 100e3), (50e3, 5e6), (500e3, 50e6), (5e6, 500e6), (15e6, 1.5e9)];
    for (point, (rows, bytes)) in found.sizes.iter().zip(expected) {
        assert_close(point.rows.p999, rows);
        assert_close(point.bytes.p999, bytes);
        assert_close(point.partitions, 1e6);
        // On six nodes, as where nothing is said.
        assert_close(point.node_bytes, point.disk_bytes / 6.0);
    }
    assert!(found.is_stated);
    assert!(!series("CREATE TABLE t (a int PRIMARY KEY);", &[0.0]).is_stated);
}

/// Without `@rows`, the number of partitions is assumed, and their rows of today stay those stated.
#[test]
fn figures_at_dates_without_the_rows_of_the_table() {
    let text = "-- @each 1k, 50k in 6 months\n\
        CREATE TABLE acts (user_id uuid, ts timestamp, v text, PRIMARY KEY (user_id, ts));";
    let found = series(text, &[0.0, 180.0]);
    assert_close(found.sizes[0].rows.p999, 1e3);
    assert_close(found.sizes[0].partitions, 1e6);
    assert_close(found.sizes[1].rows.p999, 50e3);
}

#[test]
fn the_script_of_seed_000() {
    // 1,000 rows of five columns with 500 bytes together: its output, to the byte.
    let file = schema(
        "CREATE TABLE acts (user_id uuid, month text, ts timestamp,\n\
           a text, -- @bytes 100\n b text, -- @bytes 100\n c text, -- @bytes 100\n\
           d text, -- @bytes 100\n e text, -- @bytes 100\n PRIMARY KEY ((user_id, month), ts));",
    );
    let result = schema::size::formula::script_result(&estimates(&file)[0].layout, 1_000.0);
    assert_eq!((result.row_bytes, result.partition_bytes), (598.0, 598_020.0));
    assert_eq!(
        (format!("{:.2}", result.partition_mb), result.recommendation),
        ("0.57".into(), "OK")
    );
    let more = schema::size::formula::script_result(&estimates(&file)[0].layout, 167_225.0);
    assert_eq!(more.recommendation, "Consider splitting");
}
