//! The engine as a whole.

mod compact;
mod durability;
