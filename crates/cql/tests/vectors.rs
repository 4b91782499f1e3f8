//! Types and values against what a real node wrote into `testdata/`.

use cql::types::{ClassError, parse_class};

/// The lines of a data file, split at tabs.
fn rows(file: &str) -> Vec<Vec<&str>> {
    let lines = file.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split('\t').collect()).collect()
}

#[test]
fn class_names() {
    let rows = rows(include_str!("../testdata/classes.txt"));
    assert!(rows.len() > 150);
    let mut wrong = Vec::new();
    for row in rows {
        let [text, _, expected] = row[..] else { panic!("{row:?}") };
        let found = match parse_class(text) {
            Ok(parsed) if parsed.reversed => {
                format!("org.apache.cassandra.db.marshal.ReversedType({})", parsed.ty.class_name())
            }
            Ok(parsed) => parsed.ty.class_name(),
            Err(ClassError::Syntax(message)) => format!("syntax: {message}"),
            Err(ClassError::Configuration(message)) => format!("configuration: {message}"),
        };
        if found != expected {
            wrong.push(format!("{text:?}\n  is {expected:?}\n not {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
