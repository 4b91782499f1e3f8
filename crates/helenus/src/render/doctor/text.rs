//! Reports for people: one screen with the worst of each kind, or all findings.

use std::collections::BTreeMap;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use cql::Severity;

use super::figures::describe_evidence;
use crate::diagnosis::{DoctorReport, FindingEntry};
use crate::render::findings::pluralise;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();

/// Writes one screen: the worst finding of each rule.
pub(crate) fn write_summary(report: &DoctorReport, out: &mut dyn Write) -> io::Result<()> {
    write_head(report, out)?;
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for finding in &report.findings {
        *counts.entry(&finding.code).or_default() += 1;
    }
    let mut shown: Vec<&str> = Vec::new();
    let mut hidden = 0;
    for finding in &report.findings {
        if shown.contains(&finding.code.as_str()) {
            hidden += 1;
            continue;
        }
        shown.push(&finding.code);
        write_title(finding, counts.get(finding.code.as_str()).copied().unwrap_or(1), out)?;
        writeln!(out, "  {}", describe_evidence(finding))?;
        if let Some(statement) = &finding.statement {
            writeln!(out, "  {DIM}{}{DIM:#}", shorten(statement))?;
        }
        write_next(finding, out)?;
    }
    write_foot(report, out)?;
    if hidden > 0 || report.findings.iter().any(|finding| finding.remedies.len() > 1) {
        writeln!(
            out,
            "\n--full lists all findings with their statements; `helenus rule CODE` explains one."
        )?;
    }
    Ok(())
}

/// Writes all findings with all remedies.
pub(crate) fn write_report(report: &DoctorReport, out: &mut dyn Write) -> io::Result<()> {
    write_head(report, out)?;
    for finding in &report.findings {
        write_title(finding, 1, out)?;
        writeln!(out, "  {}", describe_evidence(finding))?;
        if let Some(statement) = &finding.statement {
            writeln!(out, "  {DIM}{statement}{DIM:#}")?;
        }
        for remedy in &finding.remedies {
            writeln!(out, "  - {}", remedy.advice)?;
            for line in remedy.cql.iter().flat_map(|cql| cql.lines()) {
                writeln!(out, "      {line}")?;
            }
            if let Some(command) = &remedy.command {
                writeln!(out, "      {command}")?;
            }
        }
    }
    write_foot(report, out)
}

fn write_head(report: &DoctorReport, out: &mut dyn Write) -> io::Result<()> {
    let name =
        report.cluster.as_deref().map(|name| format!("cluster {name}: ")).unwrap_or_default();
    let mut releases: Vec<String> = report
        .nodes
        .iter()
        .filter_map(|node| {
            Some(format!("{} {}", node.product.as_deref()?, node.version.as_deref()?))
        })
        .collect();
    releases.sort_unstable();
    releases.dedup();
    let mut parts = vec![describe_nodes(report)];
    parts.extend(releases);
    parts.push(pluralise(report.tables, "table"));
    parts.push(pluralise(report.statements, "statement"));
    writeln!(out, "{BOLD}{name}{}{BOLD:#}", parts.join(", "))?;
    let counts = Severity::ALL.into_iter().rev().filter_map(|severity| {
        let count = report.findings.iter().filter(|it| it.severity() == severity).count();
        (count > 0).then(|| format!("{count} {}", severity.word()))
    });
    let counts: Vec<String> = counts.collect();
    match counts.as_slice() {
        [] if report.read.is_empty() => writeln!(out, "nothing was examined"),
        [] => writeln!(out, "no findings in what was read"),
        counts => writeln!(out, "{}", counts.join(", ")),
    }
}

/// `3 nodes (1 does not answer)`
fn describe_nodes(report: &DoctorReport) -> String {
    let nodes = pluralise(report.nodes.len(), "node");
    match report.nodes.iter().filter(|node| node.is_silent()).count() {
        0 => nodes,
        1 => format!("{nodes} (1 does not answer)"),
        silent => format!("{nodes} ({silent} do not answer)"),
    }
}

/// `CRITICAL DR040 filtering shop.users (and 2 more)`
fn write_title(finding: &FindingEntry, count: usize, out: &mut dyn Write) -> io::Result<()> {
    let color = match finding.severity() {
        Severity::Error | Severity::Critical | Severity::High => AnsiColor::Red,
        Severity::Medium => AnsiColor::Yellow,
        Severity::Low | Severity::Info => AnsiColor::Cyan,
    };
    let style = Style::new().bold().fg_color(Some(color.into()));
    let severity = finding.severity.to_uppercase();
    write!(out, "\n{style}{severity}{style:#} {} {}", finding.code, finding.name)?;
    if let Some(table) = &finding.table {
        write!(out, " {BOLD}{table}{BOLD:#}")?;
    }
    if count > 1 {
        write!(out, " (and {} more)", count - 1)?;
    }
    writeln!(out)
}

/// What to do next, in a line or two.
fn write_next(finding: &FindingEntry, out: &mut dyn Write) -> io::Result<()> {
    let Some(first) = finding.remedies.first() else { return Ok(()) };
    writeln!(out, "  next: {}", first.advice)?;
    let command = finding.remedies.iter().find_map(|remedy| remedy.command.as_ref());
    match (&first.cql, command) {
        (Some(cql), _) if !cql.contains('\n') => writeln!(out, "    {cql}"),
        (_, Some(command)) => writeln!(out, "    {command}"),
        _ => Ok(()),
    }
}

fn write_foot(report: &DoctorReport, out: &mut dyn Write) -> io::Result<()> {
    let read: Vec<String> =
        report.read.iter().map(|(kind, count)| format!("{count} x {kind}")).collect();
    let read = if read.is_empty() { "nothing".to_owned() } else { read.join(", ") };
    writeln!(out, "\nread: {read}")?;
    if !report.unknown.is_empty() {
        writeln!(out, "not known:")?;
        for what in &report.unknown {
            writeln!(out, "  {what}")?;
        }
    }
    Ok(())
}

/// The start of a long statement.
fn shorten(text: &str) -> String {
    const LENGTH: usize = 160;
    match text.char_indices().nth(LENGTH) {
        Some((at, _)) => format!("{}...", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
