//! Frames of the examples and of small models.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use model::concept::{Concept, Stated};
use model::plan::{Derivation, PlannedTable, Role};
use model::workload::{Column, Read, Workload};

use super::{Frame, frames_for, united};
use crate::sample::{concept, entity, key, marks, read, refers};
use crate::{Context, Options, mapping, splitting, volume};

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
fn keys(table: &PlannedTable) -> Vec<(Role, &Derivation)> {
    let key = table.columns.iter().filter(|column| column.is_key());
    key.map(|column| (column.role, &column.derivation)).collect()
}

fn beside(table: &PlannedTable) -> BTreeSet<Column> {
    let beside = table.columns.iter().filter(|column| !column.is_key());
    let of = |derivation: &Derivation| match derivation {
        Derivation::Attribute(of) => Some(*of),
        _ => None,
    };
    beside.filter_map(|column| of(&column.derivation)).collect()
}

fn shown(table: &PlannedTable) -> Vec<(&str, Role)> {
    table.columns.iter().map(|column| (column.name.as_str(), column.role)).collect()
}

#[test]
fn the_frame_of_the_rules_comes_first_and_is_filled_to_their_table() {
    with_examples(|name, context| {
        for (at, read) in context.workload.reads.iter().enumerate() {
            let frames = frames_for(context, read);
            let Ok(tables) = mapping::tables_for(context, read, Some(at), &mut Vec::new()) else {
                assert!(frames.is_empty());
                continue;
            };
            let frame = &frames[0].table;
            assert_eq!(keys(frame), keys(&tables[0]), "{name}, {}", read.name);
            assert_eq!((&frame.holds, &frame.serves), (&tables[0].holds, &tables[0].serves));
            let filled = frames[0].table_with(context, &beside(&tables[0]));
            let mut expected = splitting::parted(context, &tables[0]);
            expected.volume = volume::of(context, &expected);
            assert_eq!(shown(&filled.table), shown(&expected), "{name}, {}", read.name);
            assert_eq!(filled.table.volume, expected.volume, "{name}, {}", read.name);
            let remembered = splitting::memory(context, &expected);
            assert_eq!(filled.memory.is_some(), remembered.is_some());
        }
    });
}

#[test]
fn no_frame_of_an_example_collides() {
    with_examples(|name, context| {
        let mut all = Vec::new();
        for read in &context.workload.reads {
            let frames = frames_for(context, read);
            assert!(frames.len() <= super::MOST_FRAMES, "{name}, {}: {}", read.name, frames.len());
            all.extend(frames);
        }
        for frame in united(context, all) {
            sound(context, &frame);
        }
    });
}

/// What every frame must be.
fn sound(context: Context<'_>, frame: &Frame) {
    let collision = mapping::collision(context.concept, &frame.table);
    assert_eq!(collision, None, "{}", marks(&frame.table));
    assert!(frame.table.partition_key().next().is_some());
    assert!(frame.table.columns.iter().all(|column| !column.reasons.is_empty()));
    let aliases: BTreeSet<&str> =
        frame.table.holds.sources.iter().map(|source| source.alias.as_str()).collect();
    assert_eq!(aliases.len(), frame.table.holds.sources.len(), "aliases are told apart");
}

#[test]
fn uniting_loses_nothing_and_is_done_once() {
    with_examples(|name, context| {
        let all: Vec<Frame> =
            context.workload.reads.iter().flat_map(|read| frames_for(context, read)).collect();
        let once = united(context, all.clone());
        for frame in &all {
            let key = marks(&frame.table);
            let found = once.iter().any(|other| same_marks(&key, &marks(&other.table)));
            assert!(found, "{name}: {key}");
        }
        let twice = united(context, once.clone());
        assert_eq!(once.len(), twice.len(), "{name}");
        for (one, two) in once.iter().zip(&twice) {
            assert_eq!(one.table, two.table, "{name}");
        }
    });
}

/// Whether two keys are the same, that of the partition in any order.
fn same_marks(one: &str, other: &str) -> bool {
    let parts = |marks: &str| {
        let (mut partition, mut rest) = (Vec::new(), Vec::new());
        for mark in marks.split(", ") {
            if mark.starts_with("K ") {
                partition.push(mark.to_owned())
            } else {
                rest.push(mark.to_owned())
            }
        }
        partition.sort();
        (partition, rest)
    };
    parts(one) == parts(other)
}

