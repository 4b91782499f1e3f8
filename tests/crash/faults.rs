//! Disks that fail: a clear error, and nothing acknowledged is lost.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use storage::disk::{Disk, FaultPlan, FaultyDisk, MemoryDisk};

use super::{
    SCHEMA, SEGMENT_BYTES, WriteKey, is_in_both_tables, open, read_writes, run, statement,
};

const FOLDER: &str = "/data";
const WRITES: i32 = 60;
/// A checkpoint is made after every so many writes.
const CHECKPOINT_AFTER: i32 = 20;
/// The threads that write over zeros, and how much each of them.
const THREADS: i32 = 4;
const THREAD_WRITES: i32 = 40;

/// What came of a run on a faulty disk.
#[derive(Default)]
struct FaultyRun {
    acknowledged: Vec<WriteKey>,
    errors: Vec<String>,
}

/// Writes until the end, whatever fails on the way.
fn run_with_faults(disk: MemoryDisk, plan: FaultPlan) -> FaultyRun {
    let faulty = Arc::new(FaultyDisk::new(Arc::new(disk), plan));
    let mut attempt = FaultyRun::default();
    let database = match open(faulty, Path::new(FOLDER)) {
        Ok(database) => database,
        Err(error) => {
            attempt.errors.push(error.message);
            return attempt;
        }
    };
    let mut session = database.session();
    for text in SCHEMA {
        attempt.errors.extend(run(&mut session, text).err().map(|error| error.message));
    }
    for number in 0..WRITES {
        match run(&mut session, &statement((0, 0, number))) {
            Ok(_) => attempt.acknowledged.push((0, 0, number)),
            Err(error) => attempt.errors.push(error.message),
        }
        if number % CHECKPOINT_AFTER == CHECKPOINT_AFTER - 1 {
            attempt.errors.extend(database.checkpoint().err().map(|error| error.message));
        }
    }
    attempt
}

/// Opens what a failure left, as it stands and as a loss of power then leaves it.
fn check(disk: &MemoryDisk, attempt: &FaultyRun, what: &str) {
    let torn = (7..12).map(|seed| (disk.crash_torn(seed), "torn"));
    for (left, how) in [(disk.kill(), "killed"), (disk.crash(), "no power")].into_iter().chain(torn)
    {
        let database = open(Arc::new(left), Path::new(FOLDER))
            .unwrap_or_else(|error| panic!("{what}, {how}: does not open: {error}"));
        let mut session = database.session();
        for text in SCHEMA {
            run(&mut session, text).unwrap_or_else(|error| panic!("{what}, {how}: {error}"));
        }
        let first = read_writes(&mut session, "first");
        let lost: Vec<_> = attempt.acknowledged.iter().filter(|one| !first.contains(one)).collect();
        assert!(lost.is_empty(), "{what}, {how}: lost {lost:?}");
        let twice: Vec<_> = first.iter().copied().filter(|one| is_in_both_tables(one.2)).collect();
        assert_eq!(twice, read_writes(&mut session, "second"), "{what}, {how}: a batch is torn");
    }
}

fn must_fail(plan: FaultPlan, told: &str) {
    let disk = MemoryDisk::new();
    let attempt = run_with_faults(disk.clone(), plan);
    let first = attempt.errors.first().unwrap_or_else(|| panic!("{plan:?}: nothing failed"));
    assert!(first.contains(told) && first.contains(FOLDER), "{plan:?}: {first}");
    check(&disk, &attempt, &format!("{plan:?}"));
}

#[test]
fn short_writes_do_no_harm() {
    for write_at_most in [1, 7, 100, 4096] {
        let plan = FaultPlan { write_at_most: Some(write_at_most), ..FaultPlan::default() };
        let disk = MemoryDisk::new();
        let attempt = run_with_faults(disk.clone(), plan);
        assert_eq!((attempt.errors, attempt.acknowledged.len()), (vec![], 60), "{plan:?}");
        let acknowledged = attempt.acknowledged;
        check(&disk, &FaultyRun { acknowledged, ..FaultyRun::default() }, &format!("{plan:?}"));
    }
}

#[test]
fn a_failed_write_is_told_and_loses_nothing() {
    for number in 0..60 {
        let plan = FaultPlan { fail_write: Some(number), ..FaultPlan::default() };
        must_fail(plan, "the write failed, as planned");
    }
}

#[test]
fn a_failed_sync_is_told_and_loses_nothing() {
    for number in 0..60 {
        let plan = FaultPlan { fail_sync: Some(number), ..FaultPlan::default() };
        must_fail(plan, "the sync failed, as planned");
    }
}

#[test]
fn a_full_disk_is_told_and_loses_nothing() {
    for room in (0..12_000).step_by(199) {
        let plan = FaultPlan { room: Some(room), ..FaultPlan::default() };
        must_fail(plan, "no space left on device");
    }
}

/// Waits until the log's thread has extended a segment with zeros.
fn wait_for_zeros(disk: &MemoryDisk) {
    let started = Instant::now();
    let has_zeros = || {
        let names = disk.list(Path::new(FOLDER)).unwrap_or_default();
        names
            .iter()
            .any(|name| disk.size(&Path::new(FOLDER).join(name)).ok() == Some(SEGMENT_BYTES))
    };
    while !has_zeros() {
        assert!(started.elapsed() < Duration::from_secs(60), "no segment was extended");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Writes with several threads over zeros until a sync fails.
fn write_over_zeros(disk: &MemoryDisk, plan: FaultPlan) -> FaultyRun {
    let faulty = Arc::new(FaultyDisk::new(Arc::new(disk.clone()), plan));
    let database = open(faulty, Path::new(FOLDER)).unwrap_or_else(|error| panic!("{error}"));
    let mut session = database.session();
    for text in SCHEMA {
        run(&mut session, text).unwrap_or_else(|error| panic!("{plan:?}: {error}"));
    }
    wait_for_zeros(disk);
    let mut attempt = FaultyRun::default();
    std::thread::scope(|scope| {
        let write = |thread| {
            let mut session = database.session();
            let mut own = FaultyRun::default();
            for number in 0..THREAD_WRITES {
                match run(&mut session, &statement((0, thread, number))) {
                    Ok(_) => own.acknowledged.push((0, thread, number)),
                    Err(error) => own.errors.push(error.message),
                }
            }
            own
        };
        let threads: Vec<_> =
            (0..THREADS).map(|thread| scope.spawn(move || write(thread))).collect();
        for thread in threads {
            let mut own = thread.join().expect("it ends");
            attempt.acknowledged.append(&mut own.acknowledged);
            attempt.errors.append(&mut own.errors);
        }
    });
    attempt
}

/// Of a write over zeros, any part may reach the disk before the power is lost.
#[test]
fn a_crash_before_zeros_loses_nothing() {
    for number in 12..36 {
        let disk = MemoryDisk::new();
        let plan = FaultPlan { fail_sync: Some(number), ..FaultPlan::default() };
        let attempt = write_over_zeros(&disk, plan);
        let is_planned = |error: &String| error.contains("the sync failed, as planned");
        assert!(attempt.errors.iter().any(is_planned), "{plan:?}: {:?}", attempt.errors.first());
        check(&disk, &attempt, &format!("{plan:?}, over zeros"));
    }
}
