//! What test suites need around `helenus serve`: options, the log, helpers for languages and test frameworks, and the
//! shell; and what it stands against: hostile clients.

mod endurance;
mod hostile_clients;
mod integrations;
mod memory;
mod options;
mod process;
mod remote_shell;
mod rust_integration;
mod server_log;
mod system_views;
