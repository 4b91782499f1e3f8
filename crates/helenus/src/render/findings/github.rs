//! Findings as annotations of GitHub Actions.

use std::io::{self, Write};

use check::{Finding, Severity};

use super::{Report, in_words};

pub(super) fn write(report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    for problem in report.problems {
        let command = if problem.is_unread { "error" } else { "warning" };
        let (file, message) = (property(&problem.file), data(&problem.message));
        writeln!(out, "::{command} file={file}::{message}")?;
    }
    report.told.iter().try_for_each(|told| writeln!(out, "{}", one(report, told.finding)))
}

fn one(report: &Report<'_>, finding: &Finding) -> String {
    let command = match finding.severity {
        Severity::Error | Severity::Critical | Severity::High => "error",
        Severity::Medium => "warning",
        Severity::Low | Severity::Info => "notice",
    };
    let region = report.region(finding.place);
    let (start, end) = (region.start, region.end);
    // Columns are given only for one line: the service ignores them otherwise.
    let columns = if start.line == end.line {
        format!(",col={},endColumn={}", start.column, end.column)
    } else {
        String::new()
    };
    format!(
        "::{command} file={},line={},endLine={}{columns},title={}::{}",
        property(region.file),
        start.line,
        end.line,
        property(&format!("{} {}", finding.rule.code, finding.rule.name)),
        data(&in_words(finding))
    )
}

/// Escapes the message of a workflow command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Escapes a property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_colons_and_newlines_are_escaped() {
        assert_eq!(property("a,b:c\n100%"), "a%2Cb%3Ac%0A100%25");
        assert_eq!(data("write: x\ny"), "write: x%0Ay");
    }
}
