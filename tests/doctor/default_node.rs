//! The laboratory on a node that logs what it logs by default: without the log as a table, without an
//! audit log, with the default threshold of slow queries, and not compacted before it is measured.
//!
//! It takes a node and the data of its own, so it runs only with `HELENUS_DEFAULT_NODE` set.

use std::collections::BTreeSet;
use std::process::Output;

use super::laboratory::Laboratory;
use super::{SICK, WELL, findings, helenus};
use crate::print_uncaptured;

/// What is found live, by prepared statements and figures; the metric of batches names no table.
const LIVE: [(&str, &str); 10] = [
    ("DR001", "lab.activity"),
    ("DR002", "lab.tenants"),
    ("DR004", "lab.profiles"),
    ("DR020", "lab.inbox"),
    ("DR020", "lab.jobs"),
    ("DR021", "lab.jobs"),
    ("DR040", "lab.users"),
    ("DR044", "lab.members"),
    ("DR045", "lab.products"),
    ("DR082", "lab.metrics"),
];
/// What is found in a folder: the logs name no statement that is fast on small tables.
const FOLDER: [(&str, &str); 7] = [
    ("DR001", "lab.activity"),
    ("DR002", "lab.tenants"),
    ("DR004", "lab.profiles"),
    ("DR020", "lab.inbox"),
    ("DR020", "lab.jobs"),
    ("DR060", "lab.clicks"),
    ("DR082", "lab.metrics"),
];

fn check(source: &str, output: &Output, expected: &[(&str, &str)]) {
    let found = findings(output);
    let named = |(code, table): &(&str, &str)| found.contains(&((*code).into(), (*table).into()));
    let (seen, missed): (Vec<_>, Vec<_>) = SICK.into_iter().partition(named);
    print_uncaptured(&format!("{source}: found {seen:?}\n{source}: not found {missed:?}"));
    let accused: BTreeSet<_> =
        found.iter().filter(|(_, table)| WELL.contains(&table.as_str())).collect();
    assert!(accused.is_empty(), "{source}: {accused:?}");
    for pathology in expected {
        assert!(named(pathology), "{source}: {pathology:?} is not found: {found:?}");
    }
}

#[test]
fn a_default_node_tells_less() {
    if std::env::var_os("HELENUS_DEFAULT_NODE").is_none() {
        return;
    }
    let Some(laboratory) = Laboratory::build(&Laboratory::DEFAULT) else { return };
    let folder = std::env::temp_dir().join(format!("helenus-default-{}", std::process::id()));
    let folder = laboratory.collect(&folder);
    check("live", &helenus(&["doctor", "--on", &laboratory.address.to_string(), "--json"]), &LIVE);
    check("folder", &helenus(&["doctor", &folder.to_string_lossy(), "--json"]), &FOLDER);
    if std::env::var_os("HELENUS_KEEP").is_some() {
        print_uncaptured(&format!("kept {}", folder.display()));
    }
}
