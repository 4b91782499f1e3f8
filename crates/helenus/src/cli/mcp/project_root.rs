//! [`ProjectRoot`]: the folder below which tools read files, and nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use crate::outcome::{Failure, Outcome};
use crate::render::brief::shorten;
use crate::workspace::file_walk;
use crate::workspace::file_walk::FileSelection;

/// The part of a path that messages repeat.
const PATH_BYTES_SHOWN: usize = 200;

/// The working folder of a tool, which it does not leave.
pub(super) struct ProjectRoot {
    /// Its canonical path.
    folder: PathBuf,
}

impl ProjectRoot {
    /// Makes a folder the working folder.
    pub(super) fn enter(folder: &Path) -> Result<Self, Failure> {
        let unreadable = |error| Failure::unreadable_file(folder, &error);
        let folder = folder.canonicalize().map_err(unreadable)?;
        std::env::set_current_dir(&folder).map_err(unreadable)?;
        Ok(Self { folder })
    }

    /// A path below the root, relative to it. Links that lead out of it are refused, and what is
    /// neither a file nor a folder: it may never end.
    pub(super) fn resolve(&self, path: &str) -> Result<PathBuf, Failure> {
        let shown = shorten(path, PATH_BYTES_SHOWN);
        let refuse = |what: String| Failure::Stopped(Outcome::BadInput, what);
        let Some(real) = self.find(path)? else {
            return Err(refuse(format!(
                "{shown} does not exist below the root of the project; pass its text inline, or another path"
            )));
        };
        let is_readable =
            fs::metadata(&real).is_ok_and(|metadata| metadata.is_file() || metadata.is_dir());
        if !is_readable {
            return Err(refuse(format!("{shown} is not a regular file or a directory")));
        }
        let relative = real.strip_prefix(&self.folder).unwrap_or(&real);
        Ok(if relative.as_os_str().is_empty() { PathBuf::from(".") } else { relative.to_owned() })
    }

    /// The canonical form of a path below the root; `None` if it does not exist. What is outside is
    /// not looked at, so that no answer says what exists there.
    fn find(&self, path: &str) -> Result<Option<PathBuf>, Failure> {
        let is_below = |path: &Path| path.starts_with(&self.folder);
        let joined = self.folder.join(path);
        let real = if is_below(&normalize(&joined)) { joined.canonicalize().ok() } else { None };
        let is_outside =
            !is_below(&normalize(&joined)) || real.as_deref().is_some_and(|real| !is_below(real));
        if is_outside {
            let message = format!(
                "{} is outside of the project; name files below its root, relative to it",
                shorten(path, PATH_BYTES_SHOWN)
            );
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        Ok(real)
    }

    /// Paths below the root. The files of folders are looked at as well: a link may lead out.
    pub(super) fn resolve_all(
        &self,
        paths: &[&str],
        selection: FileSelection,
    ) -> Result<Vec<PathBuf>, Failure> {
        let paths =
            paths.iter().map(|path| self.resolve(path)).collect::<Result<Vec<_>, Failure>>()?;
        if paths.is_empty() {
            return Ok(paths);
        }
        for file in file_walk::list_files(&paths, selection)? {
            self.resolve(&file.to_string_lossy())?;
        }
        Ok(paths)
    }

    /// Refuses paths, as configurations name them, that lead out of the root.
    pub(super) fn check_paths<'p>(
        &self,
        paths: impl Iterator<Item = &'p PathBuf>,
    ) -> Result<(), Failure> {
        for path in paths {
            self.find(&path.to_string_lossy())?;
        }
        Ok(())
    }
}

/// The path without `.` and `..`, by its text alone.
fn normalize(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_below_the_root_are_resolved() {
        let outer = std::env::temp_dir().join(format!("helenus-root-{}", std::process::id()));
        let folder = outer.join("project");
        fs::create_dir_all(folder.join("sql")).unwrap();
        fs::write(outer.join("secret.sql"), "SELECT 1;").unwrap();
        fs::write(folder.join("sql/a.sql"), "SELECT 1;").unwrap();
        let root = ProjectRoot { folder: folder.canonicalize().unwrap() };
        assert_eq!(root.resolve("sql/a.sql").unwrap(), Path::new("sql/a.sql"));
        assert_eq!(root.resolve("sql/../sql/./a.sql").unwrap(), Path::new("sql/a.sql"));
        assert_eq!(root.resolve("").unwrap(), Path::new("."));
        let message = |path: &str| match root.resolve(path) {
            Err(Failure::Stopped(_, message)) => message,
            other => panic!("{path}: {other:?}"),
        };
        for path in ["../secret.sql", "sql/../../secret.sql", "/etc/passwd", "../nothing", "/"] {
            assert!(message(path).contains("outside of the project"), "{path}");
        }
        assert!(message("nothing.sql").contains("does not exist"));
        assert!(message("a\0b").contains("does not exist"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("../secret.sql", folder.join("link.sql")).unwrap();
            std::os::unix::fs::symlink("..", folder.join("up")).unwrap();
            std::os::unix::fs::symlink("sql/a.sql", folder.join("inner.sql")).unwrap();
            assert!(message("link.sql").contains("outside of the project"));
            assert!(message("up/secret.sql").contains("outside of the project"));
            assert_eq!(root.resolve("inner.sql").unwrap(), Path::new("sql/a.sql"));
        }
        fs::remove_dir_all(&outer).unwrap();
    }
}
