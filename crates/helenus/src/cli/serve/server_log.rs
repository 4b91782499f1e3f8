//! The log of the server: standard error or a file, as text or as JSON.

use std::io;

use tracing::Level;

use super::log_writer::{FlushedOnDrop, LogWriter};
use super::{LogFormat, ServeArguments};
use crate::outcome::Failure;

/// Writes events to the log from now on, the last ones when the result is dropped.
pub(super) fn start(arguments: &ServeArguments) -> Result<FlushedOnDrop, Failure> {
    let writer = match &arguments.log {
        None => LogWriter::start(io::stderr()),
        Some(path) => {
            let file = regular_file::append(path);
            LogWriter::start(file.map_err(|error| Failure::unwritable_file(path, &error))?)
        }
    }?;
    let level = if arguments.verbose { Level::DEBUG } else { Level::WARN };
    let events = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_target(false)
        .with_ansi(false)
        .with_writer(writer.clone());
    match arguments.log_format.unwrap_or(LogFormat::Text) {
        LogFormat::Text => events.init(),
        LogFormat::Json => events.json().flatten_event(true).init(),
    }
    Ok(FlushedOnDrop(writer))
}
