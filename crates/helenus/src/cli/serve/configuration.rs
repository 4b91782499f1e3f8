//! [`ServerConfiguration`]: the options, each from the command line, the environment or the file of
//! `--config`, in this order.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use anstream::AutoStream;
use engine::Settings;
use server::ServerLimits;
use storage::commit_log::SyncMode;

use super::cassandra_yaml::{self, CassandraYaml};
use super::{CommitLogSync, ServeArguments, machine_memory};
use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat};
use crate::source_diagnostic::SourceDiagnostic;

const DEFAULT_PORT: u16 = 9042;
/// Cassandra has no default for this window.
const GROUP_WINDOW: Duration = Duration::from_secs(1);

/// The options in effect.
pub(super) struct ServerConfiguration {
    pub(super) address: IpAddr,
    pub(super) port: u16,
    pub(super) cluster_name: Option<String>,
    pub(super) sync: SyncMode,
    pub(super) limits: ServerLimits,
    /// The memory of the data in bytes.
    pub(super) memory: Option<u64>,
    pub(super) settings: Settings,
}

impl ServerConfiguration {
    /// Resolves the options; `None` if the file has errors, which are printed.
    pub(super) fn resolve(arguments: &ServeArguments) -> Result<Option<Self>, Failure> {
        let Some(file) = read_file(arguments)? else { return Ok(None) };
        let address = arguments.address.or(file.address);
        let address = address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let authentication = arguments.auth.or(file.auth).unwrap_or(false);
        if !address.is_loopback() && !authentication {
            let message = format!(
                "{address} is not a loopback address: add --auth, or listen on a loopback address"
            );
            return Err(Failure::Stopped(Outcome::BadInput, message));
        }
        let connections = arguments.max_connections.or(file.max_connections);
        let mut limits = ServerLimits::new(&file.settings);
        limits.connections = connections.unwrap_or(limits.connections);
        let memory = arguments.memory.or_else(machine_memory::default_limit);
        if let Some(memory) = memory {
            limits.restrict_statements(memory);
        }
        Ok(Some(Self {
            address,
            port: arguments.port.or(file.port).unwrap_or(DEFAULT_PORT),
            sync: sync_mode(arguments, &file),
            cluster_name: file.cluster_name,
            limits,
            memory,
            settings: Settings { authentication, ..file.settings },
        }))
    }
}

/// Reads the file of `--config`, if one is given; prints its errors and warnings.
fn read_file(arguments: &ServeArguments) -> Result<Option<CassandraYaml>, Failure> {
    let Some(path) = &arguments.config else { return Ok(Some(CassandraYaml::default())) };
    let (source, parsed) = cassandra_yaml::read(path)?;
    match parsed {
        Ok(file) => {
            if !file.without_effect.is_empty() {
                let names = file.without_effect.join(", ");
                anstream::eprintln!("warning: {}: without effect: {names}", source.name);
            }
            Ok(Some(file))
        }
        Err(errors) => {
            let findings = SourceDiagnostic::list(&source, errors);
            let mut out = AutoStream::auto(io::stderr());
            render::write_diagnostics(DiagnosticFormat::Text, &findings, &mut out)?;
            Ok(None)
        }
    }
}

fn sync_mode(arguments: &ServeArguments, file: &CassandraYaml) -> SyncMode {
    match arguments.sync.or(file.sync).unwrap_or(CommitLogSync::Periodic) {
        CommitLogSync::Periodic => match file.sync_period {
            Some(period) => SyncMode::Periodic { period },
            None => SyncMode::default(),
        },
        CommitLogSync::Group => {
            SyncMode::Group { window: file.sync_window.unwrap_or(GROUP_WINDOW) }
        }
        CommitLogSync::Batch => SyncMode::Batch,
    }
}
