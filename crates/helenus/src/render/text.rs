//! Diagnostics for people, as rustc shows them.

use std::io::{self, Write};

use annotate_snippets::{Level, Renderer};
use cql::Severity;

use super::excerpt::Excerpt;
use crate::finding::Finding;

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
    let excerpt = Excerpt::new(finding.source, diagnostic.span);
    let mut group = level
        .primary_title(&*diagnostic.message)
        .id(diagnostic.rule)
        .elements(excerpt.marked(diagnostic.span));
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    renderer.render(&[group])
}
