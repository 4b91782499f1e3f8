//! The commit log: every write goes here first, so that what was acknowledged is there after a crash.
//!
//! ```text
//!   append --copy--> buffer --write--> segment file --sync--> disk
//!                      |                   |                    |
//!                 a short lock       one at a time,      nobody waits for it
//!                                    others append on    who need not
//! ```
//!
//! Payloads are opaque. The log starts no thread: one that hosts it calls [`CommitLog::tick`]. When anything fails to
//! reach the disk, the log fails for good: what the disk really holds is known again only after it is opened anew.

mod replay;
mod segment;
#[cfg(test)]
mod tests;
mod writer;

use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};
use std::time::Duration;

pub use segment::SegmentNumber;
use writer::{PendingSync, SegmentWriter};

use crate::Error;
use crate::clock::Clock;
use crate::disk::Disk;
use crate::record::RecordChecksums;

/// So many bytes are handed to the operating system without waiting for a tick.
const FLUSH_THRESHOLD: usize = 64 << 10;
/// With so many bytes in the buffer an append waits until they are handed over.
const BUFFER_MAX: usize = 8 << 20;
/// The operating system gets every byte within this time.
const TICK_INTERVAL: Duration = Duration::from_millis(50);

/// When an append counts as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SyncMode {
    /// At once; the disk has it within the period. Appends wait while the disk is later than half a period more.
    Periodic {
        /// Cassandra's `commitlog_sync_period`.
        period: Duration,
    },
    /// When the disk has it, which is asked once in a window.
    Group {
        /// Cassandra's `commitlog_sync_group_window`.
        window: Duration,
    },
    /// When the disk has it; appends that wait at the same time share a sync.
    Batch,
}

impl Default for SyncMode {
    fn default() -> Self {
        Self::Periodic { period: Duration::from_secs(10) }
    }
}

/// How a log is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogOptions {
    /// When an append counts as done.
    pub sync: SyncMode,
    /// A segment takes no more bytes than this, but always one record.
    pub segment_size: u64,
}

impl Default for LogOptions {
    fn default() -> Self {
        Self { sync: SyncMode::default(), segment_size: 32 << 20 }
    }
}

/// The commit log of a folder. The caller holds the folder's lock.
///
/// Locks are taken in the order `writer`, `buffer`, `progress`.
#[derive(Debug)]
pub struct CommitLog {
    clock: Arc<dyn Clock>,
    mode: SyncMode,
    buffer: Mutex<LogBuffer>,
    writer: Mutex<SegmentWriter>,
    progress: Mutex<SyncProgress>,
    progressed: Condvar,
    /// Why the log accepts nothing any more.
    failure: OnceLock<String>,
}

/// What the operating system does not have yet.
#[derive(Debug, Default)]
struct LogBuffer {
    bytes: Vec<u8>,
    /// The position behind the last record.
    end: u64,
    /// Since when there is something that no sync has begun to cover.
    unsynced_since: Option<i64>,
    /// The same for what the sync under way covers.
    syncing_since: Option<i64>,
}

