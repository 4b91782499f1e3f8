//! How generated code differs from the files of a folder.

use std::io::{self, Write};
use std::path::Path;

use codegen::GeneratedCode;

use crate::outcome::Failure;
use crate::render::unified_diff;

/// A file that is not as it would be written.
pub(crate) struct FileChange<'a> {
    path: &'a str,
    /// The content; `None` where there is no such file.
    before: Option<String>,
    after: &'a str,
}

/// The files that differ, in the order of the code.
pub(crate) fn find_changes<'a>(
    folder: &Path,
    code: &'a GeneratedCode,
) -> Result<Vec<FileChange<'a>>, Failure> {
    let mut changes = Vec::new();
    for file in &code.files {
        let path = folder.join(&file.path);
        let before = match regular_file::read_to_string(&path) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::unreadable_file(&path, &error)),
        };
        if before.as_deref() != Some(file.text.as_str()) {
            changes.push(FileChange { path: &file.path, before, after: &file.text });
        }
    }
    Ok(changes)
}

impl FileChange<'_> {
    /// One line about it.
    pub(crate) fn summary(&self) -> String {
        let word = if self.before.is_none() { "missing" } else { "differs" };
        format!("{word}: {}", self.path)
    }

    /// Writes the change as `diff -u` shows it.
    pub(crate) fn write_diff(&self, out: &mut dyn Write) -> io::Result<()> {
        unified_diff::write(self.path, self.before.as_deref().unwrap_or_default(), self.after, out)
    }
}
