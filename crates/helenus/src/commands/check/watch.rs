//! `--watch`: checking again when a file changes.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use super::Check;
use crate::outcome::{Failure, Outcome};
use crate::workspace::choices::Choices;
use crate::workspace::walking::Walk;

/// How often files are looked at.
const PAUSE: Duration = Duration::from_millis(300);

/// When files were changed last, and their lengths.
type Stamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

/// Checks, and checks again with every change, until the process is ended.
pub(super) fn run(arguments: &Check, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut told = String::new();
    loop {
        let choices = match Choices::of(arguments) {
            Ok(choices) => choices,
            Err(Failure::Stopped(_, message)) => {
                if message != told {
                    writeln!(out, "error: {message}")?;
                    out.flush()?;
                    told = message;
                }
                thread::sleep(PAUSE);
                continue;
            }
            Err(gone) => return Err(gone),
        };
        told.clear();
        let seen = stamps(&choices);
        match arguments.once(&choices, out) {
            Ok(_) => {}
            Err(Failure::Stopped(_, message)) => writeln!(out, "error: {message}")?,
            Err(gone) => return Err(gone),
        }
        writeln!(out, "-- waiting for changes --")?;
        out.flush()?;
        while stamps(&choices) == seen {
            thread::sleep(PAUSE);
        }
    }
}

fn stamps(choices: &Choices) -> Stamps {
    let paths = [choices.schema.as_slice(), &choices.paths].concat();
    let files = Walk::of(&paths, false, choices.programs).files.into_iter().map(|file| file.path);
    files
        .chain(choices.read.iter().cloned())
        .map(|path| {
            let stamp = stamp(&path);
            (path, stamp)
        })
        .collect()
}

fn stamp(path: &Path) -> Option<(SystemTime, u64)> {
    let known = std::fs::metadata(path).ok()?;
    Some((known.modified().ok()?, known.len()))
}
