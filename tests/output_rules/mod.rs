//! The rules of docs/OUTPUT.md: what goes where and how much of it, exit codes, and input that could hang or exhaust the
//! program.

mod escaped_names;
mod exit_codes;
mod hostile_text;
mod progress;
mod special_files;
mod summary;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// A valid model.
const MODEL: &str = "-- @rows 10k
CREATE TABLE users (
  userid uuid PRIMARY KEY,
  name text -- @bytes 20
);
-- name: UserById :one
-- @rate 5/s
SELECT userid, name FROM users WHERE userid = ?;
";
/// A valid schema.
const SCHEMA: &str =
    "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1};
CREATE TABLE ks.t (k int PRIMARY KEY, v int);
";

/// A folder with a model and a schema, for one test.
fn make_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("helenus-output-{}-{name}", std::process::id()));
    // A former run of the same process number may have left it.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder can be made");
    for (name, text) in [("model.sql", MODEL), ("schema.cql", SCHEMA)] {
        fs::write(folder.join(name), text).expect("a file can be written");
    }
    folder
}

fn remove_folder(folder: &Path) {
    fs::remove_dir_all(folder).expect("a folder can be removed");
}

/// The program in a folder, without a terminal and with nothing on standard input.
fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_helenus"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    for variable in ["COLUMNS", "HELENUS_USER", "HELENUS_PASSWORD"] {
        command.env_remove(variable);
    }
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
