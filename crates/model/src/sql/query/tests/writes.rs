//! Writes.

use super::{write, write_error};
use crate::id::ParameterId;
use crate::workload::{AssignmentValue, Predicate, Upsert, Value, WriteKind};

fn insert_values(text: &str) -> (Vec<(usize, Value)>, bool) {
    let (write, _) = write(text);
    match write.kind {
        WriteKind::Insert(values) => {
            let values = values.into_iter().map(|(attribute, value)| (attribute.index(), value));
            (values.collect(), write.strict)
        }
        other => panic!("{other:?}"),
    }
}

fn literal(text: &str) -> Value {
    Value::Literal(text.to_owned())
}

#[test]
fn inserts() {
    assert_eq!(
        insert_values("INSERT INTO countries (name, code) VALUES (?, 'de')"),
        (vec![(1, Value::Parameter(ParameterId::new(0))), (0, literal("'de'"))], false)
    );
    assert_eq!(
        insert_values("INSERT INTO countries VALUES ($1, $2)"),
        (
            vec![
                (0, Value::Parameter(ParameterId::new(0))),
                (1, Value::Parameter(ParameterId::new(1)))
            ],
            false
        )
    );
    // What is null is left out.
    assert_eq!(
        insert_values("INSERT INTO employees (id, name, manager) VALUES (?, ?, NULL)").0,
        [(0, Value::Parameter(ParameterId::new(0))), (1, Value::Parameter(ParameterId::new(1)))]
    );
    assert_eq!(
        insert_values("INSERT INTO videos (videoid, userid, name, tags, day, added) VALUES (?, ?, ?, ARRAY['a', 'b'], ?, ?)").0[3],
        (4, literal("['a', 'b']"))
    );
}

#[test]
fn conflicts() {
    assert!(
        insert_values("INSERT INTO countries (code, name) VALUES (?, ?) ON CONFLICT DO NOTHING").1
    );
    assert!(
        insert_values(
            "INSERT INTO countries (code, name) VALUES (?, ?) ON CONFLICT (code) DO NOTHING"
        )
        .1
    );
    let no_key = write_error(
        "INSERT INTO countries (code, name) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
    );
    assert_eq!(no_key.message, "the ON CONFLICT columns of W are not a key of countries");
    assert_eq!(no_key.underlined, "ON CONFLICT");
}

/// What an INSERT with ON CONFLICT DO UPDATE sets in an existing row, by attribute, and how many
/// conditions it has.
fn upsert(statement: &str) -> (Vec<(usize, AssignmentValue)>, usize) {
    let (write, _) = write(statement);
    let WriteKind::Upsert(Upsert { update: Some((assignments, conditions)), .. }) = write.kind
    else {
        panic!("no upsert: {:?}", write.kind)
    };
    let set = assignments.into_iter().map(|it| (it.attribute.index(), it.value)).collect();
    (set, conditions.len())
}

fn parameter(at: usize) -> Value {
    Value::Parameter(ParameterId::new(at))
}

#[test]
fn existing_rows_keep_what_is_not_set() {
    let into = "INSERT INTO users (userid, email, age, active, logins, created)";
    let half = format!(
        "{into} VALUES (?, ?, ?, true, 0, ?) ON CONFLICT (userid) DO UPDATE SET email = EXCLUDED.email, age = ?"
    );
    let set =
        vec![(1, AssignmentValue::Set(parameter(1))), (5, AssignmentValue::Set(parameter(4)))];
    assert_eq!(upsert(&half), (set, 0));
    let counting = format!(
        "{into} VALUES (?, ?, 1, true, 7, ?) ON CONFLICT (email) DO UPDATE
         SET logins = users.logins + EXCLUDED.logins, age = NULL WHERE users.created < EXCLUDED.created"
    );
    let set = vec![(4, AssignmentValue::Add(literal("7"))), (5, AssignmentValue::Null)];
    assert_eq!(upsert(&counting), (set, 1));
    // A value that the INSERT does not give is null, and the key itself stays.
    let absent = "INSERT INTO employees AS e (id, name) VALUES (?, ?) ON CONFLICT ON CONSTRAINT employees_pkey
         DO UPDATE SET id = EXCLUDED.id, manager = EXCLUDED.manager WHERE EXCLUDED.name > e.name";
    assert_eq!(upsert(absent), (vec![(2, AssignmentValue::Null)], 1));
}

