//! What SQL means, in every form that model files may have; the answers are `PostgreSQL`'s.

use cql::types::Type;
use cql::value;
use model::id::EntityId;
use model::sql::ModelFile;

use super::*;

const TABLES: &str = "
CREATE TABLE people (
  id     int PRIMARY KEY,
  email  text NOT NULL UNIQUE,
  name   text,
  age    int,
  active boolean NOT NULL,
  born   date,
  seen   timestamp,
  score  numeric,
  ratio  double precision,
  token  uuid,
  tags   text[],   -- @set
  notes  text[],
  visits bigint NOT NULL DEFAULT 0
);
CREATE TABLE posts (
  id     uuid PRIMARY KEY,  -- @time
  person int NOT NULL REFERENCES people,
  title  text NOT NULL
);
";

/// A database with a few rows, written through the file's own INSERTs, and the statement asked.
fn open_database(statement: &str) -> (ModelFile, RelationalDatabase) {
    let text = format!(
        "{TABLES}
-- name: AddPerson :exec
INSERT INTO people (id, email, name, age, active, born, seen, score, ratio, token, tags, notes)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
-- name: AddPost :exec
INSERT INTO posts VALUES (?, ?, ?);
-- name: Visit :exec
UPDATE people SET visits = visits + 1 WHERE id = ?;
{statement};"
    );
    let file =
        model::sql::read(&text, "t").unwrap_or_else(|found| panic!("{statement}: {found:?}"));
    let mut relational = RelationalDatabase::new(&file.concept, &file.workload).unwrap();
    let people = [
        "1|a@x|Ann|30|true|2000-01-01|2024-01-01T00:00:00Z|1.5|0.5|123e4567-e89b-42d3-a456-426614174000|a,b|n",
        "2|b@x|Bob||false|1999-12-31|2024-01-02T00:00:00Z|10|1|123e4567-e89b-42d3-a456-426614174001|b|",
        "3|c@x|ann|20|true||2024-01-02T00:00:00Z||-1||||",
        "4|d@x|A_b|20|true|2000-01-02||2.25|0|||n,m,n",
    ];
    for person in people {
        run_write(&file, &mut relational, "AddPerson", &person.split('|').collect::<Vec<_>>());
    }
    // The second id is later, though its first digits are smaller.
    let posts = [
        "ffffffff-0000-1000-8000-000000000000|1|first",
        "00000000-0001-1000-8000-000000000000|1|second",
        "00000000-0002-1000-8000-000000000000|2|third",
    ];
    for post in posts {
        run_write(&file, &mut relational, "AddPost", &post.split('|').collect::<Vec<_>>());
    }
    (file, relational)
}

/// Values of parameters from texts; none is null, elements stand between commas.
fn parse_values(types: &[&Type], texts: &[&str]) -> Vec<Datum> {
    let one = |ty: &Type, text: &str| value::from_text(ty, text, 0).unwrap();
    types
        .iter()
        .zip(texts)
        .map(|(ty, text)| match ty {
            Type::List(element, _) | Type::Set(element, _) => {
                let parts = text.split(',').filter(|part| !part.is_empty());
                let parts: Vec<Datum> = parts.map(|part| Some(one(element, part))).collect();
                Some(value::join(ty, &parts).unwrap())
            }
            _ => (!text.is_empty()).then(|| one(ty, text)),
        })
        .collect()
}

fn run_write(
    file: &ModelFile,
    relational: &mut RelationalDatabase,
    name: &str,
    texts: &[&str],
) -> u64 {
    let write = file.workload.writes.iter().find(|write| write.name == name).unwrap();
    let types: Vec<&Type> = write.parameters.iter().map(|parameter| &parameter.ty).collect();
    match relational.write(write, &parse_values(&types, texts)).unwrap().effect {
        WriteEffect::Rows(changed) => changed,
        WriteEffect::Violation => 0,
    }
}

