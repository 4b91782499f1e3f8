//! What rules found, in the formats of people and programs: a file each, and a line in the list [`WRITERS`].

mod github;
mod gitlab;
mod json;
mod junit;
mod markdown;
mod sarif;
mod statistics;
mod text;

use std::io::{self, Write};

use check::{Finding, Location, Severity};
use clap::ValueEnum;

use crate::source::{self, Source};

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingFormat {
    /// For people
    #[default]
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// The code quality report of GitLab
    Gitlab,
    /// A test report as that of Java
    Junit,
    /// A report in Markdown
    Markdown,
}

type ReportWriter = fn(&FindingReport<'_>, &mut dyn Write) -> io::Result<()>;

/// The formats, and who writes them.
const WRITERS: [(FindingFormat, ReportWriter); 7] = [
    (FindingFormat::Text, text::write),
    (FindingFormat::Json, json::write),
    (FindingFormat::Sarif, sarif::write),
    (FindingFormat::Github, github::write),
    (FindingFormat::Gitlab, gitlab::write),
    (FindingFormat::Junit, junit::write),
    (FindingFormat::Markdown, markdown::write),
];

/// What is reported.
pub(crate) struct FindingReport<'a> {
    /// The texts, by their positions in the project.
    pub(crate) sources: Vec<&'a Source>,
    /// The findings to tell, in order.
    pub(crate) findings: Vec<ReportedFinding<'a>>,
    /// What could not be read, or not as it is.
    pub(crate) problems: &'a [FileProblem],
    /// Statements that were checked.
    pub(crate) statements: usize,
    /// Findings that are milder than what is asked for.
    pub(crate) milder: usize,
    /// Findings that the baseline knows.
    pub(crate) known: usize,
    /// Entries of the baseline that were not found any more.
    pub(crate) stale: Vec<String>,
    /// Findings that `--fix` mended.
    pub(crate) fixed: usize,
}

/// A finding, and how it is recognised.
pub(crate) struct ReportedFinding<'a> {
    /// What was found.
    pub(crate) finding: &'a Finding,
    /// The same for the same finding after other changes of the files.
    pub(crate) fingerprint: &'a str,
}

impl<'a> From<(&'a Finding, &'a String)> for ReportedFinding<'a> {
    fn from((finding, fingerprint): (&'a Finding, &'a String)) -> Self {
        Self { finding, fingerprint }
    }
}

/// A file that could not be read, or not as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileProblem {
    /// The file.
    pub(crate) file: String,
    /// What is wrong with it.
    pub(crate) message: String,
    /// Whether it was not checked.
    pub(crate) is_unread: bool,
}

/// Where a place starts and ends, in lines and columns.
struct Region<'a> {
    file: &'a str,
    start: source::LineColumn,
    end: source::LineColumn,
}

impl FindingReport<'_> {
    fn region(&self, place: Location) -> Region<'_> {
        let at = |offset: u32| match self.sources.get(place.text) {
            Some(source) => source.line_column(offset as usize),
            None => source::LineColumn { line: 1, column: 1 },
        };
        let file = self.sources.get(place.text).map_or("", |source| source.name.as_str());
        Region { file, start: at(place.span.start), end: at(place.span.end) }
    }

    /// How many findings of each severity there are, the worst first.
    fn counts(&self) -> impl Iterator<Item = (Severity, usize)> {
        let count = |severity| {
            self.findings.iter().filter(move |told| told.finding.severity == severity).count()
        };
        let all = Severity::ALL.into_iter().rev().map(move |severity| (severity, count(severity)));
        all.filter(|(_, count)| *count > 0)
    }
}

/// Writes a report.
pub(crate) fn write(
    format: FindingFormat,
    report: &FindingReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let writer = WRITERS.iter().find(|(known, _)| *known == format);
    writer.map_or(Ok(()), |(_, write)| write(report, out))
}

/// Writes how many findings each rule has, and nothing of them.
pub(crate) fn write_statistics(
    format: FindingFormat,
    report: &FindingReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if format == FindingFormat::Json {
        statistics::write_json(report, out)
    } else {
        statistics::write_text(report, out)
    }
}

/// `1 file`, `3 files`.
pub(crate) fn pluralise(count: usize, one: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {one}{end}")
}

/// The message with all that belongs to it, a line each, for formats that know nothing but a text.
pub(crate) fn full_message(finding: &Finding) -> String {
    let mut words = finding.message.clone();
    for note in &finding.notes {
        words.push_str("\nnote: ");
        words.push_str(note);
    }
    if let Some(help) = &finding.help {
        words.push_str("\nhelp: ");
        words.push_str(help);
    }
    words
}
