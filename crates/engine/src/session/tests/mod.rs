//! The traces of statements, compared with those of a real node.
//!
//! `recorded_traces.txt` has the events of Apache Cassandra 5.0.8, with all data in memtables. Lines
//! with `!` prepare, lines with `>` are traced. Ids, timestamps and times are replaced by `UUID` and
//! `N`. Left out are the reads of `system.local` and `system.paxos`, writes to the tables of indexes
//! (`Adding to t.i memtable`) and `Submitted 1 concurrent range requests`, which has no fixed place.

use crate::{Database, Options, Parameters, ResultMessage, Session};

const RECORDED: &str = include_str!("../recorded_traces.txt");
/// The least number of digits that are replaced.
const DIGITS: usize = 15;

fn run(session: &mut Session, text: &str, tracing: bool) -> crate::ExecutionResult {
    let parameters = Parameters { tracing, ..Parameters::default() };
    session.query(text, &parameters).unwrap_or_else(|e| panic!("{text}: {e}"))
}

fn list_events(session: &mut Session, text: &str) -> Vec<String> {
    let id = run(session, text, true).trace_id.expect("it is traced");
    let select = format!("SELECT activity FROM system_traces.events WHERE session_id = {id}");
    let ResultMessage::Rows(rows) = run(session, &select, false).outcome else { panic!("no rows") };
    let activity = |row: Vec<Option<&[u8]>>| String::from_utf8(row[0].unwrap().to_vec()).unwrap();
    rows.iter().map(|row| activity(row.into_iter().collect())).collect()
}

fn is_left_out(event: &str) -> bool {
    event.starts_with("Submitted ")
        || (event.starts_with("Adding to ") && event.contains('.') && event.ends_with(" memtable"))
}

/// Replaces ids, long numbers and times.
fn mask(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let is_time = ["ldt=", "let=", "took "].iter().any(|name| out.ends_with(name));
        if is_id(rest) {
            out.push_str("UUID");
            rest = &rest[36..];
        } else if digits >= DIGITS || (is_time && digits > 0) {
            out.push('N');
            rest = &rest[digits..];
        } else {
            let length = digits.max(first.len_utf8());
            out.push_str(&rest[..length]);
            rest = &rest[length..];
        }
    }
    out
}

fn is_id(text: &str) -> bool {
    let is_place = |(at, byte): (usize, u8)| match at {
        8 | 13 | 18 | 23 => byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    text.len() >= 36 && text.bytes().take(36).enumerate().all(is_place)
}

#[test]
fn traces_are_those_of_a_node() {
    let mut session = Database::open_in_memory(Options::default()).unwrap().session();
    let keyspace = "CREATE KEYSPACE tr WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}";
    run(&mut session, keyspace, false);
    let mut found = String::new();
    for line in RECORDED.lines() {
        if let Some(text) = line.strip_prefix("! ") {
            run(&mut session, text, false);
            found.extend([line, "\n"]);
        } else if let Some(text) = line.strip_prefix("> ") {
            found.extend([line, "\n"]);
            let events = list_events(&mut session, text);
            for event in events.iter().filter(|event| !is_left_out(event)) {
                for line in mask(event).lines() {
                    found.extend(["    ", line, "\n"]);
                }
            }
        }
    }
    let differs = RECORDED.lines().zip(found.lines()).position(|(node, here)| node != here);
    if let Some(at) = differs {
        let around = |text: &str| {
            let lines = text.lines().skip(at.saturating_sub(12)).take(16);
            lines.collect::<Vec<_>>().join("\n")
        };
        panic!("line {}\nnode:\n{}\n\nhere:\n{}", at + 1, around(RECORDED), around(&found));
    }
    assert_eq!(found.lines().count(), RECORDED.lines().count());
}
