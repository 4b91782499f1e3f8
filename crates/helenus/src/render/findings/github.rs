//! Findings as GitHub Actions annotations.

use std::io::{self, Write};

use check::{Finding, Severity};

use super::{FindingReport, full_message};

pub(super) fn write(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    for problem in report.problems {
        let command = if problem.is_unread() { "error" } else { "warning" };
        let (file, message) = (escape_property(&problem.file), escape_data(&problem.message));
        writeln!(out, "::{command} file={file}::{message}")?;
    }
    report
        .findings
        .iter()
        .try_for_each(|reported| writeln!(out, "{}", annotation(report, reported.finding)))
}

fn annotation(report: &FindingReport<'_>, finding: &Finding) -> String {
    let command = match finding.severity {
        Severity::Error | Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "notice",
    };
    let region = report.region(finding.place);
    let (start, end) = (region.start, region.end);
    // Columns are valid only within one line; GitHub ignores them otherwise.
    let columns = if start.line == end.line {
        format!(",col={},endColumn={}", start.column, end.column)
    } else {
        String::new()
    };
    format!(
        "::{command} file={},line={},endLine={}{columns},title={}::{}",
        escape_property(region.file),
        start.line,
        end.line,
        escape_property(&format!("{} {}", finding.rule.code, finding.rule.name)),
        escape_data(&full_message(finding))
    )
}

/// Escapes the message of a workflow command.
fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_colons_and_newlines_are_escaped() {
        assert_eq!(escape_property("a,b:c\n100%"), "a%2Cb%3Ac%0A100%25");
        assert_eq!(escape_data("write: x\ny"), "write: x%0Ay");
    }
}
