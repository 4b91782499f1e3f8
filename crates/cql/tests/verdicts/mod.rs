//! Statements with the verdict of a real Cassandra 5.0.8 on their syntax.
//!
//! In `statements.txt` a line starts with `+` (accepted), `-` (refused by the grammar) or `!`
//! (refused with a text of the parser, which is on the next line).

use cql::StatementKind;

#[derive(Debug, PartialEq)]
enum Verdict<'a> {
    Read,
    Refused,
    Said(&'a str),
}

fn cases() -> Vec<(&'static str, Verdict<'static>)> {
    let mut cases = Vec::new();
    let mut lines = include_str!("statements.txt").lines();
    while let Some(line) = lines.next() {
        let (sign, statement) = line.split_at(2);
        let verdict = match sign {
            "+ " => Verdict::Read,
            "- " => Verdict::Refused,
            "! " => {
                Verdict::Said(lines.next().expect("the text stands on the next line").trim_start())
            }
            _ => panic!("unknown verdict: {line}"),
        };
        cases.push((statement, verdict));
    }
    cases
}

#[test]
fn statements_are_read_when_the_server_reads_them() {
    let mut wrong = Vec::new();
    for (statement, verdict) in cases() {
        let parsed = cql::parse(statement);
        let refused = !parsed.errors.is_empty();
        if refused != (verdict != Verdict::Read) {
            wrong.push(format!("{verdict:?}: {statement}\n    {:?}", parsed.errors));
        }
        if !refused {
            assert!(
                parsed.statements.iter().all(|statement| statement.kind != StatementKind::Invalid),
                "{statement}"
            );
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_parser_speaks_with_the_servers_words() {
    let mut wrong = Vec::new();
    for (statement, verdict) in cases() {
        let Verdict::Said(text) = verdict else { continue };
        let errors = cql::parse(statement).errors;
        if errors.first().map(cql::SyntaxError::message).as_deref() != Some(text) {
            wrong.push(format!("{statement}\n    {text}\n    {errors:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}
