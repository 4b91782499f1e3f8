//! `helenus run`: runs files of statements on an embedded engine.

use std::io::{self, Write};
use std::path::PathBuf;

use anstream::AutoStream;
use shell::{Screen, Shell};

use crate::outcome::{Failure, Outcome};
use crate::output_folder;
use crate::render::{self, DiagnosticFormat};
use crate::script_run::run_files;
use crate::workspace::file_walk::{self, FileSelection};
use crate::workspace::text_file;

const EXAMPLES: &str = "\
Examples:
  helenus run examples/troy.cql
  helenus run --data db examples/troy.cql            # keep the data in the directory db
  echo 'SELECT key FROM system.local' | helenus run --json -

Shell commands (SOURCE, COPY, CONSISTENCY, ...) work as in `helenus shell`.
The run stops at the first error.

Exit code: 0 success, 1 a statement failed, 2 invalid usage, 3 the files or the data cannot
be read.";

/// Run CQL files on the embedded engine, up to the first error
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct RunArguments {
    /// Files, or directories of .cql files; `-` is standard input
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Store the data in this directory [default: in memory, discarded at the end]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print results as JSON, one object per statement and line
    #[arg(long)]
    json: bool,
}

impl RunArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let paths = file_walk::list_files(&self.paths, FileSelection::Cql)?;
        let sources = paths
            .iter()
            .map(|path| Ok(text_file::read(path)?.source))
            .collect::<Result<Vec<_>, Failure>>()?;
        self.data.as_deref().map_or(Ok(()), output_folder::check)?;
        let database = shell::open(self.data.as_deref()).map_err(Failure::database)?;
        let refused = {
            let errors = Box::new(AutoStream::auto(io::stderr()));
            let screen = Screen::new(out, errors, false, false);
            let mut shell = Shell::new(&database, self.data.as_deref(), screen);
            if self.json {
                shell.set_json_output();
            }
            run_files(&mut shell, &sources)?
        };
        database.sync().map_err(Failure::database)?;
        let Some(finding) = refused else { return Ok(Outcome::Fine) };
        out.flush()?;
        let format = DiagnosticFormat::from_json_flag(self.json);
        render::write_diagnostics(format, &[finding], &mut AutoStream::auto(io::stderr()))?;
        Ok(Outcome::Findings)
    }
}
