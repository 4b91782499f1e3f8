//! Who is told of events.

use std::sync::{Mutex, PoisonError};

use tokio::sync::mpsc::{Receiver, Sender, channel};
use wire::Event;

/// Events that may wait for one connection. Whoever falls further behind is disconnected, and reads the schema anew when
/// it comes back.
const WAITING_MAX: usize = 1024;

/// All who registered.
#[derive(Default)]
pub(super) struct Listeners(Mutex<Vec<Sender<Event>>>);

impl Listeners {
    /// Registers one more.
    pub(super) fn register(&self) -> Receiver<Event> {
        let (sender, receiver) = channel(WAITING_MAX);
        let mut senders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|sender| !sender.is_closed());
        senders.push(sender);
        receiver
    }

    /// Tells all; those who are gone or do not listen are forgotten.
    pub(super) fn tell(&self, event: &Event) {
        let mut senders = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        senders.retain(|sender| sender.try_send(event.clone()).is_ok());
    }
}
