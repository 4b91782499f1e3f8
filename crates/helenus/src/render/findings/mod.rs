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

use check::{Finding, Place, Severity};
use clap::ValueEnum;

use crate::source::{self, Source};

/// How findings are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
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

type Writer = fn(&Report<'_>, &mut dyn Write) -> io::Result<()>;

/// The formats, and who writes them.
const WRITERS: [(Format, Writer); 7] = [
    (Format::Text, text::write),
    (Format::Json, json::write),
    (Format::Sarif, sarif::write),
    (Format::Github, github::write),
    (Format::Gitlab, gitlab::write),
    (Format::Junit, junit::write),
    (Format::Markdown, markdown::write),
];

/// What is reported.
pub(crate) struct Report<'a> {
    /// The texts, by their positions in the project.
    pub(crate) sources: Vec<&'a Source>,
    /// The findings to tell, in order.
    pub(crate) told: Vec<Told<'a>>,
    /// What could not be read, or not as it is.
    pub(crate) problems: &'a [Problem],
    /// Statements that were checked.
    pub(crate) statements: usize,
    /// Findings that are milder than what is asked for.
    pub(crate) milder: usize,
    /// Findings that the baseline knows.
    pub(crate) known: usize,
    /// Entries of the baseline that were not found any more.
    pub(crate) stale: Vec<String>,
    /// Findings that `--fix` mended.
    pub(crate) mended: usize,
}

/// A finding, and how it is recognised.
pub(crate) struct Told<'a> {
    /// What was found.
    pub(crate) finding: &'a Finding,
    /// The same for the same finding after other changes of the files.
    pub(crate) fingerprint: &'a str,
}

impl<'a> From<(&'a Finding, &'a String)> for Told<'a> {
    fn from((finding, fingerprint): (&'a Finding, &'a String)) -> Self {
        Self { finding, fingerprint }
    }
}

/// A file that could not be read, or not as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
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
    start: source::Place,
    end: source::Place,
}

impl Report<'_> {
    fn region(&self, place: Place) -> Region<'_> {
        let at = |offset: u32| match self.sources.get(place.text) {
            Some(source) => source.place(offset as usize),
            None => source::Place { line: 1, column: 1 },
        };
        let file = self.sources.get(place.text).map_or("", |source| source.name.as_str());
        Region { file, start: at(place.span.start), end: at(place.span.end) }
    }

    /// How many findings of each severity there are, the worst first.
    fn counts(&self) -> impl Iterator<Item = (Severity, usize)> {
        let count = |severity| {
            self.told.iter().filter(move |told| told.finding.severity == severity).count()
        };
        let all = Severity::ALL.into_iter().rev().map(move |severity| (severity, count(severity)));
        all.filter(|(_, count)| *count > 0)
    }
}

/// Writes a report.
pub(crate) fn write(format: Format, report: &Report<'_>, out: &mut dyn Write) -> io::Result<()> {
    let writer = WRITERS.iter().find(|(known, _)| *known == format);
    writer.map_or(Ok(()), |(_, write)| write(report, out))
}

/// Writes how many findings each rule has, and nothing of them.
pub(crate) fn write_statistics(
    format: Format,
    report: &Report<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    if format == Format::Json {
        statistics::json(report, out)
    } else {
        statistics::text(report, out)
    }
}

/// `1 file`, `3 files`.
pub(crate) fn counted(count: usize, one: &str) -> String {
    let end = if count == 1 { "" } else { "s" };
    format!("{count} {one}{end}")
}

/// The message with all that belongs to it, a line each, for formats that know nothing but a text.
pub(crate) fn in_words(finding: &Finding) -> String {
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