#[test]
fn several_rows_share_what_follows_them() {
    let (write, _) = write(
        "INSERT INTO countries (code, name) VALUES (?, ?), (?, 'x')
         ON CONFLICT (code) DO UPDATE SET name = ? WHERE countries.name = ?",
    );
    assert_eq!(write.parameters.len(), 5);
    let WriteKind::Rows(rows) = &write.kind else { panic!("one row") };
    for row in rows {
        let WriteKind::Upsert(Upsert { update: Some((set, conditions)), .. }) = row else {
            panic!("no upsert: {row:?}")
        };
        assert_eq!(set[0].value, AssignmentValue::Set(parameter(3)));
        let Predicate::Compare { value, .. } = &conditions[0].predicate else { panic!() };
        assert_eq!(*value, parameter(4));
    }
    assert_eq!(write.implies.len(), 2);
}

#[test]
fn conflicts_that_say_too_little() {
    let no_target = write_error(
        "INSERT INTO countries (code, name) VALUES (?, ?) ON CONFLICT DO UPDATE SET name = ?",
    );
    assert_eq!(no_target.message, "W names no key in ON CONFLICT DO UPDATE");
    assert_eq!(no_target.help, "write ON CONFLICT (code)");
    let unknown = write_error(
        "INSERT INTO countries (code, name) VALUES (?, ?) ON CONFLICT (code) DO UPDATE SET name = EXCLUDED.nam",
    );
    assert_eq!((unknown.rule, unknown.underlined.as_str()), ("MF303", "EXCLUDED.nam"));
    let other = write_error(
        "INSERT INTO employees (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = EXCLUDED.id",
    );
    assert_eq!(other.rule, "MF341");
    let copied = write_error(
        "INSERT INTO employees (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET manager = employees.id",
    );
    assert_eq!(copied.rule, "MF363");
}

#[test]
fn updates() {
    let (write, _) = write(
        "UPDATE videos v SET name = ?, editor = NULL, tags = array_append(tags, ?), rating = 4 WHERE v.videoid = ?",
    );
    let WriteKind::Update(assignments, conditions) = write.kind else { panic!("no update") };
    let values: Vec<(usize, AssignmentValue)> =
        assignments.into_iter().map(|it| (it.attribute.index(), it.value)).collect();
    assert_eq!(
        values,
        [
            (3, AssignmentValue::Set(Value::Parameter(ParameterId::new(0)))),
            (2, AssignmentValue::Null),
            (4, AssignmentValue::Append(Value::Parameter(ParameterId::new(1)))),
            (5, AssignmentValue::Set(literal("4.0"))),
        ]
    );
    assert_eq!(conditions.len(), 1);
}

#[test]
fn arrays() {
    let value = |set: &str| {
        let (write, _) = write(&format!("UPDATE videos SET tags = {set} WHERE videoid = ?"));
        match write.kind {
            WriteKind::Update(mut assignments, _) => assignments.remove(0).value,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(value("tags || ?"), AssignmentValue::Append(Value::Parameter(ParameterId::new(0))));
    assert_eq!(value("tags || ARRAY['x']"), AssignmentValue::Append(literal("'x'")));
    assert_eq!(value("array_remove(videos.tags, 'x')"), AssignmentValue::Remove(literal("'x'")));
    assert_eq!(value("?"), AssignmentValue::Set(Value::Parameter(ParameterId::new(0))));
    let several = write_error("UPDATE videos SET tags = tags || ARRAY['a', 'b'] WHERE videoid = ?");
    assert_eq!(several.message, "W adds several elements to tags");
}

#[test]
fn deletes_and_conditional_writes() {
    let (write, _) = write("DELETE FROM comments WHERE videoid = ? AND commentid = ?");
    assert!(matches!(write.kind, WriteKind::Delete(conditions) if conditions.len() == 2));
    let (write, _) = super::write("UPDATE users SET active = false WHERE userid = ? AND active");
    assert!(matches!(write.kind, WriteKind::Update(_, conditions) if conditions.len() == 2));
}
