//! Printing a tree and parsing it again, and formatting.

mod mutation;

use cql::{ParseOptions, StatementKind, parse, parse_with, printer};

const CORPUS: &str = include_str!("corpus.cql");
const COMMENTED: &str = include_str!("commented.cql");
const TEMPLATES: &str = include_str!("templates.cql");
const LENIENT: ParseOptions = ParseOptions { templates: true };

/// Every kind of statement but the invalid one, by its variant.
fn variants(source: &str) -> std::collections::BTreeSet<String> {
    let debug = |kind: &StatementKind| format!("{kind:?}");
    let word = |kind: &StatementKind| debug(kind).split('(').next().unwrap_or_default().to_owned();
    parse(source).statements.iter().map(|statement| word(&statement.kind)).collect()
}

#[test]
fn the_corpus_holds_every_kind_of_statement() {
    assert_eq!(variants(CORPUS).len(), 36, "{:?}", variants(CORPUS));
}

fn assert_round_trip(source: &str, options: ParseOptions) {
    let options = &options;
    let parsed = parse_with(source, options);
    assert_eq!(parsed.errors, []);
    for statement in &parsed.statements {
        let printed = printer::statement_with(statement, options);
        let again = parse_with(&printed, options);
        assert_eq!(again.errors, [], "{printed}");
        assert_eq!(again.statements.as_slice(), std::slice::from_ref(statement), "{printed}");
        assert_eq!(printer::statement_with(&again.statements[0], options), printed);
        let one_line = !statement.span.text(source).contains('\n') || !printed.contains('\n');
        assert!(one_line || printed.contains('\''), "{printed}");
    }
}

#[test]
fn what_is_printed_reads_as_the_same_tree() {
    assert_round_trip(CORPUS, ParseOptions::default());
    assert_round_trip(COMMENTED, ParseOptions::default());
    assert_round_trip(TEMPLATES, LENIENT);
}

/// Formats a text, and checks the properties of every formatted text.
fn format_and_check(source: &str, options: ParseOptions) -> String {
    let options = &options;
    let before = parse_with(source, options);
    let formatted = cql::format_with(source, options).expect("no syntax errors");
    let after = parse_with(&formatted, options);
    assert_eq!(after.errors, [], "{formatted}");
    assert_eq!(before.statements, after.statements, "{formatted}");
    let comments = |source: &str, parsed: &cql::ParsedSource| -> Vec<String> {
        let texts =
            parsed.comments.iter().map(|comment| comment.span.text(source).trim_end().to_owned());
        let mut texts: Vec<String> = texts.collect();
        texts.sort();
        texts
    };
    assert_eq!(comments(source, &before), comments(&formatted, &after), "{formatted}");
    assert_eq!(cql::format_with(&formatted, options).expect("no syntax errors"), formatted);
    formatted
}

#[test]
fn formatting_is_idempotent_and_keeps_statements_and_comments() {
    format_and_check(CORPUS, ParseOptions::default());
    format_and_check(TEMPLATES, LENIENT);
}

#[test]
fn comments_stay_where_they_were() {
    assert_eq!(
        format_and_check(COMMENTED, ParseOptions::default()),
        include_str!("commented.formatted.cql")
    );
}

/// A comment between any two tokens of any statement survives, whatever its kind.
#[test]
fn a_comment_may_stand_anywhere() {
    let parsed = parse(CORPUS);
    for statement in &parsed.statements {
        let text = printer::statement(statement);
        if matches!(statement.kind, StatementKind::Shell(_)) {
            continue;
        }
        for (place, _) in text
            .match_indices(' ')
            .filter(|(place, _)| text[..*place].matches('\'').count().is_multiple_of(2))
        {
            for comment in [" /* c */", " -- c\n", "\n-- c\n-- d\n", "\n/* c */ // d\n"] {
                let commented = format!("{}{comment}{};", &text[..place], &text[place..]);
                if parse(&commented).statements.as_slice() == std::slice::from_ref(statement) {
                    format_and_check(&commented, ParseOptions::default());
                }
            }
        }
    }
}

#[test]
fn a_line_may_end_in_a_bare_carriage_return() {
    let text = format_and_check("--a\r--b\nSELECT k FROM t; --c\r--d", ParseOptions::default());
    assert_eq!(text, "--a\n--b\nSELECT k FROM t; --c\n--d\n");
}

#[test]
fn a_text_with_errors_is_not_formatted() {
    let errors = cql::format("SELECT * FORM t;").expect_err("a syntax error");
    assert_eq!(errors.len(), 1);
}

#[test]
fn identifiers_are_quoted_as_the_server_does() {
    for (name, written) in [
        ("abc", "abc"),
        ("a_1", "a_1"),
        ("Abc", "\"Abc\""),
        ("1a", "\"1a\""),
        ("_a", "\"_a\""),
        ("order", "\"order\""),
        ("key", "key"),
        ("a\"b", "\"a\"\"b\""),
        ("", "\"\""),
        ("é", "\"é\""),
    ] {
        assert_eq!(printer::identifier(name), written);
    }
}
