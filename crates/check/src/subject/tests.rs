//! What refusals concern, by the place that they name.

use schema::Session;

use crate::{Finding, Project, Settings, SourceText, TextKind, check};

const SCHEMA: &str = "CREATE TABLE users (id uuid PRIMARY KEY, name text, tags set<text>);\n";

/// `keyspace.table.column` of the first finding at the statement behind the schema.
fn subject_path(statement: &str) -> String {
    let text = format!("{SCHEMA}{statement}");
    let mut session = Session::with_system_tables();
    session.assume_keyspace("ks").expect("a plain name");
    let parsed = cql::parse(&text);
    let read =
        SourceText { name: "s.cql", text: &text, parsed, kind: TextKind::Cql, is_reported: true };
    let settings = Settings::default();
    let project = Project::new(vec![read], session, &settings, None);
    let findings = check(&project);
    let is_own = |one: &&Finding| one.error.is_some() || one.rule.code.starts_with("HL");
    let own = findings.iter().find(is_own).expect("a refusal");
    let parts = [&own.subject.keyspace, &own.subject.table, &own.subject.column];
    parts.map(|part| part.as_deref().unwrap_or("-")).join(".")
}

#[test]
fn schema_statements() {
    let all = [
        ("CREATE TABLE t (a int)", "ks.t.-"),
        ("CREATE TABLE t (a int PRIMARY KEY, b list<list<int>>)", "ks.t.b"),
        ("CREATE TABLE t (a int PRIMARY KEY) WITH nothing = 1", "ks.t.-"),
        ("CREATE TABLE t (a int, PRIMARY KEY (b))", "ks.t.b"),
        ("CREATE TABLE other.t (a int)", "other.t.-"),
        ("ALTER TABLE users ALTER name TYPE blob", "ks.users.name"),
        ("ALTER TABLE users DROP id", "ks.users.id"),
        ("CREATE INDEX ON users (id)", "ks.users.id"),
        ("CREATE TYPE address (street text, n counter)", "ks.address.n"),
        ("DROP KEYSPACE nowhere", "nowhere.-.-"),
    ];
    for (statement, expected) in all {
        assert_eq!(subject_path(statement), expected, "{statement}");
    }
}

#[test]
fn queries_and_writes() {
    let all = [
        ("SELECT nam FROM users", "ks.users.nam"),
        ("SELECT name FROM users WHERE nam = 'x'", "ks.users.nam"),
        ("SELECT writetime(id) FROM users", "ks.users.id"),
        ("SELECT name FROM ks.user", "ks.user.-"),
        ("INSERT INTO users (id, name) VALUES (1, 'x')", "ks.users.id"),
        ("UPDATE users SET nam = 'x' WHERE id = ?", "ks.users.nam"),
        ("DELETE nam FROM users WHERE id = ?", "ks.users.nam"),
        ("BEGIN BATCH UPDATE users SET nam = 'x' WHERE id = ?; APPLY BATCH", "ks.users.nam"),
    ];
    for (statement, expected) in all {
        assert_eq!(subject_path(statement), expected, "{statement}");
    }
}

#[test]
fn comments() {
    let all = [
        ("-- helenus: allow(SV001) x\nSELECT name FROM users WHERE id = ?;", "ks.users.-"),
        ("CREATE TABLE t (a int PRIMARY KEY, -- helenus: allow(SV001)\n b int)", "ks.t.-"),
        ("-- helenus: allow-file(SV001) x\nCREATE TABLE t (a int PRIMARY KEY)", "-.-.-"),
    ];
    for (text, expected) in all {
        assert_eq!(subject_path(text), expected, "{text}");
    }
}
