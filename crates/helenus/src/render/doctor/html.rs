//! A report as one HTML file without scripts or references, for light and dark screens.

use std::io::{self, Write};

use super::figures::describe_figure;
use crate::diagnosis::{DoctorReport, FindingEntry};
use crate::render::findings::pluralise;

const STYLE: &str = "
:root { color-scheme: light dark; --line: #d0d4da; --soft: #f4f5f7; --text: #1c2128; --page: #fff; --bad: #b42318; --warn: #9a6700; --note: #1f6f8b; }
@media (prefers-color-scheme: dark) { :root { --line: #3a4048; --soft: #22262c; --text: #e6e8eb; --page: #16191d; --bad: #ff7b72; --warn: #e3b341; --note: #79c0ff; } }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; color: var(--text); background: var(--page); }
article { border: 1px solid var(--line); border-radius: 6px; padding: .8rem 1rem; margin: 1rem 0; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin: 0 0 .4rem; }
pre { background: var(--soft); padding: .6rem; border-radius: 4px; overflow-x: auto; margin: .4rem 0; }
code, pre { font: 13px/1.45 ui-monospace, monospace; }
ul { margin: .3rem 0; padding-left: 1.2rem; }
.critical, .high, .error { color: var(--bad); } .medium { color: var(--warn); } .low, .info { color: var(--note); }
footer { border-top: 1px solid var(--line); margin-top: 2rem; padding-top: .6rem; }
";

/// Writes a report.
pub(crate) fn write_html(report: &DoctorReport, out: &mut dyn Write) -> io::Result<()> {
    let name = report.cluster.as_deref().unwrap_or("cluster");
    writeln!(
        out,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Diagnosis of {0}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>Diagnosis of {0}</h1>",
        escape(name)
    )?;
    writeln!(
        out,
        "<p>{}, {}, {}, {}</p>",
        pluralise(report.nodes.len(), "node"),
        pluralise(report.tables, "table"),
        pluralise(report.statements, "statement"),
        pluralise(report.findings.len(), "finding")
    )?;
    for finding in &report.findings {
        write_finding(finding, out)?;
    }
    writeln!(out, "<footer>\n<p>Read:</p>\n<ul>")?;
    for (kind, count) in &report.read {
        writeln!(out, "<li>{count} &times; {}</li>", escape(kind))?;
    }
    writeln!(out, "</ul>\n<p>Not known:</p>\n<ul>")?;
    for what in &report.unknown {
        writeln!(out, "<li>{}</li>", escape(what))?;
    }
    writeln!(out, "</ul>\n</footer>\n</body>\n</html>")
}

fn write_finding(finding: &FindingEntry, out: &mut dyn Write) -> io::Result<()> {
    let table = finding.table.as_deref().unwrap_or_default();
    writeln!(
        out,
        "<article>\n<h2><span class=\"{0}\">{0}</span> {1} {2} <code>{3}</code></h2>\n<ul>",
        escape(&finding.severity),
        escape(&finding.code),
        escape(&finding.name),
        escape(table)
    )?;
    for figure in &finding.evidence {
        writeln!(out, "<li>{}</li>", escape(&describe_figure(figure)))?;
    }
    if let Some(key) = &finding.key {
        writeln!(out, "<li>key <code>{}</code></li>", escape(key))?;
    }
    let nodes: Vec<&str> =
        finding.nodes.iter().map(String::as_str).filter(|node| !node.is_empty()).collect();
    if !nodes.is_empty() {
        writeln!(out, "<li>on {}</li>", escape(&nodes.join(", ")))?;
    }
    writeln!(out, "</ul>")?;
    if let Some(statement) = &finding.statement {
        writeln!(out, "<pre>{}</pre>", escape(statement))?;
    }
    for remedy in &finding.remedies {
        writeln!(out, "<p>{}</p>", escape(&remedy.advice))?;
        for code in remedy.cql.iter().chain(&remedy.command) {
            writeln!(out, "<pre>{}</pre>", escape(code))?;
        }
    }
    writeln!(out, "</article>")
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            c => escaped.push(c),
        }
    }
    escaped
}
