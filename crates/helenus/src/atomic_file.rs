//! Replacing files at once: a reader or a crash sees the old content or the new one.

use std::io;
use std::path::Path;

/// Replaces the content of a file, which is made if it is missing.
pub(crate) fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    // A link stays a link: what it points to is replaced.
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut draft = path.clone().into_os_string();
    draft.push(".helenus-tmp");
    std::fs::write(&draft, content)?;
    let replaced =
        keep_permissions(&path, Path::new(&draft)).and_then(|()| std::fs::rename(&draft, &path));
    if replaced.is_err() {
        // The draft is of no use to anybody.
        let _ = std::fs::remove_file(&draft);
    }
    replaced
}

fn keep_permissions(path: &Path, draft: &Path) -> io::Result<()> {
    match std::fs::metadata(path) {
        Ok(known) => std::fs::set_permissions(draft, known.permissions()),
        Err(_) => Ok(()),
    }
}
