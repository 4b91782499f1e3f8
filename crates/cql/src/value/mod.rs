//! Values: their bytes, their order and their texts, as Cassandra's.

mod hex;

pub use hex::{bytes_to_hex, hex_to_bytes};
