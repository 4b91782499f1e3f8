//! `--config`: the settings of a file in the format and with the names of cassandra.yaml.

use std::net::{IpAddr, Ipv4Addr};
use std::path::Path;
use std::time::Duration;

use cql::{Diagnostic, DiagnosticLevel, Span};
use doctor::yaml::{self, YamlEntry};
use engine::Settings;

use super::CommitLogSync;
use crate::outcome::Failure;
use crate::source::Source;
use crate::workspace::text_file;

/// What the file sets; `None` where it sets nothing.
#[derive(Debug, Default)]
pub(super) struct CassandraYaml {
    pub(super) port: Option<u16>,
    pub(super) address: Option<IpAddr>,
    pub(super) auth: Option<bool>,
    pub(super) cluster_name: Option<String>,
    pub(super) sync: Option<CommitLogSync>,
    pub(super) sync_period: Option<Duration>,
    pub(super) sync_window: Option<Duration>,
    pub(super) max_connections: Option<usize>,
    pub(super) settings: Settings,
    /// The names of Cassandra that have no effect on this server.
    pub(super) without_effect: Vec<String>,
}

/// Reads a file; its errors are diagnostics.
pub(super) fn read(
    path: &Path,
) -> Result<(Source, Result<CassandraYaml, Vec<Diagnostic>>), Failure> {
    let source = text_file::read(path)?.source;
    let parsed = parse(&source.text);
    Ok((source, parsed))
}

fn parse(text: &str) -> Result<CassandraYaml, Vec<Diagnostic>> {
    let entries = yaml::read(text)
        .map_err(|error| vec![diagnostic(error.span, error.message.to_owned(), None)])?;
    let mut config = CassandraYaml::default();
    let mut errors = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        if entries.iter().take(at).any(|other| other.name == entry.name && is_top_level(entry)) {
            errors.push(diagnostic(
                entry.name_span,
                format!("{} is set twice", entry.name),
                Some("delete one of the two lines".to_owned()),
            ));
        } else if let Err(error) = config.set(entry) {
            errors.push(error);
        }
    }
    if errors.is_empty() { Ok(config) } else { Err(errors) }
}

fn is_top_level(entry: &YamlEntry) -> bool {
    !entry.name.contains('.')
}

fn diagnostic(span: Span, message: String, help: Option<String>) -> Diagnostic {
    let level = DiagnosticLevel::Error;
    Diagnostic { rule: "config", level, error: None, message, span, help }
}

impl CassandraYaml {
    fn set(&mut self, entry: &YamlEntry) -> Result<(), Diagnostic> {
        let YamlEntry { name, name_span, value, value_span, .. } = entry;
        if !Settings::is_known(name) {
            let help = Settings::find_similar(name).map(|known| format!("write `{known}`"));
            return Err(diagnostic(*name_span, format!("unknown setting {name}"), help));
        }
        if value.is_empty() {
            // The default, or the head of a block.
            return Ok(());
        }
        self.set_value(name, value).map_err(|message| diagnostic(*value_span, message, None))
    }

    fn set_value(&mut self, name: &str, value: &str) -> Result<(), String> {
        if Settings::has_effect(name) {
            return self.settings.set(name, value);
        }
        self.set_own_value(name, value)
            .map_err(|expected| format!("invalid value '{value}' for {name}: {expected}"))
    }

    /// Sets a value of the server; the error describes the expected format.
    fn set_own_value(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "native_transport_port" => {
                self.port = Some(value.parse().map_err(|_| "expected a port, 0 to 65535")?);
            }
            "rpc_address" => self.address = Some(parse_address(value)?),
            "authenticator" | "authenticator.class_name" => {
                self.auth = Some(parse_authenticator(value)?);
            }
            "cluster_name" => self.cluster_name = Some(value.to_owned()),
            "commitlog_sync" => self.sync = Some(parse_sync(value)?),
            "commitlog_sync_period" => self.sync_period = Some(parse_duration(value)?),
            "commitlog_sync_group_window" => self.sync_window = Some(parse_duration(value)?),
            "commitlog_sync_period_in_ms" => self.sync_period = Some(parse_millis(value)?),
            "commitlog_sync_group_window_in_ms" => self.sync_window = Some(parse_millis(value)?),
            "native_transport_max_concurrent_connections" => {
                let count: i64 = value.parse().map_err(|_| "expected a number, or -1")?;
                self.max_connections = usize::try_from(count).ok();
            }
            _ => {
                // Nested names count once, under the name of their block.
                let block = name.split('.').next().unwrap_or(name);
                if !self.without_effect.iter().any(|known| known == block) {
                    self.without_effect.push(block.to_owned());
                }
            }
        }
        Ok(())
    }
}

