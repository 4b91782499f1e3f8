//! The warnings about the model file: they belong to the design, whose meaning they limit.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use serde_json::{Value, json};

use super::DesignView;
use crate::source::LineColumn;

/// The section of the text report; empty without warnings.
pub(crate) fn write_section(subject: DesignView<'_>, out: &mut dyn Write) -> io::Result<()> {
    if subject.file.warnings.is_empty() {
        return Ok(());
    }
    super::text::heading(out, "Model file")?;
    for warning in &subject.file.warnings {
        let place = place(subject, warning).map(|place| format!(" {place}"));
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
        let place = place(subject, warning).map(|place| format!(", {place}"));
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
            "file": place.as_ref().and_then(|place| place.file),
            "line": place.as_ref().map(|place| place.start.line),
            "column": place.as_ref().map(|place| place.start.column),
            "message": warning.message,
            "help": warning.help,
        })
    });
    warnings.collect()
}

/// The place of a warning.
struct WarningPlace<'a> {
    /// The file, if the model has several.
    file: Option<&'a str>,
    start: LineColumn,
}

impl fmt::Display for WarningPlace<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = self.file {
            write!(f, "{file} ")?;
        }
        write!(f, "line {}", self.start.line)
    }
}

fn place<'a>(subject: DesignView<'a>, warning: &cql::Diagnostic) -> Option<WarningPlace<'a>> {
    let sources = subject.sources?;
    let (source, span) = sources.locate(warning.span)?;
    let file = (sources.len() > 1).then_some(source.name.as_str());
    Some(WarningPlace { file, start: source.line_column(span.start as usize) })
}
