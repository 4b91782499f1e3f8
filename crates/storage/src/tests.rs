//! The merge is commutative and idempotent: neither the order of writes nor repeated writes matter.

use std::sync::Arc;

use cql::TableId;
use cql::types::{Frozenness, NativeType, Type};

use crate::clock::VirtualClock;
use crate::commit_log::LogOptions;
use crate::deletion::{DeletionTime, LivenessInfo};
use crate::disk::MemoryDisk;
use crate::layout::Layout;
use crate::position::{self, DecoratedKey, Slice};
use crate::row::{Cell, RowBuilder};
use crate::{
    DataDirectory, Memtable, Mutation, PartitionUpdate, RangeTombstone, SliceFilter, Store,
};

/// A generator with the same numbers on every machine.
struct SeededRandom(u64);

impl SeededRandom {
    fn next_below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn next_small(&mut self, limit: u64) -> i32 {
        i32::try_from(self.next_below(limit)).unwrap_or(0)
    }
}

/// Clustering by an int; columns: an int, a map, a counter.
fn layout() -> Layout {
    let int = Type::Native(NativeType::Int);
    let map = Type::Map((int.clone(), int.clone()).into(), Frozenness::No);
    Layout {
        clustering: vec![(int.clone(), false)],
        columns: vec![int, map, Type::Native(NativeType::Counter)],
        gc_grace_seconds: 100,
        dropped_columns: Vec::new(),
    }
}

fn deletion(random: &mut SeededRandom) -> DeletionTime {
    DeletionTime { timestamp: random.next_small(6).into(), local_time: 50 + random.next_small(3) }
}

fn row(random: &mut SeededRandom, layout: &Layout, clustering: Option<&[u8]>) -> crate::Row {
    let values: Vec<[u8; 4]> = (0..8).map(|_| random.next_small(4).to_be_bytes()).collect();
    // A counter's clock rises with its timestamps.
    let clock = random.next_below(6);
    let counter = ((u128::from(clock) << 64) | u128::from(10 - clock)).to_be_bytes();
    let mut builder = RowBuilder::new(clustering.map(Some));
    if random.next_below(2) == 0 {
        builder.liveness = match random.next_below(3) {
            0 => LivenessInfo::with_ttl(random.next_small(6).into(), 1 + random.next_small(3), 100),
            _ => LivenessInfo::new(random.next_small(6).into()),
        };
    }
    if random.next_below(6) == 0 {
        builder.deletion = deletion(random);
    }
    if random.next_below(4) == 0 {
        builder.delete_column(1, deletion(random));
    }
    for value in &values[..4] {
        let mut cell = match random.next_below(4) {
            0 => Cell::tombstone(0, deletion(random)),
            _ => Cell::live(0, random.next_small(6).into(), value),
        };
        if random.next_below(4) == 0 && !cell.is_tombstone() {
            cell = cell.with_expiry(LivenessInfo::with_ttl(0, 1 + random.next_small(3), 100));
        }
        if random.next_below(2) == 0 {
            cell.column = 1;
            cell = cell.with_path(&values[5]);
        }
        builder.add(cell);
    }
    builder.add(Cell::live(2, clock.cast_signed(), &counter));
    builder.build(layout)
}

fn update(random: &mut SeededRandom, layout: &Layout) -> PartitionUpdate {
    let key = DecoratedKey::new(&[u8::try_from(random.next_below(2)).unwrap_or(0)]);
    let mut update = PartitionUpdate::new(key);
    match random.next_below(8) {
        0 => update.deletion = deletion(random),
        1 | 2 => {
            let (start, end) =
                (random.next_small(6).to_be_bytes(), random.next_small(8).to_be_bytes());
            let (start, end) = (
                position::prefix_start(layout, [Some(&start[..])]),
                position::prefix_end(layout, [Some(&end[..])]),
            );
            update.ranges.push(RangeTombstone { start, end, deletion: deletion(random) });
        }
        3 => update.statics = Some(row(random, layout, None)),
        _ => {
            let clustering = random.next_small(6).to_be_bytes();
            update.rows.push(row(random, layout, Some(&clustering)));
        }
    }
    update
}

/// Everything in a table that a reader could ever see.
fn contents(table: &Memtable) -> Vec<String> {
    let mut all = Vec::new();
    let each = |update: &PartitionUpdate| -> Result<(), ()> {
        all.push(format!("{update:?}"));
        Ok(())
    };
    assert_eq!(table.version().dump(i64::MIN / 2, each), Ok(()));
    all
}

#[test]
fn the_order_of_writes_does_not_matter() {
    for seed in 0..300 {
        let mut random = SeededRandom(seed);
        let layout = layout();
        let mut updates: Vec<_> =
            (0..random.next_below(30)).map(|_| update(&mut random, &layout)).collect();
        let (one, other) = (Memtable::new(layout.clone()), Memtable::new(layout.clone()));
        for update in &updates {
            one.apply(update);
        }
        for at in (1..updates.len()).rev() {
            let to = usize::try_from(random.next_below(at as u64 + 1)).unwrap_or(0);
            updates.swap(at, to);
        }
        for update in &updates {
            other.apply(update);
        }
        // Some updates are applied again, as replay does with what a checkpoint already holds.
        for update in updates.iter().take(3) {
            other.apply(update);
        }
        assert_eq!(contents(&one), contents(&other), "seed {seed}");
    }
}

