//! [`QueueTurn`]: the time in which a thread runs the requests of one connection, with the responses
//! it has collected.

use std::cell::{Cell, RefCell, RefMut};
use std::collections::VecDeque;
use std::sync::Arc;

use super::client_connection::{ClientConnection, QueuedRequest};
use super::response_buffers::ResponseBuffers;

/// A thread that leaves the queue to another takes this many requests along, so that waking the
/// other costs little beside the work.
const SHARE: usize = 8;

/// A turn of a thread at the queue of a connection.
pub(super) struct QueueTurn<'a> {
    pub(super) connection: &'a Arc<ClientConnection>,
    responses: RefCell<ResponseBuffers>,
    /// Requests that this thread took from the queue before it left it.
    share: RefCell<VecDeque<QueuedRequest>>,
    is_over: Cell<bool>,
}

impl<'a> QueueTurn<'a> {
    pub(super) fn new(connection: &'a Arc<ClientConnection>) -> Self {
        Self {
            connection,
            responses: RefCell::default(),
            share: RefCell::default(),
            is_over: Cell::new(false),
        }
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
        let share = self.share.take();
        if !self.is_over.replace(true) {
            self.send();
            self.connection.pass_on();
        } else if !share.is_empty() {
            self.send();
            self.connection.return_requests(share);
        }
    }

    /// Leaves the queue to another thread if a processor is free for it, except for the next few
    /// requests: statements on many rows of one connection use all processors.
    pub(super) fn divide(&self) {
        if self.is_over.get() {
            return;
        }
        if let Some(share) = self.connection.divide_queue(SHARE) {
            self.is_over.set(true);
            *self.share.borrow_mut() = share;
        }
    }

    /// The next request that this thread took along.
    pub(super) fn next_of_share(&self) -> Option<QueuedRequest> {
        self.share.borrow_mut().pop_front()
    }

    /// Whether the queue was passed on.
    pub(super) fn is_over(&self) -> bool {
        self.is_over.get()
    }
}
