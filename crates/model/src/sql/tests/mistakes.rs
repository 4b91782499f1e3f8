//! Mistakes: each at its place, with what to write, and all of them at once.

use super::*;

#[test]
fn files_that_are_none() {
    assert_eq!(error_places(""), [("MF003", "")]);
    assert_eq!(error_places(" \n-- nothing but this\n;;\n"), [("MF003", "")]);
    assert_eq!(error_places("CREATE TABLE t (a int\0)"), [("MF002", "\0")]);
    let large = "x".repeat(17 * 1024 * 1024);
    assert_eq!(error_places(&large), [("MF001", "")]);
    assert!(only_help(&large).contains("pg_dump --schema-only"));
    assert_eq!(error_places("CREATE TABLE t (a int PRIMARY KEY);\nSELECT 'x"), [("MF006", "'")]);
}

#[test]
fn statements_that_are_none() {
    assert_eq!(error_places("CRAETE TABLE t (a int)"), [("MF010", "CRAETE")]);
    assert_eq!(only_help("CREATE TABEL t (a int)"), "write TABLE instead of TABEL");
    assert_eq!(error_places("CREATE TABLE t (a int PRIMARY KEY, b int c)"), [("MF008", "c")]);
    assert_eq!(error_places("CREATE TABLE t (a int PRIMARY KEY,, b int)"), [("MF210", "t")]);
    assert_eq!(error_places("CREATE TABLE t (a int PRIMARY KEY"), [("MF210", "t")]);
    assert_eq!(error_places("CREATE TABLE t AS SELECT 1"), [("MF210", "t")]);
    assert_eq!(error_places("CREATE TABLE t ()"), [("MF210", "t")]);
    assert_eq!(
        error_places("CREATE TABLE t (a int PRIMARY KEY, b \u{e9}t\u{e9})"),
        [("MF203", "\u{e9}t\u{e9}")]
    );
    assert_eq!(
        error_places("CREATE TABLE t (a int PRIMARY KEY, b int \u{e9}t\u{e9})"),
        [("MF008", "\u{e9}t\u{e9}")]
    );
    assert_eq!(error_places("\u{e9}t\u{e9} 1"), [("MF010", "\u{e9}t\u{e9}")]);
    assert_eq!(error_places("CREATE TABLE t (LIKE u)"), [("MF210", "LIKE u")]);
    let inherits =
        "CREATE TABLE a (id int PRIMARY KEY); CREATE TABLE b (id int PRIMARY KEY) INHERITS (a)";
    assert_eq!(error_places(inherits), [("MF210", "INHERITS")]);
}

#[test]
fn places_are_bytes_of_the_file() {
    let text = "CREATE TABLE \u{fc}ser (\u{e4}\u{f6} text PRIMARY KEY);\n-- name: Q :one\nSELECT \u{e4}\u{f6} FROM\n\u{fc}ser WHERE \u{e4}\u{f6} = = ?;";
    let [(rule, place)] = error_places(text)[..] else { panic!("one error") };
    assert_eq!((rule, place), ("MF008", "="), "the second =");
}

#[test]
fn queries_need_names() {
    let table = "CREATE TABLE t (a int PRIMARY KEY);\n";
    let with = |rest: &str| format!("{table}{rest}");
    let text = with("SELECT a FROM t;\nINSERT INTO t (a) VALUES (?);");
    assert_eq!(error_places(&text), [("MF013", "SELECT"), ("MF013", "INSERT")]);
    assert_eq!(only_help(&with("SELECT a FROM t")), "add -- name: AnyName :many on the line above");
    assert_eq!(error_places(&with("-- name: Q\nSELECT a FROM t")), [("MF009", "Q")]);
    assert!(read(&with("-- name: Q :one\n\nSELECT a FROM t WHERE a = ?"), "app").is_ok());
    let twice = with(
        "-- name: Q :many\nSELECT a FROM t WHERE a = ?;\n-- name: Q :many\nSELECT a FROM t WHERE a = ?;",
    );
    assert_eq!(error_places(&twice), [("MF012", "Q")]);
    let no_end =
        with("-- name: Q :many\nSELECT a FROM t WHERE a = ?\n-- name: R :many\nSELECT a FROM t;");
    assert_eq!(error_places(&no_end), [("MF011", "-- name: R :many")]);
    let two = with("-- name: Q :many\n-- name: R :many\nSELECT a FROM t WHERE a = ?;");
    assert_eq!(error_places(&two), [("MF009", "-- name: R :many")]);
    assert_eq!(
        error_places("-- name: T :one\nCREATE TABLE t (a int PRIMARY KEY)"),
        [("MF009", "T")]
    );
    // What pg_dump writes is no name.
    assert_eq!(error_places(&with("-- Name: Q :one\nSELECT a FROM t")), [("MF013", "SELECT")]);
}