/// Several tables, keys of several lengths, and more records than a batch of the replay has.
#[test]
fn a_replayed_log_and_a_checkpoint_give_the_same_tables() {
    let ids = [TableId([1; 16]), TableId([2; 16]), TableId([3; 16])];
    let directory = DataDirectory {
        disk: Arc::new(MemoryDisk::new()),
        folder: "data".into(),
        log: LogOptions::default(),
    };
    let open = || {
        let add_tables = &mut |store: &Store, _: &[u8]| {
            // The third is unknown to the schema: it was dropped.
            for id in &ids[..2] {
                store.add_table(*id, Arc::new(Memtable::new(layout())));
            }
            Ok(())
        };
        Store::open(&directory, Arc::new(VirtualClock::new(0)), add_tables).unwrap()
    };
    let all = |store: &Store| ids.map(|id| store.table(&id).map(|table| contents(&table)));
    let store = open();
    store.record_schema(b"tables").unwrap();
    ids[..2].iter().for_each(|id| store.add_table(*id, Arc::new(Memtable::new(layout()))));
    let mut random = SeededRandom(11);
    for _ in 0..20_000 {
        let mut mutation = |id: TableId| {
            let mut update = update(&mut random, &layout());
            let key = random.next_below(500).to_be_bytes();
            let length = usize::try_from(1 + random.next_below(8)).unwrap_or(1);
            update.key = DecoratedKey::new(&key[8 - length..]);
            Mutation { table: id, update }
        };
        let mutations = [mutation(ids[0]), mutation(ids[1]), mutation(ids[2])];
        store.apply(&mutations).unwrap();
    }
    let expected = all(&store);
    store.sync().unwrap();
    drop(store);
    let store = open();
    assert!(all(&store) == expected, "from the log");
    store.checkpoint(&[b"tables".to_vec()]).unwrap();
    drop(store);
    assert!(all(&open()) == expected, "from the checkpoint");
}

#[test]
fn updates_come_back_from_their_form_in_the_log() {
    let mut random = SeededRandom(3);
    let layout = layout();
    for _ in 0..500 {
        let update = update(&mut random, &layout);
        let mut bytes = Vec::new();
        update.encode(&mut bytes);
        let mut reader = crate::row::bytes::Reader::new(&bytes);
        assert_eq!(PartitionUpdate::decode(&mut reader), Some(update));
        for end in 0..bytes.len() {
            let mut torn = crate::row::bytes::Reader::new(&bytes[..end]);
            assert_eq!(PartitionUpdate::decode(&mut torn), None);
        }
    }
}

#[test]
fn slices_come_forward_and_backward_in_pieces() {
    let layout = layout();
    let table = Memtable::new(layout.clone());
    let key = DecoratedKey::new(b"k");
    for at in 0..1000_i32 {
        let clustering = at.to_be_bytes();
        let mut builder = RowBuilder::new([Some(&clustering[..])]);
        builder.liveness = LivenessInfo::new(1);
        let mut update = PartitionUpdate::new(key.clone());
        update.rows.push(builder.build(&layout));
        table.apply(&update);
    }
    let between = |from: i32, to: i32| Slice {
        start: position::prefix_start(&layout, [Some(&from.to_be_bytes()[..])]),
        end: position::prefix_end(&layout, [Some(&to.to_be_bytes()[..])]),
    };
    let slices = [between(10, 19), between(500, 700)];
    for reversed in [false, true] {
        let mut expected: Vec<i32> = (10..20).chain(500..701).collect();
        if reversed {
            expected.reverse();
        }
        let (mut found, mut after) = (Vec::new(), None::<Box<[u8]>>);
        loop {
            let filter =
                SliceFilter { slices: &slices, reversed, after: after.as_deref(), max_rows: 7 };
            let read = table.read(&key, filter).unwrap();
            assert!(read.rows.len() <= 7);
            found.extend(read.rows.iter().map(|row| {
                let value = row.clustering().next().flatten().unwrap();
                i32::from_be_bytes(value.try_into().unwrap())
            }));
            after = read.rest.as_ref().map(|rest| rest.position().into());
            if after.is_none() {
                break;
            }
        }
        assert_eq!(found, expected);
        assert_eq!(read_version(&table, &key, &slices, reversed), expected);
    }
}

/// The clustering values of a version of a partition, read in chunks while the partition is deleted
/// behind it.
fn read_version(
    table: &Memtable,
    key: &DecoratedKey,
    slices: &[Slice],
    reversed: bool,
) -> Vec<i32> {
    let before = table.version();
    let filter = SliceFilter { slices, reversed, after: None, max_rows: 5 };
    let read = table.read(key, filter).unwrap();
    let mut update = PartitionUpdate::new(key.clone());
    update.deletion = DeletionTime { timestamp: 1 << 40, local_time: 1 };
    table.apply(&update);
    let everything = SliceFilter { max_rows: usize::MAX, ..filter };
    assert!(table.read(key, everything).unwrap().rows.is_empty());
    let (mut rows, mut rest) = (read.rows, read.rest);
    while let Some(more) = rest.as_mut().map(|rest| rest.read_more(slices, reversed, 3)) {
        if more.is_empty() {
            break;
        }
        rows.extend(more);
    }
    table.restore(&before);
    let values = rows.iter().map(|row| row.clustering().next().flatten().unwrap());
    values.map(|value| i32::from_be_bytes(value.try_into().unwrap())).collect()
}
