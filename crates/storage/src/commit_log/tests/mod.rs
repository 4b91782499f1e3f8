//! The commit log: records are replayed in every mode, over segments and restarts.

mod crash;
mod damage;
mod zeros;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::{CommitLog, LogOptions, SegmentNumber, SyncMode};
use crate::Error;
use crate::ReplayedRecord;
use crate::clock::{SystemClock, VirtualClock};
use crate::disk::{Disk, FaultPlan, FaultyDisk, MemoryDisk, SystemDisk};

const FOLDER: &str = "log";

fn folder() -> &'static Path {
    Path::new(FOLDER)
}

fn segment(number: u64) -> PathBuf {
    SegmentNumber(number).path(folder())
}

fn batch(segment_size: u64) -> LogOptions {
    LogOptions { sync: SyncMode::Batch, segment_size }
}

/// Opens a log and returns the replayed records.
fn open_with(
    disk: Arc<dyn Disk>,
    options: LogOptions,
    first: u64,
) -> Result<(CommitLog, Vec<Vec<u8>>), Error> {
    let mut records = Vec::new();
    let clock = Arc::new(VirtualClock::new(0));
    let (log, _) =
        CommitLog::open(disk, clock, folder(), options, SegmentNumber(first), &mut |record| {
            records.push(record.payload.to_vec());
            Ok(())
        })?;
    Ok((log, records))
}

fn open(disk: &MemoryDisk, options: LogOptions) -> Result<(CommitLog, Vec<Vec<u8>>), Error> {
    open_with(Arc::new(disk.clone()), options, 1)
}

/// The records of a log that is opened again.
fn contents(disk: &MemoryDisk) -> Vec<Vec<u8>> {
    open(disk, LogOptions::default()).unwrap().1
}

/// A payload that differs from all others.
fn payload(number: usize) -> Vec<u8> {
    let mut bytes = number.to_be_bytes().to_vec();
    bytes.resize(8 + number * 7 % 50, 0);
    bytes
}

fn payloads(count: usize) -> Vec<Vec<u8>> {
    (0..count).map(payload).collect()
}

#[test]
fn what_was_appended_comes_back() {
    for sync in [
        SyncMode::default(),
        SyncMode::Group { window: Duration::from_micros(50) },
        SyncMode::Batch,
    ] {
        let disk = MemoryDisk::new();
        let options = LogOptions { sync, segment_size: 1000 };
        let expected = payloads(300);
        for part in expected.chunks(50) {
            let (log, _) = open(&disk, options).unwrap();
            for payload in part {
                log.append(payload).unwrap();
            }
            log.append(b"").unwrap();
        }
        let mut found = contents(&disk);
        found.retain(|record| !record.is_empty());
        assert_eq!(found, expected, "{sync:?}");
        let sizes = disk.list(folder()).unwrap();
        assert!(sizes.len() > 5 || sync == SyncMode::default(), "{sizes:?}");
    }
}

#[test]
fn rotation_and_removal() {
    let disk = MemoryDisk::new();
    let (log, _) = open(&disk, LogOptions::default()).unwrap();
    log.append(b"old").unwrap();
    let second = log.rotate().unwrap();
    assert_eq!(second, SegmentNumber(2));
    log.append(b"new").unwrap();
    assert_eq!(disk.crash().list(folder()).unwrap().len(), 2);
    assert_eq!(contents(&disk.crash()), [b"old"]);
    log.sync().unwrap();
    let both = disk.crash();
    log.remove_before(SegmentNumber(9)).unwrap();
    assert_eq!(disk.crash().list(folder()).unwrap(), ["commitlog-00000000000000000002.log"]);
    drop(log);
    for disk in [both, disk] {
        let (log, found) = open_with(Arc::new(disk.clone()), LogOptions::default(), 2).unwrap();
        assert_eq!(found, [b"new"]);
        assert_eq!(disk.list(folder()).unwrap().len(), 1);
        assert_eq!(log.rotate().unwrap(), SegmentNumber(3));
    }
}

