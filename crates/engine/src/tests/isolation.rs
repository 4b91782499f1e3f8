//! A read never sees half of a batch on one partition.

use std::sync::atomic::{AtomicBool, Ordering};

use cql::BatchKind;

use crate::{
    BatchPart, Database, MarkerValue, MarkerValues, Options, Parameters, ResultMessage, ResultSet,
    Session,
};

/// The rows of a batch: more than a read takes at once.
const ROWS: i32 = 200;
const BATCHES: i32 = 60;

fn rows(session: &mut Session, text: &str) -> Vec<Vec<Vec<u8>>> {
    // Without pages: the rows of several pages may come from several versions.
    let parameters = Parameters { page_size: None, ..Parameters::default() };
    let answer = session.query(text, &parameters).unwrap();
    let ResultMessage::Rows(rows) = answer.outcome else { panic!("{text}: no rows") };
    let owned = |row: Vec<Option<&[u8]>>| row.iter().map(|value| value.unwrap().to_vec()).collect();
    ResultSet::iter(&rows).map(owned).collect()
}

/// Writes all rows of the partition with the same value.
fn write_batch(session: &mut Session, value: i32) {
    let insert = session.prepare("INSERT INTO k.t (a, b, v) VALUES (1, ?, ?)").unwrap();
    let keys: Vec<[u8; 4]> = (0..ROWS).map(i32::to_be_bytes).collect();
    let value = value.to_be_bytes();
    let part = |key| {
        let values = vec![MarkerValue::Bytes(key), MarkerValue::Bytes(&value)];
        (BatchPart::Prepared(&insert), MarkerValues::Positional(values))
    };
    let parts: Vec<_> = keys.iter().map(|key| part(key)).collect();
    session.batch(BatchKind::Unlogged, &parts, &Parameters::default()).unwrap();
}

#[expect(clippy::print_stderr, reason = "a measurement")]
#[test]
fn a_read_sees_all_rows_of_a_batch_or_none() {
    let database = Database::open_in_memory(Options::default()).unwrap();
    let mut session = database.session();
    for text in [
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE k.t (a int, b int, v int, PRIMARY KEY (a, b))",
    ] {
        session.query(text, &Parameters::default()).unwrap();
    }
    write_batch(&mut session, 0);
    let done = AtomicBool::new(false);
    let reads = std::thread::scope(|scope| {
        for writer in 0..2 {
            let (mut session, done) = (database.session(), &done);
            scope.spawn(move || {
                for batch in 0..BATCHES {
                    write_batch(&mut session, batch * 2 + writer);
                }
                done.store(true, Ordering::Release);
            });
        }
        let readers: Vec<_> = [
            "SELECT v FROM k.t WHERE a = 1",
            "SELECT v FROM k.t WHERE a = 1 ORDER BY b DESC",
            "SELECT v FROM k.t",
            "SELECT min(v), max(v), count(v) FROM k.t WHERE a = 1",
        ]
        .into_iter()
        .map(|text| {
            let (mut session, done) = (database.session(), &done);
            scope.spawn(move || {
                let mut reads = 0;
                while !done.load(Ordering::Acquire) {
                    let found = rows(&mut session, text);
                    if found.len() == 1 {
                        assert_eq!(found[0][0], found[0][1], "{text}");
                        assert_eq!(found[0][2], i64::from(ROWS).to_be_bytes(), "{text}");
                    } else {
                        assert_eq!(found.len(), ROWS.unsigned_abs() as usize, "{text}");
                        assert!(found.iter().all(|row| row == &found[0]), "{text}");
                    }
                    reads += 1;
                }
                reads
            })
        })
        .collect();
        readers.into_iter().map(|reader| reader.join().unwrap()).sum::<u64>()
    });
    eprintln!("{} batches of {ROWS} rows beside {reads} reads: none saw two values", 2 * BATCHES);
    assert!(reads > 20, "{reads}");
}

/// The rows of a batch in the table with indexes: a search finds half of them, which are more than
/// are read of an index at once.
const INDEXED_ROWS: i32 = 600;

/// Exchanges the values of the even and the odd rows, and gives all of them a mark.
fn exchange_values(session: &mut Session, mark: i32) {
    let insert = session.prepare("INSERT INTO k.i (a, b, v, u, mark) VALUES (1, ?, ?, ?, ?)");
    let insert = insert.unwrap();
    let rows: Vec<_> = (0..INDEXED_ROWS).map(|b| [b, (b + mark) % 2, mark]).collect();
    let rows: Vec<_> = rows.iter().map(|row| row.map(i32::to_be_bytes)).collect();
    let parts = rows.iter().map(|[b, v, mark]| {
        let values = [b, v, v, mark].map(|value| MarkerValue::Bytes(value));
        (BatchPart::Prepared(&insert), MarkerValues::Positional(values.into()))
    });
    let parts: Vec<_> = parts.collect();
    session.batch(BatchKind::Unlogged, &parts, &Parameters::default()).unwrap();
}

/// Whichever rows have the value: before and after a batch they are half of all rows, and none of
/// them has it in both.
#[test]
fn a_search_by_an_index_sees_all_rows_of_a_batch_or_none() {
    let database = Database::open_in_memory(Options::default()).unwrap();
    let mut session = database.session();
    for text in [
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
        "CREATE TABLE k.i (a int, b int, v int, u int, mark int, PRIMARY KEY (a, b))",
        "CREATE INDEX ON k.i (v)",
        "CREATE INDEX ON k.i (u) USING 'sai'",
    ] {
        session.query(text, &Parameters::default()).unwrap();
    }
    exchange_values(&mut session, 0);
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (mut session, done) = (database.session(), &done);
        scope.spawn(move || {
            (1..40).for_each(|mark| exchange_values(&mut session, mark));
            done.store(true, Ordering::Release);
        });
        for text in [
            "SELECT mark FROM k.i WHERE v = 1",
            "SELECT mark FROM k.i WHERE a = 1 AND v = 0",
            "SELECT mark FROM k.i WHERE u = 1",
            "SELECT mark FROM k.i WHERE u > 0 AND u < 5",
        ] {
            let mut session = database.session();
            scope.spawn(move || {
                while !done.load(Ordering::Acquire) {
                    let found = rows(&mut session, text);
                    assert_eq!(found.len(), INDEXED_ROWS.unsigned_abs() as usize / 2, "{text}");
                    assert!(found.iter().all(|row| row == &found[0]), "{text}");
                }
            });
        }
    });
}
