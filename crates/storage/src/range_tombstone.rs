//! Deletions of ranges of rows within a partition.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::deletion::DeletionTime;
use crate::position::Position;

/// A deletion of all rows from one place to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeTombstone {
    /// Where it begins.
    pub start: Position,
    /// Where it ends.
    pub end: Position,
    /// What it is.
    pub deletion: DeletionTime,
}

/// Range deletions of a partition; none overlap.
#[derive(Clone, Debug, Default)]
pub struct RangeTombstoneList(BTreeMap<Position, (Position, DeletionTime)>);

impl RangeTombstoneList {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// What deletes the row at a place.
    pub fn find_deletion(&self, position: &[u8]) -> DeletionTime {
        let before = (Bound::Unbounded, Bound::Included(position));
        match self.0.range::<[u8], _>(before).next_back() {
            Some((_, (end, deletion))) if position < &**end => *deletion,
            _ => DeletionTime::LIVE,
        }
    }

    /// Those that reach into the places from `start` to `end`, in order.
    pub fn find_overlaps(&self, start: &[u8], end: &[u8]) -> Vec<RangeTombstone> {
        let before = (Bound::Unbounded, Bound::Excluded(start));
        let first = self.0.range::<[u8], _>(before).next_back();
        let inside = (Bound::Included(start), Bound::Excluded(end));
        let rest = if start < end { Some(self.0.range::<[u8], _>(inside)) } else { None };
        first
            .filter(|(_, (reach, _))| &**reach > start)
            .into_iter()
            .chain(rest.into_iter().flatten())
            .map(|(start, (end, deletion))| RangeTombstone {
                start: start.clone(),
                end: end.clone(),
                deletion: *deletion,
            })
            .collect()
    }

    /// Adds a deletion. Where others are, the stronger one counts.
    pub fn add(&mut self, added: &RangeTombstone) {
        if added.start >= added.end {
            return;
        }
        let touched = self.find_overlaps(&added.start, &added.end);
        for old in &touched {
            self.0.remove(&old.start);
        }
        let mut at = added.start.clone();
        for old in touched {
            if old.start < at {
                self.put(&old.start, &at, old.deletion);
            }
            let from = old.start.clone().max(at.clone());
            if at < from {
                self.put(&at, &from, added.deletion);
            }
            let to = old.end.clone().min(added.end.clone());
            self.put(&from, &to, old.deletion.merge(added.deletion));
            if added.end < old.end {
                self.put(&added.end, &old.end, old.deletion);
            }
            at = to;
        }
        if at < added.end {
            self.put(&at, &added.end, added.deletion);
        }
    }

    /// Puts a range where none is, joined to the one before it if that is the same deletion.
    fn put(&mut self, start: &Position, end: &Position, deletion: DeletionTime) {
        let before = (Bound::Unbounded, Bound::Included(&**start));
        if let Some((_, (reach, same))) = self.0.range_mut::<[u8], _>(before).next_back()
            && *reach == *start
            && *same == deletion
        {
            reach.clone_from(end);
            return;
        }
        self.0.insert(start.clone(), (end.clone(), deletion));
    }

    /// Keeps those for which the test holds.
    pub fn retain(&mut self, keep: impl Fn(DeletionTime) -> bool) {
        self.0.retain(|_, (_, deletion)| keep(*deletion));
    }
}

#[cfg(test)]
mod tests {
    use super::{RangeTombstone, RangeTombstoneList};
    use crate::deletion::DeletionTime;

    /// Every place is deleted by the strongest of the ranges around it, whatever the order in which they came.
    #[test]
    fn the_strongest_range_counts_everywhere() {
        let mut seed = 7_u64;
        let mut random = |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for _ in 0..500 {
            let mut ranges = RangeTombstoneList::default();
            let mut plain = vec![DeletionTime::LIVE; 40];
            for _ in 0..random(12) {
                let (start, length) = (random(38), 1 + random(12));
                let end = (start + length).min(39);
                let time = i64::try_from(random(5)).unwrap();
                let deletion = DeletionTime { timestamp: time, local_time: 1 };
                let place = |at: u64| -> Box<[u8]> { Box::new([u8::try_from(at).unwrap()]) };
                ranges.add(&RangeTombstone { start: place(start), end: place(end), deletion });
                for at in start..end {
                    let at = usize::try_from(at).unwrap();
                    plain[at] = plain[at].merge(deletion);
                }
            }
            for (at, wanted) in plain.iter().enumerate() {
                assert_eq!(
                    ranges.find_deletion(&[u8::try_from(at).unwrap()]),
                    *wanted,
                    "{ranges:?} at {at}"
                );
            }
        }
    }
}
