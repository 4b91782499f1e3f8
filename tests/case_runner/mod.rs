//! The cases: `tests/cases/**/*.cql`, statements with the verdicts of a real node under them as comments.
//!
//! ```text
//! -- covers: QV001
//! CREATE TABLE t (pk int PRIMARY KEY, v int);
//! SELECT * FROM t WHERE v = 1;
//! --! 0x2200 Cannot execute this query as it might involve data filtering ...
//! --: prepare
//! INSERT INTO t (pk, v) VALUES (?, ?);
//! --? pk int, v int | key 0
//! ```
//!
//! A statement starts at the margin and its further lines are indented; so a text that is no CQL has an end too. No
//! line under it: accepted. `--!` refused (code, text), `--~` a warning, `--?` the markers of a prepared statement (and
//! which of them form the partition key), `--=` its result columns, or those of the rows that follow it: `--|` one row
//! as CQL literals (`empty` where no bytes mean nothing), `--.` the number of rows where there are none or where pages
//! were asked for.
//!
//! Directives for the next statement: `--: prepare` (and do not run), `--: unpaged`, `--: pages n` (of n rows, all
//! fetched), `--: values 1, 'a', null, UNSET` (prepare, and run with these), `--: timestamp n`, `--: consistency X`,
//! `--: unordered` (rows are compared sorted), `--: volatile` (rows are not kept), `--: masked` (identifiers in rows that the file does not name are made
//! up), `--: data` (the refusal depends on stored rows; said of all files in `engine/`), `--: diverges <reason>` (we
//! answer otherwise, knowingly), `--: unlike <reason>` (only our engine does).
//!
//! Each file runs in a fresh keyspace `ks` on its own connection. `BLESS=cassandra` rewrites the verdicts from the
//! node and nothing else does; `HELENUS_CASE=text` runs only the files whose path holds the text.

mod access;
mod binder;
mod engine;
mod file;
mod hostile_settings;
mod judge;
mod node;
mod request;
mod server;
mod totals;
mod values;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(crate) use file::CaseFile;
pub(crate) use node::is_harmful;

/// How every case begins, before it is told to use that keyspace.
const CREATE_KEYSPACE: &str =
    "CREATE KEYSPACE ks WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";

/// All case files, in the order of their paths.
pub(crate) fn all_files() -> Vec<CaseFile> {
    let mut paths = Vec::new();
    collect(&folder(), &mut paths).expect("tests/cases can be read");
    paths.sort();
    paths
        .iter()
        .map(|path| CaseFile::read(path).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
        .collect()
}

/// The files that `HELENUS_CASE` asks for; all without it.
pub(crate) fn select_files() -> Vec<CaseFile> {
    let wanted = std::env::var("HELENUS_CASE").unwrap_or_default();
    all_files().into_iter().filter(|file| file.path.to_string_lossy().contains(&wanted)).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases")
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension == "cql") {
            paths.push(path);
        }
    }
    Ok(())
}
