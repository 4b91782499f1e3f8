//! `--against REVISION`: the schema of the same paths at a Git revision.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use check::TextKind;
use cql::ParsedSource;
use schema::Catalog;

use super::choices::Choices;
use super::duplicates::{self, SchemaFile};
use super::encoding;
use super::file_walk::{self, SourceFile};
use super::ordering;
use super::session;
use crate::outcome::{Failure, Outcome};

/// The catalog of the paths at a revision.
pub(crate) fn catalog(revision: &str, choices: &Choices) -> Result<Catalog, Failure> {
    let mut texts = Vec::new();
    for path in choices.schema.iter().chain(&choices.paths) {
        let names = list_files(revision, path)?;
        let is_file = names.len() == 1
            && names.first().is_some_and(|name| name.file_name() == path.file_name());
        let files = if is_file {
            let kind = TextKind::Cql;
            names.into_iter().map(|path| SourceFile { path, kind }).collect()
        } else {
            let found: Vec<PathBuf> =
                names.into_iter().filter(|name| file_walk::is_cql(name)).collect();
            file_walk::sort_files(&found, false)
        };
        texts.extend(parse_files(revision, files, choices)?);
    }
    let statements = || texts.iter().flat_map(|parsed| &parsed.statements);
    let mut session = session::start(&choices.keyspaces, statements())?;
    for at in ordering::replay_order(&texts.iter().collect::<Vec<_>>()) {
        for statement in texts.get(at).iter().flat_map(|parsed| &parsed.statements) {
            // Statements that the server rejects do not change the catalog.
            let _ = session.run(statement);
        }
    }
    Ok(session.catalog)
}

/// Parses the files of one path at a revision, without duplicates of the schema.
fn parse_files(
    revision: &str,
    files: Vec<SourceFile>,
    choices: &Choices,
) -> Result<Vec<ParsedSource>, Failure> {
    let paths: Vec<PathBuf> = files.iter().map(|file| file.path.clone()).collect();
    let texts = read_contents(revision, &paths)?;
    let read = files.into_iter().zip(texts).filter_map(|(file, bytes)| {
        let text = encoding::decode(bytes).ok()?.text;
        Some((file, cql::parse_with(&text, &choices.parse_options())))
    });
    let read: Vec<(SourceFile, ParsedSource)> = read.collect();
    let found: Vec<SchemaFile<'_>> = read
        .iter()
        .map(|(file, parsed)| SchemaFile {
            path: &file.path,
            parsed,
            is_step: file.kind == TextKind::Migration,
        })
        .collect();
    let repeated = duplicates::find(&found);
    let is_kept = |file: &SourceFile| {
        !repeated.iter().any(|duplicate| file.path.starts_with(&duplicate.path))
    };
    Ok(read.into_iter().filter(|(file, _)| is_kept(file)).map(|(_, parsed)| parsed).collect())
}

/// The files of a path at a revision; none if it did not exist.
fn list_files(revision: &str, path: &Path) -> Result<Vec<PathBuf>, Failure> {
    let output = Command::new("git")
        .args(["ls-tree", "-r", "-z", "--name-only", revision, "--"])
        .arg(path)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| git_failure(&error.to_string()))?;
    if !output.status.success() {
        return Err(git_failure(String::from_utf8_lossy(&output.stderr).trim()));
    }
    let names = output.stdout.split(|byte| *byte == 0);
    Ok(names.filter(|name| !name.is_empty()).map(path_of).collect())
}

/// A path in git's bytes.
#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(std::ffi::OsStr::from_bytes(bytes))
}

/// A path in git's bytes.
#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(bytes).into_owned())
}

/// The contents of files at a revision, in order.
fn read_contents(revision: &str, files: &[PathBuf]) -> Result<Vec<Vec<u8>>, Failure> {
    let failed = |error: std::io::Error| git_failure(&error.to_string());
    let mut child = Command::new("git")
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let (Some(mut requests), Some(mut responses)) = (child.stdin.take(), child.stdout.take())
    else {
        return Err(git_failure("cannot open its standard input and output"));
    };
    let mut output = Vec::new();
    thread::scope(|scope| {
        // A separate thread writes the requests: git answers while they are written, and would
        // block on a full pipe.
        let writer = scope.spawn(move || {
            for file in files {
                write!(requests, "{revision}:./")?;
                requests.write_all(file.as_os_str().as_encoded_bytes())?;
                requests.write_all(b"\n")?;
            }
            Ok::<(), std::io::Error>(())
        });
        responses.read_to_end(&mut output)?;
        writer.join().unwrap_or(Ok(()))
    })
    .map_err(failed)?;
    child.wait().map_err(failed)?;
    Ok(parse_contents(&output))
}

/// Parses the output of `git cat-file --batch`: `<name> blob <length>\n<content>\n` for each file;
/// missing files are left out.
fn parse_contents(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    while let Some(end) = bytes.iter().position(|byte| *byte == b'\n') {
        let head = String::from_utf8_lossy(bytes.get(..end).unwrap_or_default()).into_owned();
        bytes = bytes.get(end + 1..).unwrap_or_default();
        let length =
            head.rsplit_once(" blob ").and_then(|(_, length)| length.parse::<usize>().ok());
        let Some(length) = length else { continue };
        all.push(bytes.get(..length).unwrap_or_default().to_vec());
        bytes = bytes.get(length + 1..).unwrap_or_default();
    }
    all
}

fn git_failure(message: &str) -> Failure {
    Failure::Stopped(Outcome::BadInput, format!("--against: git failed: {message}"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn batch_output() {
        let bytes = b"1234 blob 3\na\nb\nHEAD:./gone missing\n5678 blob 0\n\n";
        assert_eq!(super::parse_contents(bytes), [b"a\nb".to_vec(), Vec::new()]);
    }
}
