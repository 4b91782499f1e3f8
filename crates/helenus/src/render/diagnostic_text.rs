//! Diagnostics as text in the style of rustc: message, excerpt, help.

use std::io::{self, Write};

use annotate_snippets::{Level, Renderer};
use cql::Severity;

use super::excerpt::Excerpt;
use crate::source_diagnostic::SourceDiagnostic;

pub(crate) fn write(findings: &[SourceDiagnostic<'_>], out: &mut dyn Write) -> io::Result<()> {
    let renderer = Renderer::styled();
    findings
        .iter()
        .try_for_each(|finding| writeln!(out, "{}\n", render_diagnostic(&renderer, finding)))
}

fn render_diagnostic(renderer: &Renderer, finding: &SourceDiagnostic<'_>) -> String {
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
        .elements(excerpt.annotate(diagnostic.span));
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(&**help));
    }
    renderer.render(&[group])
}
