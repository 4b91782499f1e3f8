//! `helenus serve`: a single-node Cassandra for drivers and cqlsh.
//!
//! `configuration` resolves the options against the file of `--config` (`cassandra_yaml`, read by
//! `doctor::yaml`); `init_files` runs the files of `--init`; `machine_memory` finds the default of
//! `--memory`; `readiness` tells that the server listens; `server_log` writes what it logs;
//! `tls_arguments` reads certificates.

mod cassandra_yaml;
mod configuration;
mod init_files;
mod log_writer;
mod machine_memory;
mod readiness;
mod server_log;
mod tls_arguments;

use std::io::Write;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use clap::builder::BoolishValueParser;
use engine::{Database, NodeIdentity, Options};
use server::{Server, TerminationSignals};
use storage::DataDirectory;
use storage::commit_log::{LogOptions, SyncMode};
use storage::disk::SystemDisk;

use crate::outcome::{Failure, Outcome};
use crate::output_folder;
use configuration::ServerConfiguration;
use readiness::Readiness;
use tls_arguments::TlsArguments;

const EXAMPLES: &str = "\
Examples:
  helenus serve                      # in memory, on 127.0.0.1:9042, until Ctrl-C
  helenus serve --port 0             # on a free port, printed on the first line
  helenus serve --data db            # keep the data in the directory db
  helenus serve --init schema.cql    # run these statements before the first connection
  helenus serve --tls-certificate server.pem --tls-key server.key
  cqlsh 127.0.0.1 9042               # connect from another terminal

Every option can also be set by an environment variable: --port by HELENUS_PORT, --data by
HELENUS_DATA. Arguments take precedence over variables, and these over the file of --config.

Exit code: 0 stopped by Ctrl-C, 2 invalid usage or an error in a file, 3 the address or the data
cannot be opened.";

/// Start a single-node Cassandra server for drivers and cqlsh (native protocol v3 to v5)
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArguments {
    /// Store the data in this directory [default: in memory, discarded at the end]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// When a write to --data is acknowledged [default: periodic]
    #[arg(long, value_name = "MODE")]
    sync: Option<CommitLogSync>,
    /// Port to listen on; 0 selects a free one [default: 9042]
    #[arg(long)]
    port: Option<u16>,
    /// Address to listen on; any other than a loopback address requires --auth [default:
    /// 127.0.0.1]
    #[arg(long)]
    address: Option<IpAddr>,
    /// Require clients to log in, and check the permissions of their roles
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true,
        default_missing_value = "true", hide_possible_values = true,
        value_parser = BoolishValueParser::new())]
    auth: Option<bool>,
    /// Maximum number of concurrent connections [default: 1024]
    #[arg(long, value_name = "N")]
    max_connections: Option<usize>,
    /// Memory that the data may occupy; writes beyond it are refused [default: three quarters of the
    /// machine's]
    #[arg(long, value_name = "SIZE", value_parser = machine_memory::parse_size)]
    memory: Option<u64>,
    /// Run a file, or the .cql files of a directory, before the first connection
    #[arg(long, value_name = "FILE|DIR")]
    init: Vec<PathBuf>,
    /// Read settings from a file in the format and with the names of cassandra.yaml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Write the port to this file when the server is ready, and remove the file at the end
    #[arg(long, value_name = "FILE")]
    port_file: Option<PathBuf>,
    /// Log every statement with its time and outcome, without values
    #[arg(short, long)]
    verbose: bool,
    /// Write the log to this file [default: standard error]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The format of the log [default: text]
    #[arg(long, value_name = "FORMAT")]
    log_format: Option<LogFormat>,
    /// Let tests move the clock, inject faults and restore snapshots through the tables of the
    /// keyspace helenus
    #[arg(long)]
    test_hooks: bool,
    /// Print the line that tells that the server is ready as a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    tls: TlsArguments,
}

/// The formats of the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum LogFormat {
    /// A line of text for each event
    Text,
    /// A JSON object for each event, in a line of its own
    Json,
}

/// The modes of `commitlog_sync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CommitLogSync {
    /// Immediately; synced to disk within ten seconds
    Periodic,
    /// After the next sync to disk, once per second
    Group,
    /// After it has been synced to disk
    Batch,
}

impl ServeArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        let Some(configuration) = ServerConfiguration::resolve(self)? else {
            return Ok(Outcome::BadInput);
        };
        let _log = server_log::start(self)?;
        let init = init_files::read(&self.init)?;
        let readiness = Readiness::new(self)?;
        let tls = self.tls.server_config()?;
        let requested = SocketAddr::new(configuration.address, configuration.port);
        let bind_failure = |error| {
            let message = format!("cannot listen on {requested}: {error}");
            Failure::Stopped(Outcome::EnvironmentFailed, message)
        };
        let listener = TcpListener::bind(requested).map_err(bind_failure)?;
        let address = listener.local_addr()?;
        let database = self.open(&configuration, address)?;
        if !init_files::run(&database, self.data.as_deref(), &init)? {
            database.sync().map_err(Failure::database)?;
            return Ok(Outcome::BadInput);
        }
        let authentication = configuration.settings.authentication;
        let server = Server::start(database.clone(), configuration.limits, authentication, tls)?;
        // Before anybody is told that the server is ready, signals stop it in order.
        let signals = TerminationSignals::listen(&server)?;
        let _port_file = readiness.announce(address, out)?;
        let signal = server.serve(listener, signals)?;
        database.close().map_err(Failure::database)?;
        writeln!(out, "stopped by {signal}")?;
        Ok(Outcome::Fine)
    }

    fn open(
        &self,
        configuration: &ServerConfiguration,
        address: SocketAddr,
    ) -> Result<Database, Failure> {
        let mut identity =
            NodeIdentity { address: address.ip(), port: address.port(), ..NodeIdentity::default() };
        if let Some(name) = &configuration.cluster_name {
            identity.cluster_name = name.as_str().into();
        }
        let settings = configuration.settings.clone();
        self.data.as_deref().map_or(Ok(()), output_folder::check)?;
        let directory = self.data.as_deref().map(|folder| directory(folder, configuration.sync));
        let test_hooks = self.test_hooks.then_some(std::thread::sleep as engine::Pause);
        let options = Options {
            settings,
            identity,
            directory,
            memory_limit: configuration.memory,
            test_hooks,
            ..Options::default()
        };
        let database = Database::open(options).map_err(Failure::database)?;
        for warning in database.recovery().iter().flat_map(|report| &report.warnings) {
            anstream::eprintln!("warning: {warning}");
        }
        Ok(database)
    }
}

fn directory(folder: &Path, sync: SyncMode) -> DataDirectory {
    let log = LogOptions { sync, ..LogOptions::default() };
    DataDirectory { disk: Arc::new(SystemDisk), folder: folder.to_owned(), log }
}
