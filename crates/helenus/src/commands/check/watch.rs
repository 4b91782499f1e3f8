//! `--watch`: checking again when a file changes.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::CheckArguments;
use crate::outcome::{Failure, Outcome};
use crate::workspace::choices::Choices;
use crate::workspace::file_walk::FileWalk;

/// How often files are looked at.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// When files were changed last, and their lengths.
type FileStamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Checks, and checks again with every change, until the process is ended.
pub(super) fn run(arguments: &CheckArguments, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut told = String::new();
    loop {
        let choices = match Choices::from_arguments(arguments) {
            Ok(choices) => choices,
            Err(Failure::Stopped(_, message)) => {
                if message != told {
                    writeln!(out, "error: {message}")?;
                    out.flush()?;
                    told = message;
                }
                thread::sleep(POLL_INTERVAL);
                continue;
            }
            Err(gone) => return Err(gone),
        };
        told.clear();
        let seen = file_stamps(&choices);
        match arguments.check_once(&choices, out) {
            Ok(_) => {}
            Err(Failure::Stopped(_, message)) => writeln!(out, "error: {message}")?,
            Err(gone) => return Err(gone),
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
    let known = std::fs::metadata(path).ok()?;
    Some((known.modified().ok()?, known.len()))
}
