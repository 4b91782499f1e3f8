//! How much of a design is printed: the summary, parts of the report, or all of it.

use std::ffi::OsString;
use std::path::Path;

use crate::render::design::summary::NextStep;
use crate::render::design::text::ReportPart;

/// The command line itself is not repeated where it makes a longer command.
const COMMAND_WIDTH_MAX: usize = 76;

/// How much is printed.
#[derive(clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of the command line")]
pub(super) struct ExtentArguments {
    /// Print the whole report instead of the summary; with --what-if, --without or --key instead of
    /// the differences
    #[arg(long, conflicts_with_all = ["json", "why"])]
    pub(super) full: bool,
    /// Print the tables with their columns and the sizes of their partitions
    #[arg(long, conflicts_with_all = ["full", "json", "why"])]
    tables: bool,
    /// Print the statements and plans of the queries
    #[arg(long, conflicts_with_all = ["full", "json", "why"])]
    reads: bool,
    /// Print the statements and plans of the writes
    #[arg(long, conflicts_with_all = ["full", "json", "why"])]
    writes: bool,
}

impl ExtentArguments {
    /// The parts of the report to print; none for the summary or the whole report.
    pub(super) fn parts(&self) -> Vec<ReportPart> {
        let options = [
            (self.tables, ReportPart::Tables),
            (self.reads, ReportPart::Reads),
            (self.writes, ReportPart::Writes),
        ];
        options.into_iter().filter(|(is_given, _)| *is_given).map(|(_, part)| part).collect()
    }

    /// Whether only the summary is printed.
    pub(super) fn is_summary(&self) -> bool {
        !self.full && self.parts().is_empty()
    }
}

/// The commands that follow a summary: the same command line with another option.
pub(super) fn next_steps(
    arguments: impl Iterator<Item = OsString>,
    is_stored: bool,
    has_assumptions: bool,
) -> Vec<NextStep> {
    let words: Vec<String> = arguments.map(|word| quote(&word.to_string_lossy())).collect();
    let again = |option: &str| {
        let line = format!("helenus {} {option}", words.join(" "));
        // A longer line would be divided, and could not be pasted.
        if line.chars().count() <= COMMAND_WIDTH_MAX {
            line
        } else {
            format!("helenus design ... {option}")
        }
    };
    let step = |command: String, purpose| NextStep { command, purpose };
    let mut steps = vec![
        step(again("--full"), "or --tables --reads --writes"),
        step(again("--why TABLE"), "reasons and alternatives"),
    ];
    if !is_stored {
        steps.push(step(again("-o DIR"), "CQL, report, diagram"));
    }
    if has_assumptions {
        let measure = "helenus stats --sql | psql -XAtq MYDB > stats.jsonl".to_owned();
        steps.push(step(measure, "then --stats stats.jsonl"));
    }
    steps
}

/// A word as a shell reads it.
fn quote(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./=:,@%+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// The files that were written, in words.
pub(super) fn describe_files<'a>(folder: &Path, names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.collect();
    format!("{} in {}", names.join(", "), folder.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_can_be_pasted() {
        let words = ["design", "my app.sql", "--what-if", "it's x10", "--max-tables=3"];
        let steps = next_steps(words.iter().map(OsString::from), true, false);
        assert_eq!(
            steps[0].command,
            r"helenus design 'my app.sql' --what-if 'it'\''s x10' --max-tables=3 --full"
        );
        assert_eq!(steps.len(), 2);
    }
}
