//! The files of a data directory: who may read them, what else may be there, what recovery reports.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use storage::commit_log::LogOptions;
use storage::disk::{Disk, MemoryDisk, SystemDisk};
use storage::{DataDirectory, RecoveryWarning};

use crate::{Database, Options, Parameters};

fn open(disk: Arc<dyn Disk>, folder: &Path) -> crate::Result<Database> {
    let log = LogOptions::default();
    let directory = Some(DataDirectory { disk, folder: folder.to_owned(), log });
    Database::open(Options { directory, ..Options::default() })
}

/// A folder of the machine, removed at the end.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("helenus-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for TestFolder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(unix)]
#[test]
fn files_and_folders_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let top = TestFolder::new("private");
    let folder = top.0.join("data");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let database = open(Arc::new(SystemDisk), &folder).unwrap();
    database.checkpoint().unwrap();
    assert!(database.recovery().unwrap().warnings.is_empty());
    drop(database);
    assert_eq!(mode(&folder), 0o700);
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        assert_eq!(mode(&entry.unwrap().path()), 0o600);
        files += 1;
    }
    assert_eq!(files, 3, "lock, checkpoint and segment");
    std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(0o755)).unwrap();
    let database = open(Arc::new(SystemDisk), &folder).unwrap();
    let wide = RecoveryWarning::WidePermissions { folder, mode: 0o755 };
    assert_eq!(database.recovery().unwrap().warnings, [wide]);
}

#[test]
fn a_folder_of_others_is_refused() {
    let folder = TestFolder::new("foreign");
    std::fs::create_dir(folder.0.join("src")).unwrap();
    let refusal = open(Arc::new(SystemDisk), &folder.0).unwrap_err();
    assert_eq!(
        refusal.message,
        format!(
            "{} contains 'src', which is not a file of Helenus: name an empty or new directory",
            folder.0.display()
        )
    );
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1, "nothing is written there");
    std::fs::remove_dir(folder.0.join("src")).unwrap();
    drop(open(Arc::new(SystemDisk), &folder.0).unwrap());
    // A file that was added later does no harm.
    std::fs::write(folder.0.join("README"), "ours").unwrap();
    drop(open(Arc::new(SystemDisk), &folder.0).unwrap());
}

#[test]
fn recovery_reports_what_it_cut_off() {
    let (disk, folder) = (MemoryDisk::new(), Path::new("/data"));
    drop(open(Arc::new(disk.clone()), folder).unwrap());
    let file = folder.join("commitlog-00000000000000000001.log");
    let whole = disk.size(&file).unwrap();
    disk.append(&file).unwrap().write_all(&[1; 17]).unwrap();
    let database = open(Arc::new(disk.clone()), folder).unwrap();
    let report = database.recovery().unwrap();
    assert_eq!(report.log_bytes, whole - 32);
    let cut = RecoveryWarning::CutTail { file, offset: whole, bytes: 17 };
    assert_eq!(report.warnings, std::slice::from_ref(&cut));
    assert_eq!(
        cut.to_string(),
        format!(
            "/data/commitlog-00000000000000000001.log ended in an incomplete record: 17 bytes at offset {whole} were removed"
        )
    );
    drop(database);
    assert!(open(Arc::new(disk), folder).unwrap().recovery().unwrap().warnings.is_empty());
}

#[test]
fn a_file_of_a_newer_version_is_named() {
    let (disk, folder) = (MemoryDisk::new(), Path::new("/data"));
    drop(open(Arc::new(disk.clone()), folder).unwrap());
    let file = folder.join("commitlog-00000000000000000001.log");
    let mut header = b"HELENLOG\0\0\0\x09\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0".to_vec();
    header.extend(crc32(&header).to_be_bytes());
    disk.create(&file).unwrap().write_all(&header).unwrap();
    let refusal = open(Arc::new(disk.clone()), folder).unwrap_err();
    assert_eq!(
        refusal.message,
        "/data/commitlog-00000000000000000001.log was written by a newer version of Helenus: its format is 9, and this version reads 2"
    );
    assert_eq!(disk.size(&file).unwrap(), 32, "it is left as it is");
}

/// The checksum of the files, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes
        .iter()
        .fold(u32::MAX, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc)))
}

#[test]
fn the_log_is_counted_from_what_is_there() {
    let (disk, folder) = (MemoryDisk::new(), Path::new("/data"));
    let database = open(Arc::new(disk.clone()), folder).unwrap();
    let mut session = database.session();
    let parameters = Parameters::default();
    for text in [
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE k.t (a int PRIMARY KEY, v text)",
    ] {
        session.query(text, &parameters).unwrap();
    }
    let text = "x".repeat(1 << 20);
    for _ in 0..5 {
        let insert = format!("INSERT INTO k.t (a, v) VALUES (1, '{text}')");
        session.query(&insert, &parameters).unwrap();
    }
    drop(session);
    database.close().unwrap();
    let is_checkpoint = |name: &String| name.starts_with("checkpoint-");
    let has_checkpoint = || disk.list(folder).unwrap().iter().any(is_checkpoint);
    assert!(!has_checkpoint(), "5 MB are replayed quickly");
    drop(database);
    let database = open(Arc::new(disk.clone()), folder).unwrap();
    assert!(database.recovery().unwrap().log_bytes > 5 << 20);
    let mut session = database.session();
    for _ in 0..4 {
        let insert = format!("INSERT INTO k.t (a, v) VALUES (1, '{text}')");
        session.query(&insert, &parameters).unwrap();
    }
    drop(session);
    database.close().unwrap();
    assert!(has_checkpoint(), "9 MB of two runs are worth a checkpoint");
    drop(database);
    assert!(open(Arc::new(disk.clone()), folder).unwrap().recovery().unwrap().log_bytes < 1 << 20);
}
