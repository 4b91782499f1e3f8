//! The messages and helps of syntax errors.

mod shell;

use cql::{Diagnostic, ErrorCode, StatementKind};

/// The message and the help of the only error.
fn only_error(source: &str) -> (String, String) {
    let parsed = cql::parse(source);
    assert_eq!(parsed.errors.len(), 1, "{source}: {:?}", parsed.errors);
    let diagnostic = Diagnostic::from(parsed.errors[0].clone());
    assert_eq!(diagnostic.error, Some(ErrorCode::Syntax), "{source}");
    (diagnostic.message, diagnostic.help.unwrap_or_default())
}

#[test]
fn helps_give_the_cql_for_slips_and_sql_habits() {
    for (source, help) in [
        ("SELCT * FROM t", "did you mean SELECT?"),
        ("SELECT * FORM t", "did you mean FROM?"),
        ("SELECT * FROM t WERE a = 1", "did you mean WHERE?"),
        ("SELECT * FROM t WHERE a = 1 ALOW FILTERING", "did you mean ALLOW?"),
        ("CREATE TABEL t (a int PRIMARY KEY)", "did you mean TABLE?"),
        ("CREATE TABLE t (a int PRIMRY KEY)", "did you mean PRIMARY?"),
        ("CREATE TABLE t (a int, PRIMARY KYE (a))", "did you mean KEY?"),
        ("SELECT * FROM t WHERE a = 'x", "close it with `'`"),
        ("SELECT * FROM t WHERE a = \"x\"", "write 'x'"),
        ("SELECT * FROM t WHERE a = x", "'x'"),
        ("SELECT a AS 'b' FROM t", "write \"b\""),
        ("SELECT a AS order FROM t", "quote it: \"order\""),
        ("CREATE TABLE order (a int PRIMARY KEY)", "quote it: \"order\""),
        ("SELECT a, FROM t", "remove the comma"),
        ("SELECT * FROM t WHERE a == 1", "single `=`"),
        ("SELECT * FROM t WHERE a <> 1", "write `!=`"),
        ("SELECT * FROM t WHERE a = 1 OR b = 2", "no OR"),
        ("SELECT * FROM t JOIN u ON t.a = u.a", "no joins"),
        ("SELECT * FROM t LIMIT 10 OFFSET 5", "no OFFSET"),
        ("SELECT * FROM t LIMIT 5, 10", "no OFFSET"),
        ("SELECT * FROM t WHERE a IS NULL", "no IS NULL"),
        ("SELECT a-1 FROM t", "add a space between"),
        ("SELECT * FROM t WHERE a > -i", "add a space after"),
        ("CREATE TABLE t (a int AUTO_INCREMENT PRIMARY KEY)", "uuid or timeuuid"),
        ("CREATE TABLE t (a varchar(20) PRIMARY KEY)", "remove the length"),
        ("CREATE TABLE t (a int NOT NULL PRIMARY KEY)", "no NOT NULL"),
        ("SELECT a FROM `t`", "quote names with"),
        ("INSERT INTO t VALUES (1)", "name the columns"),
        ("INSERT INTO t (a) VALUES (1), (2)", "one row"),
        ("INSERT INTO t (a) VALUES (SELECT 1)", "no sub-queries"),
        ("UPDATE t SET a = 1", "add WHERE"),
        ("DELETE * FROM t WHERE a = 1", "remove the `*`"),
        ("ALTER TABLE t ADD COLUMN a int", "remove COLUMN"),
        ("ALTER TABLE t MODIFY a int", "cannot be changed"),
        ("CREATE SCHEMA s WITH x = 1", "write KEYSPACE"),
        ("BEGIN TRANSACTION", "no transactions"),
        ("SELECT * FROM t WHERE a = 'it's'", "twice"),
    ] {
        let (message, actual) = only_error(source);
        assert!(actual.contains(help), "{source}\n  {message}\n  {actual}\n  expected: {help}");
    }
}

#[test]
fn messages_name_what_was_expected_and_found() {
    assert_eq!(only_error("SELECT * FROM").0, "expected a table name, found the end of the text");
    assert_eq!(
        only_error("SELECT * FROM WHERE").0,
        "expected a table name, found the keyword WHERE"
    );
    assert_eq!(only_error("CREATE TABLE t (a 5)").0, "expected a type, found the number 5");
}

#[test]
fn parsing_continues_after_a_broken_statement() {
    let parsed =
        cql::parse("SELECT FROM; USE a; CREATE TABLE t (\nSELECT * FROM t;\nUSE b\nUSE c;");
    let valid = parsed
        .statements
        .iter()
        .filter(|statement| statement.kind != StatementKind::Invalid)
        .count();
    assert_eq!((parsed.statements.len(), valid), (6, 4));
    let messages: Vec<String> = parsed.errors.iter().map(cql::SyntaxError::message).collect();
    assert_eq!(messages.len(), 3, "{messages:?}");
    assert!(messages[2].contains("expected `;`"));
}

#[test]
fn a_broken_statement_of_a_batch_breaks_the_batch_only() {
    let parsed = cql::parse(
        "BEGIN BATCH INSERT INTO t (a) VALUES (; UPDATE t SET a = 1; APPLY BATCH; USE k;",
    );
    assert_eq!(parsed.errors.len(), 1, "{:?}", parsed.errors);
    assert_eq!(parsed.statements.len(), 2);
    assert!(matches!(parsed.statements[1].kind, StatementKind::Use(_)));
}

#[test]
fn newer_syntax_is_parsed_and_reported() {
    for source in [
        "SELECT * FROM t WHERE a BETWEEN 1 AND 2",
        "SELECT * FROM t WHERE a NOT IN (1, 2)",
        "SELECT * FROM t WHERE a NOT CONTAINS 1",
        "CREATE TABLE a LIKE b",
        "CREATE TABLE IF NOT EXISTS a LIKE b WITH comment = 'x'",
    ] {
        let parsed = cql::parse(source);
        assert_eq!(parsed.errors.iter().map(cql::SyntaxError::rule).collect::<Vec<_>>(), ["SY002"]);
    }
}
