//! Atomic replacement of files: a reader, or a restart after a crash, sees the old content or the
//! new.

use std::io;
use std::path::Path;

/// Replaces the content of a file, creating it if needed. What is no file is not replaced.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    regular_file::check_output(path)?;
    // A symbolic link stays one: its target is replaced.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut draft = path.clone().into_os_string();
    draft.push(".helenus-tmp");
    std::fs::write(&draft, content)?;
    let replaced =
        keep_permissions(&path, Path::new(&draft)).and_then(|()| std::fs::rename(&draft, &path));
    if replaced.is_err() {
        // The rename failed; the draft must not stay behind.
        let _ = std::fs::remove_file(&draft);
    }
    replaced
}

fn keep_permissions(path: &Path, draft: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(metadata) => std::fs::set_permissions(draft, metadata.permissions()),
        Err(_) => Ok(()),
    }
}
