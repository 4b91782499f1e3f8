//! Any text is read without a panic; what was read prints as text that reads the same; formatting twice is formatting once.
#![no_main]

use cql::{ParseOptions, StatementKind, format_with, parse_with, printer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Ok(source) = std::str::from_utf8(data) else { return };
    for templates in [false, true] {
        check(source, &ParseOptions { templates });
    }
});

fn check(source: &str, options: &ParseOptions) {
    let parsed = parse_with(source, options);
    if !parsed.errors.is_empty() {
        return;
    }
    for statement in &parsed.statements {
        // A marker that a later USING hides is counted but not in the tree, and an open quote has no end.
        let printed = printer::statement_with(statement, options);
        let again = parse_with(&printed, options);
        let repeated_using = statement.markers.len() != again.statements.iter().map(|s| s.markers.len()).sum::<usize>();
        if matches!(statement.kind, StatementKind::Shell(_)) || repeated_using {
            continue;
        }
        assert_eq!(again.errors, [], "{printed}");
        assert_eq!(again.statements, std::slice::from_ref(statement), "{printed}");
    }
    let once = format_with(source, options).expect("read without diagnostics");
    let twice = format_with(&once, options).expect("what is formatted reads without diagnostics");
    assert_eq!(once, twice);
    assert_eq!(parse_with(&once, options).comments.len(), parsed.comments.len());
}
