//! The partitions of a SELECT, one after the other, from where the last page ended.

use std::iter::Peekable;
use std::ops::Bound;
use std::sync::Arc;

use storage::{PartitionKey, Position, RingRange, Slice, Table};

use super::keys::Partitions;
use super::paging::PagingState;
use crate::execute::index::{Candidates, Hit};
use crate::rows::cursor::{PartitionCursor, RingCursor};

/// Partitions in the order in which they are read.
#[derive(Debug)]
pub(crate) struct Source {
    table: Arc<Table>,
    slices: Arc<[Slice]>,
    reversed: bool,
    resumed: Option<PartitionCursor>,
    rest: Rest,
    is_named: bool,
    last_named: Option<PartitionKey>,
}

#[derive(Debug)]
enum Rest {
    Named(std::vec::IntoIter<PartitionKey>),
    Ring(Box<RingCursor>),
    /// What an index found, and the row of a partition up to which it was given before.
    Found(Box<Peekable<Candidates>>, Option<(PartitionKey, Position)>),
}

impl Source {
    /// Opens partitions, from the start or behind a row; where an index looked, only what it found.
    pub(crate) fn open(
        table: Arc<Table>,
        partitions: Partitions,
        found: Option<Candidates>,
        (slices, reversed): (Arc<[Slice]>, bool),
        state: Option<&PagingState>,
    ) -> Self {
        let is_named = matches!(partitions, Partitions::Named(_));
        let last_named = match &partitions {
            Partitions::Named(keys) => keys.last().cloned(),
            Partitions::Range(_) => None,
        };
        let (resumed, rest) = match (found, partitions) {
            (Some(found), Partitions::Range(range)) => (None, resume_found(found, range, state)),
            (Some(found), Partitions::Named(keys)) if keys.len() == 1 => {
                (None, resume_found(found, RingRange::ALL, state))
            }
            (_, partitions) => {
                let resumed = state.and_then(|state| {
                    let after = state.row.as_deref()?;
                    let key = state.key.clone();
                    PartitionCursor::open(&table, key, Arc::clone(&slices), reversed, Some(after))
                });
                (resumed, resume(&table, partitions, (&slices, reversed), state))
            }
        };
        Self { table, slices, reversed, resumed, rest, is_named, last_named }
    }

    /// The next partition, and whether rows of it were given before.
    pub(crate) fn next(&mut self) -> Option<(PartitionCursor, bool)> {
        if let Some(resumed) = self.resumed.take() {
            return Some((resumed, true));
        }
        let (table, reversed) = (&self.table, self.reversed);
        match &mut self.rest {
            Rest::Ring(ring) => ring.next().map(|cursor| (cursor, false)),
            Rest::Named(keys) => keys.find_map(|key| {
                let slices = Arc::clone(&self.slices);
                Some((PartitionCursor::open(table, key, slices, reversed, None)?, false))
            }),
            Rest::Found(found, resumed) => loop {
                let (key, slices) = next_found(found, &self.slices)?;
                let given = resumed.take_if(|(own, _)| *own == key);
                let after = given.as_ref().map(|(_, row)| &**row);
                if let Some(cursor) = PartitionCursor::open(table, key, slices, reversed, after) {
                    return Some((cursor, given.is_some()));
                }
            },
        }
    }

    /// Whether partitions are named, and not a range of the ring.
    pub(crate) fn is_named(&self) -> bool {
        self.is_named
    }

    /// Whether partitions are named and this is the last of them.
    pub(crate) fn is_last_named(&self, key: &PartitionKey) -> bool {
        self.last_named.as_ref() == Some(key)
    }
}

fn resume(
    table: &Arc<Table>,
    partitions: Partitions,
    (slices, reversed): (&Arc<[Slice]>, bool),
    state: Option<&PagingState>,
) -> Rest {
    match partitions {
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
            Rest::Ring(RingCursor::open(table, range, Arc::clone(slices), reversed).into())
        }
    }
}

fn resume_found(mut found: Candidates, mut range: RingRange, state: Option<&PagingState>) -> Rest {
    let mut resumed = None;
    match state {
        None => found.restrict(range),
        Some(state) => {
            range.start = match &state.row {
                None => Bound::Excluded(state.key.clone()),
                Some(_) => Bound::Included(state.key.clone()),
            };
            found.restrict(range);
            if let Some(row) = &state.row {
                found.resume(&state.key, row);
                resumed = Some((state.key.clone(), row.clone()));
            }
        }
    }
    Rest::Found(Box::new(found.peekable()), resumed)
}

/// The next partition in which something was found, and where in it.
fn next_found(
    found: &mut Peekable<Candidates>,
    slices: &Arc<[Slice]>,
) -> Option<(PartitionKey, Arc<[Slice]>)> {
    let (key, first) = match found.next()? {
        Hit::Partition(key) => {
            while found.next_if(|hit| *hit.partition() == key).is_some() {}
            return Some((key, Arc::clone(slices)));
        }
        Hit::Row(key, position) => (key, position),
    };
    let mut rows = vec![first];
    while let Some(hit) = found.next_if(|hit| *hit.partition() == key) {
        match hit {
            Hit::Row(_, position) => rows.push(position),
            Hit::Partition(_) => return Some((key, Arc::clone(slices))),
        }
    }
    let inside = |row: &Position| slices.iter().any(|one| one.start <= *row && *row < one.end);
    let rows = rows.into_iter().filter(inside).map(|row| only(&row));
    Some((key, rows.collect()))
}

/// The slice of one row.
fn only(row: &Position) -> Slice {
    let mut end = row.to_vec();
    end.push(0);
    Slice { start: row.clone(), end: end.into() }
}