fn parse_address(value: &str) -> Result<IpAddr, String> {
    match value {
        "localhost" => Ok(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        _ => value.parse().map_err(|_| "expected an address such as 127.0.0.1".to_owned()),
    }
}

/// Whether an authenticator requires a login; its class may have its package.
fn parse_authenticator(value: &str) -> Result<bool, String> {
    match value.rsplit('.').next() {
        Some("AllowAllAuthenticator") => Ok(false),
        Some("PasswordAuthenticator") => Ok(true),
        _ => Err("expected AllowAllAuthenticator or PasswordAuthenticator".to_owned()),
    }
}

fn parse_sync(value: &str) -> Result<CommitLogSync, String> {
    match value {
        "periodic" => Ok(CommitLogSync::Periodic),
        "group" => Ok(CommitLogSync::Group),
        "batch" => Ok(CommitLogSync::Batch),
        _ => Err("expected periodic, group or batch".to_owned()),
    }
}

/// Parses a duration with Cassandra's units.
fn parse_duration(value: &str) -> Result<Duration, String> {
    let wrong = || "expected a duration such as 10000ms or 10s".to_owned();
    let digits = value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = value.split_at(digits);
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let millis = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return Err(wrong()),
    };
    Ok(Duration::from_millis(number.checked_mul(millis).ok_or_else(wrong)?))
}

fn parse_millis(value: &str) -> Result<Duration, String> {
    let millis: f64 = value.parse().map_err(|_| "expected a number of milliseconds")?;
    Duration::try_from_secs_f64(millis / 1_000.0)
        .map_err(|_| "expected a number of milliseconds".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_with_cassandras_names() {
        let text = "cluster_name: 'Troy'\nnative_transport_port: 9999\nrpc_address: localhost\n\
            authenticator:\n  class_name: org.apache.cassandra.auth.PasswordAuthenticator\n\
            commitlog_sync: group\ncommitlog_sync_group_window: 20ms\n\
            tombstone_warn_threshold: 5\nnum_tokens: 16\n\
            seed_provider:\n  - class_name: S\n    parameters:\n      - seeds: \"127.0.0.1\"\n";
        let config = parse(text).unwrap();
        assert_eq!(config.cluster_name.as_deref(), Some("Troy"));
        assert_eq!(config.port, Some(9999));
        assert_eq!(config.address, Some(IpAddr::V4(Ipv4Addr::LOCALHOST)));
        assert_eq!(config.auth, Some(true));
        assert_eq!(config.sync, Some(CommitLogSync::Group));
        assert_eq!(config.sync_window, Some(Duration::from_millis(20)));
        assert_eq!(config.settings.tombstone_warn_threshold, 5);
        assert_eq!(config.without_effect, ["num_tokens", "seed_provider"]);
    }

    #[test]
    fn wrong_names_and_values_are_errors() {
        let text = "native_transport_prt: 1\nrpc_address: everywhere\ntables_warn_threshold: x\n\
            num_tokens: 1\nnum_tokens: 2\n";
        let errors = parse(text).unwrap_err();
        let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
        let expected = [
            "unknown setting native_transport_prt",
            "invalid value 'everywhere' for rpc_address: expected an address such as 127.0.0.1",
            "invalid value 'x' for tables_warn_threshold: expected a number, or -1 for no limit",
            "num_tokens is set twice",
        ];
        assert_eq!(messages, expected);
        assert_eq!(errors[0].help.as_deref(), Some("write `native_transport_port`"));
    }
}
