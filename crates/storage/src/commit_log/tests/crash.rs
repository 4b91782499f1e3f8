//! Crashes after every operation, and faulty disks.

use std::sync::Arc;
use std::time::Duration;

use super::{MemoryDisk, batch, contents, folder, open_with, payload, payloads};
use crate::Error;
use crate::clock::{Clock, VirtualClock};
use crate::commit_log::{CommitLog, LogOptions, SegmentNumber, SyncMode};
use crate::disk::{Disk, FaultPlan, FaultyDisk};
use crate::record::RecordChecksums;

struct XorShift(u64);

impl XorShift {
    fn next_below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// A workload on a disk that may crash after each step.
struct CrashWorkload {
    disk: MemoryDisk,
    clock: Arc<VirtualClock>,
    options: LogOptions,
    log: CommitLog,
    /// When each record was appended; all of them were acknowledged.
    appended: Vec<i64>,
    /// The number of records that survive a loss of power in any case.
    safe: usize,
}

impl CrashWorkload {
    fn new(sync: SyncMode) -> Self {
        let (disk, clock) = (MemoryDisk::new(), Arc::new(VirtualClock::new(1_000_000)));
        let options = LogOptions { sync, segment_size: 400 };
        let log = reopen(&disk, &clock, options).0;
        Self { disk, clock, options, log, appended: Vec::new(), safe: 0 }
    }

    fn step(&mut self, dice: &mut XorShift) {
        match dice.next_below(20) {
            0..10 => {
                self.log.append(&payload(self.appended.len())).unwrap();
                self.appended.push(self.clock.now_micros());
                if !matches!(self.options.sync, SyncMode::Periodic { .. }) {
                    self.safe = self.appended.len();
                }
            }
            10..16 => self.clock.advance(Duration::from_millis(dice.next_below(4000))),
            16..18 => self.log.tick().unwrap(),
            18 => {
                self.log.rotate().unwrap();
                self.safe = self.appended.len();
            }
            _ => {
                self.log.sync().unwrap();
                self.safe = self.appended.len();
            }
        }
    }

