//! `helenus serve`: a Cassandra of one node for drivers and cqlsh.

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;

use engine::{Database, Identity, Options, Settings};

use super::{Failure, Outcome};
use crate::serve::{self, Limits, Shared};

const EXAMPLES: &str = "\
Examples:
  helenus serve                      in memory, on 127.0.0.1:9042, until Ctrl-C
  helenus serve --port 0             on a free port, which the first line names
  cqlsh 127.0.0.1 9042               from another terminal";

/// Serve the native protocol (v3, v4) to drivers and cqlsh
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Serve {
    /// Keep the data in this folder; without it, everything is gone when the server ends
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
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

impl Serve {
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
        let limits =
            Limits { connections: self.max_connections, frame_bytes: wire::frame::DEFAULT_LIMIT };
        let shared = Arc::new(Shared::new(database, limits, self.auth));
        let runtime = serve::runtime()?;
        let place =
            self.data.as_ref().map_or("in memory".to_owned(), |data| data.display().to_string());
        writeln!(out, "listening on {address} ({place})")?;
        out.flush()?;
        serve::serve(runtime, listener, shared)?;
        Ok(Outcome::Fine)
    }

    fn open(&self, address: SocketAddr) -> Result<Database, Failure> {
        let identity =
            Identity { address: address.ip(), port: address.port(), ..Identity::default() };
        let settings = Settings { authentication: self.auth, ..Settings::default() };
        let options = Options { settings, identity, ..Options::default() };
        if let Some(folder) = &self.data {
            let message = format!("cannot keep data in {}: only in memory", folder.display());
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        let failed =
            |error: engine::Error| Failure::Stopped(Outcome::EnvironmentFailed, error.to_string());
        Database::in_memory(options).map_err(failed)
    }
}
