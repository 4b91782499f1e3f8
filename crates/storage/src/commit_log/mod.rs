//! The commit log: every write is appended here first, so that acknowledged writes survive a crash.
//!
//! ```text
//!   append --copy--> buffer --write--> segment file --sync--> disk
//!                      |                   |                    |
//!                 a short lock       one thread at a     without a lock; only
//!                                    time; others        appends that need it
//!                                    append meanwhile    wait
//! ```
//!
//! `segment` names and creates the files, `writer` writes the last one, `extension` decides how many
//! zeros it has ahead, `replay` reads the files back at start; the format is in `record`. Payloads
//! are opaque to the log.
//!
//! Group commit: a thread that needs its record on disk becomes the leader of a sync if there is
//! none (`CommitLog::sync_to`), flushes the whole buffer and syncs; all appends that were in the
//! buffer by then are durable with it, so the number of syncs does not grow with the number of
//! writers. There is at most one sync at a time (`SyncProgress::syncing`).
//!
//! Positions are counted over all segments and never decrease. "Everything before position p is
//! durable" is all the state that waiters need, whatever segments it lies in.
//!
//! When a write or a sync fails, the log fails for good. After a failed fsync the kernel may drop
//! the dirty pages and report success the next time, so a retry would acknowledge lost writes. What
//! the disk really holds is known only after replay.
//!
//! The log starts no thread of its own: its host calls [`CommitLog::tick`], which makes tests with
//! a virtual clock deterministic.

mod extension;
mod log_buffer;
mod options;
mod replay;
mod segment;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::Duration;

use log_buffer::LogBuffer;
pub use options::{LogOptions, SyncMode};
pub use segment::{SegmentNumber, is_segment};
use writer::{PendingSync, SegmentWriter};

use crate::Error;
use crate::clock::Clock;
use crate::disk::Disk;
use crate::record::RecordChecksums;
use crate::recovery::RecoveryReport;
use crate::replay_pool::EachRecord;

/// With this many bytes in the buffer an append flushes them without waiting for a tick.
const FLUSH_THRESHOLD: usize = 64 << 10;
/// With this many bytes in the buffer an append waits until they are flushed (backpressure).
const BUFFER_MAX: usize = 8 << 20;
/// Every byte is flushed to the operating system within this time, so that a crash of the process
/// alone loses no more than that.
const TICK_INTERVAL: Duration = Duration::from_millis(50);

/// A position in the log, counted over all segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogPosition(u64);

/// The commit log of a folder. The caller holds the folder's lock.
///
/// Locks are taken in the order `writer`, `buffer`, `progress`, and none is held during a sync,
/// except the writer's when a segment is full. The buffer's lock is held only to copy bytes.
#[derive(Debug)]
pub struct CommitLog {
    clock: Arc<dyn Clock>,
    mode: SyncMode,
    buffer: Mutex<LogBuffer>,
    writer: Mutex<SegmentWriter>,
    progress: Mutex<SyncProgress>,
    progressed: Condvar,
    /// The text of the first failure, after which the log accepts no writes.
    failure: OnceLock<String>,
}