#[derive(Debug)]
struct SyncProgress {
    /// The disk has everything before this position.
    synced: u64,
    /// Someone is at it.
    syncing: bool,
    /// Appends that wait for their group.
    waiting: usize,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl CommitLog {
    /// Opens the log of a folder, or starts one, and hands every record from segment `first` on to `replay`, in order.
    ///
    /// A record that a crash left incomplete at the very end is cut off. Damage anywhere else is refused.
    pub fn open(
        disk: Arc<dyn Disk>,
        clock: Arc<dyn Clock>,
        folder: &Path,
        options: LogOptions,
        first: SegmentNumber,
        replay: &mut dyn FnMut(&[u8]) -> Result<(), Error>,
    ) -> Result<Self, Error> {
        disk.create_folder(folder)?;
        let replayed = replay::replay(&*disk, folder, first, replay)?;
        let synced = replayed.position;
        let writer = SegmentWriter::open(disk, folder, options.segment_size, &replayed)?;
        let end = writer.position();
        // The end of the process may have left bytes with the operating system only.
        let unsynced_since = (synced < end).then(|| clock.now_micros());
        let buffer = LogBuffer { end, unsynced_since, ..LogBuffer::default() };
        Ok(Self {
            clock,
            mode: options.sync,
            buffer: Mutex::new(buffer),
            writer: Mutex::new(writer),
            progress: Mutex::new(SyncProgress { synced, syncing: false, waiting: 0 }),
            progressed: Condvar::new(),
            failure: OnceLock::new(),
        })
    }

    /// Appends a record; returns when it counts as done by the mode.
    ///
    /// After an error the record may be there or not when the log is opened again.
    pub fn append(&self, payload: &[u8]) -> Result<(), Error> {
        let seal = RecordChecksums::for_payload(payload)?;
        self.check_failure()?;
        match self.mode {
            SyncMode::Batch => {
                let end = self.append_to_buffer(seal, payload, None).end;
                self.sync_to(end)
            }
            SyncMode::Group { window } => {
                let end = self.append_to_buffer(seal, payload, None).end;
                self.await_group(end, window)
            }
            SyncMode::Periodic { period } => {
                let now = self.clock.now_micros();
                let buffer = self.append_to_buffer(seal, payload, Some(now));
                let (end, filled) = (buffer.end, buffer.bytes.len());
                let late = buffer.is_late(now, period.saturating_add(period / 2));
                drop(buffer);
                if late {
                    return self.sync_to(end);
                }
                if filled >= FLUSH_THRESHOLD { self.try_flush(filled) } else { Ok(()) }
            }
        }
    }

    /// Makes everything durable that was appended so far.
    pub fn sync(&self) -> Result<(), Error> {
        let end = lock(&self.buffer).end;
        self.sync_to(end)
    }

    /// Does what is due. An error is also what every later append gets.
    pub fn tick(&self) -> Result<(), Error> {
        self.check_failure()?;
        match self.mode {
            SyncMode::Batch => Ok(()),
            SyncMode::Group { .. } => {
                if lock(&self.progress).waiting > 0 {
                    return self.sync();
                }
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

    /// How long the hosting thread may sleep between two ticks.
    pub fn next_tick(&self) -> Duration {
        match self.mode {
            SyncMode::Batch => Duration::from_secs(1),
            SyncMode::Group { window } => window.max(Duration::from_millis(1)),
            SyncMode::Periodic { period } => {
                TICK_INTERVAL.min(period).max(Duration::from_millis(1))
            }
        }
    }

    /// Starts a new segment and gives its number: all that was appended before is in earlier ones, and
    /// durable as the new one is.
    pub fn rotate(&self) -> Result<SegmentNumber, Error> {
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

    /// Removes the segments before one, whose records are kept elsewhere by now.
    pub fn remove_before(&self, number: SegmentNumber) -> Result<(), Error> {
        let (disk, folder, current) = lock(&self.writer).location();
        segment::remove_before(&*disk, &folder, number.min(current))
    }

    /// The segment that is being written.
    pub fn current_segment(&self) -> SegmentNumber {
        lock(&self.writer).location().2
    }

    /// Nothing is accepted after a failure.
    fn check_failure(&self) -> Result<(), Error> {
        match self.failure.get() {
            Some(reason) => Err(Error::Failed { reason: reason.clone() }),
            None => Ok(()),
        }
    }

    /// Remembers a failure and wakes all who wait for what will not happen.
    fn fail(&self, error: Error) -> Error {
        let _ = self.failure.set(error.to_string());
        let progress = lock(&self.progress);
        self.progressed.notify_all();
        drop(progress);
        error
    }

    fn append_to_buffer(
        &self,
        seal: RecordChecksums,
        payload: &[u8],
        now: Option<i64>,
    ) -> MutexGuard<'_, LogBuffer> {
        let mut guard = lock(&self.buffer);
        let buffer = &mut *guard;
        buffer.end = seal.append(payload, buffer.end, &mut buffer.bytes);
        if buffer.unsynced_since.is_none() {
            buffer.unsynced_since = now;
        }
        guard
    }

    /// Hands a filled buffer over, unless someone is at it; a very full one in any case.
    fn try_flush(&self, filled: usize) -> Result<(), Error> {
        let mut writer = match self.writer.try_lock() {
            Ok(writer) => writer,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) if filled < BUFFER_MAX => return Ok(()),
            Err(TryLockError::WouldBlock) => lock(&self.writer),
        };
        self.flush(&mut writer, false)
    }

    /// Gives the buffer's bytes to the operating system. Those who append meanwhile fill another buffer.
    fn flush(&self, writer: &mut SegmentWriter, to_be_synced: bool) -> Result<(), Error> {
        // A write that failed may have left half a record; nothing may follow it.
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

    /// Returns when the disk has everything before a position: does it, or waits for who does.
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

    /// Runs a sync, which gives the position it reached, and tells everyone.
    fn lead_sync(&self, sync: impl FnOnce() -> Result<u64, Error>) -> Result<(), Error> {
        let result = sync().map_err(|error| self.fail(error));
        // The operating system tells of lost bytes once; it may have told someone else.
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

    /// Waits for the next tick, but no longer than the window.
    fn await_group(&self, end: u64, window: Duration) -> Result<(), Error> {
        let mut progress = lock(&self.progress);
        progress.waiting += 1;
        let waits =
            |progress: &mut SyncProgress| progress.synced < end && self.failure.get().is_none();
        let (mut progress, _) = self
            .progressed
            .wait_timeout_while(progress, window, waits)
            .unwrap_or_else(PoisonError::into_inner);
        progress.waiting -= 1;
        drop(progress);
        self.sync_to(end)
    }
}

impl LogBuffer {
    /// Whether something has waited for the disk for at least this long; or says so, because the clock was set back.
    fn is_late(&self, now: i64, limit: Duration) -> bool {
        let limit = u64::try_from(limit.as_micros()).unwrap_or(u64::MAX);
        let since = self.syncing_since.or(self.unsynced_since);
        since.is_some_and(|since| now.abs_diff(since) >= limit)
    }
}

impl Drop for CommitLog {
    /// A log that is closed in peace leaves nothing behind in memory. Errors are those that [`CommitLog::sync`] tells.
    fn drop(&mut self) {
        let _ = self.sync();
    }
}
