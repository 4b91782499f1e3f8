//! The cases put to our own engine, in process: what it says must be what the node said, rows and warnings included.

use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};

use engine::{AccessRecorder, Database, MarkerValue, MarkerValues, Session};

use super::file::{CaseFile, CaseStatement};
use super::judge::{Judge, judge_statement};
use super::{CREATE_KEYSPACE, select_files};
use crate::print_uncaptured;
use crate::protocol::{
    Answer, BindValue, ColumnSpec, Options, Outcome, Page, PreparedStatement, Refusal,
};
use crate::verdict::{KEYSPACE, Verdict};

/// Disagreements printed in full; the rest are counted.
const SHOWN_MAX: usize = 40;

#[test]
fn our_engine_says_what_cassandra_says() {
    run_in_process().conclude("in process");
}

pub(super) fn run_in_process() -> CaseReport {
    let mut report = CaseReport::default();
    for file in select_files() {
        let database =
            Database::open_in_memory(engine::Options::default()).expect("a database opens");
        let mut judge = InProcess::new(&database);
        run_file(&file, &mut judge, &mut report, |_, _| Ok(()));
    }
    report
}

/// What a run found out.
#[derive(Default)]
pub(super) struct CaseReport {
    statements: usize,
    disagreements: Vec<String>,
    per_file: BTreeMap<String, usize>,
}

impl CaseReport {
    /// Takes in what was said of a statement.
    pub(super) fn record(&mut self, file: &CaseFile, statement: &CaseStatement, ours: &Verdict) {
        self.statements += 1;
        // What the binder says otherwise, the engine may say rightly.
        let agrees = statement.verdict.matches(ours);
        if agrees != statement.unlike.is_some() || statement.diverges.is_some() {
            return;
        }
        let (node, ours) = (statement.verdict.lines().join("\n  "), ours.lines().join("\n  "));
        let place = format!("{}:{}", file.name(), statement.line);
        let text = &statement.text;
        self.disagreements.push(format!("{place}: {text}\n Cassandra:\n  {node}\n we:\n  {ours}"));
        *self.per_file.entry(file.name()).or_default() += 1;
    }

    /// Prints what disagrees, and fails if anything does.
    pub(super) fn conclude(self, how: &str) {
        let shown = std::env::var("HELENUS_FULL").map_or(SHOWN_MAX, |_| usize::MAX);
        for disagreement in self.disagreements.iter().take(shown) {
            print_uncaptured(disagreement);
        }
        for (file, count) in &self.per_file {
            print_uncaptured(&format!("{count:5} {file}"));
        }
        let (wrong, count) = (self.disagreements.len(), self.statements);
        assert!(wrong == 0, "{how}: {wrong} of {count} statements are answered otherwise");
    }
}

/// Puts the statements of a file to a judge, one after the other; `before` comes before each, with its number.
pub(super) fn run_file<J: Judge>(
    file: &CaseFile,
    judge: &mut J,
    report: &mut CaseReport,
    mut before: impl FnMut(&mut J, usize) -> io::Result<()>,
) {
    let known = file.print();
    for text in [CREATE_KEYSPACE.to_owned(), format!("USE {KEYSPACE}")] {
        let outcome = judge.query(&text, &Options::default());
        assert!(outcome.is_ok_and(|outcome| outcome.result.is_ok()), "{text}");
    }
    for (number, statement) in file.statements.iter().enumerate() {
        let mut answer = || {
            before(judge, number)?;
            judge_statement(judge, statement, &known)
        };
        let verdict = catch_unwind(AssertUnwindSafe(&mut answer));
        let verdict = match verdict {
            Ok(Ok(verdict)) => verdict,
            Ok(Err(error)) => failure_verdict(&error.to_string()),
            Err(_) => failure_verdict("a panic"),
        };
        // Pages count where they were asked for when the file was blessed.
        let pages = verdict.pages.filter(|_| statement.verdict.pages.is_some());
        report.record(file, statement, &Verdict { pages, ..verdict });
    }
}

/// What stands for an answer where there is none.
fn failure_verdict(text: &str) -> Verdict {
    Verdict { refusal: Some((u32::MAX, text.to_owned())), ..Verdict::default() }
}

/// A session of the engine, with what it prepared.
pub(super) struct InProcess {
    session: Session,
    prepared: Vec<engine::PreparedStatement>,
    /// Takes down what statements touch, where that is looked at.
    pub(super) recorder: Option<AccessRecorder>,
}

