//! Range tombstones: deletions of ranges of rows within a partition.
//!
//! [`RangeTombstoneList`] keeps them disjoint, as Cassandra's class of that name does. At every
//! position the winning deletion is then found by one lookup, however many ranges were written.

use std::collections::BTreeMap;
use std::ops::Bound;

use crate::deletion::DeletionTime;
use crate::position::{Position, Slice};

/// A deletion of all rows of a half-open range of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeTombstone {
    /// The first position that it covers.
    pub start: Position,
    /// The first position after it.
    pub end: Position,
    /// The timestamps of the deletion.
    pub deletion: DeletionTime,
}

impl RangeTombstone {
    /// The part inside a slice that it overlaps.
    pub(crate) fn clip(self, slice: &Slice) -> Self {
        let start = self.start.max(slice.start.clone());
        Self { start, end: self.end.min(slice.end.clone()), deletion: self.deletion }
    }
}

/// The range tombstones of a partition by their start. Invariants: none is empty, none overlap, and
/// adjacent ones differ in their deletion.
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

    /// The deletion that covers a position.
    pub(crate) fn find_deletion(&self, position: &[u8]) -> DeletionTime {
        let before = (Bound::Unbounded, Bound::Included(position));
        match self.0.range::<[u8], _>(before).next_back() {
            Some((_, (end, deletion))) if position < &**end => *deletion,
            _ => DeletionTime::LIVE,
        }
    }

    /// The range tombstones that overlap the positions from `start` to `end`, in order, not
    /// clipped. Only the last one that starts before `start` can reach into the range, as none
    /// overlap.
    pub(crate) fn find_overlaps(&self, start: &[u8], end: &[u8]) -> Vec<RangeTombstone> {
        let before = (Bound::Unbounded, Bound::Excluded(start));
        let first = self.0.range::<[u8], _>(before).next_back();
        let inside = (Bound::Included(start), Bound::Excluded(end));
        let rest = if start < end { Some(self.0.range::<[u8], _>(inside)) } else { None };
        first
            .filter(|(_, (end, _))| &**end > start)
            .into_iter()
            .chain(rest.into_iter().flatten())
            .map(|(start, (end, deletion))| RangeTombstone {
                start: start.clone(),
                end: end.clone(),
                deletion: *deletion,
            })
            .collect()
    }

    /// Adds a range tombstone. It sweeps over the existing ranges that it overlaps, from left to
    /// right, and replaces them by pieces: those outside the new range and the gaps keep their one
    /// deletion, the overlaps get the merge of both.
    pub fn add(&mut self, added: &RangeTombstone) {
        if added.start >= added.end {
            return;
        }
        let overlaps = self.find_overlaps(&added.start, &added.end);
        for old in &overlaps {
            self.0.remove(&old.start);
        }
        // Everything of the new range before this position is in the list.
        let mut swept = added.start.clone();
        for old in overlaps {
            if old.start < swept {
                self.put(&old.start, &swept, old.deletion);
            }
            let from = old.start.clone().max(swept.clone());
            if swept < from {
                self.put(&swept, &from, added.deletion);
            }
            let to = old.end.clone().min(added.end.clone());
            self.put(&from, &to, old.deletion.merge(added.deletion));
            if added.end < old.end {
                self.put(&added.end, &old.end, old.deletion);
            }
            swept = to;
        }
        if swept < added.end {
            self.put(&swept, &added.end, added.deletion);
        }
    }

    /// Inserts a range where there is none, or extends the one that ends at its start if that is
    /// the same deletion; without that, adding the same range in pieces would let the list grow.
    fn put(&mut self, start: &Position, end: &Position, deletion: DeletionTime) {
        let before = (Bound::Unbounded, Bound::Included(&**start));
        if let Some((_, (last_end, last_deletion))) =
            self.0.range_mut::<[u8], _>(before).next_back()
            && *last_end == *start
            && *last_deletion == deletion
        {
            last_end.clone_from(end);
            return;
        }
        self.0.insert(start.clone(), (end.clone(), deletion));
    }

    /// Keeps the range tombstones whose deletion satisfies the predicate.
    pub fn retain(&mut self, keep: impl Fn(DeletionTime) -> bool) {
        self.0.retain(|_, (_, deletion)| keep(*deletion));
    }
}

#[cfg(test)]
mod tests {
    use super::{RangeTombstone, RangeTombstoneList};
    use crate::deletion::DeletionTime;

    /// Every position is covered by the winner of all ranges around it, in whichever order they
    /// were added.
    #[test]
    fn the_superseding_range_wins_at_every_position() {
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
                let position = |at: u64| -> Box<[u8]> { Box::new([u8::try_from(at).unwrap()]) };
                ranges.add(&RangeTombstone {
                    start: position(start),
                    end: position(end),
                    deletion,
                });
                for at in start..end {
                    let at = usize::try_from(at).unwrap();
                    plain[at] = plain[at].merge(deletion);
                }
            }
            for (at, expected) in plain.iter().enumerate() {
                assert_eq!(
                    ranges.find_deletion(&[u8::try_from(at).unwrap()]),
                    *expected,
                    "{ranges:?} at {at}"
                );
            }
        }
    }
}
