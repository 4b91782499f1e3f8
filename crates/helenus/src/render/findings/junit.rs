//! Findings as a `JUnit` report: a suite per file with a failed case per finding, or one passed
//! case.

use std::collections::BTreeSet;
use std::io::{self, Write};

use check::Finding;

use super::{FindingReport, full_message};

pub(super) fn write(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let unread = report.problems.iter().filter(|problem| problem.is_unread);
    let with_findings: BTreeSet<usize> =
        report.findings.iter().map(|reported| reported.finding.place.text).collect();
    let (failures, errors) = (report.findings.len(), unread.clone().count());
    let tests = failures + errors + report.sources.len() - with_findings.len();
    writeln!(out, r#"<?xml version="1.0" encoding="UTF-8"?>"#)?;
    writeln!(
        out,
        r#"<testsuites name="helenus check" tests="{tests}" failures="{failures}" errors="{errors}">"#
    )?;
    for problem in unread {
        let (file, message) = (escape(&problem.file), escape(&problem.message));
        writeln!(out, r#"  <testsuite name="{file}" tests="1" failures="0" errors="1">"#)?;
        writeln!(out, r#"    <testcase name="read" classname="{file}">"#)?;
        writeln!(out, r#"      <error message="{message}"/>"#)?;
        writeln!(out, "    </testcase>\n  </testsuite>")?;
    }
    let mut rest = report.findings.iter().peekable();
    for (text, source) in report.sources.iter().enumerate() {
        let mut findings = Vec::new();
        while let Some(next) = rest.next_if(|next| next.finding.place.text == text) {
            findings.push(next.finding);
        }
        suite(report, &source.name, &findings, out)?;
    }
    writeln!(out, "</testsuites>")
}

fn suite(
    report: &FindingReport<'_>,
    file: &str,
    findings: &[&Finding],
    out: &mut dyn Write,
) -> io::Result<()> {
    let (file, tests) = (escape(file), findings.len().max(1));
    writeln!(out, r#"  <testsuite name="{file}" tests="{tests}" failures="{}">"#, findings.len())?;
    if findings.is_empty() {
        writeln!(out, r#"    <testcase name="check" classname="{file}"/>"#)?;
    }
    for finding in findings {
        let start = report.region(finding.place).start;
        writeln!(
            out,
            r#"    <testcase name="{} {} ({}:{})" classname="{file}">"#,
            finding.rule.code, finding.rule.name, start.line, start.column
        )?;
        writeln!(
            out,
            r#"      <failure type="{}" message="{}">{}</failure>"#,
            finding.severity.word(),
            escape(&finding.message),
            escape(&full_message(finding))
        )?;
        writeln!(out, "    </testcase>")?;
    }
    writeln!(out, "  </testsuite>")
}

/// Escapes text and attributes; characters that XML does not allow are replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push('\t'),
            '\u{FFFE}' | '\u{FFFF}' => escaped.push('\u{FFFD}'),
            control if control.is_control() => escaped.push('\u{FFFD}'),
            character => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_controls_are_escaped() {
        assert_eq!(escape("a<b>&\"c\"\n\u{1}"), "a&lt;b&gt;&amp;&quot;c&quot;&#10;\u{FFFD}");
    }
}
