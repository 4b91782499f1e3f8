//! [`ResponseBuffers`]: encoded responses that are sent together, apart from those that wait for
//! the commit log.

use std::sync::Arc;

use storage::commit_log::LogPosition;
use wire::ResponseHead;

use super::acknowledger::HeldResponses;
use super::client_connection::ClientConnection;

/// The responses of a thread to requests of one connection.
#[derive(Default)]
pub(super) struct ResponseBuffers {
    bytes: Vec<u8>,
    held: Vec<u8>,
    /// The stream ids of held responses.
    streams: Vec<i16>,
    position: Option<LogPosition>,
    version: Option<wire::ProtocolVersion>,
}

impl ResponseBuffers {
    /// The buffer for a response, which is held until the log has acknowledged the position.
    pub(super) fn buffer(
        &mut self,
        head: &ResponseHead<'_>,
        position: Option<LogPosition>,
    ) -> &mut Vec<u8> {
        if position.is_none() {
            return &mut self.bytes;
        }
        self.streams.push(head.stream);
        self.version = Some(head.version);
        self.position = self.position.max(position);
        &mut self.held
    }

    /// Whether a response waits for the log.
    pub(super) fn has_held(&self) -> bool {
        self.position.is_some()
    }

    pub(super) fn len(&self) -> usize {
        self.bytes.len() + self.held.len()
    }

    /// Sends the responses, now or when the log has acknowledged them.
    pub(super) fn send(&mut self, connection: &Arc<ClientConnection>) {
        connection.send(&self.bytes);
        self.bytes.clear();
        if let (Some(position), Some(version)) = (self.position.take(), self.version) {
            connection.server().acknowledger.hold(HeldResponses {
                connection: Arc::clone(connection),
                position,
                version,
                streams: std::mem::take(&mut self.streams),
                bytes: std::mem::take(&mut self.held),
            });
        }
    }
}
