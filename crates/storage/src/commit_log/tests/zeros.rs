//! Segments that were extended with zeros, and what a crash makes of them.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::{MemoryDisk, batch, contents, folder, open, open_with, payload, payloads, segment};
use crate::Error;
use crate::clock::VirtualClock;
use crate::commit_log::{CommitLog, LogOptions, SegmentNumber, SyncMode};
use crate::disk::{Disk, FaultPlan, FaultyDisk};
use crate::record::{HEADER_BYTES, RECORD_OVERHEAD};
use crate::recovery::{RecoveryReport, RecoveryWarning};

const SEGMENT_SIZE: u64 = 10_000;

/// A log in batch mode that has these records and zeros after them.
fn create_extended_log(disk: Arc<dyn Disk>, count: usize) -> CommitLog {
    let (log, _) = open_with(disk, batch(SEGMENT_SIZE), 1).unwrap();
    for number in 0..count {
        log.append(&payload(number)).unwrap();
    }
    log.tick().unwrap();
    log
}

/// The bytes of a segment with these records.
fn count_used(count: usize) -> u64 {
    let records =
        payloads(count).iter().map(|payload| payload.len() + RECORD_OVERHEAD).sum::<usize>();
    (HEADER_BYTES + records) as u64
}

fn report(disk: &MemoryDisk) -> RecoveryReport {
    let (disk, clock) = (Arc::new(disk.clone()), Arc::new(VirtualClock::new(0)));
    let options = LogOptions::default();
    let first = SegmentNumber::FIRST;
    CommitLog::open(disk, clock, folder(), options, first, &mut |_| Ok(())).unwrap().1
}

#[test]
fn zeros_are_a_clean_end() {
    for sync in [SyncMode::Batch, SyncMode::Group { window: Duration::ZERO }] {
        let disk = MemoryDisk::new();
        let (log, _) = open(&disk, LogOptions { sync, segment_size: SEGMENT_SIZE }).unwrap();
        log.tick().unwrap();
        assert_eq!(disk.size(&segment(1)).unwrap(), HEADER_BYTES as u64, "nothing was appended");
        for number in 0..5 {
            log.append(&payload(number)).unwrap();
        }
        log.tick().unwrap();
        assert_eq!(disk.size(&segment(1)).unwrap(), SEGMENT_SIZE);
        log.append(&payload(5)).unwrap();
        for left in [disk.kill(), disk.crash(), disk.crash_torn(3)] {
            assert_eq!(left.size(&segment(1)).unwrap(), SEGMENT_SIZE);
            let found = report(&left);
            assert_eq!(
                (found.log_bytes, found.warnings),
                (count_used(6) - HEADER_BYTES as u64, vec![])
            );
            assert_eq!(left.size(&segment(1)).unwrap(), count_used(6), "the zeros are cut off");
            assert_eq!(contents(&left), payloads(6));
        }
        drop(log);
        assert_eq!(disk.size(&segment(1)).unwrap(), count_used(6), "a clean end leaves no zeros");
    }
}

#[test]
fn a_log_in_periodic_mode_is_not_extended() {
    let disk = MemoryDisk::new();
    let options = LogOptions { segment_size: SEGMENT_SIZE, ..LogOptions::default() };
    let (log, _) = open(&disk, options).unwrap();
    log.append(b"one").unwrap();
    log.sync().unwrap();
    log.tick().unwrap();
    assert!(disk.size(&segment(1)).unwrap() < 100);
}

/// Earlier segments have no zeros: replay takes them for damage there.
#[test]
fn a_rotation_removes_zeros() {
    let disk = MemoryDisk::new();
    let log = create_extended_log(Arc::new(disk.clone()), 5);
    log.rotate().unwrap();
    assert_eq!(disk.size(&segment(1)).unwrap(), count_used(5));
    for number in 5..500 {
        log.append(&payload(number)).unwrap();
        log.tick().unwrap();
    }
    assert!(disk.list(folder()).unwrap().len() > 2);
    for left in [disk.kill(), disk.crash()] {
        assert_eq!(contents(&left), payloads(500));
    }
}

#[test]
fn a_torn_record_before_zeros_is_reported() {
    let memory = MemoryDisk::new();
    let plan = FaultPlan { fail_write: Some(6), ..FaultPlan::default() };
    let log = create_extended_log(Arc::new(FaultyDisk::new(Arc::new(memory.clone()), plan)), 5);
    let torn = vec![7; 100];
    assert!(log.append(&torn).is_err());
    let bytes = (torn.len() + RECORD_OVERHEAD) as u64 / 2;
    let tail = RecoveryWarning::CutTail { file: segment(1), offset: count_used(5), bytes };
    for left in [memory.kill(), memory.kill()] {
        assert_eq!(left.size(&segment(1)).unwrap(), SEGMENT_SIZE);
        assert_eq!(report(&left).warnings, std::slice::from_ref(&tail));
        assert_eq!(contents(&left), payloads(5));
        assert_eq!(report(&left).warnings, []);
    }
}

