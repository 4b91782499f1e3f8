//! The guarantees of every disk implementation.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use super::{Disk, FaultPlan, FaultyDisk, MemoryDisk, SystemDisk};
use crate::Error;

fn contents(disk: &dyn Disk, path: &Path) -> Vec<u8> {
    let mut bytes = Vec::new();
    disk.read(path, 0).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

/// The operations that every disk supports.
fn check_disk(disk: &dyn Disk, folder: &Path) {
    disk.create_folder(folder).unwrap();
    disk.create_folder(folder).unwrap();
    let guard = disk.lock(folder).unwrap();
    assert!(matches!(disk.lock(folder), Err(Error::Locked { .. })));
    drop(guard);
    let _guard = disk.lock(folder).unwrap();
    assert!(disk.list(folder).unwrap().is_empty());
    let (b, a) = (folder.join("b"), folder.join("a"));
    let file = disk.create(&b).unwrap();
    file.write_all(b"one").unwrap();
    file.sync().unwrap();
    disk.append(&b).unwrap().write_all(b" two").unwrap();
    disk.create(&a).unwrap();
    disk.sync_folder(folder).unwrap();
    assert_eq!(disk.list(folder).unwrap(), ["a", "b"]);
    assert_eq!(contents(disk, &b), b"one two");
    let mut rest = String::new();
    disk.read(&b, 4).unwrap().read_to_string(&mut rest).unwrap();
    assert_eq!(rest, "two");
    assert_eq!(disk.size(&b).unwrap(), 7);
    let file = disk.append(&b).unwrap();
    disk.extend(&b, 12).unwrap().sync().unwrap();
    assert_eq!(contents(disk, &b), b"one two\0\0\0\0\0");
    file.write_all(b" three").unwrap();
    file.write_all(b" ").unwrap();
    assert_eq!(contents(disk, &b), b"one two three ");
    disk.truncate(&b, 2).unwrap();
    assert_eq!(contents(disk, &b), b"on");
    disk.rename(&b, &a).unwrap();
    assert_eq!(disk.list(folder).unwrap(), ["a"]);
    assert_eq!(contents(disk, &a), b"on");
    disk.create(&a).unwrap();
    assert_eq!(disk.size(&a).unwrap(), 0);
    disk.remove(&a).unwrap();
    let error = disk.remove(&a).unwrap_err();
    assert!(matches!(error, Error::Io { .. }));
    assert!(error.to_string().starts_with(&a.display().to_string()), "{error}");
    assert!(disk.append(&a).is_err() && disk.read(&a, 0).is_err() && disk.size(&a).is_err());
}

#[test]
fn all_disks_behave_alike() {
    let folder = std::env::temp_dir().join(format!("helenus-disk-{}", std::process::id()));
    check_disk(&SystemDisk, &folder.join("deep"));
    #[cfg(unix)]
    {
        let mode = std::fs::metadata(&folder).unwrap().permissions();
        assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777, 0o700);
    }
    std::fs::remove_dir_all(&folder).unwrap();
    check_disk(&MemoryDisk::new(), Path::new("data"));
    let plan = FaultPlan { write_at_most: Some(1), ..FaultPlan::default() };
    check_disk(&FaultyDisk::new(Arc::new(MemoryDisk::new()), plan), Path::new("data"));
}

#[test]
fn a_crash_leaves_what_was_synced() {
    let disk = MemoryDisk::new();
    let folder = Path::new("data");
    disk.create_folder(folder).unwrap();
    let path = folder.join("a");
    let file = disk.create(&path).unwrap();
    file.write_all(b"synced").unwrap();
    file.sync().unwrap();
    assert!(disk.crash().list(folder).unwrap().is_empty());
    disk.sync_folder(folder).unwrap();
    file.write_all(b" and not").unwrap();
    assert_eq!(contents(&disk.crash(), &path), b"synced");
    assert_eq!(contents(&disk.kill(), &path), b"synced and not");
    let torn: Vec<_> = (0..50).map(|seed| disk.crash_torn(seed).size(&path).unwrap()).collect();
    assert!(torn.iter().all(|size| (6..=14).contains(size)));
    assert!(torn.contains(&6) && torn.contains(&14) && torn.contains(&9));
    disk.rename(&path, &folder.join("b")).unwrap();
    assert_eq!(disk.crash().list(folder).unwrap(), ["a"]);
    let killed = disk.kill();
    assert_eq!(killed.list(folder).unwrap(), ["b"]);
    assert_eq!(contents(&killed.crash(), &path), b"synced");
    killed.append(&folder.join("b")).unwrap().sync().unwrap();
    assert_eq!(contents(&killed.crash(), &path), b"synced and not");
    assert_eq!(contents(&disk.crash(), &path), b"synced");
}

/// What replaces zeros survives in any part, what makes a file longer only from the start.
#[test]
fn a_crash_tears_what_replaces_zeros() {
    let disk = MemoryDisk::new();
    let (folder, path) = (Path::new("data"), Path::new("data/a"));
    disk.create_folder(folder).unwrap();
    let file = disk.create(path).unwrap();
    file.write_all(&[1; 10]).unwrap();
    disk.extend(path, 74).unwrap().sync().unwrap();
    disk.sync_folder(folder).unwrap();
    file.write_all(&[2; 80]).unwrap();
    let zeros = [&[1; 10][..], &[0; 64]].concat();
    assert_eq!(contents(&disk.crash(), path), zeros);
    let mut has_hole = false;
    for seed in 0..50 {
        let torn = contents(&disk.crash_torn(seed), path);
        assert_eq!(torn[..10], [1; 10]);
        assert!(torn[74..].iter().all(|byte| *byte == 2));
        has_hole |= torn[10] == 0 && torn[30] == 2 && torn[45] == 0;
    }
    assert!(has_hole);
    file.sync().unwrap();
    assert_eq!(contents(&disk.crash(), path), [&[1; 10][..], &[2; 80]].concat());
}

#[test]
fn faults_come_as_planned() {
    let folder = Path::new("data");
    let start = |plan| {
        let memory = MemoryDisk::new();
        memory.create_folder(folder).unwrap();
        let disk = FaultyDisk::new(Arc::new(memory.clone()), plan);
        (memory, disk.create(&folder.join("a")).unwrap())
    };
    let (memory, file) = start(FaultPlan { fail_write: Some(1), ..FaultPlan::default() });
    file.write_all(b"abcd").unwrap();
    assert!(file.write_all(b"efgh").is_err());
    assert_eq!(contents(&memory, &folder.join("a")), b"abcdef");
    let (_, file) = start(FaultPlan { fail_sync: Some(1), ..FaultPlan::default() });
    assert!(file.sync().is_ok() && file.sync().is_err() && file.sync().is_ok());
    let (memory, file) = start(FaultPlan { room: Some(5), ..FaultPlan::default() });
    let error = file.write_all(b"abcdefgh").unwrap_err();
    assert_eq!(error.to_string(), "data/a: no space left on device");
    assert_eq!(contents(&memory, &folder.join("a")), b"abcde");
}
