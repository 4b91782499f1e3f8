//! [`ReplayPool`]: applies replayed mutations on several threads, while the files are read on.
//!
//! The target (`replay_buffer`) decodes and collects them. Mutations may be applied in any order, as the merge is commutative (see `partition`). What may
//! not pass them, schema changes and truncations, waits for those before it with
//! [`ReplayFeeder::wait`]. A log that is shorter than a batch is applied without threads.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, Scope};

use crate::Error;

/// A batch with this many bytes is handed to a thread.
const BATCH_BYTES: usize = 1 << 20;
/// The maximum number of batches that wait for a thread.
const QUEUE_MAX: usize = 4;
const THREADS_MAX: usize = 4;

/// A record of a file.
#[derive(Clone, Copy, Debug)]
pub struct ReplayedRecord<'a> {
    /// What was appended.
    pub payload: &'a [u8],
    /// The path of the file.
    pub file: &'a Path,
    /// The offset of the record in the file.
    pub offset: u64,
}

/// Receives records in order.
pub type EachRecord<'a> = dyn FnMut(ReplayedRecord<'_>) -> Result<(), Error> + 'a;

/// Records of one file.
#[derive(Debug, Default)]
struct RecordBatch {
    file: PathBuf,
    bytes: Vec<u8>,
    /// The offset of each record in the file, and its end in `bytes`.
    records: Vec<(u64, usize)>,
}

impl RecordBatch {
    /// Passes every record to the target.
    fn apply(&self, target: &dyn ReplayTarget) -> Result<(), Error> {
        let mut start = 0;
        let payloads = self.records.iter().map(|(offset, end)| {
            let payload = self.bytes.get(start..*end).unwrap_or_default();
            start = *end;
            ReplayedRecord { payload, file: &self.file, offset: *offset }
        });
        target.add(&mut { payloads })
    }
}

/// Applies records that may be applied in any order, on several threads.
pub(crate) trait ReplayTarget: Sync {
    /// Takes records, which it may apply later.
    fn add(&self, records: &mut dyn Iterator<Item = ReplayedRecord<'_>>) -> Result<(), Error>;

    /// The number of parts that are finished separately.
    fn part_count(&self) -> usize;

    /// Applies what it has taken of a part.
    fn finish_part(&self, part: usize);
}

/// What a thread does next.
#[derive(Debug)]
enum ReplayTask {
    Records(RecordBatch),
    FinishPart(usize),
}

/// The queue between the reader and the threads.
struct ReplayPool<'a> {
    target: &'a dyn ReplayTarget,
    state: Mutex<PoolState>,
    changed: Condvar,
}

#[derive(Default)]
struct PoolState {
    queue: VecDeque<ReplayTask>,
    /// The number of tasks that are running.
    running: usize,
    is_closed: bool,
    failure: Option<Error>,
    /// Batches that were applied, whose memory is used again.
    spare: Vec<RecordBatch>,
}

impl ReplayPool<'_> {
    fn lock(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'g>(&self, state: MutexGuard<'g, PoolState>) -> MutexGuard<'g, PoolState> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a task, and returns a batch whose memory can be used again.
    fn run(&self, task: ReplayTask) -> (Result<(), Error>, Option<RecordBatch>) {
        match task {
            ReplayTask::FinishPart(part) => {
                self.target.finish_part(part);
                (Ok(()), None)
            }
            ReplayTask::Records(mut batch) => {
                let result = batch.apply(self.target);
                batch.bytes.clear();
                batch.records.clear();
                (result, Some(batch))
            }
        }
    }

    /// Runs tasks until the pool is closed.
    fn work(&self) {
        let mut state = self.lock();
        loop {
            if let Some(task) = state.queue.pop_front() {
                state.running += 1;
                drop(state);
                self.changed.notify_all();
                let (result, spare) = self.run(task);
                state = self.lock();
                state.spare.extend(spare);
                state.running -= 1;
                if let Err(error) = result {
                    state.failure.get_or_insert(error);
                }
                self.changed.notify_all();
            } else if state.is_closed {
                return;
            } else {
                state = self.wait(state);
            }
        }
    }
}

