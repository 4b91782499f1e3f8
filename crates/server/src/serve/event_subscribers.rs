//! The connections that are registered for events.

use std::sync::{Mutex, PoisonError};

use tokio::sync::mpsc::{Receiver, Sender, channel};
use wire::Event;

/// The number of events that may be pending for one connection. A client that falls further behind
/// is disconnected; drivers read the schema again when they reconnect.
const PENDING_EVENTS_MAX: usize = 1024;

/// The channels of all registered connections.
#[derive(Default)]
pub(super) struct EventSubscribers(Mutex<Vec<Sender<Event>>>);

impl EventSubscribers {
    /// Adds a connection.
    pub(super) fn subscribe(&self) -> Receiver<Event> {
        let (sender, receiver) = channel(PENDING_EVENTS_MAX);
        let mut senders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|sender| !sender.is_closed());
        senders.push(sender);
        receiver
    }

    /// Sends an event to all connections; removes those that are closed or have too many pending
    /// events.
    pub(super) fn broadcast(&self, event: &Event) {
        let mut senders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|sender| sender.try_send(event.clone()).is_ok());
    }
}
