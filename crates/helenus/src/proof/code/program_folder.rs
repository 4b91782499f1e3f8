//! The folder in which the program of a proof is built.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::outcome::{Failure, Outcome};

/// Names that are tried.
const TRIES_MAX: usize = 1_000;

/// A temporary folder of this process, removed when this is dropped.
pub(super) struct ProgramFolder {
    path: PathBuf,
}

impl ProgramFolder {
    /// Creates it, empty.
    pub(super) fn create() -> Result<Self, Failure> {
        let mut number = 0;
        loop {
            let name = format!("helenus-code-{}-{number}", std::process::id());
            let path = std::env::temp_dir().join(name);
            // It must be new: one of this name may be of another user, or of a killed process.
            match fs::create_dir(&path) {
                Ok(()) => return Ok(Self { path }),
                Err(error) if error.kind() == ErrorKind::AlreadyExists && number < TRIES_MAX => {
                    number += 1;
                }
                Err(error) => {
                    let message = format!("cannot create {}: {error}", path.display());
                    return Err(Failure::Stopped(Outcome::EnvironmentFailed, message));
                }
            }
        }
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for ProgramFolder {
    fn drop(&mut self) {
        // What cannot be removed is left to the system's own cleaning of temporary files.
        let _ = fs::remove_dir_all(&self.path);
    }
}
