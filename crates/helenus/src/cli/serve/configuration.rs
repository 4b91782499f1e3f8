//! [`ServerConfiguration`]: the options, each from the command line, the environment or the file of
//! `--config`, in this order.

use std::io;
use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use anstream::AutoStream;
use engine::Settings;
use storage::commit_log::SyncMode;

use super::cassandra_yaml::{self, CassandraYaml};
use super::{CommitLogSync, ServeArguments};
use crate::outcome::{Failure, Outcome};
use crate::render::{self, DiagnosticFormat};
use crate::serve::ServerLimits;
use crate::source_diagnostic::SourceDiagnostic;

const DEFAULT_PORT: u16 = 9042;
const DEFAULT_CONNECTIONS: usize = 1024;
/// Cassandra has no default for this window.
const GROUP_WINDOW: Duration = Duration::from_secs(1);

/// The maximum size of a result unless `coordinator_read_size_fail_threshold` is set: no frame can
/// be larger.
const RESULT_BYTES: u64 = 256 << 20;
/// The maximum size of all results that are being built.
const ALL_RESULT_BYTES: u64 = 1 << 30;
/// The memory of prepared statements.
const PREPARED_BYTES: usize = 64 << 20;

/// The options in effect.
pub(super) struct ServerConfiguration {
    pub(super) address: IpAddr,
    pub(super) port: u16,
    pub(super) cluster_name: Option<String>,
    pub(super) sync: SyncMode,
    pub(super) limits: ServerLimits,
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
        let limits = limits(connections.unwrap_or(DEFAULT_CONNECTIONS), &file.settings);
        Ok(Some(Self {
            address,
            port: arguments.port.or(file.port).unwrap_or(DEFAULT_PORT),
            sync: sync_mode(arguments, &file),
            cluster_name: file.cluster_name,
            limits,
            settings: Settings { authentication, ..file.settings },
        }))
    }
}

fn limits(connections: usize, settings: &Settings) -> ServerLimits {
    let transport = &settings.transport;
    let read_size = transport.coordinator_read_size_fail_threshold;
    ServerLimits {
        connections,
        frame_bytes: usize::try_from(transport.max_frame_size).unwrap_or(usize::MAX),
        threads: usize::try_from(transport.max_threads).unwrap_or(usize::MAX),
        request_bytes: transport.max_request_data_in_flight,
        address_request_bytes: transport.max_request_data_in_flight_per_ip,
        result_bytes: u64::try_from(read_size).unwrap_or(RESULT_BYTES),
        all_result_bytes: ALL_RESULT_BYTES,
        prepared_bytes: PREPARED_BYTES,
        queue_time: settings.timeouts.queue,
        slow_time: settings.timeouts.slow,
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