#[derive(Debug)]
struct SyncProgress {
    /// Everything before this position is durable.
    synced: u64,
    /// A leader is syncing.
    syncing: bool,
    /// The number of appends that wait for the sync of their window.
    waiting: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CommitLog {
    /// Opens the log of a folder, or creates one, and passes every record from segment `first` on
    /// to `replay`, in order.
    ///
    /// A record that a crash left incomplete at the very end is cut off and reported. Damage
    /// anywhere else is an error.
    pub fn open(
        disk: Arc<dyn Disk>,
        clock: Arc<dyn Clock>,
        folder: &Path,
        options: LogOptions,
        first: SegmentNumber,
        replay: &mut EachRecord<'_>,
    ) -> Result<(Self, RecoveryReport), Error> {
        disk.create_folder(folder)?;
        let (replayed, report) = replay::replay(&*disk, folder, first, replay)?;
        let synced = replayed.position;
        let writer = SegmentWriter::open(disk, folder, options.segment_size, &replayed)?;
        let end = writer.position();
        // A crash of the process alone leaves bytes that are flushed but not synced.
        let unsynced_since = (synced < end).then(|| clock.now_micros());
        let buffer = LogBuffer { end, unsynced_since, ..LogBuffer::default() };
        let log = Self {
            clock,
            mode: options.sync,
            buffer: Mutex::new(buffer),
            writer: Mutex::new(writer),
            progress: Mutex::new(SyncProgress { synced, syncing: false, waiting: 0 }),
            progressed: Condvar::new(),
            failure: OnceLock::new(),
        };
        if log.is_waiting_for_syncs() {
            // A flush says that everything before it was synced.
            log.sync()?;
        }
        Ok((log, report))
    }

    /// Appends a record and returns when the sync mode acknowledges it.
    ///
    /// After an error the record may or may not be there when the log is opened again.
    pub fn append(&self, payload: &[u8]) -> Result<(), Error> {
        let end = self.enqueue(payload)?;
        self.acknowledge(end)
    }

    /// Appends a record without waiting for its acknowledgement ([`Self::acknowledge`]), and
    /// returns the position after it. Appends wait only where the log limits its backlog.
    pub fn enqueue(&self, payload: &[u8]) -> Result<LogPosition, Error> {
        let checksums = RecordChecksums::for_payload(payload)?;
        self.check_failure()?;
        let SyncMode::Periodic { period } = self.mode else {
            let buffer = self.append_to_buffer(checksums, payload, None);
            let (end, filled) = (buffer.end, buffer.bytes.len());
            drop(buffer);
            if filled >= BUFFER_MAX {
                self.sync_to(end)?;
            }
            return Ok(LogPosition(end));
        };
        let now = self.clock.now_micros();
        let buffer = self.append_to_buffer(checksums, payload, Some(now));
        let (end, filled) = (buffer.end, buffer.bytes.len());
        let late = buffer.is_late(now, period.saturating_add(period / 2));
        drop(buffer);
        if late {
            self.sync_to(end)?;
        } else if filled >= FLUSH_THRESHOLD {
            self.try_flush(filled)?;
        }
        Ok(LogPosition(end))
    }

    /// The position that must be acknowledged for everything appended so far; `None` if the sync
    /// mode acknowledges at once, or everything is durable.
    pub fn pending_acknowledgement(&self) -> Option<LogPosition> {
        if !self.is_waiting_for_syncs() {
            return None;
        }
        let end = lock(&self.buffer).end;
        (lock(&self.progress).synced < end).then_some(LogPosition(end))
    }

    /// Returns when the sync mode acknowledges the records before a position.
    pub fn acknowledge(&self, position: LogPosition) -> Result<(), Error> {
        match self.mode {
            SyncMode::Batch => self.sync_to(position.0),
            SyncMode::Group { window } => self.await_group(position.0, window),
            SyncMode::Periodic { .. } => Ok(()),
        }
    }

    /// Makes everything appended so far durable.
    pub fn sync(&self) -> Result<(), Error> {
        let end = lock(&self.buffer).end;
        self.sync_to(end)
    }

    /// Flushes, syncs or extends what is due. After an error every later append fails as well.
    pub fn tick(&self) -> Result<(), Error> {
        self.check_failure()?;
        match self.mode {
            SyncMode::Batch => {
                self.extend_segment();
                Ok(())
            }
            SyncMode::Group { .. } => {
                if lock(&self.progress).waiting > 0 {
                    self.sync()?;
                }
                self.extend_segment();
                Ok(())
            }
            SyncMode::Periodic { period } => {
                let buffer = lock(&self.buffer);
                let due = buffer.is_late(self.clock.now_micros(), period);
                let filled = !buffer.bytes.is_empty();
                drop(buffer);
                if due {
                    self.sync()
                } else if filled {
                    self.flush(&mut lock(&self.writer), false)
                } else {
                    Ok(())
                }
            }
        }
    }

    /// How long the host may sleep between two ticks.
    pub fn next_tick(&self) -> Duration {
        match self.mode {
            SyncMode::Batch => Duration::from_secs(1),
            SyncMode::Group { window } => window.max(Duration::from_millis(1)),
            SyncMode::Periodic { period } => {
                TICK_INTERVAL.min(period).max(Duration::from_millis(1))
            }
        }
    }

    /// Whether appends are acknowledged by a sync. Each flush is followed by a sync then, before the
    /// next flush.
    fn is_waiting_for_syncs(&self) -> bool {
        !matches!(self.mode, SyncMode::Periodic { .. })
    }

    /// Extends the last segment with zeros. Appends are kept out while they are written, since both
    /// change the file, but not while they are synced.
    fn extend_segment(&self) {
        lock(&self.writer).plan_extension();
        loop {
            let step = lock(&self.writer).extend();
            let Some(file) = step else { return };
            // The sync of records that replace the zeros reports what happens to the records.
            if file.sync().is_err() {
                return;
            }
        }
    }

    /// Starts a new segment and returns its number. Everything appended before is in earlier
    /// segments and durable, and so is the new segment's name. It runs as the leader of a sync, so
    /// that `synced` covers the old segments when it is done.
    pub(crate) fn rotate(&self) -> Result<SegmentNumber, Error> {
        let mut progress = lock(&self.progress);
        while progress.syncing {
            progress = self.progressed.wait(progress).unwrap_or_else(PoisonError::into_inner);
        }
        self.check_failure()?;
        progress.syncing = true;
        drop(progress);
        let mut number = SegmentNumber::FIRST;
        self.lead_sync(|| {
            let mut writer = lock(&self.writer);
            self.flush(&mut writer, true)?;
            number = writer.rotate()?;
            let sync = writer.pending_sync();
            drop(writer);
            self.run_sync(&sync)
        })?;
        Ok(number)
    }

    /// Removes the segments before one, whose records a checkpoint replaces.
    pub(crate) fn remove_before(&self, number: SegmentNumber) -> Result<(), Error> {
        let (disk, folder, current) = lock(&self.writer).location();
        segment::remove_before(&*disk, &folder, number.min(current))
    }

    /// The error of a log that has failed.
    fn check_failure(&self) -> Result<(), Error> {
        match self.failure.get() {
            Some(reason) => Err(Error::Failed { reason: reason.clone() }),
            None => Ok(()),
        }
    }

    /// Records a failure and wakes all waiting appends, which would wait forever otherwise.
    fn fail(&self, error: Error) -> Error {
        let _ = self.failure.set(error.to_string());
        let progress = lock(&self.progress);
        self.progressed.notify_all();
        drop(progress);
        error
    }

    fn append_to_buffer(
        &self,
        checksums: RecordChecksums,
        payload: &[u8],
        now: Option<i64>,
    ) -> MutexGuard<'_, LogBuffer> {
        let mut guard = lock(&self.buffer);
        let buffer = &mut *guard;
        buffer.append(checksums, payload, self.is_waiting_for_syncs());
        if buffer.unsynced_since.is_none() {
            buffer.unsynced_since = now;
        }
        guard
    }

