//! Writes several files into a folder: all of them, or none.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::outcome::{Failure, Outcome};

/// Writes the files into the folder, creating it and the folders in their names if needed. Each is written under a temporary name;
/// they are renamed only after all of them have been written.
pub(crate) fn write<T: AsRef<[u8]>>(folder: &Path, files: &[(&str, T)]) -> Result<(), Failure> {
    let failed = |path: &Path, error: &io::Error| {
        let message = format!("cannot write {}: {error}", path.display());
        Failure::Stopped(Outcome::EnvironmentFailed, message)
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let hidden = |name: &str| {
        let (parent, file) = name.rsplit_once('/').unwrap_or(("", name));
        folder.join(parent).join(format!(".{file}.{}", std::process::id()))
    };
    let parts: Vec<(PathBuf, PathBuf)> =
        files.iter().map(|(name, _)| (hidden(name), folder.join(name))).collect();
    let remove = |error: Failure| {
        for (part, _) in &parts {
            // Files that were not written yet do not exist: ignore the error.
            let _ = fs::remove_file(part);
        }
        error
    };
    for ((part, whole), (_, content)) in parts.iter().zip(files) {
        if whole.is_dir() {
            let error = io::Error::from(io::ErrorKind::IsADirectory);
            return Err(remove(failed(whole, &error)));
        }
        if let Some(parent) = part.parent() {
            fs::create_dir_all(parent).map_err(|error| remove(failed(parent, &error)))?;
        }
        fs::write(part, content).map_err(|error| remove(failed(whole, &error)))?;
    }
    for (part, whole) in &parts {
        fs::rename(part, whole).map_err(|error| remove(failed(whole, &error)))?;
    }
    Ok(())
}
