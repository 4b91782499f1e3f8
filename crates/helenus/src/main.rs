//! The door: the command line.

#![expect(clippy::disallowed_methods, reason = "the door hands clocks, files and threads in")]

mod arguments;
mod atomic_file;
mod calendar;
mod calibration;
mod commands;
mod interrupt;
mod lsp;
mod outcome;
mod output_folder;
mod parallel;
mod proof;
mod render;
mod serve;
mod source;
mod source_diagnostic;
mod templates;
mod workspace;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use outcome::Failure;

/// A proof makes and drops millions of small values on two threads; docs/ARCHITECTURE.md says what this gains.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The data-modelling system for Apache Cassandra.
#[derive(Parser)]
#[command(name = "helenus", version, about, long_about = None, max_term_width = 100)]
struct Arguments {
    #[command(subcommand)]
    command: commands::Command,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mut out = BufWriter::new(anstream::AutoStream::auto(io::stdout()));
    let outcome = commands::run(arguments.command, &mut out)
        .and_then(|outcome| Ok((out.flush()?, outcome).1));
    match outcome {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(Failure::ReaderGone) => ExitCode::SUCCESS,
        Err(Failure::Stopped(outcome, message)) => {
            anstream::eprintln!("error: {message}");
            ExitCode::from(outcome as u8)
        }
    }
}
