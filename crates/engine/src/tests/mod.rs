//! The engine as a whole.

mod compact;
mod data_folder;
mod durability;
mod interruption;
mod isolation;
mod large_types;
mod many_tables;
mod memory_limit;
mod secrets;
mod snapshot;
mod test_hooks;
