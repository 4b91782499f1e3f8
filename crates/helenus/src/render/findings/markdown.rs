//! Findings as a Markdown report: the summary, then each file with its findings and their lines.

use std::io::{self, Write};

use check::Finding;

use super::{FindingReport, text};
use crate::render::markdown_text::{code, code_block, prose};

/// Longer lines are not shown.
const LINE_BYTES: usize = 400;

pub(super) fn write(report: &FindingReport<'_>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# helenus check\n\n{}\n", text::summary(report))?;
    if !report.problems.is_empty() {
        writeln!(out, "## Problems with files\n")?;
        for problem in report.problems {
            writeln!(out, "- {} {}", code(&problem.file), prose(&problem.message))?;
        }
        writeln!(out)?;
    }
    let mut file = None;
    for reported in &report.findings {
        let finding = reported.finding;
        if file != Some(finding.place.text) {
            file = Some(finding.place.text);
            writeln!(out, "## {}\n", prose(report.region(finding.place).file))?;
        }
        write_finding(report, finding, out)?;
    }
    Ok(())
}

fn write_finding(
    report: &FindingReport<'_>,
    finding: &Finding,
    out: &mut dyn Write,
) -> io::Result<()> {
    let start = report.region(finding.place).start;
    writeln!(
        out,
        "### {} {} ({})\n",
        finding.rule.code,
        finding.rule.name,
        finding.severity.word()
    )?;
    let subject = &finding.subject;
    let names = [&subject.keyspace, &subject.table, &subject.column];
    let names: Vec<&str> = names.into_iter().filter_map(|name| name.as_deref()).collect();
    let subject =
        if names.is_empty() { String::new() } else { format!(", {}", code(&names.join("."))) };
    writeln!(out, "Line {}{subject}: {}\n", start.line, prose(&finding.message))?;
    let offset = finding.place.span.start as usize;
    let line =
        report.sources.get(finding.place.text).map(|source| source.lines(offset, offset, 1).2);
    if let Some(line) = line.map(str::trim).filter(|line| line.len() < LINE_BYTES) {
        writeln!(out, "{}", code_block("cql", line))?;
    }
    for note in &finding.notes {
        writeln!(out, "- {}", prose(note))?;
    }
    if let Some(help) = &finding.help {
        writeln!(out, "- Help: {}", prose(help))?;
    }
    if finding.help.is_some() || !finding.notes.is_empty() {
        writeln!(out)?;
    }
    Ok(())
}
