//! `--watch`: checks again whenever a file changes.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::CheckArguments;
use crate::outcome::{Failure, Outcome};
use crate::workspace::choices::Choices;
use crate::workspace::file_walk::FileWalk;

/// How often the files are polled for changes.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// The modification time and the length of each file.
type FileStamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Checks, and checks again after every change, until the process is terminated.
pub(super) fn run(arguments: &CheckArguments, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut last_error = String::new();
    loop {
        let choices = match Choices::from_arguments(arguments) {
            Ok(choices) => choices,
            Err(Failure::Stopped(_, message)) => {
                if message != last_error {
                    writeln!(out, "error: {message}")?;
                    out.flush()?;
                    last_error = message;
                }
                thread::sleep(POLL_INTERVAL);
                continue;
            }
            Err(broken_pipe) => return Err(broken_pipe),
        };
        last_error.clear();
        let seen = file_stamps(&choices);
        match arguments.check_once(&choices, out) {
            Ok(_) => {}
            Err(Failure::Stopped(_, message)) => writeln!(out, "error: {message}")?,
            Err(broken_pipe) => return Err(broken_pipe),
        }
        writeln!(out, "-- waiting for changes --")?;
        out.flush()?;
        while file_stamps(&choices) == seen {
            thread::sleep(POLL_INTERVAL);
        }
    }
}

fn file_stamps(choices: &Choices) -> FileStamps {
    let paths = [choices.schema.as_slice(), &choices.paths].concat();
    let files = FileWalk::from_paths(&paths, false, choices.programs)
        .files
        .into_iter()
        .map(|file| file.path);
    files
        .chain(choices.read.iter().cloned())
        .map(|path| {
            let stamp = file_stamp(&path);
            (path, stamp)
        })
        .collect()
}

fn file_stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}
