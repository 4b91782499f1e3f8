//! [`RecoveryReport`]: what was found when a store was opened.

use std::fmt;
use std::path::PathBuf;

/// What was found when a store was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecoveryReport {
    /// The bytes of the log that were replayed.
    pub log_bytes: u64,
    /// What the owner of the data should know.
    pub warnings: Vec<RecoveryWarning>,
}

/// A warning of a [`RecoveryReport`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RecoveryWarning {
    /// The log ended in an incomplete record, which was cut off.
    CutTail {
        /// The segment of the log.
        file: PathBuf,
        /// The offset at which it now ends.
        offset: u64,
        /// The number of bytes that were cut off.
        bytes: u64,
    },
    /// Other users of the machine can read or change the data.
    WidePermissions {
        /// The data folder.
        folder: PathBuf,
        /// Its permissions.
        mode: u32,
    },
}

impl fmt::Display for RecoveryWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CutTail { file, offset, bytes } => write!(
                f,
                "{} ended in an incomplete record: {bytes} bytes at offset {offset} were removed",
                file.display()
            ),
            Self::WidePermissions { folder, mode } => write!(
                f,
                "{} can be accessed by other users (its mode is {mode:o}); restrict it with chmod 700",
                folder.display()
            ),
        }
    }
}
