//! The map beside a `BTreeMap` under random changes, with versions held meanwhile.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::ByteMap;

struct Random(u64);

impl Random {
    fn number_below(&mut self, limit: u64) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn key(&mut self, range: u64) -> Vec<u8> {
        let number = self.number_below(range);
        let length = usize::try_from(number % 5).unwrap();
        [&number.to_be_bytes()[4..], &vec![7; length][..]].concat()
    }
}

type Plain = BTreeMap<Vec<u8>, u64>;
type Bounds<'a> = (Bound<&'a [u8]>, Bound<&'a [u8]>);

fn assert_same(map: &ByteMap<u64>, plain: &Plain) {
    assert_eq!(map.len(), plain.len());
    let entries = map.iter().map(|(key, value)| (key.to_vec(), *value));
    assert!(entries.eq(plain.iter().map(|(key, value)| (key.clone(), *value))));
}

fn assert_same_range(map: &ByteMap<u64>, plain: &Plain, random: &mut Random, range: u64) {
    let (mut low, mut high) = (random.key(range), random.key(range));
    if low > high {
        std::mem::swap(&mut low, &mut high);
    }
    let bounds: [Bounds<'_>; 4] = [
        (Bound::Included(&low), Bound::Excluded(&high)),
        (Bound::Excluded(&low), Bound::Included(&high)),
        (Bound::Unbounded, Bound::Included(&high)),
        (Bound::Excluded(&low), Bound::Unbounded),
    ];
    for (start, end) in bounds {
        let is_empty = matches!((start, end), (Bound::Excluded(a), Bound::Included(b)) if a == b);
        let expected: Vec<u64> = if is_empty {
            Vec::new()
        } else {
            plain.range::<[u8], _>((start, end)).map(|(_, v)| *v).collect()
        };
        assert!(map.range(start, end).map(|(_, value)| *value).eq(expected.iter().copied()));
        let mut reversed = Vec::new();
        map.visit_reversed(start, end, &mut |_, value| {
            reversed.push(*value);
            reversed.len() < 70
        });
        assert!(reversed.into_iter().eq(expected.iter().rev().take(70).copied()));
    }
}

#[test]
fn random_changes_are_those_of_a_btree_map_and_reach_no_version() {
    for seed in 0..20 {
        let mut random = Random(seed);
        let range = [10, 100, 3000, 100_000][usize::try_from(seed % 4).unwrap()];
        let (mut map, mut plain) = (ByteMap::default(), Plain::new());
        let mut versions = Vec::new();
        for step in 0..6000 {
            let key = random.key(range);
            // First mostly inserts, then mostly removals.
            let removes = if step < 4000 { 2 } else { 8 };
            if random.number_below(10) < removes {
                assert_eq!(map.remove(&key), plain.remove(&key));
            } else {
                map.insert(&key, step);
                plain.insert(key.clone(), step);
            }
            assert_eq!(map.get(&key), plain.get(&key));
            if random.number_below(200) == 0 {
                assert_same_range(&map, &plain, &mut random, range);
                versions.push((map.clone(), plain.clone()));
            }
            if let Some(value) = map.value_mut(&key) {
                *value += 1;
                *plain.get_mut(&key).unwrap() += 1;
            }
        }
        assert_same(&map, &plain);
        for (map, plain) in &versions {
            assert_same(map, plain);
        }
        for key in plain.keys() {
            assert!(map.remove(key).is_some());
        }
        assert!(map.is_empty() && map.iter().next().is_none());
    }
}

#[test]
fn ordered_inserts_give_full_nodes_and_long_keys_small_ones() {
    for descending in [false, true] {
        let mut map = ByteMap::default();
        for number in 0..10_000_u32 {
            let number = if descending { 10_000 - number } else { number };
            map.insert(&number.to_be_bytes(), u64::from(number));
        }
        assert_eq!(map.len(), 10_000);
        assert!(map.iter().zip(map.iter().skip(1)).all(|(a, b)| a.0 < b.0));
    }
    let mut map = ByteMap::default();
    for number in 0..500_u32 {
        let key = [&(number % 250).to_be_bytes()[..], &vec![1; 5000]].concat();
        map.insert(&key, number);
    }
    assert_eq!(map.len(), 250);
}

#[test]
fn an_update_sees_the_value_and_inserts_only_what_it_returns() {
    let mut map: ByteMap<u64> = ByteMap::default();
    map.update(b"a", |own| {
        assert!(own.is_none());
        None
    });
    assert!(map.is_empty());
    map.update(b"a", |_| Some(1));
    let version = map.clone();
    map.update(b"a", |own| {
        *own.unwrap() = 2;
        Some(3)
    });
    assert_eq!((map.get(b"a"), version.get(b"a"), map.len()), (Some(&2), Some(&1), 1));
    assert!(!map.is_same(&version) && version.is_same(&version.clone()));
}

/// Runs of all lengths, also with repeated keys, in maps of all sizes; versions are not reached.
#[test]
fn sorted_runs_are_merged_as_one_by_one() {
    for seed in 0..36 {
        let mut random = Random(seed);
        let range = [10, 300, 20_000][usize::try_from(seed % 3).unwrap()];
        let (mut map, mut plain) = (ByteMap::default(), Plain::new());
        let mut versions = Vec::new();
        for round in 0..8 {
            let count = random.number_below([5, 100, 1500][usize::try_from(seed / 3 % 3).unwrap()]);
            let mut run: Vec<_> = (0..count).map(|item| (random.key(range), item)).collect();
            run.sort();
            for (key, item) in &run {
                *plain.entry(key.clone()).or_insert(round) += item;
            }
            map.merge_sorted(run.into_iter(), |value, item| match value {
                Some(value) => {
                    *value += item;
                    None
                }
                None => Some(round + item),
            });
            assert_same(&map, &plain);
            assert_same_range(&map, &plain, &mut random, range);
            for key in (0..20).map(|_| random.key(range)).collect::<Vec<_>>() {
                assert_eq!(map.get(&key), plain.get(&key));
                assert_eq!(map.remove(&key), plain.remove(&key));
                map.insert(&key, round);
                plain.insert(key, round);
            }
            versions.push((map.clone(), plain.clone()));
        }
        for (map, plain) in &versions {
            assert_same(map, plain);
        }
        for key in plain.keys() {
            assert!(map.remove(key).is_some());
        }
        assert!(map.is_empty());
    }
}

#[test]
fn a_merge_inserts_only_what_it_is_given_and_ends_leaves_by_their_bytes() {
    let mut map: ByteMap<u64> = ByteMap::default();
    map.merge_sorted([(b"a", 1), (b"b", 2)].into_iter(), |_, item| (item == 2).then_some(item));
    assert_eq!((map.len(), map.get(b"b")), (1, Some(&2)));
    let keys: Vec<_> =
        (0..500_u32).map(|at| [&at.to_be_bytes()[..], &[1; 5000]].concat()).collect();
    map.merge_sorted(keys.iter().map(|key| (key, 3)), |_, item| Some(item));
    assert_eq!(map.len(), 501);
    assert!(keys.iter().all(|key| map.get(key) == Some(&3)));
}