#[test]
fn a_large_record_fits_in_a_segment_of_its_own() {
    let disk = MemoryDisk::new();
    let (log, _) = open(&disk, batch(100)).unwrap();
    let large = vec![7; 100_000];
    log.append(b"small").unwrap();
    log.append(&large).unwrap();
    log.append(b"small").unwrap();
    assert_eq!(contents(&disk), [b"small".to_vec(), large, b"small".to_vec()]);
}

#[test]
fn a_record_that_says_nothing_is_named() {
    let disk = MemoryDisk::new();
    let (log, _) = open(&disk, batch(1 << 20)).unwrap();
    log.append(b"good").unwrap();
    log.append(b"strange").unwrap();
    let refuse = &mut |record: ReplayedRecord<'_>| match record.payload {
        b"good" => Ok(()),
        _ => Err(Error::Unreadable { what: "no such table".to_owned() }),
    };
    let (disk, clock) = (Arc::new(disk), Arc::new(VirtualClock::new(0)));
    let error =
        CommitLog::open(disk, clock, folder(), batch(1), SegmentNumber(1), refuse).unwrap_err();
    assert_eq!(
        error.to_string(),
        "log/commitlog-00000000000000000001.log is corrupt at offset 48: no such table"
    );
}

#[test]
fn many_threads_share_syncs() {
    for sync in [SyncMode::Batch, SyncMode::Group { window: Duration::from_millis(3) }] {
        let memory = MemoryDisk::new();
        let disk = Arc::new(FaultyDisk::new(Arc::new(memory.clone()), FaultPlan::default()));
        let options = LogOptions { sync, segment_size: 4000 };
        let (log, _) = open_with(disk.clone(), options, 1).unwrap();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            let writers: Vec<_> = (0..8_usize)
                .map(|writer| {
                    let log = &log;
                    scope.spawn(move || {
                        for number in 0..50 {
                            log.append(&payload(writer * 50 + number)).unwrap();
                        }
                    })
                })
                .collect();
            let (log, done) = (&log, &done);
            scope.spawn(move || {
                while !done.load(Ordering::SeqCst) {
                    thread::sleep(log.next_tick() / 2);
                    log.tick().unwrap();
                }
            });
            for writer in writers {
                writer.join().unwrap();
            }
            done.store(true, Ordering::SeqCst);
        });
        let mut found = contents(&memory.crash());
        found.sort();
        assert_eq!(found, payloads(400));
        if matches!(sync, SyncMode::Group { .. }) {
            assert!(disk.syncs() < 300, "{}", disk.syncs());
        }
    }
}

/// How many records a second one thread and two append, printed.
#[test]
#[ignore = "a measurement"]
#[expect(clippy::print_stderr, reason = "its result is for people")]
fn throughput() {
    let folder = std::env::temp_dir().join(format!("helenus-log-{}", std::process::id()));
    for (threads, sync) in [
        (1, SyncMode::default()),
        (2, SyncMode::default()),
        (1, SyncMode::Batch),
        (8, SyncMode::Batch),
        (8, SyncMode::Group { window: Duration::from_millis(10) }),
    ] {
        let options = LogOptions { sync, ..LogOptions::default() };
        let (disk, clock) = (Arc::new(SystemDisk), Arc::new(SystemClock));
        let log = CommitLog::open(disk, clock, &folder, options, SegmentNumber(1), &mut |_| Ok(()));
        let (log, _) = log.unwrap();
        let count = if sync == SyncMode::default() { 1_000_000 } else { 200 };
        let start = Instant::now();
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    for _ in 0..count {
                        log.append(&[7; 150]).unwrap();
                    }
                });
            }
        });
        let rate = f64::from(count) * f64::from(threads) / start.elapsed().as_secs_f64();
        eprintln!("{threads} threads, {sync:?}: {rate:.0} records/s");
        drop(log);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
