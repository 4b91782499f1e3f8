//! Paged reads of a small table, compared with the results of a Cassandra 5.0.8 node.

use cql::value::literal;

use crate::Database;
use crate::Options;
use crate::Parameters;
use crate::ResultMessage;
use crate::ResultSet;
use crate::Session;

/// Partitions in the order of their tokens: 1, 8, 0, 2, 7; those of 8 and 7 have a static row only.
fn session() -> Session {
    let mut session = Database::open_in_memory(Options::default()).unwrap().session();
    let mut run = |text: &str| {
        session.query(text, &Parameters::default()).unwrap_or_else(|error| {
            panic!("{text}: {error}");
        })
    };
    run(
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    );
    run("USE k");
    run("CREATE TABLE t (a int, c int, s int static, v int, PRIMARY KEY (a, c))");
    for a in 0..3 {
        for c in 0..3 {
            run(&format!("INSERT INTO t (a, c, v) VALUES ({a}, {c}, 0)"));
        }
        run(&format!("UPDATE t SET s = {a} WHERE a = {a}"));
    }
    run("UPDATE t SET s = 7 WHERE a = 7");
    run("UPDATE t SET s = 8 WHERE a = 8");
    session
}

fn page(session: &mut Session, text: &str, size: i32, state: Option<&[u8]>) -> ResultSet {
    let parameters =
        Parameters { page_size: Some(size), paging_state: state, ..Parameters::default() };
    match session.query(text, &parameters) {
        Ok(answer) => match answer.outcome {
            ResultMessage::Rows(rows) => rows,
            other => panic!("{text}: {other:?}"),
        },
        Err(error) => panic!("{text}: {error}"),
    }
}

/// All pages of a result: rows separated by commas, pages by bars, including empty pages.
fn pages(session: &mut Session, text: &str, size: i32) -> String {
    let mut pages = Vec::new();
    let mut state: Option<Vec<u8>> = None;
    loop {
        let rows = page(session, text, size, state.as_deref());
        let value = |(column, value): (&crate::ResultColumn, Option<&[u8]>)| {
            literal(&column.ty, value).unwrap()
        };
        let row = |row: Vec<Option<&[u8]>>| {
            rows.columns.iter().zip(row).map(value).collect::<Vec<_>>().join(" ")
        };
        pages.push(rows.iter().map(row).collect::<Vec<_>>().join(", "));
        state = rows.paging_state;
        if state.is_none() {
            return pages.join(" | ");
        }
    }
}

/// A full page may be followed by an empty one, as on the server, which does not look beyond its
/// last row.
#[test]
fn pages_end_where_those_of_the_server_end() {
    let mut session = session();
    for (text, size, expected) in [
        ("SELECT a, c FROM t", 3, "1 0, 1 1, 1 2 | 8 null, 0 0, 0 1 | 0 2, 2 0, 2 1 | 2 2, 7 null"),
        ("SELECT a, c FROM t WHERE a = 1", 3, "1 0, 1 1, 1 2 | "),
        ("SELECT a, c FROM t WHERE a = 7", 1, "7 null"),
        ("SELECT a, c FROM t WHERE a = 1 AND c = 1", 1, "1 1 | "),
        ("SELECT a, c FROM t WHERE a IN (0, 7, 1)", 2, "0 0, 0 1 | 0 2, 1 0 | 1 1, 1 2 | 7 null"),
        ("SELECT a, c FROM t WHERE a IN (0, 7, 1) PER PARTITION LIMIT 1", 1, "0 0 | 1 0 | 7 null"),
        ("SELECT DISTINCT a, s FROM t", 5, "1 1, 8 8, 0 0, 2 2, 7 7 | "),
        ("SELECT DISTINCT a, s FROM t", 3, "1 1, 8 8, 0 0 | 2 2, 7 7"),
        (
            "SELECT a, c FROM t PER PARTITION LIMIT 2",
            2,
            "1 0, 1 1 | 8 null, 0 0 | 0 1, 2 0 | 2 1, 7 null | ",
        ),
        ("SELECT a, c FROM t WHERE a = 1 PER PARTITION LIMIT 2", 1, "1 0 | 1 1"),
        (
            "SELECT a, c, count(*) FROM t GROUP BY a",
            5,
            "1 0 3, 8 null 1, 0 0 3, 2 0 3, 7 null 1 | ",
        ),
        ("SELECT a, c, count(*) FROM t GROUP BY a, c LIMIT 4", 3, "1 0 1, 1 1 1, 1 2 1 | 8 null 1"),
        ("SELECT a, c, count(*) FROM t WHERE a = 1 GROUP BY a", 1, "1 0 3 | "),
        (
            "SELECT a, c, count(*) FROM t WHERE a IN (0, 7, 1) GROUP BY a",
            1,
            "0 0 3 | 1 0 3 | 7 null 1",
        ),
        ("SELECT DISTINCT a, count(*) FROM t GROUP BY a", 1, "1 1, 8 1, 0 1, 2 1, 7 1"),
        ("SELECT count(*) FROM t", 2, "11"),
        ("SELECT DISTINCT count(a) FROM t", 2, "5"),
    ] {
        assert_eq!(pages(&mut session, text, size), expected, "{text} in pages of {size}");
    }
}

#[test]
fn static_columns_pass_the_filter_with_their_partition() {
    let mut session = session();
    for (text, expected) in [
        ("SELECT a, c FROM t WHERE s > 1 ALLOW FILTERING", "8 null, 2 0, 2 1, 2 2, 7 null"),
        ("SELECT a, c FROM t WHERE c = 1 ALLOW FILTERING", "1 1, 0 1, 2 1"),
        ("SELECT a, c FROM t WHERE v = 1 ALLOW FILTERING", ""),
        ("SELECT a, c, s FROM t WHERE a = 7 AND c > 1", ""),
    ] {
        assert_eq!(pages(&mut session, text, 100), expected, "{text}");
    }
}

#[test]
fn many_tombstones_are_warned_of() {
    let mut session = session();
    for c in 0..1001 {
        let text = format!("DELETE v FROM t WHERE a = 5 AND c = {c}");
        session.query(&text, &Parameters::default()).unwrap();
    }
    let text = "SELECT v FROM t WHERE a = 5 AND c >= 0 LIMIT 10";
    let answer = session.query(text, &Parameters::default()).unwrap();
    assert_eq!(
        answer.warnings,
        [
            "Read 0 live rows and 1001 tombstone cells for query SELECT v FROM k.t WHERE a = 5 AND c >= 0 LIMIT 10 ALLOW FILTERING; token -7509452495886106294 (see tombstone_warn_threshold)"
        ]
    );
}

#[test]
fn garbage_for_a_paging_state_is_refused() {
    let mut session = session();
    let parameters =
        Parameters { page_size: Some(2), paging_state: Some(b"garbage"), ..Parameters::default() };
    let error = session.query("SELECT a FROM t", &parameters).unwrap_err();
    assert_eq!(
        (error.code, &*error.message),
        (cql::ErrorCode::Protocol, "Invalid value for the paging state")
    );
}
