//! Findings as a page: the counts, each file with its findings and their lines, and the rules.

use std::collections::BTreeMap;

use check::{Finding, Rule, Severity};

use super::{FindingReport, pluralise, text};
use crate::render::html::{
    Anchor, Cell, DataTable, Markup, Page, Section, Tile, Tone, write_badge, write_code,
    write_details, write_list, write_prose,
};

/// Longer lines are cut.
const LINE_CHARACTERS: usize = 400;
/// The lines around a finding.
const LINES: usize = 6;

/// The page of a report.
pub(crate) fn page(report: &FindingReport<'_>) -> Page {
    let count = report.findings.len();
    let title = if count == 0 { "No findings".to_owned() } else { pluralise(count, "finding") };
    let mut page = Page::new("helenus check", title, text::summary(report));
    for (severity, count) in report.counts() {
        page.add_tile(Tile {
            label: severity.word().to_owned(),
            value: count.to_string(),
            remark: String::new(),
            tone: severity_tone(severity),
        });
    }
    page.add_section(problems(report));
    page.add_section(overview(report));
    page.add_section(findings(report));
    page.add_section(rules(report));
    page
}

fn severity_tone(severity: Severity) -> Tone {
    match severity {
        Severity::Error | Severity::Critical | Severity::High => Tone::Bad,
        Severity::Medium => Tone::Doubtful,
        Severity::Low | Severity::Info => Tone::Neutral,
    }
}

fn problems(report: &FindingReport<'_>) -> Section {
    let mut section = Section::new("problems", "Problems with files");
    let lines = report.problems.iter().map(|it| format!("`{}` {}", it.file, it.message));
    write_list("", lines, section.content());
    section
}

/// The rules with the number of their findings.
fn overview(report: &FindingReport<'_>) -> Section {
    let mut section = Section::new("overview", "Overview");
    if report.findings.is_empty() {
        let lead = format!("{}, and nothing to report.", text::summary(report));
        section.content().leaf("p", &[], &lead);
        return section;
    }
    let mut rows = DataTable::new("Findings by rule", &["rule", "findings", "what is found"]);
    for (rule, count) in rules_found(report) {
        rows.add_row([
            Cell::Link {
                name: format!("{} {}", rule.code, rule.name),
                to: rule_anchor(rule).link(),
            },
            Cell::Figure { text: count.to_string(), value: count as f64 },
            Cell::prose(rule.summary()),
        ]);
    }
    rows.write(section.content());
    section
}

/// The rules that found something, the most frequent first.
fn rules_found(report: &FindingReport<'_>) -> Vec<(&'static Rule, usize)> {
    let mut counts: BTreeMap<&str, (&'static Rule, usize)> = BTreeMap::new();
    for reported in &report.findings {
        let rule = reported.finding.rule;
        counts.entry(rule.code).or_insert((rule, 0)).1 += 1;
    }
    let mut counts: Vec<_> = counts.into_values().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

fn rule_anchor(rule: &Rule) -> Anchor {
    Anchor::new("rule", rule.code)
}

fn findings(report: &FindingReport<'_>) -> Section {
    let mut section = Section::new("findings", "Findings");
    let mut file = None;
    for (at, reported) in report.findings.iter().enumerate() {
        let finding = reported.finding;
        if file != Some(finding.place.text) {
            file = Some(finding.place.text);
            let name = report.region(finding.place).file;
            let anchor = Anchor::new("file", &format!("{name}:{at}"));
            section.content().leaf("h3", &[("id", &anchor.to_string())], name);
            section.add_entry(name, anchor);
        }
        write_finding(report, finding, at, section.content());
    }
    section
}

fn write_finding(report: &FindingReport<'_>, finding: &Finding, at: usize, out: &mut Markup) {
    let id = Anchor::new("finding", &(at + 1).to_string()).to_string();
    let heading = format!("{id}-title");
    out.element("article", &[("id", &id), ("aria-labelledby", &heading)], |out| {
        out.element("h4", &[("id", &heading)], |out| {
            write_badge(severity_tone(finding.severity), finding.severity.word(), out);
            out.text(" ");
            let link = rule_anchor(finding.rule).link();
            let name = format!("{} {}", finding.rule.code, finding.rule.name);
            out.leaf("a", &[("href", &link)], &name);
            let line = report.region(finding.place).start.line;
            out.text(&format!(", line {line}{}", subject(finding)));
        });
        out.element("p", &[], |out| write_prose(&finding.message, out));
        write_excerpt(report, finding, out);
        write_list("", &finding.notes, out);
        if let Some(help) = &finding.help {
            out.element("p", &[], |out| {
                out.leaf("strong", &[], "Help: ");
                write_prose(help, out);
            });
        }
        if let Some(fix) = &finding.fix {
            out.element("p", &[("class", "faint")], |out| write_prose(&fix.title, out));
        }
    });
}

/// `, ks.users.name`.
fn subject(finding: &Finding) -> String {
    let subject = &finding.subject;
    let names = [&subject.keyspace, &subject.table, &subject.column];
    let names: Vec<&str> = names.into_iter().filter_map(|name| name.as_deref()).collect();
    if names.is_empty() { String::new() } else { format!(", {}", names.join(".")) }
}

/// The lines of a finding.
fn write_excerpt(report: &FindingReport<'_>, finding: &Finding, out: &mut Markup) {
    let Some(source) = report.sources.get(finding.place.text) else { return };
    let span = finding.place.span;
    let (_, first, lines) = source.lines(span.start as usize, span.end as usize, LINES);
    let numbered = lines.lines().enumerate().map(|(at, line)| {
        let cut: String = line.chars().take(LINE_CHARACTERS).collect();
        format!("{:>4}  {cut}", first + at)
    });
    let numbered: Vec<String> = numbered.collect();
    if !numbered.is_empty() {
        write_code(&numbered.join("\n"), out);
    }
}

/// The page of a rule without its first paragraph: headings, paragraphs, lists and code.
fn write_rule_page(rule: &Rule, out: &mut Markup) {
    let mut code: Option<String> = None;
    let mut paragraph = String::new();
    let write_paragraph = |paragraph: &mut String, out: &mut Markup| {
        if !paragraph.is_empty() {
            out.element("p", &[], |out| write_prose(paragraph, out));
            paragraph.clear();
        }
    };
    for line in rule.page.lines().skip_while(|line| !line.is_empty()) {
        if line.starts_with("```") {
            write_paragraph(&mut paragraph, out);
            match code.take() {
                Some(text) => write_code(&text, out),
                None => code = Some(String::new()),
            }
        } else if let Some(text) = &mut code {
            text.push_str(line);
            text.push('\n');
        } else if let Some(heading) = line.strip_prefix("## ") {
            write_paragraph(&mut paragraph, out);
            out.leaf("h4", &[], heading);
        } else if line.is_empty() || line.starts_with(['-', '|', '1', '2', '3']) {
            write_paragraph(&mut paragraph, out);
            paragraph.push_str(line);
        } else {
            paragraph.push(' ');
            paragraph.push_str(line.trim());
        }
    }
    write_paragraph(&mut paragraph, out);
}

/// The rules that found something, with their pages.
fn rules(report: &FindingReport<'_>) -> Section {
    let mut section = Section::new("rules", "Rules");
    for (rule, _) in rules_found(report) {
        let id = rule_anchor(rule).to_string();
        let out = section.content();
        out.leaf("h3", &[("id", &id)], &format!("{} {}", rule.code, rule.name));
        out.element("p", &[], |out| write_prose(&rule.summary(), out));
        write_details("Why, and what to do instead", out, |out| write_rule_page(rule, out));
    }
    section
}
