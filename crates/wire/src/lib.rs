//! The conversation: messages of the native protocol to and from bytes. No sockets here.
