//! The command line: parses the arguments, runs one command and turns its outcome into the exit
//! code.
//!
//! `cli` has one file per command; `workspace` loads projects, schemas and model files; `fix`
//! applies the fixes of findings; `diagnosis` examines clusters; `proof` and `calibration` run designs on an engine or a cluster;
//! `influence` tries out the assumptions behind a design; `lsp` is the editor server; `render` writes
//! every result as text, JSON and the report formats.

#![expect(clippy::disallowed_methods, reason = "the door hands clocks, files and threads in")]

mod access_program;
mod atomic_file;
mod calendar;
mod calibration;
mod cli;
mod cluster_connection;
mod code_difference;
mod copies;
mod diagnosis;
mod fix;
mod forecast;
mod influence;
mod interrupt;
mod lsp;
mod model_sources;
mod named_statements;
mod outcome;
mod output_folder;
mod package_folder;
mod page_file;
mod parallel;
mod progress_bar;
mod proof;
mod render;
mod script_run;
mod source;
mod source_diagnostic;
mod templates;
mod workspace;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use outcome::Failure;

/// A proof allocates and frees millions of small values on two threads, and the server has to return
/// the memory of an attack to the machine; docs/ARCHITECTURE.md has the measurements.
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    let arguments = cli::parse_arguments();
    let mut out = BufWriter::new(anstream::AutoStream::auto(io::stdout()));
    let outcome =
        cli::run(arguments.command, &mut out).and_then(|outcome| Ok((out.flush()?, outcome).1));
    match outcome {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(Failure::ReaderGone) => ExitCode::SUCCESS,
        Err(Failure::Stopped(outcome, message)) => {
            anstream::eprintln!("error: {message}");
            ExitCode::from(outcome as u8)
        }
    }
}
