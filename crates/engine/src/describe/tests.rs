//! Texts that the server gave.
