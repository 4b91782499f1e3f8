//! The messages between a proof and a program of generated code: lines of JSON on its standard input
//! and output.
//!
//! The first line connects; it is answered by `{"ready":true}` or an error:
//!
//! ```text
//! {"connect":{"host":"127.0.0.1","port":9042,"keyspace":"ks","user":null,"password":null,
//!   "limits":{"concurrency":3,"page_size":7,"batch_statements":3,"batch_bytes":600}}}
//! ```
//!
//! The limits are options of the generated code.
//!
//! Every other line calls a read or write by its name in the model file. The arguments are all
//! parameters of the statement in their order, also those that the client usually makes (a new uuid,
//! the current time); `now` is the current time of the proof in microseconds since 1970, UTC:
//!
//! ```text
//! {"id":1,"call":"VideosByUser","now":1731900000000000,"args":["<hex>",null]}
//! ```
//!
//! A call of a read may ask for a page of the rows (`"page":{"size":3,"token":null}`, or the token of
//! the page before). If the read has a form that returns pages, the answer has a `token`, which is
//! null for the last page; else it has all rows.
//!
//! The answer has the same `id`, and one of three forms:
//!
//! ```text
//! {"id":1,"rows":[["<hex>",null],["<hex>","<hex>"]]}
//! {"id":2,"outcome":"applied","rows":[]}
//! {"id":3,"error":{"kind":"server","message":"...","query":"...","step":"..."}}
//! ```
//!
//! A value is the hexadecimal text of its CQL serialisation, or null. The columns of a row are the
//! outputs of the read in their order, or what the write returns. An outcome is `applied`, `refused`,
//! `violation` or `interrupted`. A kind of error `connection` ends the proof, `limit` (one run sends
//! too many statements) stops the statement; every other kind refutes the code.

use cql::value::{bytes_to_hex, hex_to_bytes};
use serde_json::{Value, json};
use sim::{Datum, Failure, Row, WriteOutcome};

/// Where a program connects to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProgramTarget {
    /// The host.
    pub(super) host: String,
    /// The port.
    pub(super) port: u16,
    /// The keyspace of unqualified names.
    pub(super) keyspace: String,
    /// The user name and the password.
    pub(super) login: Option<(String, String)>,
    /// Options of the generated code.
    pub(super) limits: ProgramLimits,
}

/// Options of generated code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ProgramLimits {
    /// The most statements of a call that are under way.
    pub(super) concurrency: u32,
    /// The rows that the server sends at once.
    pub(super) page_size: u32,
    /// The most statements of a batch.
    pub(super) batch_statements: u32,
    /// The most bytes of the values of a batch.
    pub(super) batch_bytes: u32,
}

impl ProgramLimits {
    /// Far below those of applications: with the few rows of a proof, results have several pages,
    /// parallel reads have to wait for one another, and batches have several parts.
    pub(super) const LOW: Self =
        Self { concurrency: 3, page_size: 7, batch_statements: 3, batch_bytes: 600 };
}

/// The page that a call asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PageRequest<'t> {
    /// The most rows.
    pub(super) size: u32,
    /// The token of the page before; `None` for the first page.
    pub(super) token: Option<&'t str>,
}

/// What an answer says about pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AnsweredPage {
    /// It has all rows: the read has no form that returns pages.
    Whole,
    /// It has the last rows.
    Last,
    /// More rows follow after the position of this token.
    Next(String),
}

/// The answer to a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CallAnswer {
    /// The outcome; only writes have one.
    pub(super) outcome: Option<WriteOutcome>,
    /// The rows.
    pub(super) rows: Vec<Row>,
    /// Whether they are a page.
    pub(super) page: AnsweredPage,
}

/// The line that connects.
pub(super) fn write_connect(target: &ProgramTarget) -> String {
    let (user, password) = target.login.clone().unzip();
    json!({ "connect": {
        "host": target.host, "port": target.port, "keyspace": target.keyspace,
        "user": user, "password": password,
        "limits": {
            "concurrency": target.limits.concurrency,
            "page_size": target.limits.page_size,
            "batch_statements": target.limits.batch_statements,
            "batch_bytes": target.limits.batch_bytes,
        },
    }})
    .to_string()
}

