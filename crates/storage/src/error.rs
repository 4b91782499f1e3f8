//! What can go wrong with stored bytes.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Why something could not be kept or read. Its text is one sentence that names the file.
#[derive(Debug)]
pub enum Error {
    /// The operating system refused.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// The disk has no room left.
    Full {
        /// The file that could not grow.
        path: PathBuf,
    },
    /// Bytes are not those that were written.
    Corrupt {
        /// The file.
        file: PathBuf,
        /// Where in it, from 0.
        offset: u64,
        /// What is wrong there.
        what: String,
    },
    /// Another process holds the folder.
    Locked {
        /// The folder.
        path: PathBuf,
    },
    /// The commit log failed earlier and accepts nothing until it is opened again.
    Failed {
        /// The first failure.
        reason: String,
    },
    /// A record that no file can hold.
    TooLarge {
        /// Its bytes.
        length: usize,
    },
    /// A record arrived whole but says nothing known. Whoever reads the file turns it into [`Error::Corrupt`].
    Unreadable {
        /// What is wrong with it.
        what: String,
    },
}

impl Error {
    /// What the operating system said of a path.
    pub fn io(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::Full { path: path.to_owned() }
            }
            _ => Self::Io { path: path.to_owned(), source },
        }
    }

    /// Bytes of a file that are not what was written.
    pub fn corrupt(file: &Path, offset: u64, what: impl Into<String>) -> Self {
        Self::Corrupt { file: file.to_owned(), offset, what: what.into() }
    }

    /// The same error, with its place in a file if it had none.
    #[must_use]
    pub fn with_location(self, file: &Path, offset: u64) -> Self {
        match self {
            Self::Unreadable { what } => Self::corrupt(file, offset, what),
            other => other,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { path, source } => write!(f, "{}: {source}", path.display()),
            Self::Full { path } => write!(f, "{}: no space left on the disk", path.display()),
            Self::Corrupt { file, offset, what } => {
                write!(f, "{} is damaged at offset {offset}: {what}", file.display())
            }
            Self::Locked { path } => {
                write!(f, "{} is in use by another process", path.display())
            }
            Self::Failed { reason } => {
                write!(f, "the commit log accepts no more writes, since it failed before: {reason}")
            }
            Self::TooLarge { length } => {
                write!(f, "a record of {length} bytes is too large to be stored")
            }
            Self::Unreadable { what } => write!(f, "a record cannot be read: {what}"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}
