//! The scripts of `python/`, each a conversation of the Python driver with a server.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Server, python_environment};
use crate::cassandra;

/// Runs a script on our server, and on the node if there is one: what it expects must hold on both.
fn run(script: &str) {
    let Some(programs) = python_environment::programs() else { return };
    let _alone = python_environment::lock_python();
    let server = Server::start();
    run_on(programs, script, server.address);
    if let Some(node) = cassandra::node() {
        run_on(programs, script, node);
    }
}

pub(super) fn run_on(programs: &Path, script: &str, address: SocketAddr) {
    let output = Command::new(programs.join("python"))
        .arg(folder().join(script))
        .args([address.ip().to_string(), address.port().to_string()])
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (said, complaints) = (text(&output.stdout), text(&output.stderr));
    assert!(
        output.status.success() && said.trim_end().ends_with("done"),
        "{script} on {address}:\n{said}{complaints}"
    );
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/clients/python")
}

#[test]
fn the_python_driver_connects() {
    run("connect.py");
}

#[test]
fn the_python_driver_sees_the_schema() {
    run("schema.py");
}

#[test]
fn the_python_driver_sees_views() {
    run("views.py");
}

#[test]
fn the_python_driver_runs_statements() {
    run("statements.py");
}

#[test]
fn the_python_driver_understands_refusals() {
    run("errors.py");
}

#[test]
fn the_python_driver_reads_and_writes_all_types() {
    run("values.py");
}

#[test]
fn the_python_driver_traces() {
    run("traces.py");
}

#[test]
fn the_python_driver_speaks_all_versions() {
    run("versions.py");
}

#[test]
fn the_python_driver_does_many_things_at_once() {
    run("many.py");
}
