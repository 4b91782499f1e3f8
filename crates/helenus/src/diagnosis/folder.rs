//! Snapshots of what was collected from a cluster: files, and folders of them.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use doctor::Snapshot;
use doctor::snapshot::SourceRecord;
use doctor::source::Collector;

use super::archive;

/// Folders within folders.
const DEPTH_MAX: usize = 12;
/// Files that are read.
const FILES_MAX: usize = 100_000;
/// Names of folders that say what is in them, not from which node it is.
const GENERIC_FOLDERS: [&str; 22] = [
    "agent",
    "cassandra",
    "conf",
    "config",
    "cql",
    "cqlsh",
    "data",
    "debug",
    "diagnostics",
    "dse",
    "etc",
    "gc",
    "gclogs",
    "log",
    "logs",
    "metrics",
    "nodes",
    "nodetool",
    "os",
    "schema",
    "system",
    "var",
];

/// Reads files and folders into a snapshot.
pub(crate) fn read_folder(
    paths: &[PathBuf],
    show: &mut dyn FnMut(&str, u64, u64),
) -> Result<Snapshot, (PathBuf, std::io::Error)> {
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    for path in paths {
        let metadata = std::fs::metadata(path).map_err(|error| (path.clone(), error))?;
        if metadata.is_dir() {
            list_files(path, "", 0, &mut files).map_err(|error| (path.clone(), error))?;
        } else {
            regular_file::check(&metadata).map_err(|error| (path.clone(), error))?;
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.push((path.clone(), name));
        }
    }
    files.sort();
    files.truncate(FILES_MAX);
    let mut collector = Collector::new();
    let mut problems = Vec::new();
    let total = files.len() as u64;
    for (at, (path, name)) in files.iter().enumerate() {
        show(name, at as u64, total);
        let read = archive::open(path, name, &mut |name, stream| {
            collector.read(name, &node_name(name), stream);
        });
        if let Err(error) = read {
            let node = node_name(name);
            let problem = Some(error.to_string());
            problems.push(SourceRecord { name: name.clone(), node, kind: None, problem });
        }
    }
    let mut snapshot = collector.finish();
    snapshot.sources.append(&mut problems);
    Ok(snapshot)
}

/// Lists the files below a folder with their names in it; links are not followed.
fn list_files(
    folder: &Path,
    prefix: &str,
    depth: usize,
    files: &mut Vec<(PathBuf, String)>,
) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let shown = if prefix.is_empty() { name } else { format!("{prefix}/{name}") };
        let kind = entry.file_type()?;
        if kind.is_dir() && depth < DEPTH_MAX {
            list_files(&entry.path(), &shown, depth + 1, files)?;
        } else if kind.is_file() && files.len() < FILES_MAX {
            files.push((entry.path(), shown));
        }
    }
    Ok(())
}

/// The node that a file is from: an address in its path, else the first folder with a name of its
/// own; empty if there is none.
fn node_name(name: &str) -> String {
    let parts: Vec<&str> = name.split('/').collect();
    let (file, folders) = parts.split_last().map_or(("", &[][..]), |(file, rest)| (*file, rest));
    let address = folders.iter().copied().chain([file]).find_map(find_address);
    if let Some(address) = address {
        return address.to_owned();
    }
    let is_own = |folder: &&&str| {
        let lower = folder.to_ascii_lowercase();
        let is_archive = lower.rsplit_once('.').is_some_and(|(_, ending)| ending == "zip");
        !GENERIC_FOLDERS.contains(&lower.as_str()) && !is_archive
    };
    folders.iter().find(is_own).map(|folder| (*folder).to_owned()).unwrap_or_default()
}

/// An IP address within a name: `tablestats-10.0.0.1.txt`.
fn find_address(name: &str) -> Option<&str> {
    let is_part = |c: char| c.is_ascii_digit() || c == '.';
    let mut words = name.split(|c: char| !is_part(c)).map(|word| word.trim_matches('.'));
    words.find(|word| word.parse::<IpAddr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::node_name;

    #[test]
    fn nodes_are_named_by_addresses_or_folders() {
        assert_eq!(node_name("system.log"), "");
        assert_eq!(node_name("tablestats-10.0.0.1.txt"), "10.0.0.1");
        assert_eq!(node_name("nodes/10.0.0.2/logs/cassandra/system.log"), "10.0.0.2");
        assert_eq!(node_name("cass-3/logs/system.log"), "cass-3");
        assert_eq!(node_name("logs/system.log.3"), "");
        assert_eq!(node_name("all.zip/node7/system.log"), "node7");
    }
}
