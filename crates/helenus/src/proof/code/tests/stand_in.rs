//! A stand-in for generated code: a thread that speaks its protocol and interprets the plans over a
//! connection of its own.

use std::io::{BufRead, BufReader, Read, Write, empty};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::thread;

use cluster::{Connection, ConnectionOptions, Request};
use cql::BatchKind;
use cql::statement::write::InsertValues;
use cql::term::TermKind;
use cql::value::{bytes_to_hex, hex_to_bytes};
use model::concept::Concept;
use model::id::IdList;
use model::plan::Design;
use model::workload::Workload;
use serde_json::{Value, json};
use sim::{
    Answer, Datum, Failure, PlanRunner, ProofSubject, Row, RunContext, RunTrace, Server,
    ServerStatement, StatementRunner, WriteOutcome,
};

use crate::proof::code::program::{DriverProgram, ProgramLauncher};

/// What is wrong with a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Defect {
    /// Nothing.
    None,
    /// The read of this name returns its rows without the last one.
    ShortResult(&'static str),
    /// The write of this name does nothing.
    IdleWrite(&'static str),
    /// The write of this name reports that it was applied, whatever became of it.
    BlindWrite(&'static str),
    /// The read of this name fails.
    FailedRead(&'static str),
}

/// The design that a program was generated from.
struct StandIn {
    concept: Concept,
    workload: Workload,
    design: Design,
    schema: Vec<String>,
    defect: Defect,
}

/// A connection that is used as it is.
struct OwnConnection(Connection);

/// A program with a defect, generated from this subject.
pub(super) fn prepare_program(subject: ProofSubject<'_>, defect: Defect) -> ProgramLauncher {
    let stand_in = Arc::new(StandIn {
        concept: subject.concept.clone(),
        workload: subject.workload.clone(),
        design: subject.design.clone(),
        schema: subject.schema.to_vec(),
        defect,
    });
    Box::new(move || Ok(start_program(&stand_in)))
}

fn start_program(stand_in: &Arc<StandIn>) -> DriverProgram {
    let stand_in = Arc::clone(stand_in);
    let (ours, theirs) = UnixStream::pair().expect("sockets are there");
    let input = theirs.try_clone().expect("it can be shared");
    thread::spawn(move || stand_in.serve(input, theirs));
    let output = ours.try_clone().expect("it can be shared");
    // Its input ends when it is dropped, also while the output is still being read.
    DriverProgram::attach(ClosingStream(ours), output, empty())
}

/// A stream whose end is sent when it is dropped.
struct ClosingStream(UnixStream);

impl Write for ClosingStream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

impl Drop for ClosingStream {
    fn drop(&mut self) {
        let _ = self.0.shutdown(std::net::Shutdown::Write);
    }
}

impl StandIn {
    fn serve(&self, input: impl Read, mut output: impl Write) {
        let mut connection = None;
        for line in BufReader::new(input).lines().map_while(Result::ok) {
            let request: Value = serde_json::from_str(&line).expect("a request is JSON");
            let answer = match (&mut connection, request.get("connect")) {
                (connection, Some(target)) => {
                    *connection = Some(OwnConnection(connect(target)));
                    json!({ "ready": true })
                }
                (Some(connection), None) => self.answer(&request, connection),
                (None, None) => panic!("the first line connects"),
            };
            if writeln!(output, "{answer}").is_err() {
                return;
            }
        }
    }

    fn answer(&self, request: &Value, connection: &mut OwnConnection) -> Value {
        let subject = ProofSubject {
            concept: &self.concept,
            workload: &self.workload,
            design: &self.design,
            schema: &self.schema,
        };
        let id = &request["id"];
        let call = request["call"].as_str().expect("a name");
        let arguments = request["args"].as_array().expect("a list");
        let values: Vec<Datum> = arguments.iter().map(decode_value).collect();
        let mut runner = PlanRunner::new(subject);
        let context = RunContext {
            now_micros: request["now"].as_i64().expect("a time"),
            server: connection,
            trace: &mut RunTrace::default(),
        };
        let reads = &self.workload.reads;
        let read = reads.enumerate_ids().find(|(_, read)| read.name == call);
        if let Some((at, read)) = read {
            if matches!(self.defect, Defect::FailedRead(name) if name == call) {
                let error = json!({ "kind": "code", "message": "index out of range", "step": "1" });
                return json!({ "id": id, "error": error });
            }
            let mut rows = runner.run_read(at, &values, context).expect("it runs");
            if !read.many {
                rows.truncate(1);
            }
            if matches!(self.defect, Defect::ShortResult(name) if name == call) {
                rows.pop();
            }
            return json!({ "id": id, "rows": encode_rows(&rows) });
        }
        let mut writes = self.workload.writes.enumerate_ids();
        let (at, _) = writes.find(|(_, write)| write.name == call).expect("a known name");
        if matches!(self.defect, Defect::IdleWrite(name) if name == call) {
            return json!({ "id": id, "outcome": "applied" });
        }
        let run = runner.run_write(at, &values, context).expect("it runs");
        let outcome = match self.defect {
            Defect::BlindWrite(name) if name == call => WriteOutcome::Applied,
            _ => run.outcome,
        };
        json!({ "id": id, "outcome": outcome.to_string(), "rows": encode_rows(&run.rows) })
    }
}

fn connect(target: &Value) -> Connection {
    let point = format!("{}:{}", target["host"].as_str().expect("a host"), target["port"]);
    let options = ConnectionOptions::from_contact_points(&point).expect("an address");
    let mut connection = Connection::open(&options).expect("it answers");
    connection.use_keyspace(target["keyspace"].as_str().expect("a name")).expect("it is there");
    connection
}

fn decode_value(value: &Value) -> Datum {
    value.as_str().map(|digits| hex_to_bytes(digits).expect("it is hexadecimal"))
}

fn encode_rows(rows: &[Row]) -> Vec<Vec<Option<String>>> {
    let encode = |row: &Row| row.iter().map(|value| value.as_deref().map(bytes_to_hex)).collect();
    rows.iter().map(encode).collect()
}

/// An INSERT without the columns that would be null: generated code writes no tombstones.
fn leave_out_nulls(statement: &ServerStatement) -> ServerStatement {
    let mut parsed = cql::parse(&statement.cql).statements;
    let Some(cql::StatementKind::Insert(insert)) = parsed.first_mut().map(|it| &mut it.kind) else {
        return statement.clone();
    };
    let InsertValues::Columns { columns, values: terms } = &mut insert.values else {
        return statement.clone();
    };
    let mut values = Vec::new();
    let mut given = statement.values.iter();
    let mut is_left_out = Vec::new();
    for term in terms.iter() {
        let value = matches!(term.kind, TermKind::Marker(_)).then(|| given.next()).flatten();
        is_left_out.push(matches!(value, Some(None)));
        values.extend(value.filter(|value| value.is_some()).cloned());
    }
    values.extend(given.cloned());
    let mut flags = is_left_out.iter();
    columns.retain(|_| flags.next() == Some(&false));
    let mut flags = is_left_out.iter();
    terms.retain(|_| flags.next() == Some(&false));
    ServerStatement { cql: cql::printer::statement(&parsed[0]), values }
}

impl Server for OwnConnection {
    fn run(&mut self, statement: &ServerStatement) -> Result<Answer, Failure> {
        let statement = leave_out_nulls(statement);
        let result = self.0.run(&statement.cql, &statement.values);
        let result = result.map_err(|error| Failure::Refused(error.to_string()))?;
        Ok(Answer { columns: result.columns, rows: result.rows })
    }

    fn run_batch(&mut self, kind: BatchKind, all: &[ServerStatement]) -> Result<(), Failure> {
        let all: Vec<_> = all.iter().map(leave_out_nulls).collect();
        let requests: Vec<_> =
            all.iter().map(|it| Request { cql: &it.cql, values: &it.values }).collect();
        self.0.run_batch(kind, &requests).map_err(|error| Failure::Refused(error.to_string()))
    }

    fn clear(&mut self, _: &[String]) -> Result<(), Failure> {
        panic!("code clears nothing")
    }
}
