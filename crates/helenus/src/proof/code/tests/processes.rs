//! Programs as processes, and their lines.

use std::process::Command;
use std::time::{Duration, Instant};

use sim::{Failure, WriteOutcome};

use crate::proof::code::message::{
    AnsweredPage, CallAnswer, PageRequest, ProgramLimits, ProgramTarget, read_answer, read_ready,
    write_call, write_connect,
};
use crate::proof::code::program::DriverProgram;

const SOON: Duration = Duration::from_secs(20);

/// A program that is a script.
fn start_script(script: &str) -> DriverProgram {
    DriverProgram::start(Command::new("sh").args(["-c", script])).expect("a shell starts")
}

#[test]
fn lines_are_answered_by_lines() {
    let script = "while read -r line; do echo noise; echo \"{$line}\"; done";
    let mut program = start_script(script);
    for line in ["one", "two"] {
        let answer = program.exchange(line.to_owned(), SOON);
        assert_eq!(answer.as_deref().map(str::trim), Ok(format!("{{{line}}}").as_str()));
    }
}

#[test]
fn a_program_that_ends_is_told_with_its_words() {
    let mut program = start_script("echo some noise; echo 'no such class' >&2; exit 7");
    let problem = program.exchange("connect".to_owned(), SOON).expect_err("it has ended");
    assert!(
        problem.starts_with("the generated code ended (exit status: 7); it printed:"),
        "{problem}"
    );
    assert!(problem.contains("no such class") && problem.contains("some noise"), "{problem}");
    let again = program.exchange("call".to_owned(), SOON);
    assert_eq!(again, Err("the generated code was ended".to_owned()));
}

#[test]
fn only_the_end_of_what_it_prints_is_kept() {
    let mut program = start_script("yes noise | head -c 600000 >&2; echo last words >&2");
    let problem = program.exchange("connect".to_owned(), SOON).expect_err("it has ended");
    assert!(problem.len() < 9_000 && problem.ends_with("noise\nlast words"), "{}", problem.len());
}

#[test]
fn a_program_that_does_not_answer_is_killed() {
    // It neither reads nor ends at the end of its input; the line is larger than a pipe.
    let start = Instant::now();
    let mut program = start_script("exec sleep 600");
    let limit = Duration::from_millis(100);
    let problem = program.exchange("x".repeat(1 << 20), limit).expect_err("no answer");
    assert_eq!(problem, "the generated code did not answer within 0.1 s");
    assert!(start.elapsed() < SOON);
}

#[test]
fn a_program_that_is_not_there_is_named() {
    let missing = DriverProgram::start(&mut Command::new("/no/such/program")).err();
    assert!(missing.is_some_and(|why| why.starts_with("cannot start /no/such/program: ")));
}

#[test]
fn requests_are_lines_of_json() {
    let login = Some(("me".to_owned(), "secret".to_owned()));
    let (host, keyspace) = ("127.0.0.1".to_owned(), "ks".to_owned());
    let target = ProgramTarget { host, port: 9042, keyspace, login, limits: ProgramLimits::LOW };
    let expected: serde_json::Value = serde_json::json!({ "connect": {
        "host": "127.0.0.1", "port": 9042, "keyspace": "ks", "user": "me", "password": "secret",
        "limits": {
            "concurrency": 3, "page_size": 7, "batch_statements": 3, "batch_bytes": 600
        },
    }});
    assert_eq!(serde_json::from_str(&write_connect(&target)).ok(), Some(expected));
    let now = 1_731_900_000_000_000;
    let values = [Some(vec![1, 171]), None];
    let line = write_call(1, "VideosByUser", now, &values, None);
    let mut expected = serde_json::json!({
        "id": 1, "call": "VideosByUser", "now": now, "args": ["01ab", null]
    });
    assert_eq!(serde_json::from_str(&line).ok(), Some(expected.clone()));
    assert!(!line.contains('\n'));
    let page = Some(PageRequest { size: 3, token: Some("a\"b") });
    let line = write_call(1, "VideosByUser", now, &values, page);
    expected["page"] = serde_json::json!({ "size": 3, "token": "a\"b" });
    assert_eq!(serde_json::from_str(&line).ok(), Some(expected));
}

#[test]
fn answers_are_read() {
    let rows = vec![vec![Some(vec![1, 171]), None, Some(Vec::new())]];
    let answer = read_answer(r#"{"id":1,"rows":[["01aB",null,""]]}"#, 1);
    let page = AnsweredPage::Whole;
    assert_eq!(answer, Ok(CallAnswer { outcome: None, rows, page }));
    for (token, page) in
        [("null", AnsweredPage::Last), ("\"x\"", AnsweredPage::Next("x".to_owned()))]
    {
        let answer = read_answer(&format!("{{\"id\":1,\"rows\":[],\"token\":{token}}}"), 1);
        assert_eq!(answer, Ok(CallAnswer { outcome: None, rows: Vec::new(), page }));
    }
    let answer = read_answer(r#"{"id":2,"outcome":"violation"}"#, 2);
    let outcome = Some(WriteOutcome::Violation);
    assert_eq!(answer, Ok(CallAnswer { outcome, rows: Vec::new(), page: AnsweredPage::Whole }));
    let answer = read_answer(r#"{"id":3,"error":{"kind":"server","message":"no","query":"Q"}}"#, 3);
    assert_eq!(answer, Err(Failure::Refused("no (error server, statement Q)".to_owned())));
    let answer = read_answer(r#"{"id":3,"error":{"kind":"limit"}}"#, 3);
    assert_eq!(answer, Err(Failure::Exhausted));
    let answer = read_answer(r#"{"id":3,"error":{"kind":"connection"}}"#, 3);
    let gone = "an error without a message (error connection)".to_owned();
    assert_eq!(answer, Err(Failure::Gone(gone)));
    assert_eq!(read_ready(r#"{"ready":true}"#), Ok(()));
}

#[test]
fn answers_that_are_none_end_the_proof() {
    for line in [
        "{",
        "[]",
        r#"{"id":2,"rows":[]}"#,
        r#"{"id":1}"#,
        r#"{"id":1,"rows":[["0"]]}"#,
        r#"{"id":1,"rows":[7]}"#,
        r#"{"id":1,"rows":[],"token":7}"#,
        r#"{"id":1,"outcome":"fine","rows":[]}"#,
    ] {
        let answer = read_answer(line, 1);
        assert!(matches!(answer, Err(Failure::Gone(_))), "{line}: {answer:?}");
    }
    for line in ["{}", r#"{"ready":false}"#, r#"{"error":{"message":"no route"}}"#] {
        assert!(matches!(read_ready(line), Err(Failure::Gone(_))), "{line}");
    }
}
