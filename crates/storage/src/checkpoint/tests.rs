//! Checkpoints under crashes, faults and damage.

use std::path::Path;
use std::sync::Arc;

use super::{CheckpointWriter, load};
use crate::Error;
use crate::ReplayedRecord;
use crate::clock::VirtualClock;
use crate::commit_log::{CommitLog, LogOptions, SegmentNumber, SyncMode};
use crate::disk::{Disk, FaultPlan, FaultyDisk, MemoryDisk};
use crate::record::HEADER_BYTES;

fn folder() -> &'static Path {
    Path::new("data")
}

fn write(disk: Arc<dyn Disk>, number: u64, records: usize) -> Result<(), Error> {
    let mut writer = CheckpointWriter::create(disk, folder(), SegmentNumber(number))?;
    for record in records_of(number, records) {
        writer.append(&record)?;
    }
    writer.finish()
}

fn records_of(number: u64, count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|at| format!("{number}/{at}").into_bytes().repeat(1 + at % 9)).collect()
}

fn read(disk: &dyn Disk) -> Result<(u64, Vec<Vec<u8>>), Error> {
    let mut records = Vec::new();
    let first = load(disk, folder(), &mut |record| {
        records.push(record.payload.to_vec());
        Ok(())
    })?;
    Ok((first.0, records))
}

#[test]
fn the_newest_counts() {
    let disk = MemoryDisk::new();
    assert_eq!(read(&disk).unwrap(), (1, Vec::new()));
    for (number, count) in [(2, 0), (7, 3), (9, 20_000), (30, 100)] {
        write(Arc::new(disk.clone()), number, count).unwrap();
        for disk in [disk.clone(), disk.crash(), disk.kill()] {
            assert_eq!(read(&disk).unwrap(), (number, records_of(number, count)));
        }
        assert_eq!(disk.list(folder()).unwrap().len(), 1);
    }
    let (disk_handle, first) = (Arc::new(disk.clone()), SegmentNumber(31));
    let mut writer = CheckpointWriter::create(disk_handle, folder(), first).unwrap();
    writer.append(b"never finished").unwrap();
    // The process ends here: nothing is cleaned up.
    std::mem::forget(writer);
    disk.create(&folder().join("other")).unwrap();
    assert_eq!(read(&disk).unwrap(), (30, records_of(30, 100)));
    assert_eq!(disk.list(folder()).unwrap(), ["checkpoint-00000000000000000030.db", "other"]);
}

#[test]
fn damage_is_refused() {
    let disk = MemoryDisk::new();
    write(Arc::new(disk.clone()), 4, 6).unwrap();
    let path = super::path(folder(), SegmentNumber(4));
    let size = disk.size(&path).unwrap();
    for offset in 0..size {
        let (damaged, cut) = (disk.crash(), disk.crash());
        assert!(damaged.damage(&path, offset, 1 << (offset % 8)));
        cut.truncate(&path, offset).unwrap();
        for disk in [damaged, cut] {
            let error = read(&disk).unwrap_err();
            let right = matches!(&error, Error::Corrupt { file, .. } if *file == path);
            assert!(right, "{offset}: {error}");
            assert_eq!(disk.list(folder()).unwrap().len(), 1, "{offset}");
        }
    }
    let error = {
        let disk = disk.crash();
        disk.damage(&path, HEADER_BYTES as u64 + 9, 4);
        read(&disk).unwrap_err().to_string()
    };
    let place = "data/checkpoint-00000000000000000004.db is corrupt at offset 32";
    assert_eq!(error, format!("{place}: a record does not match its checksum"));
}

#[test]
fn a_failed_checkpoint_leaves_the_one_before() {
    let old = records_of(2, 30);
    let writes = (0..3).map(|n| FaultPlan { fail_write: Some(n), ..FaultPlan::default() });
    let syncs = (0..3).map(|n| FaultPlan { fail_sync: Some(n), ..FaultPlan::default() });
    let rooms = (0..900).step_by(50).map(|n| FaultPlan { room: Some(n), ..FaultPlan::default() });
    let mut failed = 0;
    for plan in writes.chain(syncs).chain(rooms) {
        let memory = MemoryDisk::new();
        write(Arc::new(memory.clone()), 2, 30).unwrap();
        let faulty = Arc::new(FaultyDisk::new(Arc::new(memory.clone()), plan));
        let result = write(faulty, 3, 50);
        failed += usize::from(result.is_err());
        // Its bytes are given back at once.
        let names = memory.list(folder()).unwrap();
        assert!(names.iter().all(|name| !name.ends_with(".unfinished")), "{plan:?}: {names:?}");
        for disk in [memory.crash(), memory.crash_torn(3), memory.kill()] {
            let found = read(&disk).unwrap();
            let new = found == (3, records_of(3, 50));
            assert!(new || found == (2, old.clone()), "{plan:?}");
            assert!(new || result.is_err(), "{plan:?}");
        }
    }
    assert!(failed > 10, "{failed}");
}

/// The steps of a checkpoint, interrupted after each of them: nothing is lost or duplicated.
#[test]
fn log_and_checkpoint_together() {
    let disk = MemoryDisk::new();
    let recover = |disk: &MemoryDisk| {
        let mut found = Vec::new();
        let mut each = |record: ReplayedRecord<'_>| {
            found.push(record.payload.to_vec());
            Ok(())
        };
        let first = load(disk, folder(), &mut each).unwrap();
        let (handle, clock) = (Arc::new(disk.clone()), Arc::new(VirtualClock::new(0)));
        let options = LogOptions { sync: SyncMode::Batch, segment_size: 200 };
        let opened = CommitLog::open(handle, clock, folder(), options, first, &mut each).unwrap();
        (opened.0, found)
    };
    let (log, _) = recover(&disk);
    let mut expected = Vec::new();
    let check = |expected: &[Vec<u8>]| {
        for left in [disk.crash(), disk.kill(), disk.crash_torn(9)] {
            assert_eq!(recover(&left).1, expected);
        }
    };
    for round in 0..5_u8 {
        for number in 0..10 {
            expected.push(vec![round, number, 3, 4, 5]);
            log.append(&expected[expected.len() - 1]).unwrap();
        }
        let first = log.rotate().unwrap();
        check(&expected);
        let mut writer = CheckpointWriter::create(Arc::new(disk.clone()), folder(), first).unwrap();
        for record in &expected {
            writer.append(record).unwrap();
        }
        check(&expected);
        expected.push(vec![round, 99]);
        log.append(&[round, 99]).unwrap();
        check(&expected);
        writer.finish().unwrap();
        check(&expected);
        log.remove_before(first).unwrap();
        check(&expected);
        assert_eq!(disk.list(folder()).unwrap().len(), 2);
    }
}
