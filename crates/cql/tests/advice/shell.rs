//! cqlsh commands, and where they end.

use cql::StatementKind;

fn commands(source: &str) -> Vec<(&'static str, String)> {
    let parsed = cql::parse(source);
    assert_eq!(parsed.errors, [], "{source}");
    let command = |kind: &StatementKind| match kind {
        StatementKind::Shell(command) => (command.word, command.rest.to_string()),
        other => ("-", format!("{other:?}").split('(').next().unwrap_or_default().to_owned()),
    };
    parsed.statements.iter().map(|statement| command(&statement.kind)).collect()
}

#[test]
fn commands_end_at_a_line_end_or_a_semicolon() {
    let source = "consistency quorum\nSERIAL CONSISTENCY serial; TRACING ON -- on\nSOURCE 'a;b';\nUSE k;\nEXIT";
    let expected = [
        ("CONSISTENCY", "quorum"),
        ("SERIAL", "CONSISTENCY serial"),
        ("TRACING", "ON"),
        ("SOURCE", "'a;b'"),
        ("-", "Use"),
        ("EXIT", ""),
    ];
    assert_eq!(commands(source), expected.map(|(word, rest)| (word, rest.to_owned())));
}

#[test]
fn copy_goes_on_over_lines() {
    let source = "COPY t (a)\n FROM 'x.csv'\n WITH HEADER = true;\nUSE k;";
    let expected = [("COPY", "t (a)\n FROM 'x.csv'\n WITH HEADER = true"), ("-", "Use")];
    assert_eq!(commands(source), expected.map(|(word, rest)| (word, rest.to_owned())));
}

#[test]
fn command_words_are_names_everywhere_else() {
    let source = "CREATE TABLE source (\nhistory int PRIMARY KEY,\ncopy text, login int);\nSELECT show FROM help;";
    assert_eq!(commands(source).len(), 2);
}

#[test]
fn describe_may_end_at_a_line_end() {
    assert_eq!(commands("DESCRIBE TABLES\nDESC KEYSPACE k\nUSE k;\nDESCRIBE t").len(), 4);
}
