//! Findings as a `JUnit` report: a suite per file with a case per finding, or one passed case. A case
//! fails if its finding is of the severity of `--fail-on` or above.

use std::collections::BTreeSet;
use std::io::{self, Write};

use check::Finding;

use super::{FindingReport, full_message};

pub(super) fn write(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let unread = report.problems.iter().filter(|problem| problem.is_unread());
    let with_findings: BTreeSet<usize> =
        report.findings.iter().map(|reported| reported.finding.place.text).collect();
    let all = report.findings.iter().map(|reported| reported.finding);
    let failures = all.filter(|finding| report.is_failure(finding)).count();
    let errors = unread.clone().count();
    let tests = report.findings.len() + errors + report.sources.len() - with_findings.len();
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
    for (text, source) in report.sources.iter().enumerate() {
        let all = report.findings.iter().map(|reported| reported.finding);
        let findings: Vec<&Finding> = all.filter(|finding| finding.place.text == text).collect();
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
    let failures = findings.iter().filter(|finding| report.is_failure(finding)).count();
    writeln!(out, r#"  <testsuite name="{file}" tests="{tests}" failures="{failures}">"#)?;
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
        let (severity, message) = (finding.severity.word(), escape(&full_message(finding)));
        if report.is_failure(finding) {
            let title = escape(&finding.message);
            writeln!(
                out,
                r#"      <failure type="{severity}" message="{title}">{message}</failure>"#
            )?;
        } else {
            writeln!(out, "      <system-out>{severity}: {message}</system-out>")?;
        }
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
