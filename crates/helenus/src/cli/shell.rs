//! `helenus shell`: an interactive shell like cqlsh, on an embedded engine or a cluster.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anstream::{AutoStream, ColorChoice};
use shell::{Screen, Shell};

use super::cluster_arguments::ClusterArguments;
use crate::cluster_connection::ClusterConnection;
use crate::interrupt::listen_to_ctrl_c;
use crate::outcome::{Failure, Outcome};
use crate::output_folder;
use crate::proof::cluster_failure;
use crate::source::Source;
use crate::workspace::text_file;

const EXAMPLES: &str = "\
Examples:
  helenus shell                                      # in memory, discarded at the end
  helenus shell --data db                            # keep the data in the directory db
  helenus shell -e 'DESCRIBE KEYSPACES'              # run a statement and exit
  helenus shell -e 'SELECT key, cql_version FROM system.local'
  echo 'SELECT now() FROM system.local;' | helenus shell
  helenus shell cassandra.example 9042 --user cassandra      # on a cluster

At the prompt, Tab completes, HELP lists the commands (COPY, DESCRIBE, EXPAND, SOURCE, ...),
Ctrl-C clears the input or interrupts the running statement, and Ctrl-D exits. The history is
kept in ~/.local/state/helenus, without statements that contain passwords.

Exit code: 0 success, 1 a statement failed, 2 invalid usage, 3 the data cannot be opened or the
cluster cannot be reached.";

/// Start an interactive CQL shell, with the commands and output of cqlsh
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShellArguments {
    /// Connect to a cluster or to `helenus serve` at this host, instead of an embedded engine
    #[arg(conflicts_with = "data")]
    host: Option<String>,
    /// Port of the host [default: 9042]
    port: Option<u16>,
    /// Store the data in this directory [default: in memory, discarded at the end]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Keyspace to use
    #[arg(short, long, value_name = "NAME")]
    keyspace: Option<String>,
    /// Run these statements and exit
    #[arg(short, long, value_name = "CQL", conflicts_with = "file")]
    execute: Option<String>,
    /// Run the statements of a file and exit; `-` is standard input
    #[arg(short, long, value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    cluster: ClusterArguments,
}

impl ShellArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let source = self.file.as_deref().map(text_file::read).transpose()?.map(|file| file.source);
        let is_interactive =
            source.is_none() && self.execute.is_none() && io::stdin().is_terminal();
        let color = AutoStream::choice(&io::stdout()) != ColorChoice::Never;
        let errors = Box::new(AutoStream::auto(io::stderr()));
        let screen = Screen::new(out, errors, color, is_interactive && io::stdout().is_terminal());
        let Some(host) = &self.host else {
            self.data.as_deref().map_or(Ok(()), output_folder::check)?;
            let database = shell::open(self.data.as_deref()).map_err(Failure::database)?;
            let shell = Shell::new(&database, self.data.as_deref(), screen);
            let outcome = self.converse(shell, source.as_ref(), is_interactive)?;
            database.sync().map_err(Failure::database)?;
            return Ok(outcome);
        };
        let contact_point = self.contact_point(host);
        let options = self.cluster.options(&contact_point)?;
        let connection =
            ClusterConnection::open(&options).map_err(|error| cluster_failure(&error))?;
        let shell = Shell::with_address(Box::new(connection), &contact_point, screen);
        self.converse(shell, source.as_ref(), is_interactive)
    }

    /// `host:port`; an address of version 6 is in brackets.
    fn contact_point(&self, host: &str) -> String {
        match self.port {
            Some(port) if host.contains(':') => format!("[{host}]:{port}"),
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    /// Runs what the arguments say, or the prompt.
    fn converse(
        &self,
        mut shell: Shell<'_>,
        source: Option<&Source>,
        is_interactive: bool,
    ) -> Result<Outcome, Failure> {
        if let Some(keyspace) = &self.keyspace {
            let is_quoted = keyspace.starts_with('"');
            let name =
                if is_quoted { keyspace.clone() } else { cql::printer::identifier(keyspace) };
            let done = shell.perform(&format!("USE {name}"));
            shell.report(done, "USE")?;
        }
        match (&self.execute, source) {
            _ if shell.has_failed => {}
            (Some(text), _) => shell.run_text("<stdin>", text, false)?,
            (None, Some(source)) => shell.run_text(&source.name, &source.text, true)?,
            (None, None) if is_interactive => {
                listen_to_ctrl_c(&shell.interrupt_flag())?;
                shell.greet()?;
                shell.run_prompt()?;
                shell.has_failed = false;
            }
            (None, None) => {
                let source = text_file::read(Path::new("-"))?.source;
                shell.run_text(&source.name, &source.text, true)?;
            }
        }
        Ok(if shell.has_failed { Outcome::Findings } else { Outcome::Fine })
    }
}
