//! Writes.

use super::{model, write, write_error};
use crate::id::ParameterId;
use crate::workload::{AssignmentValue, Value, WriteKind};

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
    let text = "-- name: W :exec\n-- @rate 1/s\nINSERT INTO countries (code, name) VALUES (?, ?)
        ON CONFLICT (code) DO UPDATE SET name = EXCLUDED.name;";
    let file = model(text);
    assert!(!file.workload.writes[0].strict);
    assert_eq!(file.warnings.len(), 1);
    assert_eq!(file.warnings[0].rule, "MF391");

    let half = write_error(
        "INSERT INTO users (userid, email, age, active, logins, created) VALUES (?, ?, ?, true, 1, now()) ON CONFLICT (userid) DO UPDATE SET email = EXCLUDED.email, active = EXCLUDED.active, logins = EXCLUDED.logins, created = EXCLUDED.created",
    );
    assert_eq!(half.message, "W keeps the old age of an existing row");
    assert_eq!(half.help, "set every inserted column: `age = EXCLUDED.age`");
    let counting = write_error(
        "INSERT INTO users (userid, email, active, logins, created, age) VALUES (?, ?, true, 1, now(), 1) ON CONFLICT (userid) DO UPDATE SET age = users.age + 1",
    );
    assert_eq!(counting.message, "W updates an existing row with other values than it inserts");
    assert!(counting.help.contains("UPDATE users SET n = n + ?"));
    let no_key = write_error(
        "INSERT INTO countries (code, name) VALUES (?, ?) ON CONFLICT (name) DO NOTHING",
    );
    assert_eq!(no_key.message, "the ON CONFLICT columns of W are not a key of countries");
    assert_eq!(no_key.underlined, "ON CONFLICT");
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
