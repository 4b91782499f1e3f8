//! Findings for people, as rustc shows them.

use std::io::{self, Write};

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use cql::Severity;

use crate::finding::Finding;

/// More lines of a long statement than this are not shown.
const LINES_SHOWN: usize = 12;

pub(crate) fn findings(findings: &[Finding<'_>], out: &mut dyn Write) -> io::Result<()> {
    let renderer = Renderer::styled();
    findings.iter().try_for_each(|finding| writeln!(out, "{}\n", one(&renderer, finding)))
}

fn one(renderer: &Renderer, finding: &Finding<'_>) -> String {
    let diagnostic = &finding.diagnostic;
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Info => Level::INFO,
    };
    let (start, end) = (diagnostic.span.start as usize, diagnostic.span.end as usize);
    let (offset, first_line, lines) = finding.source.lines(start, end, LINES_SHOWN);
    let within = |at: usize| floor_boundary(lines, at.saturating_sub(offset));
    let span = within(start)..within(end).max(within(start));
    let snippet = Snippet::source(lines)
        .line_start(first_line)
        .path(&*finding.source.name)
        .annotation(AnnotationKind::Primary.span(span));
    let mut group = level.primary_title(&*diagnostic.message).id(diagnostic.rule).element(snippet);
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    renderer.render(&[group])
}

/// The nearest character boundary at or before `at`.
fn floor_boundary(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
