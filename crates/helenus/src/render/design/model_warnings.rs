//! The warnings about the model file: they belong to the design, whose meaning they limit.

use std::fmt::Write as _;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::DesignView;

/// The section of the text report; empty without warnings.
pub(crate) fn write_section(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    if subject.file.warnings.is_empty() {
        return Ok(());
    }
    super::text::heading(out, "Model file")?;
    for warning in &subject.file.warnings {
        let place = place(subject, warning).map(|(line, _)| format!(" line {line}"));
        writeln!(out, "  - {}{}: {}", warning.rule, place.unwrap_or_default(), warning.message)?;
        if let Some(help) = &warning.help {
            writeln!(out, "    {help}")?;
        }
    }
    Ok(())
}

/// The section of `report.md`.
pub(crate) fn markdown(subject: DesignView<'_>, out: &mut String) {
    if subject.file.warnings.is_empty() {
        return;
    }
    let _ = writeln!(out, "## Warnings about the model file\n");
    for warning in &subject.file.warnings {
        let place = place(subject, warning).map(|(line, _)| format!(", line {line}"));
        let help = warning.help.as_ref().map(|help| format!(" ({help})"));
        let _ = writeln!(
            out,
            "- {}{}: {}{}",
            warning.rule,
            place.unwrap_or_default(),
            warning.message,
            help.unwrap_or_default()
        );
    }
    out.push('\n');
}

/// The warnings as JSON.
pub(crate) fn object(subject: DesignView<'_>) -> Value {
    let warnings = subject.file.warnings.iter().map(|warning| {
        let place = place(subject, warning);
        json!({
            "code": warning.rule,
            "line": place.map(|(line, _)| line),
            "column": place.map(|(_, column)| column),
            "message": warning.message,
            "help": warning.help,
        })
    });
    warnings.collect()
}

/// The line and column of a warning.
fn place(subject: DesignView<'_>, warning: &cql::Diagnostic) -> Option<(usize, usize)> {
    let start = subject.source?.line_column(warning.span.start as usize);
    Some((start.line, start.column))
}
