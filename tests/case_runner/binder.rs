//! The cases put to our own binder: what it says must be what the node said.

use std::fs;
use std::path::Path;

use super::file::{CaseFile, CaseStatement};
use super::{CREATE_KEYSPACE, select_files};
use crate::binder::BinderSession;
use crate::print_uncaptured;
use crate::protocol::{Connection, Version};
use crate::verdict::{KEYSPACE, RunMode, Verdict};

/// Disagreements printed in full; the rest are counted.
const SHOWN_MAX: usize = 40;

#[test]
fn our_binder_says_what_cassandra_says() {
    let mut disagreements = Vec::new();
    let mut count = 0;
    for file in select_files() {
        count += file.statements.len();
        judge_file(&file, &mut disagreements);
    }
    let shown = std::env::var("HELENUS_FULL").map_or(SHOWN_MAX, |_| usize::MAX);
    for disagreement in disagreements.iter().take(shown) {
        print_uncaptured(disagreement);
    }
    let wrong = disagreements.len();
    assert!(wrong == 0, "{wrong} of {count} statements are judged otherwise");
}

/// A divergence is a bug unless the page for users lists it.
#[test]
fn divergences_are_listed() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/COMPATIBILITY.md");
    let page = fs::read_to_string(page).expect("docs/COMPATIBILITY.md can be read");
    for file in select_files() {
        let reasons = file.statements.iter().flat_map(|one| [&one.diverges, &one.unlike]);
        for reason in reasons.flatten() {
            let listed = page.to_lowercase().contains(&reason.to_lowercase());
            assert!(listed, "{}: docs/COMPATIBILITY.md does not say: {reason}", file.name());
        }
    }
}

fn judge_file(file: &CaseFile, disagreements: &mut Vec<String>) {
    let mut session = BinderSession::new();
    for text in [CREATE_KEYSPACE.to_owned(), format!("USE {KEYSPACE}")] {
        let verdict = session.verdict(&text, RunMode::default());
        assert_eq!(verdict, Verdict::default(), "{text}");
    }
    for statement in &file.statements {
        let verdict = session.verdict(&statement.text, manner(statement));
        if !is_same_verdict(file, statement, &verdict) {
            let (node, ours) =
                (statement.verdict.lines().join("\n  "), verdict.lines().join("\n  "));
            let place = format!("{}:{}", file.name(), statement.line);
            disagreements.push(format!(
                "{place}: {}\n Cassandra:\n  {node}\n we:\n  {ours}",
                statement.text
            ));
        }
    }
}

/// A statement with values is only prepared: the binder runs nothing.
fn manner(statement: &CaseStatement) -> RunMode {
    let prepare = statement.request.manner.prepare || statement.request.values.is_some();
    RunMode { prepare, ..statement.request.manner }
}

/// Whether our verdict is the node's, where it can be: rows decide nothing here, and warnings come later. A divergence that
/// is none any more must lose its mark.
fn is_same_verdict(file: &CaseFile, statement: &CaseStatement, ours: &Verdict) -> bool {
    let (mut wanted, mut ours) = (statement.verdict.clone(), ours.clone());
    wanted.warnings.clear();
    (wanted.rows, wanted.pages) = (None, None);
    if !statement.request.manner.prepare {
        (wanted.columns, ours.columns, ours.markers) = (None, None, None);
    }
    let is_of_data =
        statement.needs_data || file.is_about_data() || statement.request.values.is_some();
    if is_of_data && ours.refusal.is_none() {
        wanted.refusal = None;
    }
    wanted.matches(&ours) != statement.diverges.is_some()
}

/// The splitting of files is ours to get right too: the parser finds each statement where the layout says it is.
#[test]
fn the_parser_finds_the_same_statements() {
    for file in select_files() {
        let accepted =
            file.statements.iter().filter(|statement| statement.verdict.refusal.is_none());
        let texts: Vec<_> =
            accepted.map(|statement| statement.text.trim_end_matches(';')).collect();
        let source = texts.join(";\n") + ";\n";
        let parsed = cql::parse(&source);
        let found: Vec<_> =
            parsed.statements.iter().map(|statement| statement.span.text(&source)).collect();
        for (text, found) in texts.iter().zip(&found) {
            // Comments around it belong to no statement.
            assert!(text.contains(found), "{}: {text:?} was found as {found:?}", file.name());
        }
        assert_eq!(texts.len(), found.len(), "{}", file.name());
    }
}

/// A case file would need a line of 200 KB for this.
#[test]
fn a_statement_has_at_most_65535_markers() {
    let text = |count: usize| {
        let markers = vec!["?"; count].join(", ");
        format!("SELECT key FROM system.local WHERE key IN ({markers})")
    };
    let prepare = RunMode { prepare: true, ..RunMode::default() };
    let too_many = "Too many markers(?). 65536 markers exceed the allowed maximum of 65535";
    let mut session = BinderSession::new();
    assert_eq!(session.verdict(&text(65_535), prepare).refusal, None);
    assert_eq!(
        session.verdict(&text(65_536), prepare).refusal,
        Some((0x2200, too_many.to_owned()))
    );
    let Some(address) = crate::cassandra::node() else { return };
    let mut node = Connection::open(address, Version::V5).unwrap();
    assert_eq!(Verdict::from_node(&mut node, &text(65_535), prepare).unwrap().refusal, None);
    let refusal = Verdict::from_node(&mut node, &text(65_536), prepare).unwrap().refusal;
    assert_eq!(refusal, Some((0x2200, too_many.to_owned())));
}
