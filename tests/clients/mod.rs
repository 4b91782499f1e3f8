//! Real clients of `helenus serve`: the Python driver, cqlsh, the Rust driver. What they are asked was asked of a real node
//! first, and is asked of it again wherever there is one.

mod cqlsh;
mod python_driver;
mod python_environment;
mod raw_frames;
mod raw_segments;
mod rust_driver;
mod schema_changes;
mod schema_events;
mod server;
mod test_hooks;
mod tls;

pub(crate) use server::Server;
