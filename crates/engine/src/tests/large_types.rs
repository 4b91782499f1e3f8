//! User types that use each other twice: a few statements would make types whose description has
//! thousands of millions of parts.

use std::sync::Arc;

use cql::ErrorCode;
use cql::types::Type;

use crate::{Database, Options, Parameters, Session};

fn run(session: &mut Session, text: &str) -> Result<(), (ErrorCode, String)> {
    let result = session.query(text, &Parameters::default());
    result.map(drop).map_err(|error| (error.code, error.message))
}

#[test]
fn types_with_too_many_parts_are_refused() {
    let database = Database::open_in_memory(Options::default()).unwrap();
    let mut session = database.session();
    run(
        &mut session,
        "CREATE KEYSPACE k WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}",
    )
    .unwrap();
    session.set_keyspace("k");
    run(&mut session, "CREATE TYPE t0 (a int)").unwrap();
    let mut level = 0;
    let refusal = loop {
        level += 1;
        let below = level - 1;
        let text = format!("CREATE TYPE t{level} (a frozen<t{below}>, b frozen<t{below}>)");
        if let Err(refusal) = run(&mut session, &text) {
            break refusal;
        }
    };
    // t14 has 2^14 types with one field, and 2^14 - 1 with two.
    assert_eq!(level, 15);
    let text =
        "Type t15 is too large: with those of its user types it has more than 65536 components";
    assert_eq!(refusal, (ErrorCode::Invalid, text.to_owned()));
    let table = "CREATE TABLE u (k int PRIMARY KEY, v frozen<t14>)";
    run(&mut session, table).unwrap();
    let tuple = "CREATE TABLE v (k int PRIMARY KEY, v tuple<frozen<t14>, frozen<t14>>)";
    assert!(run(&mut session, tuple).is_err());
    // A further field of the innermost type is one in each of 2^14 places.
    run(&mut session, "ALTER TYPE t0 ADD b int").unwrap();
    assert!(run(&mut session, "ALTER TYPE t0 ADD c int").is_err());
    // Its types are still shared by all tables, and by each other.
    run(&mut session, "CREATE TABLE u2 (k int PRIMARY KEY, v frozen<t14>)").unwrap();
    run(&mut session, "ALTER TYPE t0 RENAME b TO c").unwrap();
    let schema = database.node().schema();
    let find = |table: &str| match &schema.table("k", table).unwrap().definition.columns()[1].ty {
        Type::User(user, _) => Arc::clone(user),
        other => panic!("{other}"),
    };
    assert!(Arc::ptr_eq(&find("u"), &find("u2")));
    match &find("u").fields[..] {
        [(_, Type::User(one, _)), (_, Type::User(other, _))] => assert!(Arc::ptr_eq(one, other)),
        other => panic!("{other:?}"),
    }
    drop(schema);
    run(&mut session, "DROP TABLE u2").unwrap();
    run(&mut session, "SELECT v, v, v FROM u").unwrap();
    let all = format!("SELECT {}v FROM u", "v, ".repeat(20));
    let refused = run(&mut session, &all).unwrap_err();
    assert_eq!(refused.1, "The types of the result have more than 1048576 components");
    assert!(session.prepare(&all).is_err());
    let inserts = "INSERT INTO u (k, v) VALUES (1, ?); ".repeat(20);
    let refused = session.prepare(&format!("BEGIN BATCH {inserts} APPLY BATCH")).unwrap_err();
    assert_eq!(refused.message, "The types of the result have more than 1048576 components");
    for level in (1..=14).rev() {
        let _ = run(&mut session, "DROP TABLE u");
        run(&mut session, &format!("DROP TYPE t{level}")).unwrap();
    }
}
