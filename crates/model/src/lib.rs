//! The meaning.