/// Passes records to the threads.
pub(crate) struct ReplayFeeder<'scope, 'env> {
    pool: &'scope ReplayPool<'env>,
    scope: &'scope Scope<'scope, 'env>,
    threads: usize,
    batch: RecordBatch,
}

impl ReplayFeeder<'_, '_> {
    /// Adds a record, to be applied at any time before the next [`Self::wait`].
    pub(crate) fn add(&mut self, record: ReplayedRecord<'_>) -> Result<(), Error> {
        // As strings, which is faster than part by part.
        let is_same_file = self.batch.file.as_os_str() == record.file.as_os_str();
        if self.batch.bytes.len() >= BATCH_BYTES || !is_same_file {
            self.submit()?;
            record.file.clone_into(&mut self.batch.file);
        }
        self.batch.bytes.extend_from_slice(record.payload);
        self.batch.records.push((record.offset, self.batch.bytes.len()));
        Ok(())
    }

    /// Hands the batch to a thread; threads are started with the first full batch.
    fn submit(&mut self) -> Result<(), Error> {
        if self.batch.records.is_empty() {
            return Ok(());
        }
        let spare = self.pool.lock().spare.pop().unwrap_or_default();
        let batch = std::mem::replace(&mut self.batch, spare);
        if self.threads == 0 && batch.bytes.len() >= BATCH_BYTES {
            let wanted = std::thread::available_parallelism().map_or(1, usize::from);
            let pool = self.pool;
            for _ in 0..wanted.clamp(1, THREADS_MAX) {
                let thread = Builder::new().name("helenus-replay".to_owned());
                let started = thread.spawn_scoped(self.scope, || pool.work());
                self.threads += usize::from(started.is_ok());
            }
        }
        if self.threads == 0 {
            return batch.apply(self.pool.target);
        }
        let mut state = self.pool.lock();
        while state.queue.len() >= QUEUE_MAX {
            state = self.pool.wait(state);
        }
        if let Some(failure) = state.failure.take() {
            return Err(failure);
        }
        state.queue.push_back(ReplayTask::Records(batch));
        drop(state);
        self.pool.changed.notify_all();
        Ok(())
    }

    /// Returns when all records so far are applied.
    pub(crate) fn wait(&mut self) -> Result<(), Error> {
        self.submit()?;
        if self.threads == 0 {
            (0..self.pool.target.part_count()).for_each(|part| self.pool.target.finish_part(part));
            return Ok(());
        }
        // All records are taken before the first part is finished.
        drop(self.wait_for_queue());
        let parts = (0..self.pool.target.part_count()).map(ReplayTask::FinishPart);
        self.pool.lock().queue.extend(parts);
        self.pool.changed.notify_all();
        self.wait_for_queue().failure.take().map_or(Ok(()), Err)
    }

    fn wait_for_queue(&self) -> MutexGuard<'_, PoolState> {
        let mut state = self.pool.lock();
        while state.running > 0 || !state.queue.is_empty() {
            state = self.pool.wait(state);
        }
        state
    }
}

/// Calls `read` with a feeder, whose records are all applied when this returns.
pub(crate) fn replay<T>(
    target: &dyn ReplayTarget,
    read: impl FnOnce(&mut ReplayFeeder<'_, '_>) -> Result<T, Error>,
) -> Result<T, Error> {
    let pool = ReplayPool { target, state: Mutex::default(), changed: Condvar::new() };
    std::thread::scope(|scope| {
        let batch = RecordBatch::default();
        let mut feeder = ReplayFeeder { pool: &pool, scope, threads: 0, batch };
        let result = read(&mut feeder).and_then(|value| feeder.wait().map(|()| value));
        let mut state = pool.lock();
        state.is_closed = true;
        state.queue.clear();
        drop(state);
        pool.changed.notify_all();
        result
    })
}