#[test]
fn tables_that_cannot_be() {
    assert_eq!(
        error_places("CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE T (a int PRIMARY KEY)"),
        [("MF201", "T")]
    );
    assert_eq!(error_places("CREATE TABLE t (a int PRIMARY KEY, A text)"), [("MF202", "A")]);
    assert_eq!(error_places("CREATE TABLE t (a int PRIMARY KEY, b txt)"), [("MF203", "txt")]);
    assert_eq!(only_help("CREATE TABLE t (a int PRIMARY KEY, b txt)"), "write text");
    assert_eq!(only_help("CREATE TABLE t (a int PRIMARY KEY, b datetime)"), "write timestamp");
    assert_eq!(error_places("CREATE TABLE t (a int PRIMARY KEY, b int[][])"), [("MF203", "int")]);
    assert_eq!(error_places("CREATE TABLE t (a int, PRIMARY KEY (a, c))"), [("MF206", "c")]);
    assert_eq!(
        error_places("CREATE TABLE t (a int PRIMARY KEY, b int, PRIMARY KEY (b))"),
        [("MF205", "PRIMARY KEY (b)")]
    );
    assert_eq!(error_places("CREATE TABLE t (a int[] PRIMARY KEY)"), [("MF209", "a")]);
    assert_eq!(
        error_places("CREATE TABLE t (a int PRIMARY KEY); ALTER TABLE u ADD UNIQUE (a)"),
        [("MF207", "u")]
    );
    assert_eq!(
        error_places("CREATE TABLE t (a int PRIMARY KEY); ALTER TABLE t DROP COLUMN a"),
        [("MF211", "DROP COLUMN a")]
    );
    assert_eq!(
        error_places(
            "CREATE TYPE a AS ENUM (); CREATE TYPE a AS ENUM ('x'); CREATE TABLE t (b a PRIMARY KEY)"
        ),
        [("MF201", "a")]
    );
}

#[test]
fn references_that_cannot_be() {
    let to = |reference: &str| {
        format!(
            "CREATE TABLE users (id int PRIMARY KEY, name text, x int, UNIQUE (name, x)); CREATE TABLE b (id int PRIMARY KEY, u {reference})"
        )
    };
    assert_eq!(error_places(&to("int REFERENCES user")), [("MF207", "user")]);
    assert_eq!(only_help(&to("int REFERENCES user")), "write users");
    assert_eq!(error_places(&to("int REFERENCES users (idd)")), [("MF206", "idd")]);
    assert_eq!(error_places(&to("int REFERENCES users (x)")), [("MF208", "users (x")]);
    assert_eq!(error_places(&to("text REFERENCES users")), [("MF208", "u")]);
    assert_eq!(
        error_places(&to("int, FOREIGN KEY (u, id) REFERENCES users")),
        [("MF208", "users")]
    );
    assert_eq!(error_places(&to("int, FOREIGN KEY (v) REFERENCES users")), [("MF206", "v")]);
    assert!(read(&to("bigint REFERENCES users"), "app").is_ok());
    // What is wrong with one table is not said again of those that refer to it.
    assert_eq!(error_places(&to("uid REFERENCES users")), [("MF203", "uid")]);
    assert_eq!(
        error_places(
            "CREATE TABLE a (x int); CREATE TABLE b (id int PRIMARY KEY, a int REFERENCES a)"
        ),
        [("MF208", "a")]
    );
}

