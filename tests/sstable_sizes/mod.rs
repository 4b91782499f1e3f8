//! Sizes against files that a real Cassandra wrote: tables of random shapes, and the estimate of their bytes.
//!
//! Every shape is written twice: to a table that is flushed once (fresh), and to a table whose rows come in two files
//! that are then compacted. Tables are not compressed, so a file has the bytes of its partitions. Timestamps are explicit
//! and evenly spread over a time that is drawn as well. `HELENUS_SIZE_SHAPES=100` draws so many shapes,
//! `HELENUS_SIZE_SEED=5000` names the first.

mod load;
mod prediction;
mod shape;
mod value;
mod volumes;

use std::fs;
use std::time::Instant;

use load::{Part, Writer};
use shape::{KEYSPACE, Shape};

use crate::cassandra::{self, NodeHome};
use crate::print_uncaptured;

/// Shapes in an ordinary run.
const SHAPES: u64 = 44;
/// The deviation that is allowed.
const DEVIATION: f64 = 0.02;
/// Tables after which all are flushed, so that few are flushed before.
const TABLES_PER_FLUSH: usize = 40;
/// The longest time over which the rows of a fresh file are written, in seconds: the life of a memtable.
const MEMTABLE_SECONDS: f64 = 3_600.0;
/// The same for compacted files.
const COMPACTED_SECONDS: f64 = 400.0 * 86_400.0;

/// A table with what was measured.
struct Comparison {
    table: String,
    shape: Shape,
    measured: f64,
    predicted: f64,
    estimated: Option<f64>,
}

#[test]
fn files_have_the_estimated_bytes() {
    let Some((address, home)) = cassandra::node_with_files() else { return };
    let number = |name: &str, usual: u64| {
        std::env::var(name).map_or(usual, |text| text.parse().expect("a number"))
    };
    let first = number("HELENUS_SIZE_SEED", 1);
    let seeds = first..first + number("HELENUS_SIZE_SHAPES", SHAPES);
    let shapes = |longest: f64| seeds.clone().map(|seed| shape::draw(seed, longest)).collect();
    let (fresh, merged): (Vec<_>, Vec<_>) = (shapes(MEMTABLE_SECONDS), shapes(COMPACTED_SECONDS));
    let writer = &mut Writer::connect(address);
    writer.run(&format!(
        "CREATE KEYSPACE {KEYSPACE} WITH replication = {{'class': 'SimpleStrategy', 'replication_factor': 1}}"
    ));
    writer.run(&format!("USE {KEYSPACE}"));
    let began = Instant::now();
    for (shapes, prefix) in [(&fresh, "f"), (&merged, "m")] {
        for (at, shape) in shapes.iter().enumerate() {
            if at > 0 && at % TABLES_PER_FLUSH == 0 {
                home.nodetool(&["flush", KEYSPACE]);
            }
            let table = format!("{prefix}{}", shape.seed);
            for statement in shape.create_statements(&table) {
                writer.run(&statement);
            }
            let part = if prefix == "f" { Part::Whole } else { Part::FirstHalf };
            writer.load(shape, &table, part);
        }
    }
    home.nodetool(&["flush", KEYSPACE]);
    // A node short of memory flushes a table before all of its rows are written: its files are not compared.
    let is_whole =
        |shape: &Shape| home.data_files(KEYSPACE, &format!("f{}", shape.seed)).len() == 1;
    let (fresh, parts): (Vec<_>, Vec<_>) = fresh.into_iter().partition(is_whole);
    let fresh: Vec<_> = fresh.into_iter().map(|shape| compare(home, "f", shape, 1.0)).collect();
    print_uncaptured(&format!(
        "sizes: {} fresh files, {} tables were flushed in parts and are not compared",
        fresh.len(),
        parts.len()
    ));
    assert!(fresh.len() * 3 > merged.len(), "too few tables were flushed as a whole");
    for shape in &merged {
        writer.load(shape, &format!("m{}", shape.seed), Part::SecondHalf);
    }
    home.nodetool(&["flush", KEYSPACE]);
    let elapsed = began.elapsed().as_secs_f64();
    home.nodetool(&["compact", KEYSPACE]);
    let merged: Vec<_> =
        merged.into_iter().map(|shape| compare(home, "m", shape, elapsed)).collect();
    writer.run(&format!("DROP KEYSPACE {KEYSPACE}"));
    report(&[("fresh", &fresh), ("compacted", &merged)]);
}

/// Measures the table of a shape.
fn compare(home: &NodeHome, prefix: &str, shape: Shape, seconds: f64) -> Comparison {
    let table = format!("{prefix}{}", shape.seed);
    let file = home.newest_data_file(KEYSPACE, &table);
    let measured = fs::metadata(file).expect("it is there").len();
    Comparison {
        measured: f64::from(u32::try_from(measured).expect("a small file")),
        predicted: prediction::predict_bytes(&shape, seconds),
        estimated: prediction::estimate_text(&shape, &table),
        table,
        shape,
    }
}

/// Fails with all tables that deviate too much, and says how large the deviations are.
fn report(all: &[(&str, &[Comparison])]) {
    let mut wrong = Vec::new();
    for (name, comparisons) in all {
        let mut deviations = Vec::new();
        for comparison in *comparisons {
            let Comparison { table, measured, predicted, estimated, .. } = comparison;
            for (by, bytes) in [("the formulas", Some(*predicted)), ("the text", *estimated)] {
                let Some(bytes) = bytes else { continue };
                let deviation = bytes / measured - 1.0;
                deviations.push(deviation.abs());
                if deviation.abs() > DEVIATION {
                    let shape = &comparison.shape;
                    wrong.push(format!(
                        "{name} {table}: {measured} bytes, {bytes:.0} by {by} ({:+.1} %)\n{}\n{shape:?}\n",
                        deviation * 100.0,
                        shape.create_table(table)
                    ));
                }
            }
        }
        deviations.sort_by(f64::total_cmp);
        let at = |share: usize| deviations[(deviations.len() - 1) * share / 100] * 100.0;
        print_uncaptured(&format!(
            "sizes of {} {name} files: off by {:.2} % at the median, {:.2} % at p90, {:.2} % at most",
            comparisons.len(),
            at(50),
            at(90),
            at(100)
        ));
    }
    assert!(wrong.is_empty(), "{} of them are off:\n{}", wrong.len(), wrong.join("\n"));
}
