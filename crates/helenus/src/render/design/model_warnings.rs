//! The warnings about the model file: they belong to the design, whose meaning they limit.

use std::fmt::{self, Write as _};
use std::io::{self, Write};

use serde_json::{Value, json};

use super::DesignView;
use crate::render::brief::BriefItem;
use crate::render::markdown_text::prose;
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

/// The warnings, a sentence each.
pub(super) fn lines(subject: DesignView<'_>) -> Vec<String> {
    let line = |warning: &cql::Diagnostic| {
        let place = place(subject, warning).map(|place| format!(", {place}")).unwrap_or_default();
        let help = warning.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        format!("{}{place}: {}{help}", warning.rule, warning.message)
    };
    subject.file.warnings.iter().map(line).collect()
}

/// The section of `report.md`.
pub(crate) fn markdown(subject: DesignView<'_>, out: &mut String) {
    if subject.file.warnings.is_empty() {
        return;
    }
    let _ = writeln!(out, "## Warnings about the model file\n");
    for line in lines(subject) {
        let _ = writeln!(out, "- {}", prose(&line));
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

/// The warnings as items of a brief answer.
pub(super) fn items(subject: DesignView<'_>) -> impl Iterator<Item = BriefItem> {
    subject.file.warnings.iter().map(move |warning| {
        let place = place(subject, warning).map(|place| place.to_string());
        let at = place.as_ref().map(|place| format!(" {place}")).unwrap_or_default();
        let help = warning.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        BriefItem {
            data: json!({
                "kind": "model file", "about": warning.rule, "place": place,
                "message": warning.message, "help": warning.help,
            }),
            text: format!("- model file, {}{at}: {}{help}", warning.rule, warning.message),
        }
    })
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
