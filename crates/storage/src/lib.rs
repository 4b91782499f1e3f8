//! The bytes: rows in memory, the commit log that makes them durable, and how versions of one row become one.

pub mod clock;
pub mod comparable;
pub mod disk;
mod error;

pub use error::Error;
