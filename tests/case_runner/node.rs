//! The cases put to the node: their verdicts are proven, or made anew when the files are to be blessed.

use std::io;
use std::time::Duration;

use super::file::{CaseFile, CaseStatement};
use super::judge::judge_statement;
use super::{CREATE_KEYSPACE, select_files};
use crate::cassandra;
use crate::print_uncaptured;
use crate::protocol::{Connection, Options, Version};
use crate::verdict::{KEYSPACE, Verdict};

/// Disagreements printed in full; the rest are counted.
const SHOWN_MAX: usize = 40;
const READ_FAILURE: u32 = 0x1300;
const INDEX_WAITS: usize = 10;
const VIEW_WAITS: usize = 3;

#[test]
fn cases_hold_on_cassandra() {
    let Some(address) = cassandra::node() else { return };
    let bless = std::env::var("BLESS").is_ok_and(|author| author == "cassandra");
    let mut disagreements = Vec::new();
    for mut file in select_files() {
        let mut node = Connection::open(address, Version::V5).unwrap();
        let verdicts =
            judge_file(&mut node, &file).unwrap_or_else(|e| panic!("{}: {e}", file.name()));
        if bless {
            for (statement, verdict) in file.statements.iter_mut().zip(verdicts) {
                statement.verdict = verdict;
            }
            file.write().unwrap();
        } else {
            disagreements.extend(compare(&file, &verdicts));
        }
    }
    for disagreement in disagreements.iter().take(SHOWN_MAX) {
        print_uncaptured(disagreement);
    }
    assert!(
        disagreements.is_empty(),
        "{} committed verdicts are not what the node says",
        disagreements.len()
    );
}

/// Runs the statements of a file in a fresh keyspace, which is gone afterwards.
pub(super) fn judge_file(node: &mut Connection, file: &CaseFile) -> io::Result<Vec<Verdict>> {
    if let Some(statement) = file.statements.iter().find(|s| is_harmful(&s.text)) {
        let place = format!("{}:{}", file.name(), statement.line);
        return Err(io::Error::other(format!("{place} writes tables of the server itself")));
    }
    let created = find_keyspaces(file);
    let known = file.print();
    // A run that was broken off leaves its keyspace behind.
    run_or_fail(node, &format!("DROP KEYSPACE IF EXISTS {KEYSPACE}"))?;
    run_or_fail(node, CREATE_KEYSPACE)?;
    run_or_fail(node, &format!("USE {KEYSPACE}"))?;
    let verdicts = file
        .statements
        .iter()
        .map(|statement| judge_with_retries(node, statement, &known))
        .collect();
    run_or_fail(node, &format!("DROP KEYSPACE IF EXISTS {KEYSPACE}"))?;
    for keyspace in created {
        // A name that the node refuses here was refused above too.
        let _ = node.query(&format!("DROP KEYSPACE IF EXISTS {keyspace}"), &Options::default())?;
    }
    verdicts
}

/// One verdict. A read failure is asked for again a few times: a new index may still be building. So is a read that answers
/// otherwise than committed: a node under load keeps its views up a moment later.
fn judge_with_retries(
    node: &mut Connection,
    statement: &CaseStatement,
    known: &str,
) -> io::Result<Verdict> {
    let proves = std::env::var_os("BLESS").is_none();
    let reads = statement.text.trim_start().to_ascii_uppercase().starts_with("SELECT");
    for turn in 0..INDEX_WAITS {
        let verdict = judge_statement(node, statement, known)?;
        let failed = verdict.refusal.as_ref().is_some_and(|(code, _)| *code == READ_FAILURE);
        let late = proves && reads && turn < VIEW_WAITS && verdict != statement.verdict;
        if !failed && !late {
            return Ok(verdict);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    judge_statement(node, statement, known)
}

/// Whether a statement writes where a node keeps its own identity and schema. A node takes such writes, and loses itself.
pub(crate) fn is_harmful(text: &str) -> bool {
    let text = text.to_lowercase().replace('"', "");
    let words: Vec<_> = text.split_whitespace().collect();
    words.windows(2).any(|pair| {
        let is_write = matches!(pair[0], "into" | "update" | "truncate")
            || pair[0] == "table" && text.contains("truncate");
        let is_delete = pair[0] == "from" && text.contains("delete");
        let of_server = ["system.", "system_schema.", "system_auth.", "system_distributed."];
        (is_write || is_delete) && of_server.iter().any(|name| pair[1].starts_with(name))
    })
}

#[test]
fn writes_to_the_tables_of_the_server_are_noticed() {
    for text in [
        "TRUNCATE system.local;",
        "TRUNCATE TABLE \"system\".local",
        "INSERT INTO system_schema.tables (keyspace_name) VALUES ('a')",
        "DELETE FROM system.local WHERE key = 'local'",
        "BEGIN BATCH\n  UPDATE system.local SET rack = 'r' WHERE key = 'local';\n  APPLY BATCH;",
    ] {
        assert!(is_harmful(text), "{text}");
    }
    for text in ["SELECT * FROM system.local", "DESCRIBE TABLE system.local", "UPDATE t SET v = 1"]
    {
        assert!(!is_harmful(text), "{text}");
    }
}

/// The keyspaces a file may leave behind: those it creates, which by convention are named `ks` and something.
fn find_keyspaces(file: &CaseFile) -> Vec<String> {
    let mut names = Vec::new();
    for statement in &file.statements {
        let words: Vec<_> = statement.text.split_whitespace().collect();
        let name = match words.as_slice() {
            [create, keyspace, rest @ ..]
                if create.eq_ignore_ascii_case("create")
                    && keyspace.eq_ignore_ascii_case("keyspace") =>
            {
                rest.iter()
                    .find(|word| word.trim_start_matches('"').to_lowercase().starts_with(KEYSPACE))
            }
            _ => None,
        };
        names.extend(name.map(|name| name.trim_end_matches(';').to_owned()));
    }
    names
}

fn run_or_fail(node: &mut Connection, text: &str) -> io::Result<()> {
    match node.query(text, &Options::default())?.result {
        Ok(_) => Ok(()),
        Err(refusal) => Err(io::Error::other(format!("{text}: {}", refusal.message))),
    }
}

fn compare(file: &CaseFile, verdicts: &[Verdict]) -> Vec<String> {
    let mut disagreements = Vec::new();
    for (statement, verdict) in file.statements.iter().zip(verdicts) {
        if !statement.verdict.matches(verdict) {
            let (committed, said) =
                (statement.verdict.lines().join("\n  "), verdict.lines().join("\n  "));
            let place = format!("{}:{}", file.name(), statement.line);
            disagreements.push(format!(
                "{place}: {}\n committed:\n  {committed}\n the node says:\n  {said}",
                statement.text
            ));
        }
    }
    disagreements
}
