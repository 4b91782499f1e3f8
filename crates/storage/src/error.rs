//! [`Error`]: failures of the disk, and files that cannot be read back.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::format_version::VERSION;

/// Why something could not be stored or read. Its text is one sentence that names the file.
#[derive(Debug)]
pub enum Error {
    /// An operation failed in the operating system.
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The disk is full.
    Full {
        /// The file that could not grow.
        path: PathBuf,
    },
    /// A file does not contain what was written.
    Corrupt {
        /// The path of the file.
        file: PathBuf,
        /// The offset of the damage in bytes.
        offset: u64,
        /// A clause that describes the damage.
        what: String,
    },
    /// A newer version of Helenus wrote a file.
    NewerVersion {
        /// The path of the file.
        file: PathBuf,
        /// The version of its format.
        version: u32,
    },
    /// A folder for a new store has files of others.
    Foreign {
        /// The path of the folder.
        folder: PathBuf,
        /// The name of one of the files.
        name: String,
    },
    /// Another process holds the lock of the folder.
    Locked {
        /// The path of the folder.
        path: PathBuf,
    },
    /// The tables and the schema have reached the limit of their memory.
    OutOfMemory {
        /// The bytes that they occupy.
        used: u64,
        /// The limit in bytes.
        limit: u64,
    },
    /// The commit log failed earlier and accepts no writes until it is opened again.
    Failed {
        /// The text of the first failure.
        reason: String,
    },
    /// A record is longer than its length field can express.
    TooLarge {
        /// The length of the record in bytes.
        length: usize,
    },
    /// A record has a valid checksum but cannot be decoded. The reader of the file turns it into
    /// [`Error::Corrupt`].
    Unreadable {
        /// A noun phrase that describes the record.
        what: String,
    },
}

impl Error {
    /// An error of the operating system for a path.
    pub fn io(path: &Path, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::Full { path: path.to_owned() }
            }
            _ => Self::Io { path: path.to_owned(), source },
        }
    }

    /// Damage in a file.
    pub(crate) fn corrupt(file: &Path, offset: u64, what: impl Into<String>) -> Self {
        Self::Corrupt { file: file.to_owned(), offset, what: what.into() }
    }

    /// The same error, with a file and offset if it has none.
    #[must_use]
    pub(crate) fn with_location(self, file: &Path, offset: u64) -> Self {
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
            Self::Full { path } => write!(f, "{}: no space left on device", path.display()),
            Self::Corrupt { file, offset, what } => {
                write!(f, "{} is corrupt at offset {offset}: {what}", file.display())
            }
            Self::NewerVersion { file, version } => write!(
                f,
                "{} was written by a newer version of Helenus: its format is {version}, and this version reads {VERSION}",
                file.display()
            ),
            Self::Foreign { folder, name } => write!(
                f,
                "{} contains '{name}', which is not a file of Helenus: name an empty or new directory",
                folder.display()
            ),
            Self::Locked { path } => {
                write!(f, "{} is in use by another process", path.display())
            }
            Self::OutOfMemory { used, limit } => write!(
                f,
                "the data and the schema occupy {used} bytes of memory, and the limit is {limit}: delete data, or truncate or drop tables"
            ),
            Self::Failed { reason } => {
                write!(f, "the commit log accepts no writes after an earlier failure: {reason}")
            }
            Self::TooLarge { length } => {
                write!(f, "a record of {length} bytes is too large to store")
            }
            Self::Unreadable { what } => write!(f, "cannot decode a record: {what}"),
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
