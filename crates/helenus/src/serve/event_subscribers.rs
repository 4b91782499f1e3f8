//! The connections that registered for events.

use std::sync::{Mutex, PoisonError};

use tokio::sync::mpsc::{Receiver, Sender, channel};
use wire::Event;

/// Events that may wait for one connection. Whoever falls further behind is disconnected, and reads the schema anew when
/// it comes back.
const PENDING_EVENTS_MAX: usize = 1024;

/// All connections that registered.
#[derive(Default)]
pub(super) struct EventSubscribers(Mutex<Vec<Sender<Event>>>);

impl EventSubscribers {
    /// Subscribes one more.
    pub(super) fn subscribe(&self) -> Receiver<Event> {
        let (sender, receiver) = channel(PENDING_EVENTS_MAX);
        let mut senders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|sender| !sender.is_closed());
        senders.push(sender);
        receiver
    }

    /// Sends an event to all; those that are gone or do not keep up are removed.
    pub(super) fn broadcast(&self, event: &Event) {
        let mut senders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|sender| sender.try_send(event.clone()).is_ok());
    }
}
