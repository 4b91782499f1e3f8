//! The findings of `helenus check` in its output formats: one file each, listed in [`WRITERS`].

mod github;
mod gitlab;
pub(crate) mod html;
mod json;
mod junit;
mod markdown;
mod sarif;
mod statistics;
mod text;

use std::io::{self, Write};

use check::{Finding, Location, Severity};
use clap::ValueEnum;

use super::region::Region;
use crate::outcome::Outcome;
use crate::source::{LineColumn, Source};

/// The values of `--format`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingFormat {
    /// Human-readable text
    #[default]
    Text,
    /// One JSON object
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// GitHub Actions annotations
    Github,
    /// GitLab code quality report
    Gitlab,
    #[value(help = "JUnit XML report")]
    Junit,
    /// Markdown report
    Markdown,
}

/// The values of `--sort`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum FindingOrder {
    /// By file and line
    #[default]
    File,
    /// The most severe first
    Severity,
}

type ReportWriter = fn(&FindingReport<'_>, &mut dyn Write) -> io::Result<()>;

/// The function that writes each format.
const WRITERS: [(FindingFormat, ReportWriter); 7] = [
    (FindingFormat::Text, text::write),
    (FindingFormat::Json, json::write),
    (FindingFormat::Sarif, sarif::write),
    (FindingFormat::Github, github::write),
    (FindingFormat::Gitlab, gitlab::write),
    (FindingFormat::Junit, junit::write),
    (FindingFormat::Markdown, markdown::write),
];

/// The findings to report, with counts of those that are not.
pub(crate) struct FindingReport<'a> {
    /// The texts, by their index in the project.
    pub(crate) sources: Vec<&'a Source>,
    /// The findings to report, in order.
    pub(crate) findings: Vec<ReportedFinding<'a>>,
    /// The lowest severity that makes the command fail.
    pub(crate) fail_on: Severity,
    /// Files that could not be read, or only with a warning.
    pub(crate) problems: &'a [FileProblem],
    /// The number of checked statements.
    pub(crate) statements: usize,
    /// The number of findings below `--min-severity`.
    pub(crate) below_min_severity: usize,
    /// The number of findings in the baseline.
    pub(crate) known: usize,
    /// Entries of the baseline whose findings no longer occur.
    pub(crate) stale: Vec<String>,
    /// The number of findings that `--fix` fixed.
    pub(crate) fixed: usize,
}

/// A finding with its fingerprint.
pub(crate) struct ReportedFinding<'a> {
    /// The finding.
    pub(crate) finding: &'a Finding,
    /// Identifies the finding even after other changes to the file.
    pub(crate) fingerprint: &'a str,
}

impl<'a> From<(&'a Finding, &'a String)> for ReportedFinding<'a> {
    fn from((finding, fingerprint): (&'a Finding, &'a String)) -> Self {
        Self { finding, fingerprint }
    }
}

/// A problem with a file as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileProblem {
    /// The path of the file.
    pub(crate) file: String,
    /// The problem, as a predicate: `is a binary file`.
    pub(crate) message: String,
    /// What a command fails with because it was not checked, or not fixed; `None` for a warning.
    pub(crate) failure: Option<Outcome>,
}

impl FileProblem {
    /// Whether the file was not checked.
    pub(crate) fn is_unread(&self) -> bool {
        self.failure.is_some()
    }
}

impl FindingReport<'_> {
    fn region(&self, place: Location) -> Region<'_> {
        let unknown = Region {
            file: "",
            start: LineColumn { line: 1, column: 1 },
            end: LineColumn { line: 1, column: 1 },
        };
        let source = self.sources.get(place.text);
        source.map_or(unknown, |source| Region::new(source, place.span))
    }

    /// Whether a finding makes the command fail.
    fn is_failure(&self, finding: &Finding) -> bool {
        finding.severity >= self.fail_on
    }

    /// The number of findings per severity, the highest first.
    fn counts(&self) -> impl Iterator<Item = (Severity, usize)> {
        let count = |severity| {
            let findings = self.findings.iter();
            findings.filter(move |reported| reported.finding.severity == severity).count()
        };
        let all = Severity::ALL.into_iter().rev().map(move |severity| (severity, count(severity)));
        all.filter(|(_, count)| *count > 0)
    }
}

/// Writes a report in a format.
pub(crate) fn write(
    format: FindingFormat,
    report: &FindingReport<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let writer = WRITERS.iter().find(|(known, _)| *known == format);
    writer.map_or(Ok(()), |(_, write)| write(report, out))
}

/// Writes only the number of findings per rule.
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
pub(crate) fn pluralise(count: usize, noun: &str) -> String {
    let suffix = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{suffix}")
}

/// The message with notes and help, one line each, for formats without separate fields.
pub(crate) fn full_message(finding: &Finding) -> String {
    let mut message = finding.message.clone();
    for note in &finding.notes {
        message.push_str("\nnote: ");
        message.push_str(note);
    }
    if let Some(help) = &finding.help {
        message.push_str("\nhelp: ");
        message.push_str(help);
    }
    message
}
