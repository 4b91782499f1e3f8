//! `helenus serve`: a single-node Cassandra for drivers and cqlsh.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use clap::ValueEnum;
use engine::{Database, NodeIdentity, Options, Settings};
use storage::DataDirectory;
use storage::commit_log::{LogOptions, SyncMode};
use storage::disk::SystemDisk;

use crate::outcome::{Failure, Outcome};
use crate::serve::{self, ServerLimits, ServerState};

const EXAMPLES: &str = "\
Examples:
  helenus serve                      # in memory, on 127.0.0.1:9042, until Ctrl-C
  helenus serve --port 0             # on a free port, printed on the first line
  helenus serve --data db            # keep the data in the directory db
  cqlsh 127.0.0.1 9042               # connect from another terminal

Exit code: 0 stopped by Ctrl-C, 2 invalid usage, 3 the address or the data cannot be opened.";

/// Start a single-node Cassandra server for drivers and cqlsh (native protocol v3 and v4)
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArguments {
    /// Store the data in this directory [default: in memory, discarded at the end]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// When a write to --data is acknowledged
    #[arg(long, value_name = "MODE", default_value = "periodic")]
    sync: CommitLogSync,
    /// Port to listen on; 0 selects a free one
    #[arg(long, default_value_t = 9042)]
    port: u16,
    /// Address to listen on; any other than a loopback address requires --auth
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Require clients to log in, and check the permissions of their roles
    #[arg(long)]
    auth: bool,
    /// Maximum number of concurrent connections
    #[arg(long, value_name = "N", default_value_t = 1024)]
    max_connections: usize,
}

/// The modes of `commitlog_sync`, with Cassandra's intervals.
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
        if !self.address.is_loopback() && !self.auth {
            let message = format!(
                "{} is not a loopback address: add --auth, or listen on a loopback address",
                self.address
            );
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        let requested = SocketAddr::new(self.address, self.port);
        let bind_failure = |error| {
            let message = format!("cannot listen on {requested}: {error}");
            Failure::Stopped(Outcome::EnvironmentFailed, message)
        };
        let listener = TcpListener::bind(requested).map_err(bind_failure)?;
        let address = listener.local_addr()?;
        let database = self.open(address)?;
        let limits = ServerLimits {
            connections: self.max_connections,
            frame_bytes: wire::frame::DEFAULT_LIMIT,
        };
        let shared = Arc::new(ServerState::new(database.clone(), limits, self.auth));
        let runtime = serve::runtime(self.data.is_some() && self.sync != CommitLogSync::Periodic)?;
        let location = match &self.data {
            None => "in memory".to_owned(),
            Some(data) => data.display().to_string(),
        };
        writeln!(out, "listening on {address} ({location})")?;
        out.flush()?;
        serve::serve(runtime, listener, shared)?;
        database.sync().map_err(Failure::database)?;
        Ok(Outcome::Fine)
    }

    fn open(&self, address: SocketAddr) -> Result<Database, Failure> {
        let identity =
            NodeIdentity { address: address.ip(), port: address.port(), ..NodeIdentity::default() };
        let settings = Settings { authentication: self.auth, ..Settings::default() };
        let directory = self.data.as_ref().map(|folder| self.directory(folder));
        Database::open(Options { settings, identity, directory, ..Options::default() })
            .map_err(Failure::database)
    }

    fn directory(&self, folder: &Path) -> DataDirectory {
        let sync = match self.sync {
            CommitLogSync::Periodic => SyncMode::default(),
            CommitLogSync::Group => SyncMode::Group { window: Duration::from_secs(1) },
            CommitLogSync::Batch => SyncMode::Batch,
        };
        let log = LogOptions { sync, ..LogOptions::default() };
        DataDirectory { disk: Arc::new(SystemDisk), folder: folder.to_owned(), log }
    }
}
