//! The fast path and the general path have the same results.

use crate::Database;
use crate::{MarkerValue, MarkerValues, Options, Parameters, ResultMessage};

#[test]
fn a_row_is_written_and_read_on_the_fast_path() {
    let mut session = Database::open_in_memory(Options::default()).unwrap().session();
    for text in [
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE k.t (a int, b text, v blob, w int, PRIMARY KEY (a, b))",
    ] {
        session.query(text, &Parameters::default()).unwrap();
    }
    let insert = session.prepare("INSERT INTO k.t (a, b, v, w) VALUES (?, ?, ?, 7)").unwrap();
    let select = session.prepare("SELECT w, v, b, a FROM k.t WHERE a = ? AND b = ?").unwrap();
    assert!(insert.fast.is_some() && select.fast.is_some());
    let key = 5_i32.to_be_bytes();
    let with = |values: Vec<MarkerValue<'static>>| Parameters {
        values: MarkerValues::Positional(values),
        ..Parameters::default()
    };
    let key: &'static [u8] = key.to_vec().leak();
    let full = with(vec![
        MarkerValue::Bytes(key),
        MarkerValue::Bytes(b"x"),
        MarkerValue::Bytes(b"payload"),
    ]);
    session.execute(&insert, &full).unwrap();
    let answer = session
        .execute(&select, &with(vec![MarkerValue::Bytes(key), MarkerValue::Bytes(b"x")]))
        .unwrap();
    let ResultMessage::Rows(rows) = answer.outcome else { panic!("no rows") };
    let found: Vec<_> = rows.iter().collect();
    assert_eq!(found, [[Some(&7_i32.to_be_bytes()[..]), Some(b"payload"), Some(b"x"), Some(key)]]);
    // With one replica, QUORUM is one.
    let quorum = Parameters {
        consistency: cql::Consistency::LocalQuorum,
        ..with(vec![MarkerValue::Bytes(key), MarkerValue::Bytes(b"x")])
    };
    assert!(session.execute(&select, &quorum).is_ok());
    // Values that do not fit take the general path, which refuses them.
    let short = with(vec![MarkerValue::Bytes(b"abc"), MarkerValue::Bytes(b"x")]);
    let error = session.execute(&select, &short).unwrap_err();
    assert_eq!(
        (error.code, &*error.message),
        (cql::ErrorCode::Invalid, "Expected 4 or 0 byte int (3)")
    );
}
