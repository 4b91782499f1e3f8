//! One session of psql: a script in, the results of its statements out.

use std::io::Write as _;
use std::process::{Command, Stdio};

use super::cluster::PostgresCluster;

/// The beginning of the line after the rows of a statement.
const END: &str = "@helenus ";
/// The output for null.
const NULL: &str = "\\N";

/// The settings of every session: the rows of a result come as CSV, without a header.
const SETTINGS: &str = "\\set QUIET on\n\\pset format csv\n\\pset tuples_only on\n\\pset null '\\\\N'\n\\set VERBOSITY terse\n\
    SET client_min_messages = error;\nSET datestyle = ISO, YMD;\nSET intervalstyle = iso_8601;\n";

/// The result of a statement.
#[derive(Clone, Debug, Default)]
pub(super) struct StatementResult {
    /// The rows it returned, as text; `None` is null.
    pub(super) rows: Vec<Vec<Option<String>>>,
    /// The rows that it returned or affected.
    pub(super) count: u64,
    /// The SQLSTATE and message of its error.
    pub(super) error: Option<(String, String)>,
}

/// A script whose statements are numbered in their order.
#[derive(Default)]
pub(super) struct PsqlScript {
    text: String,
    statements: usize,
}

impl PsqlScript {
    /// Adds a statement without its semicolon; returns its number.
    pub(super) fn add(&mut self, sql: &str) -> usize {
        self.text.push_str(sql);
        self.text.push_str("\n;\n\\echo ");
        self.text.push_str(END);
        self.text.push_str(":ERROR :SQLSTATE :ROW_COUNT :LAST_ERROR_MESSAGE\n");
        self.statements += 1;
        self.statements - 1
    }
}

impl PostgresCluster {
    /// Runs a script in a database of its own session; one result for each statement.
    pub(super) fn run_script(
        &self,
        database: &str,
        script: &PsqlScript,
    ) -> Result<Vec<StatementResult>, String> {
        let output = self.talk(database, &script.text)?;
        let results = parse_output(&output);
        if results.len() == script.statements {
            Ok(results)
        } else {
            Err(format!("{} of {} statements were run", results.len(), script.statements))
        }
    }

    /// Runs a text that must succeed.
    pub(super) fn run(&self, text: &str) -> Result<String, String> {
        self.talk("postgres", &format!("\\set ON_ERROR_STOP on\n{text}"))
    }

    fn talk(&self, database: &str, text: &str) -> Result<String, String> {
        let mut command = Command::new(&self.psql);
        command.args(["-X", "-q", "-f", "-", "-U", "postgres", "-d", database, "-h"]);
        command.arg(&self.socket).env("PGCLIENTENCODING", "UTF8").env_remove("PGOPTIONS");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|e| format!("psql: {e}"))?;
        let mut input = child.stdin.take().expect("standard input is a pipe");
        let script = format!("{SETTINGS}{text}");
        // psql answers while it reads, so another thread writes.
        let writer = std::thread::spawn(move || input.write_all(script.as_bytes()));
        let output = child.wait_with_output().map_err(|e| format!("psql: {e}"))?;
        // psql that ends early closes the pipe, which its status tells better.
        let _ = writer.join();
        if output.status.success() {
            return String::from_utf8(output.stdout).map_err(|e| format!("psql: {e}"));
        }
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        Err(format!("psql: {}: {said}", output.status))
    }
}

/// The results in the output of a script.
fn parse_output(output: &str) -> Vec<StatementResult> {
    let mut results = Vec::new();
    let mut rows = Vec::new();
    let mut rest = output;
    while !rest.is_empty() {
        if let Some(behind) = rest.strip_prefix(END) {
            let (line, next) = behind.split_once('\n').unwrap_or((behind, ""));
            let mut words = line.splitn(4, ' ');
            let mut word = || words.next().unwrap_or_default().to_owned();
            let (failed, state, count, message) = (word(), word(), word(), word());
            let error = (failed == "true").then_some((state, message));
            let count = count.parse().unwrap_or(0);
            results.push(StatementResult { rows: std::mem::take(&mut rows), count, error });
            rest = next;
        } else {
            let (row, next) = parse_row(rest);
            rows.push(row);
            rest = next;
        }
    }
    results
}

/// The first row of a CSV text, and what follows it.
fn parse_row(text: &str) -> (Vec<Option<String>>, &str) {
    let mut row = Vec::new();
    let mut rest = text;
    loop {
        let (field, behind) = parse_field(rest);
        row.push(field);
        match behind.strip_prefix(',') {
            Some(next) => rest = next,
            None => return (row, behind.strip_prefix('\n').unwrap_or(behind)),
        }
    }
}

fn parse_field(text: &str) -> (Option<String>, &str) {
    let Some(mut rest) = text.strip_prefix('"') else {
        let end = text.find([',', '\n']).unwrap_or(text.len());
        let (field, behind) = text.split_at(end);
        return ((field != NULL).then(|| field.to_owned()), behind);
    };
    let mut field = String::new();
    loop {
        let (part, behind) = rest.split_once('"').unwrap_or((rest, ""));
        field.push_str(part);
        match behind.strip_prefix('"') {
            Some(next) => {
                field.push('"');
                rest = next;
            }
            None => return (Some(field), behind),
        }
    }
}

#[test]
fn results_are_read() {
    let text = format!(
        "1,\"a\n\"\"b\"\"\"\n2,\\N\n{END}false 00000 2 \n\n{END}false 00000 1 old\n{END}true 23505 0 no: it is\n"
    );
    let results = parse_output(&text);
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(results[0].rows, [vec![text("1"), text("a\n\"b\"")], vec![text("2"), None]]);
    assert_eq!((results[0].count, results[0].error.is_none()), (2, true));
    assert_eq!(results[1].rows, [vec![text("")]]);
    assert!(results[1].error.is_none());
    assert_eq!(results[2].error, Some(("23505".to_owned(), "no: it is".to_owned())));
}
