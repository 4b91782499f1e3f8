//! The CQL files of a design as `helenus fmt` formats them, with comments that allow what
//! `helenus check` reports and the design decided on purpose.

use std::collections::BTreeSet;

use check::{Finding, Project, Settings, Severity, SourceText, TextKind};
use model::plan::{Allowance, AllowedStatements, Design};

use super::files::CqlFile;

/// The files with their names, formatted and with their allowances.
pub(super) fn finish_files(
    design: &Design,
    files: [(&'static str, CqlFile); 3],
) -> Vec<(&'static str, String)> {
    let files = files.map(|(name, file)| {
        let text = cql::format(&file.text).unwrap_or(file.text);
        (name, CqlFile { text, owners: file.owners })
    });
    let texts: Vec<SourceText<'_>> = files.iter().map(|(name, file)| source(name, file)).collect();
    let settings = Settings::default();
    let mut session = schema::Session::with_system_tables();
    // The datacenters of the cluster are not known.
    session.catalog.datacenters.clear();
    let project = Project::new(texts, session, &settings, None);
    let mut found = check::check(&project);
    found.retain(|finding| finding.severity >= Severity::Low);
    let allow = |(at, (name, file)): (usize, &(&'static str, CqlFile))| {
        let own: Vec<&Finding> = found.iter().filter(|it| it.place.text == at).collect();
        (*name, insert_comments(design, file, &own))
    };
    files.iter().enumerate().map(allow).collect()
}

fn source<'a>(name: &'a str, file: &'a CqlFile) -> SourceText<'a> {
    let parsed = cql::parse(&file.text);
    SourceText { name, text: &file.text, parsed, kind: TextKind::Cql, is_reported: true }
}

/// The text with a comment above each statement of which something is reported that the design
/// decided.
fn insert_comments(design: &Design, file: &CqlFile, found: &[&Finding]) -> String {
    let mut text = String::with_capacity(file.text.len());
    let mut written = 0;
    let parsed = cql::parse(&file.text);
    for (statement, owner) in parsed.statements.iter().zip(&file.owners) {
        let span = statement.span;
        let here = found.iter().filter(|it| span.start <= it.place.span.start);
        let codes: BTreeSet<&str> = here
            .filter(|finding| finding.place.span.start < span.end)
            .map(|finding| finding.rule.code)
            .collect();
        let comments = list_comments(design, *owner, &codes);
        let start = span.start as usize;
        let Some(before) = file.text.get(written..start).filter(|_| !comments.is_empty()) else {
            continue;
        };
        text.push_str(before);
        text.push_str(&comments);
        written = start;
    }
    text.push_str(file.text.get(written..).unwrap_or_default());
    text
}

/// The comments that allow rules of these codes, each on a line.
fn list_comments(
    design: &Design,
    owner: Option<AllowedStatements>,
    codes: &BTreeSet<&str>,
) -> String {
    let decided = design.allowances.iter().filter(|allowance| Some(allowance.on) == owner);
    let comment = |allowance: &Allowance| {
        let rules = allowance.reason.rules().iter().filter(|rule| codes.contains(*rule));
        let rules: Vec<&str> = rules.copied().collect();
        let comment = format!("-- helenus: allow({}) {}\n", rules.join(", "), allowance.reason);
        (!rules.is_empty()).then_some(comment)
    };
    decided.filter_map(comment).collect()
}