/// What a query answers: columns between commas, rows between spaces.
fn answer_query(sql: &str, texts: &[&str]) -> String {
    let (file, mut relational) = open_database(&format!("-- name: Asked :many\n{sql}"));
    answer_first(&file, &mut relational, texts)
}

fn answer_first(file: &ModelFile, relational: &mut RelationalDatabase, texts: &[&str]) -> String {
    let read = &file.workload.reads[0];
    let types: Vec<&Type> = read.parameters.iter().map(|parameter| &parameter.ty).collect();
    let rows = relational.read(read, &parse_values(&types, texts)).unwrap();
    let shown = |(at, value): (usize, &Datum)| {
        let ty = ResultColumns::from(read).output_type(&file.concept, at);
        value.as_ref().map_or("null".to_owned(), |it| value::literal(&ty, Some(it)).unwrap())
    };
    let row = |row: &Vec<Datum>| row.iter().enumerate().map(shown).collect::<Vec<_>>().join(",");
    rows.iter().map(row).collect::<Vec<_>>().join(" ")
}

/// What is in a table of people after a write.
fn answer_after_write(write: &str, texts: &[&str], shown: &str) -> (u64, String) {
    let statements = format!(
        "-- name: Change :exec\n{write};\n-- name: Asked :many\nSELECT {shown} FROM people ORDER BY id"
    );
    let (file, mut relational) = open_database(&statements);
    let changed = run_write(&file, &mut relational, "Change", texts);
    (changed, answer_first(&file, &mut relational, &[]))
}

#[test]
fn conditions() {
    for (condition, texts, expected) in [
        ("id = ?", &["2"][..], "2"),
        ("? = id", &["2"], "2"),
        ("id = 7", &[], ""),
        ("name = 'Ann'", &[], "1"),
        ("age = ?", &["20"], "3 4"),
        ("age < 30", &[], "3 4"),
        ("30 > age", &[], "3 4"),
        ("age BETWEEN 20 AND 29", &[], "3 4"),
        ("active", &[], "1 3 4"),
        ("NOT active", &[], "2"),
        ("active IS TRUE AND age = 20", &[], "3 4"),
        ("active = false", &[], "2"),
        ("born IS NOT NULL", &[], "1 2 4"),
        ("born > '1999-12-31'", &[], "1 4"),
        ("born = DATE '2000-01-01'", &[], "1"),
        ("seen >= '2024-01-02 00:00:00+0000'", &[], "2 3"),
        ("seen < ?", &["2024-01-02T00:00:00Z"], "1"),
        ("score >= 1.50", &[], "1 2 4"),
        ("score = ?", &["10.0"], "2"),
        ("ratio > -0.5", &[], "1 2 4"),
        ("token = '123E4567-e89b-42d3-a456-426614174001'", &[], "2"),
        ("id IN (1, ?, 9)", &["4"], "1 4"),
        ("name = ANY(?)", &["Bob,ann,ann,zz"], "2 3"),
        ("name = ANY(?)", &[""], ""),
        ("? = ANY(tags)", &["b"], "1 2"),
        ("'n' = ANY(notes)", &[], "1 4"),
        ("name LIKE 'A%'", &[], "1 4"),
        ("name LIKE 'A\\_%'", &[], "4"),
        ("name LIKE ? || '%'", &["an"], "3"),
        ("(age, id) > (?, ?)", &["20", "3"], "1 4"),
        ("(age, id) <= (20, 3)", &[], "3"),
        ("age = :years AND id > :least", &["20", "3"], "4"),
        ("id >= $1 AND id <= $1", &["3"], "3"),
        ("id = ?::int AND (true)", &["1"], "1"),
    ] {
        let sql = format!("SELECT id FROM people WHERE {condition} ORDER BY id");
        assert_eq!(answer_query(&sql, texts), expected, "{condition}");
    }
}