/// Items of sellers in categories, and bids on them, as in an auction.
fn auction() -> Concept {
    let users = entity("users", "id uuid, name text, region int");
    let items = entity(
        "items",
        "id uuid, seller uuid, category int, title text, status text, ends timestamp, price int",
    );
    let bids = entity("bids", "id uuid, item uuid, bidder uuid, price int, at timestamp");
    let mut items = refers(items, "seller", 0, &users);
    items.attributes[4].distinct = Stated::given(4.0);
    let bids = refers(refers(bids, "item", 1, &items), "bidder", 0, &users);
    concept(vec![users, items, bids])
}

fn frames(concept: &Concept, reads: Vec<Read>) -> Vec<Vec<String>> {
    let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
    let context = Context { concept, workload: &workload, options: &options };
    let of = |read: &Read| {
        let frames = frames_for(context, read);
        frames.iter().for_each(|frame| sound(context, frame));
        frames.iter().map(|frame| marks(&frame.table)).collect()
    };
    workload.reads.iter().map(of).collect()
}

#[test]
fn what_is_given_names_the_partition_clusters_or_is_left_to_the_client() {
    let of = auction();
    let by_status = read(&of, "items", "title", &["seller = ?", "status = ?"], "");
    let frames = &frames(&of, vec![by_status])[0];
    assert_eq!(frames[0], "K seller, K status, C↑ id");
    for expected in ["K seller, C↑ status, C↑ id", "K status, C↑ seller, C↑ id", "K seller, C↑ id"]
    {
        assert!(frames.iter().any(|one| one == expected), "{expected}: {frames:?}");
    }
    assert!(!frames.iter().any(|one| one == "K status, C↑ id"), "a million rows: {frames:?}");
}

#[test]
fn a_table_of_several_reads_has_the_sources_of_all() {
    let of = auction();
    let alone = read(&of, "bids", "price", &["item = ?"], "at desc");
    let joined =
        read(&of, "users u, bids b", "b.price, u.name, u.region", &["b.item = ?"], "b.at desc");
    let reads = vec![alone, joined];
    let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
    let context = Context { concept: &of, workload: &workload, options: &options };
    let all = workload.reads.iter().flat_map(|read| frames_for(context, read)).collect();
    let frames = united(context, all);
    let same: Vec<&Frame> =
        frames.iter().filter(|frame| marks(&frame.table) == "K item, C↓ at, C↑ id").collect();
    let [frame] = same[..] else { panic!("{}", same.len()) };
    assert_eq!(frame.table.holds.sources.len(), 2);
    let name = Column { source: 1, attribute: 1 };
    let price = Column { source: 0, attribute: 3 };
    let filled = frame.table_with(context, &BTreeSet::from([name, price]));
    assert_eq!(marks(&filled.table), "K item, C↓ at, C↑ id, price, user_name");
    assert_eq!(filled.sources, [Some(0), Some(1)]);
    let filled = frame.table_with(context, &BTreeSet::from([price]));
    assert_eq!(marks(&filled.table), "K item, C↓ at, C↑ id, price");
    assert_eq!(filled.sources, [Some(0), None]);
    assert_eq!(filled.table.holds.sources.len(), 1);
}

#[test]
fn the_first_source_may_be_the_one_that_goes() {
    let of = auction();
    let joined = read(&of, "users u, bids b", "b.price, u.name", &["b.bidder = ?"], "");
    let reads = vec![joined];
    let (workload, options) = (Workload { reads, writes: Vec::new() }, Options::default());
    let context = Context { concept: &of, workload: &workload, options: &options };
    let frame = &frames_for(context, &workload.reads[0])[0];
    let name = Column { source: 0, attribute: 1 };
    let price = Column { source: 1, attribute: 3 };
    let filled = frame.table_with(context, &BTreeSet::from([name, price]));
    assert!(marks(&filled.table).contains("S user_name"), "{}", marks(&filled.table));
    let filled = frame.table_with(context, &BTreeSet::from([price]));
    assert_eq!(filled.sources, [None, Some(0)]);
    assert_eq!(filled.table.holds.sources[0].join, None);
    assert_eq!(mapping::collision(&of, &filled.table), None);
}

#[test]
fn keys_of_several_attributes_complete() {
    let of = {
        let mut of = auction();
        of.entities[2] = key(of.entities[2].clone(), &["item at"]);
        of
    };
    let by =
        read(&of, "bids b, items i", "b.price", &["i.seller = ?", "b.bidder = ?"], "b.price desc");
    let frames = &frames(&of, vec![by])[0];
    assert_eq!(frames[0], "K seller, K bidder, C↓ price, C↑ item, C↑ at");
    assert!(
        frames.contains(&"K bidder, C↑ seller, C↓ price, C↑ item, C↑ at".to_owned()),
        "{frames:?}"
    );
    assert!(frames.contains(&"K bidder, C↑ item, C↑ at".to_owned()), "{frames:?}");
}