#[test]
fn directives_that_cannot_be() {
    let table = |line: &str| {
        format!(
            "CREATE TABLE t (\n  a uuid PRIMARY KEY,\n  b text[],\n  c text, {line}\n  d uuid\n);"
        )
    };
    for (line, rule, place) in [
        ("-- @rate 5/s", "MF104", "@rate 5/s"),
        ("-- @rows 5", "MF104", "@rows 5"),
        ("-- @each 5", "MF104", "@each 5"),
        ("-- @byte 5", "MF101", "@byte"),
        ("-- @bytes 5 @bytes 6", "MF105", "@bytes 6"),
        ("-- @time", "MF212", "@time"),
        ("-- @set", "MF212", "@set"),
        ("-- @items 4", "MF212", "@items 4"),
        ("-- @exact", "MF212", "@exact"),
        ("\n -- @bytes 5", "MF104", "@bytes 5"),
        ("\n d2 uuid, -- @bytes 5", "MF212", "@bytes 5"),
        ("CHECK (c > ''), -- @bytes 5", "MF104", "@bytes 5"),
        ("UNIQUE (c), -- @each 5", "MF104", "@each 5"),
    ] {
        assert_eq!(error_places(&table(line)), [(rule, place)], "{line}");
    }
    assert_eq!(
        error_places("-- @rows 5\n\nCREATE TABLE t (a int PRIMARY KEY)"),
        [("MF107", "@rows 5")]
    );
    assert_eq!(
        error_places("CREATE TABLE t (a int PRIMARY KEY);\n-- @rows 5"),
        [("MF104", "@rows 5")]
    );
    assert_eq!(
        error_places("-- @rows 5\nSET a = 1;\nCREATE TABLE t (a int PRIMARY KEY)"),
        [("MF104", "@rows 5")]
    );
    let late =
        "CREATE TABLE t (a int PRIMARY KEY);\n-- @nodes 5\nCREATE TABLE u (a int PRIMARY KEY)";
    assert_eq!(error_places(late), [("MF104", "@nodes 5")]);
    assert_eq!(
        error_places("-- @nodes 5 @nodes 6\nCREATE TABLE t (a int PRIMARY KEY)"),
        [("MF105", "@nodes 6")]
    );
    assert_eq!(
        error_places("-- @tenant tenat\nCREATE TABLE t (tenant int PRIMARY KEY)"),
        [("MF214", "@tenant tenat")]
    );
    let query = "CREATE TABLE t (a int PRIMARY KEY);\n-- name: Q :one\n-- @rows 5 @strict\nSELECT a FROM t WHERE a = ?";
    assert_eq!(error_places(query), [("MF104", "@rows 5"), ("MF104", "@strict")]);
    let twice = "CREATE TABLE t (a int PRIMARY KEY,\n b int REFERENCES t, -- @each 5\nFOREIGN KEY (b) REFERENCES t -- @each 6\n)";
    assert_eq!(error_places(twice), [("MF105", "@each 5")]);
    let one = "CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE u (\na int PRIMARY KEY REFERENCES t -- @each 5\n)";
    assert_eq!(error_places(one), [("MF106", "t")]);
    assert_eq!(
        error_places("-- @replicaton dc1:3\nSET a = 1;\nCREATE TABLE t (a int PRIMARY KEY)"),
        [("MF101", "@replicaton")]
    );
    let field = "CREATE TYPE p AS (\n a text -- @bytes 5\n); CREATE TABLE t (a int PRIMARY KEY)";
    assert_eq!(error_places(field), [("MF104", "@bytes 5")]);
    let both = "CREATE TABLE t (a int PRIMARY KEY,\n b int REFERENCES t REFERENCES u -- @each 5\n); CREATE TABLE u (a int PRIMARY KEY)";
    assert_eq!(error_places(both), [("MF213", "@each 5")]);
    let named = both.replace("@each 5", "@relation follows");
    assert_eq!(error_places(&named), [("MF213", "@relation follows")]);
    let lone = "CREATE TABLE t (a int PRIMARY KEY,\n b int -- @relation has\n)";
    assert_eq!(error_places(lone), [("MF104", "@relation has")]);
    let part = "CREATE TABLE t (a int PRIMARY KEY); CREATE TABLE u (a int, b int, PRIMARY KEY (a, b));
CREATE TABLE v (id int PRIMARY KEY,\n a int NOT NULL REFERENCES t, -- @each 5\n b int, FOREIGN KEY (a, b) REFERENCES u)";
    assert_eq!(read_model(part).entity("v").references[0].fan_out.mean.to_string(), "5");
}

