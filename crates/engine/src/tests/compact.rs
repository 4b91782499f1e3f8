//! Tables whose COMPACT STORAGE is dropped.

use crate::Database;
use crate::Options;
use crate::Parameters;
use crate::ResultMessage;

/// The result is that of a 5.0.8 node: `(1, null, 1, null)`.
#[test]
fn columns_become_static() {
    let mut session = Database::open_in_memory(Options::default()).unwrap().session();
    let mut answer = None;
    for text in [
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE k.t (pk int, ck int, PRIMARY KEY (pk)) WITH COMPACT STORAGE",
        "INSERT INTO k.t (pk, ck) VALUES (1, 1)",
        "ALTER TABLE k.t DROP COMPACT STORAGE",
        "SELECT * FROM k.t",
    ] {
        answer = Some(session.query(text, &Parameters::default()).unwrap().outcome);
    }
    let Some(ResultMessage::Rows(rows)) = answer else { panic!("no rows") };
    let one = &1_i32.to_be_bytes()[..];
    assert_eq!(rows.iter().collect::<Vec<_>>(), [[Some(one), None, Some(one), None]]);
}
