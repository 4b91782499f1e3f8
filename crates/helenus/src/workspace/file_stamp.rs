//! Modification times and lengths of files, to notice changes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::choices::Choices;
use super::file_walk::FileWalk;

/// How often files are polled for changes.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// The version of a file: equal stamps mean unchanged content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FileStamp {
    modified: SystemTime,
    length: u64,
}

impl FileStamp {
    /// The stamp of a file; `None` if it cannot be read.
    pub(super) fn read(path: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(path).ok()?;
        Some(Self { modified: metadata.modified().ok()?, length: metadata.len() })
    }
}

/// The stamps of all files of a project.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct FileStamps(BTreeMap<PathBuf, Option<FileStamp>>);

impl FileStamps {
    /// The stamps of the checked files, of the schema and of the configuration.
    pub(crate) fn read(choices: &Choices) -> Self {
        let paths = [choices.schema.as_slice(), &choices.paths].concat();
        let files = FileWalk::from_paths(&paths, false, choices.programs).files.into_iter();
        let paths = files.map(|file| file.path).chain(choices.read.iter().cloned());
        Self(
            paths
                .map(|path| {
                    let stamp = FileStamp::read(&path);
                    (path, stamp)
                })
                .collect(),
        )
    }
}
