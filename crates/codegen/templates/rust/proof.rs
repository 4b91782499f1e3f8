//! Runs the operations of a proof: requests are lines of JSON on the standard input, answers are
//! lines of JSON on the standard output.

use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use scylla::client::session::Session;
use scylla::client::session_builder::SessionBuilder;
use scylla::deserialize::FrameSlice;
use scylla::deserialize::value::DeserializeValue;
use scylla::frame::response::result::{CollectionType, ColumnType, NativeType, UserDefinedType};
use scylla::serialize::value::SerializeValue;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::support::{AccessError, Options, to_bytes};

/// Why an operation was not run to its end.
struct ProofFailure {
    kind: &'static str,
    message: String,
    query: String,
    step: String,
}

impl ProofFailure {
    fn new(kind: &'static str, message: impl ToString) -> Self {
        let message = message.to_string();
        Self { kind, message, query: String::new(), step: String::new() }
    }
}

/// What an operation came to.
enum ProofEnd {
    Answer,
    /// A page, with the position of the next one.
    Page(Option<String>),
    Outcome(&'static str),
    Failure(ProofFailure),
}

impl From<AccessError> for ProofEnd {
    fn from(error: AccessError) -> Self {
        let message = error.to_string();
        let (kind, query, step) = match error {
            AccessError::ConstraintViolation { .. } => return Self::Outcome("violation"),
            AccessError::PartialWrite { source: None, .. } => return Self::Outcome("interrupted"),
            AccessError::PartialWrite { query, .. } => ("driver", query, ""),
            AccessError::Driver { query, cql, .. } => ("driver", query, cql),
            AccessError::OutOfRange { query } => ("out_of_range", query, ""),
            AccessError::UnexpectedNull { query, column } => ("unexpected_null", query, column),
            AccessError::InvalidPosition { query } => ("position", query, ""),
        };
        let (query, step) = (query.to_owned(), step.to_owned());
        Self::Failure(ProofFailure { kind, message, query, step })
    }
}

impl From<ProofFailure> for ProofEnd {
    fn from(failure: ProofFailure) -> Self {
        Self::Failure(failure)
    }
}

/// The arguments of an operation, in order.
struct ProofArguments<'a> {
    values: std::slice::Iter<'a, Value>,
    /// The size and the position of the page that is wanted.
    page: Option<(i32, Option<&'a str>)>,
}

impl ProofArguments<'_> {
    fn next<T>(&mut self, ty: &ColumnType<'static>) -> Result<T, ProofFailure>
    where
        T: for<'f, 'm> DeserializeValue<'f, 'm>,
    {
        let fail =
            |message: &dyn ToString| ProofFailure::new("unrepresentable", message.to_string());
        let bytes = match self.values.next() {
            Some(Value::String(hex)) => Some(from_hex(hex).ok_or_else(|| fail(&"no hex"))?),
            Some(Value::Null) => None,
            _ => return Err(ProofFailure::new("protocol", "an argument is missing")),
        };
        T::type_check(ty).map_err(|error| fail(&error))?;
        let slice = bytes.as_deref().map(FrameSlice::new_borrowed);
        T::deserialize(ty, slice).map_err(|error| fail(&error))
    }
}

/// The rows of an answer.
#[derive(Default)]
struct ProofRows {
    rows: Vec<Value>,
}

impl ProofRows {
    fn begin(&mut self) {
        self.rows.push(Value::Array(Vec::new()));
    }

    fn add(
        &mut self,
        ty: &ColumnType<'static>,
        value: &dyn SerializeValue,
    ) -> Result<(), ProofFailure> {
        let bytes = to_bytes(ty, value);
        let bytes = bytes.map_err(|error| ProofFailure::new("unrepresentable", error))?;
        let hex = bytes.map(|bytes| bytes.iter().map(|byte| format!("{byte:02x}")).collect());
        if let Some(Value::Array(row)) = self.rows.last_mut() {
            row.push(hex.map_or(Value::Null, Value::String));
        }
        Ok(())
    }
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        hex.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect();
    Some(
        digits?
            .chunks(2)
            .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
            .collect(),
    )
}

/// Operations may run on any thread.
fn assert_send<T: Send>(work: T) -> T {
    work
}

fn native(ty: NativeType) -> ColumnType<'static> {
    ColumnType::Native(ty)
}

