//! [`QueueTurn`]: the time in which a thread runs the requests of one connection, with the responses
//! it has collected.

use std::cell::{Cell, RefCell, RefMut};
use std::sync::Arc;

use super::client_connection::ClientConnection;
use super::response_buffers::ResponseBuffers;

/// A turn of a thread at the queue of a connection.
pub(super) struct QueueTurn<'a> {
    pub(super) connection: &'a Arc<ClientConnection>,
    responses: RefCell<ResponseBuffers>,
    is_over: Cell<bool>,
}

impl<'a> QueueTurn<'a> {
    pub(super) fn new(connection: &'a Arc<ClientConnection>) -> Self {
        Self { connection, responses: RefCell::default(), is_over: Cell::new(false) }
    }

    /// The responses that are not sent yet.
    pub(super) fn responses(&self) -> RefMut<'_, ResponseBuffers> {
        self.responses.borrow_mut()
    }

    /// Sends the responses so far; those to writes when the log has them.
    pub(super) fn send(&self) {
        self.responses().send(self.connection);
    }

    /// Leaves the queue to another thread, so that a statement that takes long delays no other
    /// request of its connection.
    pub(super) fn pass_on(&self) {
        if !self.is_over.replace(true) {
            self.send();
            self.connection.pass_on();
        }
    }

    /// Whether the queue was passed on.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }
}