    /// Flushes the buffer unless another thread holds the writer; waits for the writer only if the
    /// buffer is very full.
    fn try_flush(&self, filled: usize) -> Result<(), Error> {
        let mut writer = match self.writer.try_lock() {
            Ok(writer) => writer,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) if filled < BUFFER_MAX => return Ok(()),
            Err(TryLockError::WouldBlock) => lock(&self.writer),
        };
        self.flush(&mut writer, false)
    }

    /// Writes the buffer to the operating system. The buffer is swapped for an empty one first, so
    /// that appends go on during the write.
    fn flush(&self, writer: &mut SegmentWriter, to_be_synced: bool) -> Result<(), Error> {
        // A failed write may have left half a record, which nothing may follow: replay would take
        // it for damage in the middle of the log.
        self.check_failure()?;
        let mut bytes = writer.take_spare();
        let mut buffer = lock(&self.buffer);
        std::mem::swap(&mut bytes, &mut buffer.bytes);
        if to_be_synced {
            buffer.syncing_since = buffer.unsynced_since.take();
        }
        drop(buffer);
        let result = writer.write(&bytes);
        writer.return_spare(bytes);
        result.map_err(|error| self.fail(error))
    }

    /// Returns when everything before a position is durable: leads a sync, or waits for the one
    /// that is running. The running one may have started before the record was flushed; then the
    /// loop waits or leads once more.
    fn sync_to(&self, position: u64) -> Result<(), Error> {
        let mut progress = lock(&self.progress);
        loop {
            if progress.synced >= position {
                return Ok(());
            }
            self.check_failure()?;
            if progress.syncing {
                progress = self.progressed.wait(progress).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            progress.syncing = true;
            drop(progress);
            self.lead_sync(|| {
                let mut writer = lock(&self.writer);
                self.flush(&mut writer, true)?;
                let sync = writer.pending_sync();
                drop(writer);
                self.run_sync(&sync)
            })?;
            progress = lock(&self.progress);
        }
    }

    fn run_sync(&self, sync: &PendingSync) -> Result<u64, Error> {
        sync.run()?;
        lock(&self.writer).mark_synced(sync);
        Ok(sync.position)
    }

    /// Runs a sync, which returns the position it reached, then ends the leadership and wakes the
    /// waiting appends.
    fn lead_sync(&self, sync: impl FnOnce() -> Result<u64, Error>) -> Result<(), Error> {
        let result = sync().map_err(|error| self.fail(error));
        // The operating system reports a write-back error once, perhaps to a concurrent flush: then
        // this sync succeeded without covering what was lost.
        let result = result.and_then(|position| self.check_failure().map(|()| position));
        lock(&self.buffer).syncing_since = None;
        let mut progress = lock(&self.progress);
        progress.syncing = false;
        if let Ok(position) = result {
            progress.synced = progress.synced.max(position);
        }
        self.progressed.notify_all();
        result.map(drop)
    }

    /// Waits for the sync of the next tick, but no longer than the window; then syncs itself.
    fn await_group(&self, end: u64, window: Duration) -> Result<(), Error> {
        let mut progress = lock(&self.progress);
        progress.waiting += 1;
        let is_pending =
            |progress: &mut SyncProgress| progress.synced < end && self.failure.get().is_none();
        let (mut progress, _) = self
            .progressed
            .wait_timeout_while(progress, window, is_pending)
            .unwrap_or_else(PoisonError::into_inner);
        progress.waiting -= 1;
        drop(progress);
        self.sync_to(end)
    }
}

impl Drop for CommitLog {
    /// Syncs what is left and removes the zeros after it, best effort; [`CommitLog::sync`] reports
    /// errors.
    fn drop(&mut self) {
        if self.sync().is_ok() {
            let _ = lock(&self.writer).remove_zeros();
        }
    }
}
