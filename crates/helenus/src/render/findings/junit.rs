//! Findings as a `JUnit` report: a suite for each file, a failed case for each finding, one that passes where there are none.

use std::collections::BTreeSet;
use std::io::{self, Write};

use check::Finding;

use super::{FindingReport, full_message};

pub(super) fn write(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    let unread = report.problems.iter().filter(|problem| problem.is_unread);
    let found: BTreeSet<usize> = report.findings.iter().map(|one| one.finding.place.text).collect();
    let (failures, errors) = (report.findings.len(), unread.clone().count());
    let tests = failures + errors + report.sources.len() - found.len();
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
    let mut told = report.findings.iter().peekable();
    for (text, source) in report.sources.iter().enumerate() {
        let mut here = Vec::new();
        while let Some(one) = told.next_if(|one| one.finding.place.text == text) {
            here.push(one.finding);
        }
        suite(report, &source.name, &here, out)?;
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

/// Escapes text and attributes; what XML cannot hold is replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for one in text.chars() {
        match one {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' => escaped.push_str("&#10;"),
            '\t' => escaped.push('\t'),
            one if one.is_control() || matches!(one, '\u{FFFE}' | '\u{FFFF}') => {
                escaped.push('\u{FFFD}');
            }
            one => escaped.push(one),
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
