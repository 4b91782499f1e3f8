//! A report as a page.

use super::figures::describe_figure;
use crate::diagnosis::{DoctorReport, FindingEntry};
use crate::render::findings::pluralise;
use crate::render::html::{
    Anchor, Markup, Page, Section, Tile, Tone, write_badge, write_code, write_list,
};

/// The page of a report.
pub(crate) fn page(report: &DoctorReport) -> Page {
    let name = report.cluster.as_deref().unwrap_or("cluster");
    let lead = format!(
        "{}, {}, {}",
        pluralise(report.nodes.len(), "node"),
        pluralise(report.tables, "table"),
        pluralise(report.statements, "statement")
    );
    let mut page = Page::new("Diagnosis of a cluster", name, lead);
    page.add_tile(Tile {
        label: "Findings".to_owned(),
        value: report.findings.len().to_string(),
        remark: report
            .findings
            .first()
            .map(|it| format!("worst: {}", it.severity))
            .unwrap_or_default(),
        tone: report.findings.first().map_or(Tone::Neutral, |it| severity_tone(&it.severity)),
    });
    let mut findings = Section::new("findings", "Findings");
    for (at, finding) in report.findings.iter().enumerate() {
        let anchor = Anchor::new("finding", &(at + 1).to_string());
        let table = finding.table.as_deref().unwrap_or_default();
        findings.add_entry(format!("{} {table}", finding.code), anchor.clone());
        write_finding(finding, &anchor, findings.content());
    }
    if report.findings.is_empty() {
        // What was not looked at is listed below.
        findings.content().leaf("p", &[], "No rule found anything in what was read.");
    }
    page.add_section(findings);
    let mut sources = Section::new("sources", "What was read");
    write_list(
        "",
        report.read.iter().map(|(kind, count)| format!("{count} × {kind}")),
        sources.content(),
    );
    page.add_section(sources);
    let mut unknown = Section::new("unknown", "What is not known");
    write_list("", &report.unknown, unknown.content());
    page.add_section(unknown);
    page
}

/// The tone of a severity.
fn severity_tone(severity: &str) -> Tone {
    match severity {
        "critical" | "high" | "error" => Tone::Bad,
        "medium" => Tone::Doubtful,
        _ => Tone::Neutral,
    }
}

fn write_finding(finding: &FindingEntry, anchor: &Anchor, out: &mut Markup) {
    let id = anchor.to_string();
    let heading = format!("{id}-title");
    out.element("article", &[("id", &id), ("aria-labelledby", &heading)], |out| {
        out.element("h3", &[("id", &heading)], |out| {
            write_badge(severity_tone(&finding.severity), &finding.severity, out);
            out.text(&format!(" {} {} ", finding.code, finding.name));
            if let Some(table) = &finding.table {
                out.leaf("code", &[], table);
            }
        });
        let mut facts: Vec<String> = finding.evidence.iter().map(describe_figure).collect();
        facts.extend(finding.key.as_ref().map(|key| format!("key `{key}`")));
        let nodes: Vec<&str> =
            finding.nodes.iter().map(String::as_str).filter(|node| !node.is_empty()).collect();
        if !nodes.is_empty() {
            facts.push(format!("on {}", nodes.join(", ")));
        }
        write_list("", facts, out);
        if let Some(statement) = &finding.statement {
            write_code(statement, out);
        }
        for remedy in &finding.remedies {
            out.leaf("p", &[], &remedy.advice);
            for code in remedy.cql.iter().chain(&remedy.command) {
                write_code(code, out);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped() {
        let finding = FindingEntry {
            code: "DR001".to_owned(),
            severity: "critical".to_owned(),
            table: Some("ks.<script>".to_owned()),
            statement: Some("SELECT '</pre>'".to_owned()),
            ..FindingEntry::default()
        };
        let report = DoctorReport {
            cluster: Some("a \"cluster\"".to_owned()),
            findings: vec![finding],
            unknown: vec!["<img src=x>".to_owned()],
            ..DoctorReport::default()
        };
        let html = page(&report).html();
        assert!(html.contains("<h1>a &quot;cluster&quot;</h1>"), "{html}");
        assert!(html.contains("<code>ks.&lt;script&gt;</code>"), "{html}");
        assert!(html.contains("SELECT &#39;&lt;/pre&gt;&#39;"), "{html}");
        assert!(html.contains("&lt;img src=x&gt;") && !html.contains("<img"), "{html}");
    }
}
