//! Folders as they are attached to public support threads: other versions, rotated and packed logs,
//! no schema.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::{findings, helenus};

/// `nodetool tablehistograms` of 3.11, with the columns in their old order.
const HISTOGRAMS_3_11: &str = "\
chat/messages histograms
Percentile  SSTables     Write Latency      Read Latency    Partition Size        Cell Count
                              (micros)          (micros)           (bytes)                  
50%            14.00             24.60            152.32              1331                50
75%            24.00             35.43            654.95              8239               310
95%            35.00             73.46          14530.76            785939             35425
98%            35.00            105.78          43388.63           9887409            454826
99%            42.00            152.32         129557.75         129557750           5839588
Min             0.00              2.30              5.72                87                 0
Max            42.00         223875.79        1629722.39        1996099046          89970660

";

/// Lines of system.log of 3.11.
const LOG_3_11: &str = "\
WARN  [CompactionExecutor:7] 2021-03-04 02:11:10,101 BigTableWriter.java:184 - Writing large partition chat/messages:room-17 (1.859GiB) to sstable /var/lib/cassandra/data/chat/messages-1/md-17-big-Data.db
WARN  [ReadStage-2] 2021-03-04 02:12:10,101 ReadCommand.java:569 - Read 12 live rows and 5230 tombstone cells for query SELECT * FROM chat.inbox WHERE user_id = 42 LIMIT 100 (see tombstone_warn_threshold)
ERROR [ReadStage-3] 2021-03-04 02:13:10,101 StorageProxy.java:1900 - Scanned over 100001 tombstones during query 'SELECT * FROM chat.inbox WHERE user_id = 43 LIMIT 100' (last scanned row partion key was ((43), 7)); query aborted
WARN  [Native-Transport-Requests-1] 2021-03-04 02:14:10,101 BatchStatement.java:303 - Batch for [chat.messages] is of size 11.482KiB, exceeding specified threshold of 5.000KiB by 6.482KiB.
INFO  [Service Thread] 2021-03-04 02:15:10,101 GCInspector.java:284 - ConcurrentMarkSweep GC in 7210ms.  CMS Old Gen: 6442450944 -> 1288490188; Par Eden Space: 671088640 -> 0; 
INFO  [ScheduledTasks:1] 2021-03-04 02:16:10,101 MessagingService.java:1281 - MUTATION messages were dropped in last 5000 ms: 120 internal and 30 cross node. Mean internal dropped latency: 2741 ms and Mean cross-node dropped latency: 5087 ms
";

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("helenus-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn check(folder: &Path, expected: &[(&str, &str)]) {
    let output = helenus(&["doctor", &folder.to_string_lossy(), "--json"]);
    let found = findings(&output);
    for (code, table) in expected {
        assert!(
            found.contains(&((*code).to_owned(), (*table).to_owned())),
            "{code} {table} is missing in {found:?}"
        );
    }
    assert!(!String::from_utf8_lossy(&output.stdout).contains("room-17"), "a key is shown");
    fs::remove_dir_all(folder).expect("it is ours");
}

/// What the files above report.
const EXPECTED: [(&str, &str); 5] = [
    ("DR001", "chat.messages"),
    ("DR020", "chat.inbox"),
    ("DR061", "chat.messages"),
    ("DR101", ""),
    ("DR100", ""),
];

#[test]
fn a_folder_of_3_11_is_diagnosed() {
    let folder = folder("support-plain");
    let node = folder.join("10.1.2.3");
    fs::create_dir_all(node.join("logs")).expect("a folder");
    fs::write(node.join("cfhistograms.out"), HISTOGRAMS_3_11).expect("a file");
    fs::write(node.join("logs/system.log"), LOG_3_11).expect("a file");
    let mut expected = EXPECTED.to_vec();
    expected.push(("DR080", "chat.messages"));
    check(&folder, &expected);
}

#[test]
fn rotated_logs_are_unpacked() {
    let folder = folder("support-gz");
    let file = File::create(folder.join("system.log.1.gz")).expect("a file");
    let mut packed = GzEncoder::new(file, Compression::fast());
    packed.write_all(LOG_3_11.as_bytes()).and_then(|()| packed.finish().map(drop)).expect("a log");
    check(&folder, &EXPECTED);
}

#[test]
fn archives_are_read() {
    let folder = folder("support-zip");
    let content = LOG_3_11.as_bytes();
    fs::write(folder.join("diag.zip"), zip("node7/logs/system.log", content)).expect("an archive");
    check(&folder, &EXPECTED);
}

/// An archive with one file that is stored as it is.
#[expect(clippy::little_endian_bytes, reason = "the numbers of the format")]
fn zip(name: &str, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("a short file").to_le_bytes();
    let name_length = u16::try_from(name.len()).expect("a short name").to_le_bytes();
    let facts = [&[0; 10][..], &[0; 4], &length, &length, &name_length].concat();
    let mut bytes =
        [b"PK\x03\x04", &[20, 0][..], &facts[2..], &[0, 0], name.as_bytes(), content].concat();
    let start = u32::try_from(bytes.len()).expect("a short archive").to_le_bytes();
    let entry =
        [b"PK\x01\x02", &[20, 0, 20, 0][..], &facts[2..], &[0; 12], &[0; 4], name.as_bytes()];
    let entry = entry.concat();
    let size = u32::try_from(entry.len()).expect("a short entry").to_le_bytes();
    bytes.extend(entry);
    bytes.extend([b"PK\x05\x06", &[0; 4][..], &[1, 0, 1, 0], &size, &start, &[0, 0]].concat());
    bytes
}

#[test]
fn damaged_archives_are_recorded() {
    let folder = folder("support-damaged");
    fs::write(folder.join("a.zip"), b"PK\x05\x06 and nothing else").expect("a file");
    fs::write(folder.join("b.gz"), b"no gzip").expect("a file");
    let output = helenus(&["doctor", &folder.to_string_lossy()]);
    let shown = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{shown}");
    assert!(shown.contains("a.zip: the archive has"), "{shown}");
    assert!(shown.contains("nothing was examined"), "{shown}");
    fs::remove_dir_all(folder).expect("it is ours");
}