#[allow(dead_code)]
fn list(element: ColumnType<'static>) -> ColumnType<'static> {
    ColumnType::Collection { frozen: false, typ: CollectionType::List(Box::new(element)) }
}

#[allow(dead_code)]
fn set(element: ColumnType<'static>) -> ColumnType<'static> {
    ColumnType::Collection { frozen: false, typ: CollectionType::Set(Box::new(element)) }
}

#[allow(dead_code)]
fn map(key: ColumnType<'static>, value: ColumnType<'static>) -> ColumnType<'static> {
    let typ = CollectionType::Map(Box::new(key), Box::new(value));
    ColumnType::Collection { frozen: false, typ }
}

#[allow(dead_code)]
fn vector(element: ColumnType<'static>, dimensions: u16) -> ColumnType<'static> {
    ColumnType::Vector { typ: Box::new(element), dimensions }
}

#[allow(dead_code)]
fn user(
    name: &'static str,
    fields: Vec<(&'static str, ColumnType<'static>)>,
) -> ColumnType<'static> {
    let field_types = fields.into_iter().map(|(name, ty)| (name.into(), ty)).collect();
    let definition = UserDefinedType { name: name.into(), keyspace: "".into(), field_types };
    ColumnType::UserDefinedType { frozen: false, definition: Arc::new(definition) }
}

async fn connect(request: &Value) -> Result<Arc<Session>, Box<dyn std::error::Error>> {
    let text = |name: &str| request.get(name).and_then(Value::as_str);
    let host = text("host").unwrap_or("127.0.0.1");
    let port = request.get("port").and_then(Value::as_u64).unwrap_or(9042);
    let mut builder = SessionBuilder::new().known_node(format!("{host}:{port}"));
    builder = builder.connection_timeout(Duration::from_secs(20));
    if let (Some(user), Some(password)) = (text("user"), text("password")) {
        builder = builder.user(user, password);
    }
    if let Some(keyspace) = text("keyspace") {
        builder = builder.use_keyspace(keyspace, true);
    }
    Ok(Arc::new(builder.build().await?))
}

/// Answers requests until the input ends.
pub async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let now = Arc::new(AtomicI64::new(0));
    let mut access = None;
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    while let Some(line) = lines.next_line().await? {
        let request: Value = serde_json::from_str(&line)?;
        let answer = match request.get("connect") {
            Some(wanted) => match connect(wanted).await {
                Ok(session) => {
                    let clock = Arc::clone(&now);
                    let limit = |name: &str| {
                        let limit = wanted.get("limits").and_then(|limits| limits.get(name));
                        limit.and_then(Value::as_u64).and_then(|limit| limit.try_into().ok())
                    };
                    let usual = Options::default();
                    let page_size = limit("page_size").and_then(|size: usize| size.try_into().ok());
                    let options = Options {
                        concurrency: limit("concurrency").unwrap_or(usual.concurrency),
                        page_size: page_size.unwrap_or(usual.page_size),
                        batch_statements: limit("batch_statements").unwrap_or(usual.batch_statements),
                        batch_bytes: limit("batch_bytes").unwrap_or(usual.batch_bytes),
                        clock: Arc::new(move || clock.load(Ordering::Relaxed)),
                        ..usual
                    };
                    access = Some(Access::with_options(session, options));
                    json!({ "ready": true })
                }
                Err(error) => {
                    json!({ "error": { "kind": "driver", "message": error.to_string() } })
                }
            },
            None => {
                now.store(
                    request.get("now").and_then(Value::as_i64).unwrap_or(0),
                    Ordering::Relaxed,
                );
                answer(access.as_ref(), &request).await
            }
        };
        let mut out = std::io::stdout().lock();
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

async fn answer(access: Option<&Access>, request: &Value) -> Value {
    let id = request.get("id").cloned().unwrap_or(Value::Null);
    let call = request.get("call").and_then(Value::as_str).unwrap_or_default();
    let empty = Vec::new();
    let values = request.get("args").and_then(Value::as_array).unwrap_or(&empty);
    let mut rows = ProofRows::default();
    let page = request.get("page").map(|page| {
        let size = page.get("size").and_then(Value::as_i64).and_then(|size| size.try_into().ok());
        (size.unwrap_or(1), page.get("token").and_then(Value::as_str))
    });
    let arguments = ProofArguments { values: values.iter(), page };
    let end = match access {
        Some(access) => match dispatch(access, call, arguments, &mut rows).await {
            Ok(end) | Err(end) => end,
        },
        None => ProofFailure::new("protocol", "not connected").into(),
    };
    match end {
        ProofEnd::Answer => json!({ "id": id, "rows": rows.rows }),
        ProofEnd::Page(next) => json!({ "id": id, "rows": rows.rows, "token": next }),
        ProofEnd::Outcome(outcome) => json!({ "id": id, "outcome": outcome, "rows": rows.rows }),
        ProofEnd::Failure(failure) => json!({ "id": id, "error": {
            "kind": failure.kind,
            "message": failure.message,
            "query": failure.query,
            "step": failure.step,
        } }),
    }
}
