//! The partitions of a SELECT, one after the other, from where the last page ended.

use std::ops::Bound;
use std::sync::Arc;

use storage::{PartitionKey, Slice, Table};

use super::keys::Partitions;
use super::paging::PagingState;
use crate::cursor::{PartitionCursor, RingCursor};

/// Partitions in the order in which they are read.
#[derive(Debug)]
pub(crate) struct Source {
    table: Arc<Table>,
    slices: Arc<[Slice]>,
    reversed: bool,
    resumed: Option<PartitionCursor>,
    rest: Rest,
}

#[derive(Debug)]
enum Rest {
    Named(std::vec::IntoIter<PartitionKey>),
    Ring(Box<RingCursor>),
}

impl Source {
    /// Opens partitions, from the start or behind a row.
    pub(crate) fn open(
        table: Arc<Table>,
        partitions: Partitions,
        slices: Arc<[Slice]>,
        reversed: bool,
        state: Option<&PagingState>,
    ) -> Self {
        let resumed = state.and_then(|state| {
            let after = state.row.as_deref()?;
            let key = state.key.clone();
            PartitionCursor::open(&table, key, Arc::clone(&slices), reversed, Some(after))
        });
        let rest = match partitions {
            Partitions::Named(mut keys) => {
                if let Some(state) = state {
                    let done = keys.iter().position(|key| *key == state.key);
                    keys.drain(..done.map_or(keys.len(), |at| at + 1));
                }
                Rest::Named(keys.into_iter())
            }
            Partitions::Range(mut range) => {
                if let Some(state) = state {
                    range.start = Bound::Excluded(state.key.clone());
                }
                Rest::Ring(RingCursor::open(&table, range, Arc::clone(&slices), reversed).into())
            }
        };
        Self { table, slices, reversed, resumed, rest }
    }

    /// The next partition, and whether rows of it were given before.
    pub(crate) fn next(&mut self) -> Option<(PartitionCursor, bool)> {
        if let Some(resumed) = self.resumed.take() {
            return Some((resumed, true));
        }
        let fresh = match &mut self.rest {
            Rest::Ring(ring) => ring.next(),
            Rest::Named(keys) => keys.find_map(|key| {
                let slices = Arc::clone(&self.slices);
                PartitionCursor::open(&self.table, key, slices, self.reversed, None)
            }),
        };
        fresh.map(|cursor| (cursor, false))
    }

    /// Whether partitions are named and none is left behind the one at hand.
    pub(crate) fn is_last_named(&self) -> bool {
        matches!(&self.rest, Rest::Named(keys) if keys.len() == 0)
    }

    /// Whether partitions are named.
    pub(crate) fn is_named(&self) -> bool {
        matches!(&self.rest, Rest::Named(_))
    }
}