#[test]
fn unknown_directives_of_other_tools_do_not_matter_where_nothing_is_read() {
    let text = "CREATE TABLE t (a int PRIMARY KEY);\n-- @author ann\nCREATE VIEW v AS SELECT 1";
    assert!(read(text, "app").is_ok());
}

#[test]
fn all_mistakes_are_reported_in_order() {
    let text = "-- @row 5
CREATE TABLE a (id uid PRIMARY KEY, x int REFERENCES nowhere, y flot);
CREATE TABLE b (z int PRIMARY KEY);
-- name: Q :one
-- @rate fast
SELECT id FROM a WHERE nothing = ?;
SELEC 1;
-- name: R :one
SELECT id id id FROM a;";
    let rules: Vec<_> = error_places(text).into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(&rules[..5], ["MF101", "MF203", "MF207", "MF203", "MF102"]);
    assert!(rules[5].starts_with("MF3"), "{rules:?}");
    assert_eq!(&rules[6..], ["MF010", "MF008"]);
}

#[test]
fn mistakes_are_counted_after_a_hundred() {
    let tables: Vec<_> =
        (0..250).map(|n| format!("CREATE TABLE t{n} (a flot PRIMARY KEY);\n")).collect();
    let text = tables.concat();
    let errors = read(&text, "app").unwrap_err();
    assert_eq!(errors.len(), 101);
    assert_eq!(errors[100].message, "150 more errors are not shown");
}

#[test]
fn actions_of_references() {
    let of = |column: &str, more: &str| {
        format!(
            "CREATE TABLE u (id int PRIMARY KEY); CREATE TABLE t (id int PRIMARY KEY, {column}); {more}"
        )
    };
    for action in ["ON DELETE SET NULL", "ON DELETE SET DEFAULT"] {
        let file = read(&of(&format!("u int NOT NULL REFERENCES u {action}"), ""), "app");
        let file = file.expect("it fails only when a row is deleted");
        assert!(file.warnings.iter().any(|it| it.rule == "MF258"), "{action}");
        assert_eq!(
            file.concept.entities[1].references[0].on_delete,
            crate::concept::ReferenceAction::Restrict
        );
    }
    let new = of("u uuid DEFAULT gen_random_uuid() REFERENCES u ON UPDATE SET DEFAULT", "")
        .replace("u (id int", "u (id uuid");
    assert_eq!(error_places(&new), [("MF214", "u")]);
    assert!(
        read(&of("u int NOT NULL DEFAULT 1 REFERENCES u ON DELETE SET DEFAULT", ""), "app").is_ok()
    );
    let twice =
        "ALTER TABLE ONLY t ADD CONSTRAINT f FOREIGN KEY (u) REFERENCES u(id) ON DELETE CASCADE;";
    assert_eq!(error_places(&of("u int REFERENCES u", twice)), [("MF215", "u(id")]);
    let file = read(&of("u int", twice), "app").expect("it is right");
    assert_eq!(
        file.concept.entities[1].references[0].on_delete,
        crate::concept::ReferenceAction::Cascade
    );
    // A row cannot be copied to its new key while another key of it is taken.
    let key = "CREATE TABLE u (id int PRIMARY KEY, mail text NOT NULL UNIQUE);
        CREATE TABLE t (id int PRIMARY KEY, u int REFERENCES u ON UPDATE CASCADE);
        -- name: Move :exec
        UPDATE u SET id = ? WHERE id = ?;";
    assert_eq!(error_places(key), [("MF368", "Move")]);
}