#[test]
fn orders_and_limits() {
    for (sql, texts, expected) in [
        ("SELECT id FROM people ORDER BY age, id", &[][..], "3 4 1 2"),
        ("SELECT id FROM people ORDER BY age DESC, id DESC", &[], "2 1 4 3"),
        ("SELECT id FROM people ORDER BY COALESCE(age, 25), id", &[], "3 4 2 1"),
        ("SELECT id, age AS years FROM people ORDER BY years, 1 DESC LIMIT 2", &[], "4,20 3,20"),
        ("SELECT id FROM people ORDER BY name", &[], "4 1 2 3"),
        ("SELECT id FROM people ORDER BY id LIMIT ?", &["1"], "1"),
        ("SELECT id FROM people ORDER BY id FETCH FIRST 2 ROWS ONLY", &[], "1 2"),
        ("SELECT title FROM posts ORDER BY id DESC", &[], "'third' 'second' 'first'"),
        (
            "SELECT title FROM posts WHERE id > ? ORDER BY id",
            &["ffffffff-0000-1000-8000-000000000000"],
            "'second' 'third'",
        ),
    ] {
        assert_eq!(answer_query(sql, texts), expected, "{sql}");
    }
}

#[test]
fn joins_groups_and_aggregates() {
    for (sql, expected) in [
        (
            "SELECT p.name, o.title FROM posts o JOIN people p ON p.id = o.person WHERE p.id = 1 ORDER BY o.id",
            "'Ann','first' 'Ann','second'",
        ),
        (
            "SELECT o.title FROM posts o, people p WHERE p.id = o.person AND p.name = 'Bob'",
            "'third'",
        ),
        (
            "SELECT COUNT(*), COUNT(age), SUM(age), MIN(age), MAX(born) FROM people",
            "4,3,70,20,'2000-01-02'",
        ),
        (
            "SELECT AVG(age), SUM(score), AVG(score), SUM(ratio) FROM people WHERE id < 3",
            "30.0,11.5,5.75,1.5",
        ),
        (
            "SELECT COUNT(*), SUM(age), AVG(age), MAX(name) FROM people WHERE id > 9",
            "0,null,null,null",
        ),
        ("SELECT person, COUNT(*) AS n FROM posts GROUP BY person ORDER BY person", "1,2 2,1"),
        ("SELECT EXISTS(SELECT 1 FROM people WHERE age = 20)", "true"),
        ("SELECT EXISTS(SELECT * FROM people WHERE age = 21)", "false"),
        (
            "SELECT id, tags, notes FROM people ORDER BY id",
            "1,{'a', 'b'},['n'] 2,{'b'},null 3,null,null 4,null,['n', 'm', 'n']",
        ),
    ] {
        assert_eq!(answer_query(sql, &[]), expected, "{sql}");
    }
}

#[test]
fn writes() {
    for (write, texts, shown, changed, expected) in [
        (
            "UPDATE people SET name = ? WHERE id = ?",
            &["Eve", "2"][..],
            "name",
            1,
            "'Ann' 'Eve' 'ann' 'A_b'",
        ),
        ("UPDATE people SET age = NULL WHERE id = 1", &[], "age", 1, "null null 20 20"),
        (
            "UPDATE people AS p SET visits = p.visits - ? WHERE p.id = 1",
            &["3"],
            "visits",
            1,
            "-3 0 0 0",
        ),
        (
            "UPDATE people SET active = false WHERE id = 1 AND age = ?",
            &["31"],
            "active",
            0,
            "true false true true",
        ),
        (
            "UPDATE people SET email = ? WHERE id = 1",
            &["b@x"],
            "email",
            0,
            "'a@x' 'b@x' 'c@x' 'd@x'",
        ),
        ("DELETE FROM people WHERE id = ?", &["3"], "id", 1, "1 2 4"),
        (
            "INSERT INTO people (id, email, active) VALUES (?, 'z@x', true)",
            &["9"],
            "id",
            1,
            "1 2 3 4 9",
        ),
        (
            "INSERT INTO people (id, email, active) VALUES (?, 'z@x', true) ON CONFLICT DO NOTHING",
            &["1"],
            "id",
            0,
            "1 2 3 4",
        ),
        (
            "INSERT INTO people (id, email, active) VALUES (?, ?, false)
             ON CONFLICT (id) DO UPDATE SET email = EXCLUDED.email, active = EXCLUDED.active",
            &["1", "z@x"],
            "email",
            1,
            "'z@x' 'b@x' 'c@x' 'd@x'",
        ),
    ] {
        assert_eq!(
            answer_after_write(write, texts, shown),
            (changed, expected.to_owned()),
            "{write}"
        );
    }
}

