//! Writes several files into a folder: all of them, or none.

use std::fs;
use std::path::{Path, PathBuf};

use crate::outcome::Failure;

/// Fails if there can be no such folder, before the work whose results belong there.
pub(crate) fn check(folder: &Path) -> Result<(), Failure> {
    regular_file::check_folder(folder).map_err(|error| Failure::unwritable_file(folder, &error))
}

/// Writes the files into the folder, creating it and the folders in their names if needed. Each is written under a temporary name;
/// they are renamed only after all of them have been written.
pub(crate) fn write<T: AsRef<[u8]>>(folder: &Path, files: &[(&str, T)]) -> Result<(), Failure> {
    let failed = Failure::unwritable_file;
    check(folder)?;
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
        regular_file::check_output(whole).map_err(|error| remove(failed(whole, &error)))?;
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