/// Any part of a flush reaches the disk, also records after others that do not.
#[test]
fn any_part_of_a_flush_survives() {
    let (mut cut, mut most) = (0, 0);
    for seed in 0..300 {
        let disk = MemoryDisk::new();
        let log = create_extended_log(Arc::new(disk.clone()), 3);
        for number in 3..9 {
            log.enqueue(&payload(number)).unwrap();
        }
        log.flush(&mut log.writer.lock().unwrap(), true).unwrap();
        let left = disk.crash_torn(seed);
        let warnings = report(&left).warnings;
        let found = contents(&left);
        assert!((3..=9).contains(&found.len()), "{seed}: {}", found.len());
        assert_eq!(found, payloads(found.len()), "{seed}");
        cut += warnings.len();
        most = most.max(found.len());
        // What was cut off is gone, also after the next records.
        let (log, _) = open(&left, batch(SEGMENT_SIZE)).unwrap();
        log.append(&payload(found.len())).unwrap();
        log.tick().unwrap();
        assert_eq!(contents(&left.crash()), payloads(found.len() + 1), "{seed}");
    }
    assert!(cut > 200 && most > 4, "{cut} {most}");
}

/// Records of a later flush prove that a bad record had been acknowledged.
#[test]
fn damage_before_a_later_flush_is_refused() {
    let disk = MemoryDisk::new();
    let log = create_extended_log(Arc::new(disk.clone()), 3);
    for number in 3..6 {
        log.enqueue(&payload(number)).unwrap();
    }
    log.sync().unwrap();
    log.append(&payload(6)).unwrap();
    for offset in count_used(0)..count_used(6) {
        let damaged = disk.crash();
        assert!(damaged.damage(&segment(1), offset, 1 << (offset % 8)));
        let error = open(&damaged, batch(SEGMENT_SIZE)).unwrap_err();
        assert!(matches!(error, Error::Corrupt { .. }), "{offset}: {error}");
    }
}

/// Flushed by a process that was killed, and lost later: the next process has synced it first.
#[test]
fn what_a_killed_process_flushed_is_synced_before_the_next_flush() {
    for seed in 0..50 {
        let disk = MemoryDisk::new();
        let log = create_extended_log(Arc::new(disk.clone()), 3);
        log.enqueue(&payload(3)).unwrap();
        log.flush(&mut log.writer.lock().unwrap(), true).unwrap();
        let disk = disk.kill();
        let log = create_extended_log(Arc::new(disk.clone()), 0);
        log.enqueue(&payload(4)).unwrap();
        log.flush(&mut log.writer.lock().unwrap(), true).unwrap();
        let found = contents(&disk.crash_torn(seed));
        assert!(found == payloads(4) || found == payloads(5), "{seed}: {}", found.len());
    }
}

#[test]
fn a_disk_that_refuses_zeros_does_no_harm() {
    for plan in [
        FaultPlan { fail_extension: true, ..FaultPlan::default() },
        FaultPlan { room: Some(2000), ..FaultPlan::default() },
    ] {
        let memory = MemoryDisk::new();
        let log = create_extended_log(Arc::new(FaultyDisk::new(Arc::new(memory.clone()), plan)), 5);
        assert_eq!(memory.size(&segment(1)).unwrap(), count_used(5));
        log.append(&payload(5)).unwrap();
        log.tick().unwrap();
        assert_eq!(contents(&memory.crash()), payloads(6));
    }
}

/// A log of the first version: without marks, and not continued.
#[test]
fn a_log_of_the_first_version_is_read() {
    let disk = MemoryDisk::new();
    let (log, _) = open(&disk, LogOptions::default()).unwrap();
    for number in 0..5 {
        log.append(&payload(number)).unwrap();
    }
    drop(log);
    let path: PathBuf = segment(1);
    assert!(disk.damage(&path, 11, 2 ^ 1));
    let mut header = [0; HEADER_BYTES];
    disk.read(&path, 0).unwrap().read_exact(&mut header).unwrap();
    let checksum = crc32fast::hash(&header[..HEADER_BYTES - 4]).to_be_bytes();
    for (offset, byte) in (HEADER_BYTES - 4..).zip(checksum) {
        assert!(disk.damage(&path, offset as u64, header[offset] ^ byte));
    }
    for torn in [0, 7] {
        let disk = disk.kill();
        disk.append(&path).unwrap().write_all(&vec![1; torn]).unwrap();
        let (log, found) = open(&disk, batch(SEGMENT_SIZE)).unwrap();
        assert_eq!(found, payloads(5));
        log.append(&payload(5)).unwrap();
        assert_eq!(disk.size(&path).unwrap(), count_used(5));
        assert_eq!(contents(&disk.crash()), payloads(6));
    }
}
