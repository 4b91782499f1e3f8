//! The connection to a cluster, and proofs on one: a served engine stands in for it, and a real node where there is one.

mod connection;
mod failures;

use std::net::SocketAddr;
use std::process::{Command, Output};

use cluster::{Connection, ConnectionOptions, creation_time};

/// A small model with a join, an order and writes.
const MODEL: &str = "
CREATE TABLE users (userid uuid PRIMARY KEY, name text);
CREATE TABLE notes (
  noteid uuid PRIMARY KEY,
  userid uuid NOT NULL REFERENCES users,  -- @each 20
  title text,
  written timestamp NOT NULL
);
-- name: NotesOfUser :many
SELECT n.noteid, n.title, n.written, u.name FROM notes n JOIN users u ON u.userid = n.userid
WHERE n.userid = ? ORDER BY n.written DESC LIMIT 10;
-- name: AddNote :exec
INSERT INTO notes (noteid, userid, title, written) VALUES (?, ?, ?, ?);
-- name: AddUser :exec
INSERT INTO users (userid, name) VALUES (?, ?);
-- name: Rename :exec
UPDATE users SET name = ? WHERE userid = ?;
";

fn access(address: SocketAddr) -> ConnectionOptions {
    ConnectionOptions::from_contact_points(&address.to_string()).expect("an address")
}

/// The keyspaces of ours that are there.
fn find_keyspaces(access: &ConnectionOptions) -> Vec<String> {
    let mut connection = Connection::open(access).expect("it answers");
    let names = connection.run("SELECT keyspace_name FROM system_schema.keyspaces", &[]);
    let names = names.expect("it answers").rows.into_iter().flatten().flatten();
    names
        .map(|name| String::from_utf8(name).expect("names are text"))
        .filter(|name| creation_time(name).is_some())
        .collect()
}

/// `helenus design` on the model, with further arguments and variables.
fn design(name: &str, arguments: &[&str], variables: &[(&str, &str)]) -> Output {
    let file =
        std::env::temp_dir().join(format!("helenus-cluster-{}-{name}.sql", std::process::id()));
    std::fs::write(&file, MODEL).expect("a file can be written");
    let output = Command::new(env!("CARGO_BIN_EXE_helenus"))
        .arg("design")
        .arg(&file)
        .args(arguments)
        .env_remove("HELENUS_USER")
        .env_remove("HELENUS_PASSWORD")
        .envs(variables.iter().copied())
        .output()
        .expect("the command runs");
    std::fs::remove_file(&file).expect("it is there");
    output
}

/// What was said on standard error.
fn stderr_text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
