//! What a declaration means and no table of Cassandra can carry is named: constraints, collations,
//! precision, row-level security, changes of types.

use super::*;

const QUERY: &str = "-- name: Get :one\nSELECT * FROM t WHERE id = ?;\n";

/// The rules of the warnings about a file.
fn warning_rules(text: &str) -> Vec<&'static str> {
    read_model(text).warnings.iter().map(|warning| warning.rule).collect()
}

/// The constraints of the only table of which nothing but the text is known.
fn list_clauses(ddl: &str) -> Vec<String> {
    let model = read_model(&format!("{ddl};\n{QUERY}"));
    let entity = &model.concept.entities.as_slice()[0];
    let unread = entity.checks.iter().filter(|check| check.expression.is_none());
    let clauses: Vec<String> = unread.map(crate::concept::Check::describe).collect();
    let warned = model.warnings.iter().filter(|it| matches!(it.rule, "MF254" | "MF256")).count();
    assert_eq!(warned, clauses.len(), "each clause has a warning: {:?}", model.warnings);
    clauses
}

#[test]
fn constraints_that_no_table_enforces_are_kept_as_text() {
    for (ddl, clause) in [
        (
            "CREATE TABLE t (id int PRIMARY KEY, r int, d daterange, CONSTRAINT x EXCLUDE USING gist (r WITH =, d WITH &&))",
            "EXCLUDE USING gist (r WITH =, d WITH &&)",
        ),
        (
            "CREATE TABLE t (id int PRIMARY KEY, e text);\nCREATE UNIQUE INDEX i ON public.t USING btree (md5(e)) WHERE id > 3",
            "UNIQUE (md5(e)) WHERE id > 3",
        ),
        (
            "CREATE TABLE t (id int PRIMARY KEY, e text, UNIQUE NULLS NOT DISTINCT (e))",
            "UNIQUE NULLS NOT DISTINCT (e)",
        ),
        (
            "CREATE TABLE t (id int PRIMARY KEY, e text);\nCREATE UNIQUE INDEX i ON t (e) NULLS NOT DISTINCT",
            "UNIQUE NULLS NOT DISTINCT (e)",
        ),
        (
            "CREATE TABLE t (id int PRIMARY KEY, a int, b int, UNIQUE (id, a), FOREIGN KEY (a, b) REFERENCES t (id, a) MATCH FULL)",
            "FOREIGN KEY (a, b) MATCH FULL",
        ),
    ] {
        assert_eq!(list_clauses(ddl).first().map(String::as_str), Some(clause), "{ddl}");
    }
}

#[test]
fn nulls_that_cannot_occur_make_no_difference() {
    for ddl in [
        "CREATE TABLE t (id int PRIMARY KEY, e text NOT NULL, UNIQUE NULLS NOT DISTINCT (e))",
        "CREATE TABLE t (id int PRIMARY KEY, e text, UNIQUE NULLS DISTINCT (e))",
        "CREATE TABLE t (id int PRIMARY KEY, a int REFERENCES t MATCH FULL)",
    ] {
        assert_eq!(list_clauses(ddl), [""; 0], "{ddl}");
    }
}

#[test]
fn a_unique_expression_is_advised_as_a_generated_column() {
    let text = format!(
        "CREATE TABLE t (id int PRIMARY KEY, e text);\nCREATE UNIQUE INDEX i ON t (md5(e));\n{QUERY}"
    );
    let help = read_model(&text).warnings[0].help.clone().unwrap();
    assert!(help.contains("GENERATED ALWAYS AS (md5(e)) STORED UNIQUE"), "{help}");
    // The index of another object is none of a table's.
    let view = "CREATE MATERIALIZED VIEW v AS SELECT 1;\nCREATE UNIQUE INDEX i ON v (lower(e));\n";
    assert_eq!(
        warning_rules(&format!("CREATE TABLE t (id int PRIMARY KEY);\n{view}{QUERY}")),
        [""; 0]
    );
}

