//! [`Acknowledger`]: holds back responses to writes until the commit log has them on disk.
//!
//! A thread of its own waits for the log, so that requests go on meanwhile; all responses that
//! arrive during one sync share the next.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use engine::Database;
use storage::commit_log::LogPosition;
use wire::{ErrorKind, ErrorMessage, ProtocolVersion, Response, ResponseHead};

use super::client_connection::ClientConnection;

/// Responses of one connection that wait for the log.
pub(super) struct HeldResponses {
    pub(super) connection: Arc<ClientConnection>,
    pub(super) position: LogPosition,
    pub(super) version: ProtocolVersion,
    /// The stream ids, for the errors that are sent instead if the log fails.
    pub(super) streams: Vec<i16>,
    pub(super) bytes: Vec<u8>,
}

/// Passes responses to the thread that waits for the log.
pub(super) struct Acknowledger(Sender<HeldResponses>);

impl Acknowledger {
    pub(super) fn start(database: Database) -> io::Result<Self> {
        let (sender, receiver) = channel();
        let thread = thread::Builder::new().name("helenus-acknowledge".to_owned());
        thread.spawn(move || acknowledge_all(&database, &receiver))?;
        Ok(Self(sender))
    }

    /// Sends the responses when the log has acknowledged their writes.
    pub(super) fn hold(&self, held: HeldResponses) {
        // The thread lives as long as this sender.
        let _ = self.0.send(held);
    }
}

fn acknowledge_all(database: &Database, receiver: &Receiver<HeldResponses>) {
    while let Ok(first) = receiver.recv() {
        let mut batch = vec![first];
        batch.extend(receiver.try_iter());
        let Some(position) = batch.iter().map(|held| held.position).max() else { continue };
        let outcome = database.acknowledge(position);
        for held in batch {
            match &outcome {
                Ok(()) => held.connection.send(&held.bytes),
                Err(error) => held.refuse(&error.message),
            }
        }
    }
}

impl HeldResponses {
    fn refuse(self, message: &str) {
        let mut out = Vec::new();
        for stream in self.streams {
            let error = ErrorMessage::new(ErrorKind::Server, message);
            Response::Error(error).encode(&ResponseHead::new(self.version, stream), &mut out);
        }
        self.connection.send(&out);
    }
}
