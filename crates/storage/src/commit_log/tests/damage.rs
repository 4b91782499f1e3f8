//! Torn records, flipped bits, lost files.

use super::{MemoryDisk, batch, contents, folder, open, payload, payloads, segment};
use crate::Error;
use crate::commit_log::LogOptions;
use crate::disk::Disk;
use crate::record::{FlushMark, HEADER_BYTES, RECORD_OVERHEAD, RecordChecksums};

/// A disk whose log has these records in one segment, and where each of them starts.
fn one_segment(count: usize) -> (MemoryDisk, Vec<u64>) {
    let disk = MemoryDisk::new();
    let (log, _) = open(&disk, batch(1 << 20)).unwrap();
    let mut starts = vec![HEADER_BYTES as u64];
    for payload in payloads(count) {
        log.append(&payload).unwrap();
        starts.push(starts[starts.len() - 1] + (payload.len() + RECORD_OVERHEAD) as u64);
    }
    (disk, starts)
}

#[test]
fn a_tail_torn_at_any_byte() {
    let (disk, starts) = one_segment(6);
    for size in 0..=disk.size(&segment(1)).unwrap() {
        let torn = disk.crash();
        torn.truncate(&segment(1), size).unwrap();
        let whole = starts.iter().filter(|start| **start <= size).count().saturating_sub(1);
        let (log, found) = open(&torn, batch(1 << 20)).unwrap();
        assert_eq!(found, payloads(whole), "{size}");
        log.append(b"after").unwrap();
        let mut expected = payloads(whole);
        expected.push(b"after".to_vec());
        assert_eq!(contents(&torn.crash()), expected, "{size}");
    }
}

/// A tail of zeros: pages that never reached the disk.
#[test]
fn a_tail_of_zeros() {
    let (disk, starts) = one_segment(4);
    for zeros in [1, 8, 12, 100, 5000] {
        let torn = disk.crash();
        let path = segment(1);
        torn.truncate(&path, starts[3] + 5).unwrap();
        torn.append(&path).unwrap().write_all(&vec![0; zeros]).unwrap();
        assert_eq!(contents(&torn), payloads(3), "{zeros}");
        assert_eq!(torn.size(&path).unwrap(), starts[3]);
    }
}

#[test]
fn flipped_bits_in_the_last_segment() {
    let (disk, starts) = one_segment(5);
    let last = starts[4];
    for offset in 0..starts[5] {
        let damaged = disk.crash();
        assert!(damaged.damage(&segment(1), offset, 1 << (offset % 8)));
        match open(&damaged, batch(1 << 20)) {
            Ok((_, found)) => {
                assert!(offset >= last, "{offset} of {starts:?}");
                assert_eq!(found, payloads(4));
            }
            Err(Error::Corrupt { file, offset: found, .. }) => {
                let start = starts.iter().rev().find(|start| **start <= offset);
                assert_eq!((file, found), (segment(1), start.copied().unwrap_or(0)), "{offset}");
                assert!(offset < last, "{offset} of {starts:?}");
            }
            Err(other) => panic!("{offset}: {other}"),
        }
    }
}

#[test]
fn flipped_bits_in_an_earlier_segment() {
    let (disk, starts) = one_segment(3);
    let (log, _) = open(&disk, batch(1 << 20)).unwrap();
    log.rotate().unwrap();
    for offset in 0..starts[3] {
        let damaged = disk.crash();
        assert!(damaged.damage(&segment(1), offset, 1 << (offset % 8)));
        let error = open(&damaged, batch(1 << 20)).unwrap_err();
        assert!(
            matches!(&error, Error::Corrupt { file, offset: at, .. } if *file == segment(1) && *at <= offset),
            "{offset}: {error}"
        );
    }
    for size in 0..starts[3] {
        let cut = disk.crash();
        cut.truncate(&segment(1), size).unwrap();
        let error = open(&cut, batch(1 << 20)).unwrap_err();
        assert!(
            matches!(&error, Error::Corrupt { file, offset, .. } if *file == segment(1) && *offset <= size),
            "{size}: {error}"
        );
    }
}

#[test]
fn lost_and_swapped_files() {
    let disk = MemoryDisk::new();
    let (log, _) = open(&disk, batch(60)).unwrap();
    for number in 0..6 {
        log.append(&payload(number)).unwrap();
    }
    let count = disk.list(folder()).unwrap().len() as u64;
    assert!(count >= 4);
    for lost in 1..count {
        let damaged = disk.crash();
        damaged.remove(&segment(lost)).unwrap();
        let error = open(&damaged, batch(60)).unwrap_err().to_string();
        let name = segment(lost).display().to_string();
        assert_eq!(error, format!("{name} is corrupt at offset 0: the file is missing"));
    }
    let damaged = disk.crash();
    damaged.rename(&segment(3), &segment(2)).unwrap();
    damaged.rename(&segment(4), &segment(3)).unwrap();
    let error = open(&damaged, batch(60)).unwrap_err().to_string();
    assert!(error.ends_with("is corrupt at offset 0: the file header is of segment 3"), "{error}");
    let damaged = disk.crash();
    damaged.create(&segment(1)).unwrap().write_all(&[9; 500]).unwrap();
    let error = open(&damaged, batch(60)).unwrap_err().to_string();
    assert!(error.ends_with("the file header does not match its checksum"), "{error}");
}

/// Clients may store bytes that look like records; a torn record with such bytes is still a torn
/// record.
#[test]
fn a_torn_record_that_holds_records() {
    let mut inside = Vec::new();
    let mut position = 0;
    for number in 0..20 {
        position = RecordChecksums::for_payload(&payload(number)).unwrap().append(
            &payload(number),
            FlushMark::Start,
            position,
            &mut inside,
        );
    }
    let disk = MemoryDisk::new();
    let (log, _) = open(&disk, batch(1 << 20)).unwrap();
    log.append(b"first").unwrap();
    log.append(&inside).unwrap();
    let path = segment(1);
    let size = disk.size(&path).unwrap();
    let torn = disk.crash();
    torn.truncate(&path, size - 3).unwrap();
    assert_eq!(open(&torn, LogOptions::default()).unwrap().1, [b"first"]);
}