#[test]
fn writes_of_arrays() {
    for (write, texts, shown, changed, expected) in [
        (
            "UPDATE people SET notes = array_append(notes, ?) WHERE id = 3",
            &["x"][..],
            "notes",
            1,
            "['n'] null ['x'] ['n', 'm', 'n']",
        ),
        (
            "UPDATE people SET tags = tags || ? WHERE id = 2",
            &["a"],
            "tags",
            1,
            "{'a', 'b'} {'a', 'b'} null null",
        ),
        (
            "UPDATE people SET tags = tags || ARRAY['b'] WHERE id = 2",
            &[],
            "tags",
            1,
            "{'a', 'b'} {'b'} null null",
        ),
        (
            "UPDATE people SET notes = array_remove(notes, 'n') WHERE id = ?",
            &["4"],
            "notes",
            1,
            "['n'] null null ['m']",
        ),
        (
            "UPDATE people SET tags = ARRAY['z', 'y'] WHERE id = 1",
            &[],
            "tags",
            1,
            "{'y', 'z'} {'b'} null null",
        ),
    ] {
        assert_eq!(
            answer_after_write(write, texts, shown),
            (changed, expected.to_owned()),
            "{write}"
        );
    }
}

#[test]
fn facts_and_statements_are_shown_as_sql() {
    let (file, relational) =
        open_database("-- name: Asked :many\nSELECT id FROM people WHERE name = :n AND email > :n");
    let rows = (0..2).map(|at| relational.rows(EntityId::new(at)).unwrap()).collect();
    let shown = insert_statements(&file.concept, &Dataset { rows });
    assert_eq!(
        shown[3],
        "INSERT INTO people (id, email, name, age, active, born, score, ratio, notes, visits) VALUES \
         (4, 'd@x', 'A_b', 20, true, '2000-01-02', 2.25, 0.0, ARRAY['n', 'm', 'n'], 0);"
    );
    let read = &file.workload.reads[0];
    let given = [Some(b"it's".to_vec())];
    assert_eq!(
        with_values(&read.sql, &read.parameters, &given),
        "SELECT id FROM people WHERE name = 'it''s' AND email > 'it''s'"
    );
    assert_eq!(
        with_values("a = '?:x' AND b::int = ?", &read.parameters, &given),
        "a = '?:x' AND b::int = 'it''s'"
    );
}

#[test]
fn names_differ_in_case() {
    let text = r#"
CREATE TABLE "Users" (id int PRIMARY KEY, "userId" int NOT NULL CHECK ("userId" > 0), userid int);
CREATE TABLE users (id int PRIMARY KEY, "^x" int, "X" int);
-- name: Add :exec
INSERT INTO "Users" (id, "userId", userid) VALUES (?, ?, ?);
-- name: AddOther :exec
INSERT INTO users (id, "^x", "X") VALUES (?, ?, ?);
-- name: Asked :many
SELECT "userId", userid FROM "Users" WHERE id = ?;
"#;
    let file = model::sql::read(text, "t").unwrap();
    let mut relational = RelationalDatabase::new(&file.concept, &file.workload).unwrap();
    assert_eq!(run_write(&file, &mut relational, "Add", &["1", "2", "3"]), 1);
    assert_eq!(run_write(&file, &mut relational, "Add", &["2", "0", "3"]), 0);
    assert_eq!(run_write(&file, &mut relational, "AddOther", &["1", "2", "3"]), 1);
    assert_eq!(answer_first(&file, &mut relational, &["1"]), "2,3");
}
