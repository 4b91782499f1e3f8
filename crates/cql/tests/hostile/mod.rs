//! Hostile texts: the parser must neither panic nor take long.

use std::time::{Duration, Instant};

use cql::{ParseOptions, ParsedSource, StatementKind, SyntaxReason};

/// Generous for a debug build on a busy machine, and far less than a quadratic parser would need.
const LIMIT: Duration = Duration::from_secs(20);

fn parse_in_time(source: &str) -> ParsedSource {
    let start = Instant::now();
    let parsed = cql::parse(source);
    let lenient = cql::parse_with(source, &ParseOptions { templates: true });
    drop(lenient);
    assert!(start.elapsed() < LIMIT, "{} bytes took {:?}", source.len(), start.elapsed());
    for statement in &parsed.statements {
        assert!(
            statement.span.start <= statement.span.end
                && statement.span.end as usize <= source.len()
        );
    }
    for error in &parsed.errors {
        assert!(source.get(error.span.start as usize..error.span.end as usize).is_some());
    }
    parsed
}

fn assert_too_deep(source: &str) {
    let parsed = parse_in_time(source);
    assert_eq!(parsed.statements.len(), 2, "{}", &source[..60]);
    assert_eq!(parsed.statements[0].kind, StatementKind::Invalid);
    assert!(
        matches!(parsed.errors[0].reason, SyntaxReason::TooDeep { .. }),
        "{:?}",
        parsed.errors[0]
    );
    assert!(matches!(parsed.statements[1].kind, StatementKind::Use(_)));
}

#[test]
fn deep_nesting_is_a_diagnostic() {
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(100_000), close.repeat(100_000));
        assert_too_deep(&format!("SELECT * FROM t WHERE a = {open}1{close}; USE k"));
        assert_too_deep(&format!("SELECT {open}1{close} FROM t; USE k"));
    };
    deep("(", ")");
    deep("[", "]");
    deep("{", "}");
    deep("f(", ")");
    deep("{1: ", "}");
    deep("(int) ", "");
    assert_too_deep(&format!("SELECT {}a FROM t; USE k", "- ".repeat(100_000)));
    assert_too_deep(&format!(
        "SELECT {}1{} FROM t; USE k",
        "(a)[".repeat(100_000),
        "]".repeat(100_000)
    ));
    assert_too_deep(&format!("SELECT a{} FROM t; USE k", ".b".repeat(100_000)));
    assert_too_deep(&format!("SELECT a{} FROM t; USE k", "[1]".repeat(100_000)));
    assert_too_deep(&format!("SELECT 1{} FROM t; USE k", " + 1".repeat(100_000)));
    assert_too_deep(&format!("SELECT * FROM t WHERE a = 1{}; USE k", " * 1".repeat(100_000)));
    assert_too_deep(&format!("SELECT * FROM t WHERE {}a = 1; USE k", "(".repeat(100_000)));
    assert_too_deep(&format!(
        "CREATE TABLE t (a {}int{}); USE k",
        "list<".repeat(100_000),
        ">".repeat(100_000)
    ));
}

#[test]
fn what_is_allowed_can_be_walked() {
    let nested = format!("SELECT * FROM t WHERE a = {}1{}", "[".repeat(190), "]".repeat(190));
    let parsed = parse_in_time(&nested);
    assert!(parsed.errors.is_empty());
    assert_eq!(parsed.statements.clone(), parsed.statements);
    let chained = format!("SELECT 1{} FROM t", " + 1".repeat(490));
    let parsed = parse_in_time(&chained);
    assert!(parsed.errors.is_empty());
    assert_eq!(parsed.statements.clone(), parsed.statements);
}

#[test]
fn long_texts_take_linear_time() {
    let name = "a".repeat(1 << 20);
    let parsed = parse_in_time(&format!("SELECT {name} FROM {name}.{name}"));
    assert!(parsed.errors.is_empty());
    parse_in_time(&format!("SELECT * FROM t WHERE a = '{name}"));
    parse_in_time(&format!("SELECT * FROM t WHERE a = \"{name}"));
    parse_in_time(&format!("SELECT * FROM t /* {name}"));
    parse_in_time(&format!("SELECT * FROM t WHERE a = $$ {name}"));
    let assignments = vec!["a[1] = 2"; 100_000].join(", ");
    parse_in_time(&format!("UPDATE t SET {assignments} WHERE k = 1"));
    let properties = (0..50_000)
        .map(|i| format!("p{i} = {{'a': 'b', 'a': 'b'}}"))
        .collect::<Vec<_>>()
        .join(" AND ");
    parse_in_time(&format!("CREATE TABLE t (a int PRIMARY KEY) WITH {properties}"));
    parse_in_time(&"BEGIN BATCH ".repeat(100_000));
    parse_in_time(&"BEGIN BATCH INSERT INTO t (a) VALUES (;\n".repeat(50_000));
    parse_in_time(&"SELECT (a)[(".repeat(50_000));
    parse_in_time(&";".repeat(200_000));
    parse_in_time(&"SELECT\n".repeat(100_000));
    parse_in_time(&"{{".repeat(100_000));
    parse_in_time(&"${a".repeat(100_000));
    parse_in_time(&"/*".repeat(100_000));
    parse_in_time(&"COPY '\n".repeat(100_000));
}

/// Words that often form valid syntax, so that the parser gets deep.
const WORDS: [&str; 48] = [
    "SELECT",
    "FROM",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    ",",
    ";",
    ":",
    "?",
    "'",
    "\"",
    "$$",
    "--",
    "/*",
    "*/",
    "\n",
    "1",
    "-1",
    "1.5",
    "..",
    "a",
    "é",
    "\0",
    "P1D",
    "0x",
    "BATCH",
    "BEGIN",
    "APPLY",
    "${x}",
    "%s",
    "AS",
    "=",
    "+",
    "token",
    "expr(",
    "CREATE",
    "TABLE",
    "PRIMARY KEY",
    "WITH",
    "AND",
    "frozen<",
    "\u{feff}",
    "12345678-",
];

#[test]
fn random_bytes_never_panic() {
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..3_000 {
        let length = next() % 40;
        let mut source = String::new();
        for _ in 0..length {
            let word = WORDS[usize::try_from(next() % WORDS.len() as u64).expect("small")];
            source.push_str(word);
            if next() % 3 == 0 {
                source.push(' ');
            }
        }
        parse_in_time(&source);
        let noise: Vec<u8> = (0..length).map(|_| next().to_be_bytes()[3]).collect();
        parse_in_time(&String::from_utf8_lossy(&noise));
    }
}