impl InProcess {
    pub(super) fn new(database: &Database) -> Self {
        Self { session: database.session(), prepared: Vec::new(), recorder: None }
    }

    pub(super) fn keyspace(&self) -> Option<String> {
        self.session.keyspace().map(str::to_owned)
    }

    pub(super) fn set_keyspace(&mut self, keyspace: Option<&str>) {
        if let Some(keyspace) = keyspace {
            self.session.set_keyspace(keyspace);
        }
    }

    pub(super) fn clear_prepared(&mut self) {
        self.prepared.clear();
    }
}

impl Judge for InProcess {
    fn prepare(&mut self, text: &str) -> io::Result<Outcome> {
        let result = self.session.prepare(text).map_err(refusal).map(|prepared| {
            let id = self.prepared.len().to_be_bytes().to_vec();
            let described = PreparedStatement {
                id,
                result_id: Vec::new(),
                markers: columns(&prepared.markers),
                key_markers: prepared.partition_key.clone(),
                columns: columns(&prepared.columns),
            };
            self.prepared.push(prepared);
            Answer::Prepared(described)
        });
        Ok(Outcome { warnings: Vec::new(), result })
    }

    fn query(&mut self, text: &str, options: &Options) -> io::Result<Outcome> {
        if options.page_size == Some(0) {
            // The protocol refuses it, before the engine sees the statement.
            let message = "The page size cannot be 0".to_owned();
            let refusal = Refusal { code: 0x000a, message };
            return Ok(Outcome { warnings: Vec::new(), result: Err(refusal) });
        }
        Ok(outcome(self.session.query(text, &parameters(options, self.recorder.as_ref()))))
    }

    fn execute(&mut self, prepared: &PreparedStatement, options: &Options) -> io::Result<Outcome> {
        let id = prepared.id.as_slice().try_into().map(usize::from_be_bytes);
        let found = id.ok().and_then(|id| self.prepared.get(id));
        let prepared = found.ok_or_else(|| io::Error::other("not prepared"))?;
        let parameters = parameters(options, self.recorder.as_ref());
        Ok(outcome(self.session.execute(prepared, &parameters)))
    }
}

fn parameters<'a>(
    options: &'a Options,
    recorder: Option<&'a AccessRecorder>,
) -> engine::Parameters<'a> {
    let values = match options.values.as_slice() {
        [] => MarkerValues::None,
        values => MarkerValues::Positional(values.iter().map(value).collect()),
    };
    engine::Parameters {
        values,
        consistency: cql::Consistency::from_number(options.consistency).unwrap_or_default(),
        page_size: options.page_size,
        paging_state: options.paging_state.as_deref(),
        timestamp: options.timestamp,
        recorder,
        ..engine::Parameters::default()
    }
}

fn value(value: &BindValue) -> MarkerValue<'_> {
    match value {
        BindValue::Unset => MarkerValue::Unset,
        BindValue::Null => MarkerValue::Null,
        BindValue::Bytes(bytes) => MarkerValue::Bytes(bytes),
    }
}

fn outcome(answer: engine::Result<engine::ExecutionResult>) -> Outcome {
    let answer = match answer {
        Ok(answer) => answer,
        Err(mut error) => {
            let warnings = std::mem::take(&mut error.warnings);
            return Outcome { warnings, result: Err(refusal(error)) };
        }
    };
    let result = match answer.outcome {
        engine::ResultMessage::Rows(rows) => {
            let owned = |row: Vec<Option<&[u8]>>| {
                row.into_iter().map(|value| value.map(<[u8]>::to_vec)).collect()
            };
            Answer::Rows(Page {
                columns: columns(&rows.columns),
                rows: rows.iter().map(owned).collect(),
                paging_state: rows.paging_state,
            })
        }
        _ => Answer::Done,
    };
    Outcome { warnings: answer.warnings, result: Ok(result) }
}

fn columns(columns: &[engine::ResultColumn]) -> Vec<ColumnSpec> {
    let column =
        |one: &engine::ResultColumn| ColumnSpec { name: one.name.to_string(), ty: one.ty.clone() };
    columns.iter().map(column).collect()
}

fn refusal(error: engine::Error) -> Refusal {
    Refusal { code: error.code.number().into(), message: error.message }
}