/// The line that calls a read or write.
pub(super) fn write_call(
    id: u64,
    call: &str,
    now_micros: i64,
    values: &[Datum],
    page: Option<PageRequest<'_>>,
) -> String {
    let values: Vec<_> = values.iter().map(|value| value.as_deref().map(bytes_to_hex)).collect();
    let mut line = json!({ "id": id, "call": call, "now": now_micros, "args": values });
    if let Some(PageRequest { size, token }) = page {
        line["page"] = json!({ "size": size, "token": token });
    }
    line.to_string()
}

/// Checks the answer to the line that connects.
pub(super) fn read_ready(line: &str) -> Result<(), Failure> {
    let answer = read_object(line)?;
    match answer.get("error") {
        Some(error) => Err(Failure::Gone(describe_error(error))),
        None if answer["ready"] == true => Ok(()),
        None => Err(reject_answer("is not ready", line)),
    }
}

/// The answer to the call with this id.
pub(super) fn read_answer(line: &str, id: u64) -> Result<CallAnswer, Failure> {
    let answer = read_object(line)?;
    if answer["id"] != id {
        return Err(reject_answer(&format!("does not answer call {id}"), line));
    }
    if let Some(error) = answer.get("error") {
        return Err(match error["kind"].as_str() {
            Some("connection") => Failure::Gone(describe_error(error)),
            Some("limit") => Failure::Exhausted,
            Some("unrepresentable") => Failure::Unrepresentable(describe_error(error)),
            _ => Failure::Refused(describe_error(error)),
        });
    }
    let outcome = match &answer["outcome"] {
        Value::Null => None,
        known => {
            Some(read_outcome(known).ok_or_else(|| reject_answer("has an unknown outcome", line))?)
        }
    };
    let rows = match &answer["rows"] {
        // A write that returns nothing may leave them out.
        Value::Null if outcome.is_some() => Some(Vec::new()),
        rows => read_rows(rows),
    };
    let rows = rows.ok_or_else(|| reject_answer("has malformed rows", line))?;
    let page = match answer.get("token") {
        None => AnsweredPage::Whole,
        Some(Value::Null) => AnsweredPage::Last,
        Some(Value::String(token)) => AnsweredPage::Next(token.clone()),
        Some(_) => return Err(reject_answer("has a malformed token", line)),
    };
    Ok(CallAnswer { outcome, rows, page })
}

fn read_object(line: &str) -> Result<Value, Failure> {
    let answer: Value =
        serde_json::from_str(line).map_err(|_| reject_answer("is not JSON", line))?;
    if answer.is_object() { Ok(answer) } else { Err(reject_answer("is not an object", line)) }
}

fn read_outcome(value: &Value) -> Option<WriteOutcome> {
    match value.as_str()? {
        "applied" => Some(WriteOutcome::Applied),
        "refused" => Some(WriteOutcome::Refused),
        "violation" => Some(WriteOutcome::Violation),
        "interrupted" => Some(WriteOutcome::Interrupted),
        _ => None,
    }
}

fn read_rows(rows: &Value) -> Option<Vec<Row>> {
    let value = |value: &Value| match value {
        Value::Null => Some(None),
        value => Some(Some(hex_to_bytes(value.as_str()?)?)),
    };
    let row = |row: &Value| row.as_array()?.iter().map(value).collect::<Option<Row>>();
    rows.as_array()?.iter().map(row).collect()
}

/// An error in one line: what happened, then where.
fn describe_error(error: &Value) -> String {
    let text = |key: &str| error[key].as_str().filter(|text| !text.is_empty());
    let message = text("message").unwrap_or("an error without a message");
    let places = [("kind", "error"), ("query", "statement"), ("step", "step")];
    let places: Vec<_> = places
        .into_iter()
        .filter_map(|(key, label)| Some(format!("{label} {}", text(key)?)))
        .collect();
    if places.is_empty() {
        message.to_owned()
    } else {
        format!("{message} ({})", places.join(", "))
    }
}

/// An answer that is not of the protocol: a fault of the program, which ends the proof.
fn reject_answer(what: &str, line: &str) -> Failure {
    const SHOWN_MAX: usize = 300;
    let shown: String = line.chars().take(SHOWN_MAX).collect();
    Failure::Gone(format!("an answer of the generated code {what}: {shown}"))
}
