//! `helenus serve`: a Cassandra of one node for drivers and cqlsh.

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
  helenus serve                      in memory, on 127.0.0.1:9042, until Ctrl-C
  helenus serve --port 0             on a free port, which the first line names
  helenus serve --data db            what is written is there again after a restart
  cqlsh 127.0.0.1 9042               from another terminal";

/// Serve the native protocol (v3, v4) to drivers and cqlsh
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ServeArguments {
    /// Keep the data in this folder; without it, everything is gone when the server ends
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// When a write to --data counts as done
    #[arg(long, value_name = "MODE", default_value = "periodic")]
    sync: CommitLogSync,
    /// The port; 0 takes a free one
    #[arg(long, default_value_t = 9042)]
    port: u16,
    /// The address; one that others can reach asks for --auth
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Clients must log in, and may do what their roles permit
    #[arg(long)]
    auth: bool,
    /// Connections at one time
    #[arg(long, value_name = "N", default_value_t = 1024)]
    max_connections: usize,
}

/// The modes of `commitlog_sync`, with Cassandra's times.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum CommitLogSync {
    /// At once; the disk has it within ten seconds
    Periodic,
    /// When the disk has it, which is asked once a second
    Group,
    /// When the disk has it
    Batch,
}

impl ServeArguments {
    pub(crate) fn run(&self, out: &mut dyn Write) -> Result<Outcome, Failure> {
        if !self.address.is_loopback() && !self.auth {
            let message = format!(
                "{} can be reached by others: only with --auth (or use a loopback address)",
                self.address
            );
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        let wanted = SocketAddr::new(self.address, self.port);
        let cannot = |error| {
            let message = format!("cannot listen on {wanted}: {error}");
            Failure::Stopped(Outcome::EnvironmentFailed, message)
        };
        let listener = TcpListener::bind(wanted).map_err(cannot)?;
        let address = listener.local_addr()?;
        let database = self.open(address)?;
        let limits = ServerLimits {
            connections: self.max_connections,
            frame_bytes: wire::frame::DEFAULT_LIMIT,
        };
        let shared = Arc::new(ServerState::new(database.clone(), limits, self.auth));
        let runtime = serve::runtime(self.data.is_some() && self.sync != CommitLogSync::Periodic)?;
        let place = match &self.data {
            None => "in memory".to_owned(),
            Some(data) => data.display().to_string(),
        };
        writeln!(out, "listening on {address} ({place})")?;
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
