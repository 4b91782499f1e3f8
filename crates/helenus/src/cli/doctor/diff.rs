//! `helenus doctor diff`: what changed between two diagnoses.

use std::io::Write;
use std::path::PathBuf;

use super::read_report;
use crate::diagnosis::compare_reports;
use crate::outcome::{Failure, Outcome};
use crate::render::doctor as render;

const EXAMPLES: &str = "\
Examples:
  helenus doctor diff examples/diagnostics examples/diagnostics
  helenus doctor diff before.json after.json --json

Exit code: 0 nothing is new or worse, 1 something is, 2 invalid usage, 3 a file cannot be read.";

/// Compare two diagnoses: folders, or reports stored by --json
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct DiffArguments {
    /// The earlier folder or report
    #[arg(value_name = "BEFORE")]
    before: PathBuf,
    /// The later folder or report
    #[arg(value_name = "AFTER")]
    after: PathBuf,
    /// Print the difference as JSON
    #[arg(long)]
    json: bool,
}

impl DiffArguments {
    pub(super) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let (before, after) = (read_report(&self.before)?, read_report(&self.after)?);
        let difference = compare_reports(&before, &after);
        if self.json {
            render::write_difference_json(&difference, out)?;
        } else {
            render::write_difference(&difference, out)?;
        }
        let is_worse = !difference.new.is_empty() || !difference.worse.is_empty();
        Ok(if is_worse { Outcome::Findings } else { Outcome::Fine })
    }
}
