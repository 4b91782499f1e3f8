//! The engine as a whole.

mod durability;
