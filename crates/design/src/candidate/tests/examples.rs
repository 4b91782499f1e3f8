//! The candidates of all example models.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use model::id::IdList;
use model::plan::{ColumnRole, Derivation, PlannedTable};
use model::workload::Column;

use super::super::{CANDIDATES_MAX, CandidateTable, candidates_for, merge_candidates};
use super::assert_candidate;
use crate::sample::marks;
use crate::{Context, Options, mapping, partition_split, volume};

/// All model files of the examples.
fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the examples can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "sql") {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 30, "only {} examples", found.len());
    found.sort();
    found
}

/// Calls back with each example.
fn with_examples(see: impl Fn(&str, Context<'_>)) {
    for path in models() {
        let text = fs::read_to_string(&path).expect("an example can be read");
        let file = model::sql::read(&text, "example").expect("an example is right");
        let options = Options::default();
        let (concept, workload) = (&file.concept, &file.workload);
        see(&path.display().to_string(), Context { concept, workload, options: &options });
    }
}

/// The key of a table, and the columns beside it.
fn keys(table: &PlannedTable) -> Vec<(ColumnRole, &Derivation)> {
    let key = table.columns.iter().filter(|column| column.is_key());
    key.map(|column| (column.role, &column.derivation)).collect()
}

fn non_key_columns(table: &PlannedTable) -> BTreeSet<Column> {
    let beside = table.columns.iter().filter(|column| !column.is_key());
    let of = |derivation: &Derivation| match derivation {
        Derivation::Attribute(of) => Some(*of),
        _ => None,
    };
    beside.filter_map(|column| of(&column.derivation)).collect()
}

fn names_and_roles(table: &PlannedTable) -> Vec<(&str, ColumnRole)> {
    table.columns.iter().map(|column| (column.name.as_str(), column.role)).collect()
}

#[test]
fn the_frame_of_the_rules_comes_first_and_is_filled_to_their_table() {
    with_examples(|name, context| {
        for (at, read) in context.workload.reads.enumerate_ids() {
            let candidates = candidates_for(context, read);
            let Ok(tables) = mapping::tables_for(context, read, Some(at), &mut Vec::new()) else {
                assert!(candidates.is_empty());
                continue;
            };
            let candidate = &candidates[0].table;
            assert_eq!(keys(candidate), keys(&tables[0]), "{name}, {}", read.name);
            assert_eq!(
                (&candidate.holds, &candidate.serves),
                (&tables[0].holds, &tables[0].serves)
            );
            let filled = candidates[0].table_with(context, &non_key_columns(&tables[0]));
            let mut expected = partition_split::with_buckets_and_shards(context, &tables[0]);
            expected.volume = volume::estimate_volume(context, &expected);
            assert_eq!(
                names_and_roles(&filled.table),
                names_and_roles(&expected),
                "{name}, {}",
                read.name
            );
            assert_eq!(filled.table.volume, expected.volume, "{name}, {}", read.name);
            let remembered = partition_split::oldest_bucket_table(context, &expected);
            assert_eq!(filled.memory.is_some(), remembered.is_some());
        }
    });
}

#[test]
fn no_frame_of_an_example_collides() {
    with_examples(|name, context| {
        let mut all = Vec::new();
        for read in &context.workload.reads {
            let candidates = candidates_for(context, read);
            assert!(
                candidates.len() <= CANDIDATES_MAX,
                "{name}, {}: {}",
                read.name,
                candidates.len()
            );
            all.extend(candidates);
        }
        for candidate in merge_candidates(context, all) {
            assert_candidate(context, &candidate);
        }
    });
}

#[test]
fn uniting_loses_nothing_and_is_done_once() {
    with_examples(|name, context| {
        let all: Vec<CandidateTable> =
            context.workload.reads.iter().flat_map(|read| candidates_for(context, read)).collect();
        let once = merge_candidates(context, all.clone());
        for candidate in &all {
            let key = marks(&candidate.table);
            let found = once.iter().any(|other| is_same_key(&key, &marks(&other.table)));
            assert!(found, "{name}: {key}");
        }
        let twice = merge_candidates(context, once.clone());
        assert_eq!(once.len(), twice.len(), "{name}");
        for (one, two) in once.iter().zip(&twice) {
            assert_eq!(one.table, two.table, "{name}");
        }
    });
}

/// Whether two keys are the same, that of the partition in any order.
fn is_same_key(one: &str, other: &str) -> bool {
    let parts = |marks: &str| {
        let (mut partition, mut rest) = (Vec::new(), Vec::new());
        for mark in marks.split(", ") {
            if mark.starts_with("K ") {
                partition.push(mark.to_owned());
            } else {
                rest.push(mark.to_owned());
            }
        }
        partition.sort();
        (partition, rest)
    };
    parts(one) == parts(other)
}