    /// Checks the contents after a loss of power: a prefix of what was appended, of the guaranteed
    /// length.
    fn check(&self, crashed: &MemoryDisk) -> usize {
        let (_, found) = reopen(crashed, &self.clock, self.options);
        assert_eq!(found, payloads(found.len()));
        assert!(found.len() >= self.safe, "{} of {}", found.len(), self.safe);
        assert!(found.len() <= self.appended.len());
        if let SyncMode::Periodic { period } = self.options.sync {
            // A record is durable once an append one and a half periods later was acknowledged.
            let last = self.appended.last().copied().unwrap_or(0);
            let window = i64::try_from((period + period / 2).as_micros()).unwrap();
            let old = self.appended.iter().filter(|time| **time <= last - window).count();
            assert!(found.len() >= old, "{} of {old}", found.len());
        }
        found.len()
    }
}

fn reopen(
    disk: &MemoryDisk,
    clock: &Arc<VirtualClock>,
    options: LogOptions,
) -> (CommitLog, Vec<Vec<u8>>) {
    let mut records = Vec::new();
    let (disk, clock) = (Arc::new(disk.clone()), clock.clone());
    let opened =
        CommitLog::open(disk, clock, folder(), options, SegmentNumber::FIRST, &mut |record| {
            records.push(record.payload.to_vec());
            Ok(())
        });
    (opened.unwrap().0, records)
}

#[test]
fn power_lost_after_any_step() {
    let modes = [
        SyncMode::default(),
        SyncMode::Periodic { period: Duration::from_secs(1) },
        SyncMode::Group { window: Duration::ZERO },
        SyncMode::Batch,
    ];
    let mut lost = 0;
    for (seed, sync) in (1..=12).flat_map(|seed| modes.map(|mode| (seed, mode))) {
        let mut dice = XorShift(seed * 7919);
        let mut run = CrashWorkload::new(sync);
        for step in 0..120 {
            run.step(&mut dice);
            lost += run.appended.len() - run.check(&run.disk.crash());
            run.check(&run.disk.crash_torn(seed * 1000 + step));
            if dice.next_below(15) == 0 {
                // Continues after a loss of power or a crash of the process.
                let power_lost = dice.next_below(2) == 0;
                let disk = if power_lost { run.disk.crash_torn(step) } else { run.disk.kill() };
                let (log, found) = reopen(&disk, &run.clock, run.options);
                run.appended.truncate(found.len());
                run.safe = run.safe.min(found.len());
                (run.disk, run.log) = (disk, log);
            }
        }
    }
    assert!(lost > 1000, "crashes must take something in periodic mode: {lost}");
}

/// What a crash of the process leaves in periodic mode: everything that a tick flushed.
#[test]
fn a_killed_process_loses_what_no_tick_has_seen() {
    let run = CrashWorkload::new(SyncMode::default());
    for number in 0..5 {
        run.log.append(&payload(number)).unwrap();
    }
    assert!(contents(&run.disk.kill()).is_empty());
    run.log.tick().unwrap();
    assert_eq!(contents(&run.disk.kill()), payloads(5));
    assert!(contents(&run.disk.crash()).is_empty());
    run.clock.advance(Duration::from_secs(10));
    run.log.tick().unwrap();
    assert_eq!(contents(&run.disk.crash()), payloads(5));
    let large = vec![1; 70_000];
    run.log.append(&large).unwrap();
    assert_eq!(contents(&run.disk.kill()).len(), 6);
    run.clock.advance(Duration::from_secs(15));
    run.log.append(b"late").unwrap();
    assert_eq!(contents(&run.disk.crash()).len(), 7);
    // A killed process left unsynced bytes; the next one syncs them in time.
    run.log.append(b"left").unwrap();
    run.log.tick().unwrap();
    let disk = run.disk.kill();
    let (log, _) = reopen(&disk, &run.clock, run.options);
    run.clock.advance(Duration::from_secs(10));
    log.tick().unwrap();
    assert_eq!(contents(&disk.crash()).len(), 8);
}

/// Every fault at every operation: what was acknowledged is there, and nothing is accepted
/// afterwards.
#[test]
fn failing_disks_lose_nothing_acknowledged() {
    let writes = (0..20).map(|n| FaultPlan { fail_write: Some(n), ..FaultPlan::default() });
    let syncs = (0..20).map(|n| FaultPlan { fail_sync: Some(n), ..FaultPlan::default() });
    let rooms = (0..900).step_by(7).map(|n| FaultPlan { room: Some(n), ..FaultPlan::default() });
    for plan in writes.chain(syncs).chain(rooms) {
        let memory = MemoryDisk::new();
        let disk = Arc::new(FaultyDisk::new(Arc::new(memory.clone()), plan));
        let Ok((log, _)) = open_with(disk, batch(200), 1) else {
            contents(&memory.crash());
            contents(&memory.kill());
            continue;
        };
        let mut acknowledged = 0;
        let error = loop {
            match log.append(&payload(acknowledged)) {
                Ok(()) => acknowledged += 1,
                Err(error) => break error.to_string(),
            }
            if acknowledged % 3 == 1 {
                // Extends the segment with zeros.
                log.tick().unwrap();
            }
            assert!(acknowledged < 100, "{plan:?} never failed");
        };
        for later in [log.append(b"x"), log.sync(), log.tick(), log.rotate().map(drop)] {
            let later = later.unwrap_err();
            assert!(matches!(&later, Error::Failed { reason } if *reason == error), "{later}");
        }
        assert!(error.contains("log/commitlog-") || error.starts_with("log: "), "{error}");
        drop(log);
        for (left, at_most) in [(memory.crash(), 1), (memory.crash_torn(5), 1), (memory.kill(), 1)]
        {
            let found = contents(&left);
            assert!(found.len() >= acknowledged, "{plan:?}: {} {acknowledged}", found.len());
            assert!(found.len() <= acknowledged + at_most);
            assert_eq!(found, payloads(found.len()));
        }
    }
}

#[test]
fn short_writes_are_continued() {
    for limit in [1, 5, 13] {
        let memory = MemoryDisk::new();
        let plan = FaultPlan { write_at_most: Some(limit), ..FaultPlan::default() };
        let disk: Arc<dyn Disk> = Arc::new(FaultyDisk::new(Arc::new(memory.clone()), plan));
        let (log, _) = open_with(disk, batch(300), 1).unwrap();
        for number in 0..30 {
            log.append(&payload(number)).unwrap();
        }
        assert_eq!(contents(&memory.crash()), payloads(30));
    }
}

/// A concurrent append writes nothing after the half record when the disk fails.
#[test]
fn nothing_follows_a_torn_tail() {
    let memory = MemoryDisk::new();
    let plan = FaultPlan { fail_write: Some(2), ..FaultPlan::default() };
    let disk: Arc<dyn Disk> = Arc::new(FaultyDisk::new(Arc::new(memory.clone()), plan));
    let (log, _) = open_with(disk, batch(1 << 20), 1).unwrap();
    log.append(&payload(0)).unwrap();
    assert!(log.append(&payload(1)).is_err());
    drop(log.append_to_buffer(
        RecordChecksums::for_payload(&payload(2)).unwrap(),
        &payload(2),
        None,
    ));
    assert!(log.flush(&mut log.writer.lock().unwrap(), false).is_err());
    assert_eq!(contents(&memory.kill()), payloads(1));
}