#[test]
fn texts_that_postgres_compares_differently_are_named() {
    let table = |columns: &str| format!("CREATE TABLE t (id int PRIMARY KEY, {columns});\n");
    let by_name = "-- name: ByName :many\nSELECT id FROM t WHERE n = ?;\n";
    let sorted = "-- name: Sorted :many\nSELECT id FROM t WHERE k = ? ORDER BY n;\n";
    let loose = "CREATE COLLATION ci (provider = icu, deterministic = false);\n";
    for (text, rules) in [
        (table("n citext NOT NULL") + by_name, vec!["MF270"]),
        (table("n public.citext UNIQUE NOT NULL") + QUERY, vec!["MF270"]),
        (table("n citext") + QUERY, vec![]),
        (table("n jsonb") + QUERY, vec![]),
        (table("n jsonb") + by_name, vec!["MF279"]),
        (table("n daterange") + by_name, vec!["MF253", "MF279"]),
        (table("n macaddr") + by_name, vec!["MF253"]),
        (loose.to_owned() + &table("n text COLLATE ci NOT NULL") + by_name, vec!["MF270"]),
        (table("n text NOT NULL") + by_name, vec![]),
        (table("k int, n text NOT NULL") + sorted, vec!["MF276"]),
        (table("k int, n text COLLATE \"C\" NOT NULL") + sorted, vec![]),
        (table("k int, n text COLLATE pg_catalog.\"de_DE\" NOT NULL") + sorted, vec!["MF276"]),
        (table("k int, n int NOT NULL") + sorted, vec![]),
        (table("k int, n timestamp NOT NULL") + sorted, vec![]),
        (
            table("n text, k int") + "-- name: R :many\nSELECT id FROM t WHERE k = ? AND n > ?;\n",
            vec!["MF276"],
        ),
        (
            table("n text, k int") + "-- name: R :one\nSELECT MAX(n) FROM t WHERE k = ?;\n",
            vec!["MF276"],
        ),
    ] {
        assert_eq!(warning_rules(&text), rules, "{text}");
    }
}

#[test]
fn keys_that_are_equal_in_sql_and_different_in_cassandra_are_named() {
    for (ddl, rules) in [
        ("CREATE TABLE t (id int, at timestamptz, PRIMARY KEY (id, at));\n", vec!["MF277"]),
        ("CREATE TABLE t (id int, at timestamp(3), PRIMARY KEY (id, at));\n", vec![]),
        ("CREATE TABLE t (id int PRIMARY KEY, at timestamptz);\n", vec![]),
        ("CREATE TABLE t (id numeric PRIMARY KEY);\n", vec!["MF278"]),
        ("CREATE TABLE t (id numeric(9, 2) PRIMARY KEY);\n", vec![]),
    ] {
        let text = format!("{ddl}-- name: Get :many\nSELECT * FROM t WHERE id = ?;\n");
        assert_eq!(warning_rules(&text), rules, "{text}");
    }
}

#[test]
fn row_level_security_is_named() {
    let text = format!(
        "CREATE TABLE t (id int PRIMARY KEY);\nALTER TABLE ONLY public.t ENABLE ROW LEVEL SECURITY;\n{QUERY}"
    );
    assert_eq!(warning_rules(&text), ["MF257"]);
}

#[test]
fn labels_are_added_to_enums() {
    let ddl = "CREATE TYPE mood AS ENUM ('good', 'sad');\nALTER TYPE mood OWNER TO me;\n\
               ALTER TYPE mood ADD VALUE 'bad' BEFORE 'good';\nALTER TYPE public.mood ADD VALUE IF NOT EXISTS 'sad';\n\
               ALTER TYPE mood ADD VALUE 'great' AFTER 'good';\nCREATE TABLE t (id int PRIMARY KEY, m mood);\n";
    let model = read_model(&format!("{ddl}{QUERY}"));
    let attribute = &model.concept.entities.as_slice()[0].attributes.as_slice()[1];
    let Some(crate::concept::ValueLimit::Labels(labels)) = &attribute.limit else { panic!() };
    assert_eq!(labels, &["bad", "good", "great", "sad"]);
}

#[test]
fn other_changes_of_types_are_rejected() {
    let rest = format!("CREATE TABLE t (id int PRIMARY KEY);\n{QUERY}");
    for change in [
        "ALTER TYPE mood ADD VALUE 'x' BEFORE 'y'",
        "ALTER TYPE mood RENAME VALUE 'good' TO 'fine'",
        "ALTER DOMAIN score ADD CHECK (VALUE > 0)",
    ] {
        let text = format!(
            "CREATE TYPE mood AS ENUM ('good');\nCREATE DOMAIN score AS int;\n{change};\n{rest}"
        );
        assert_eq!(error_places(&text), [("MF211", change)]);
    }
}
