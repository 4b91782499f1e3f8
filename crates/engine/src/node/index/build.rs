//! The build of an index from the rows of its table. It can be interrupted; the next request that
//! needs the index goes on where the last one stopped. It ends without an index if the memory for
//! data does not suffice.

use std::ops::Bound;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use storage::{DecoratedKey, Memtable, Position, RingRange, Slice, SliceFilter, Store};

use super::IndexHandle;
use super::entry::IndexEntry;
use super::target::IndexTarget;
use crate::error::Result;

/// The rows whose entries are added at once, between two checks.
const ROWS: usize = 1024;
/// The rows of a chunk together have at most about this many partitions.
const PARTITIONS: usize = 256;
/// How long a request waits for the build of another before it checks its own limits.
const WAIT: Duration = Duration::from_millis(5);

/// How far the build of an index came.
#[derive(Clone, Debug, Default)]
pub(crate) struct BuildProgress {
    /// The last partition that was read, and its last row if the partition has more.
    last: Option<(DecoratedKey, Option<Position>)>,
}

/// Lets one request at a time build an index. It is no lock: others must be able to give up waiting.
#[derive(Debug, Default)]
pub(crate) struct BuildQueue {
    is_building: Mutex<bool>,
    ended: Condvar,
}

/// The permission to build, until it is dropped.
pub(crate) struct BuildTurn<'a>(&'a BuildQueue);

impl BuildQueue {
    /// Starts a build, or waits a moment for one under way.
    pub(crate) fn start(&self) -> Option<BuildTurn<'_>> {
        let mut is_building = self.is_building.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_building {
            let _ = self.ended.wait_timeout(is_building, WAIT);
            return None;
        }
        *is_building = true;
        Some(BuildTurn(self))
    }
}

impl Drop for BuildTurn<'_> {
    fn drop(&mut self) {
        *self.0.is_building.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.0.ended.notify_all();
    }
}

/// What a build needs besides the index.
pub(crate) struct BuildContext<'a> {
    pub(crate) table: &'a Memtable,
    /// Limits the memory.
    pub(crate) store: &'a Store,
    /// Fails if the request must stop.
    pub(crate) check: &'a dyn Fn() -> Result<()>,
}

/// What a part of a build found.
enum BuildStep {
    Continue,
    Finished,
    /// The entries were dropped meanwhile, and the build starts again.
    Restarted,
    OutOfMemory,
}

impl IndexHandle {
    /// Builds the entries of all rows, unless that is done. Returns whether the index has them:
    /// otherwise the memory does not suffice for them, and all rows must be read.
    pub(crate) fn ensure_complete(
        &self,
        target: &IndexTarget,
        context: &BuildContext<'_>,
    ) -> Result<bool> {
        while !self.read().is_complete {
            let Some(turn) = self.builds.start() else {
                (context.check)()?;
                continue;
            };
            if self.is_known_as_too_large(context.store) || !self.build(target, context)? {
                return Ok(false);
            }
            drop(turn);
        }
        Ok(true)
    }

    /// Whether a build ran out of memory, and there is not much more memory now than then.
    fn is_known_as_too_large(&self, store: &Store) -> bool {
        let needed = self.read().needs_above;
        needed.is_some_and(|room| store.free_memory() <= room.saturating_add(room / 4))
    }

    /// Returns whether the memory sufficed. The caller has the turn to build.
    fn build(&self, target: &IndexTarget, context: &BuildContext<'_>) -> Result<bool> {
        let room = context.store.free_memory().saturating_add(self.byte_size());
        if self.read().needs_above.is_some() {
            self.clear();
        }
        let (mut generation, mut progress) = self.read_progress();
        loop {
            (context.check)()?;
            match self.build_chunk(target, context, (generation, &mut progress)) {
                BuildStep::Continue => {}
                BuildStep::Finished => return Ok(true),
                BuildStep::Restarted => (generation, progress) = self.read_progress(),
                BuildStep::OutOfMemory => {
                    let mut state = self.write();
                    state.restart();
                    state.needs_above = Some(room);
                    return Ok(false);
                }
            }
        }
    }

    fn read_progress(&self) -> (u64, BuildProgress) {
        let state = self.read();
        (state.generation, state.progress.clone())
    }

    fn build_chunk(
        &self,
        target: &IndexTarget,
        context: &BuildContext<'_>,
        (generation, progress): (u64, &mut BuildProgress),
    ) -> BuildStep {
        let room = context.store.free_memory();
        let (mut entries, mut bytes) = (Vec::new(), 0_u64);
        // The entries of one row may need more than there is: each has the key of the partition.
        let is_finished = progress.read_chunk(context.table, target, &mut |entry| {
            bytes = bytes.saturating_add(entry.byte_size());
            if bytes < room {
                entries.push(entry);
            }
        });
        if bytes >= room {
            return BuildStep::OutOfMemory;
        }
        let mut state = self.write();
        if state.generation != generation {
            return BuildStep::Restarted;
        }
        let growth = state.entries.extend(entries);
        state.progress = progress.clone();
        state.is_complete = is_finished;
        drop(state);
        context.store.note_growth(growth);
        if context.store.free_memory() == 0 {
            return BuildStep::OutOfMemory;
        }
        if is_finished { BuildStep::Finished } else { BuildStep::Continue }
    }
}

impl BuildProgress {
    /// Reads the next rows; returns whether these were the last.
    fn read_chunk(
        &mut self,
        table: &Memtable,
        target: &IndexTarget,
        add: &mut dyn FnMut(IndexEntry),
    ) -> bool {
        let all = [Slice::all()];
        let mut filter = SliceFilter { slices: &all, reversed: false, after: None, max_rows: ROWS };
        if let Some((key, Some(row))) = &self.last {
            filter.after = Some(row);
            let read = table.read(key, filter);
            if let Some(read) = &read {
                target.entries_of_read(key, read, add);
            }
            let rest = read.and_then(|read| read.rest);
            self.last = Some((key.clone(), rest.map(|rest| rest.position().into())));
            return false;
        }
        let start = match &self.last {
            Some((key, _)) => Bound::Excluded(key.clone()),
            None => Bound::Unbounded,
        };
        let range = RingRange { start, end: Bound::Unbounded };
        // Most partitions are small; one with more rows is the last of its chunk.
        let mut rows = 0;
        let partitions = table.scan(&range, filter, PARTITIONS);
        let is_last_chunk = partitions.len() < PARTITIONS;
        for (key, read) in partitions {
            target.entries_of_read(&key, &read, add);
            rows += read.rows.len();
            let rest = read.rest.map(|rest| rest.position().into());
            let has_more = rest.is_some();
            self.last = Some((key, rest));
            if has_more || rows >= ROWS {
                return false;
            }
        }
        is_last_chunk
    }
}
