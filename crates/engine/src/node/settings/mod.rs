//! [`Settings`]: the settings of a node, with the names and defaults of Cassandra 5.0.

mod field;
mod guardrails;
#[cfg(test)]
mod tests;
mod timeouts;
mod transport;

use std::collections::BTreeMap;

pub use guardrails::{Guardrails, Threshold, ValueGuardrail};
pub use timeouts::RequestTimeouts;
pub use transport::TransportLimits;

use cql::spelling::hint;

use super::identity::NodeIdentity;

/// All known settings; the header of the file describes its format.
const LIST: &str = include_str!("list.txt");

/// The settings that change the results of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "they are the server's, any of which may be set")]
pub struct Settings {
    /// `tombstone_warn_threshold`
    pub tombstone_warn_threshold: u64,
    /// `tombstone_failure_threshold`
    pub tombstone_failure_threshold: u64,
    /// `batch_size_warn_threshold`, in bytes
    pub batch_size_warn_threshold: u64,
    /// `batch_size_fail_threshold`, in bytes
    pub batch_size_fail_threshold: u64,
    /// `unlogged_batch_across_partitions_warn_threshold`
    pub unlogged_batch_across_partitions_warn_threshold: u64,
    /// `materialized_views_enabled`
    pub materialized_views_enabled: bool,
    /// `sasi_indexes_enabled`
    pub sasi_indexes_enabled: bool,
    /// `user_defined_functions_enabled`
    pub user_defined_functions_enabled: bool,
    /// `drop_compact_storage_enabled`
    pub drop_compact_storage_enabled: bool,
    /// `dynamic_data_masking_enabled`
    pub dynamic_data_masking_enabled: bool,
    /// `use_statements_enabled`
    pub use_statements_enabled: bool,
    /// Whether clients must authenticate, and their permissions are checked.
    pub authentication: bool,
    /// The time limits of requests.
    pub timeouts: RequestTimeouts,
    /// The limits of the native transport.
    pub transport: TransportLimits,
    /// The limits for clients.
    pub guardrails: Guardrails,
    /// Settings that are listed but have no effect.
    pub others: BTreeMap<Box<str>, Box<str>>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            tombstone_warn_threshold: 1000,
            tombstone_failure_threshold: 100_000,
            batch_size_warn_threshold: 5 * 1024,
            batch_size_fail_threshold: 50 * 1024,
            unlogged_batch_across_partitions_warn_threshold: 10,
            materialized_views_enabled: true,
            sasi_indexes_enabled: true,
            user_defined_functions_enabled: true,
            drop_compact_storage_enabled: true,
            dynamic_data_masking_enabled: true,
            use_statements_enabled: true,
            authentication: false,
            timeouts: RequestTimeouts::default(),
            transport: TransportLimits::default(),
            guardrails: Guardrails::default(),
            others: BTreeMap::new(),
        }
    }
}

impl Settings {
    /// Sets a value; the error describes what is wrong.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        if let Some(field) = field::find(name) {
            return field
                .set(self, value)
                .map_err(|expected| format!("invalid value '{value}' for {name}: {expected}"));
        }
        if !names().any(|known| known == name) {
            return Err(format!("unknown setting '{name}'{}", suggest_name(name)));
        }
        self.others.insert(name.into(), value.into());
        Ok(())
    }

    /// Whether a setting exists in Cassandra, or a nested one of a setting that does.
    pub fn is_known(name: &str) -> bool {
        let block = name.split('.').next().unwrap_or(name);
        names().any(|known| known.split('.').next() == Some(block))
    }

    /// Whether a setting changes the results of statements here.
    pub fn has_effect(name: &str) -> bool {
        field::find(name).is_some()
    }

    /// The known name that is most similar to an unknown one.
    pub fn find_similar(name: &str) -> Option<&'static str> {
        cql::spelling::find_nearest(name, names())
    }

    /// All settings with their values, as `system_views.settings` shows them.
    pub(crate) fn list_values(&self, identity: &NodeIdentity) -> Vec<(String, Option<String>)> {
        let mut own = self.clone();
        let shown = LIST.lines().filter(|line| !line.starts_with('#')).map(|line| {
            let (name, default) = match line.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (line, None),
            };
            let value = match name {
                "cluster_name" => Some(identity.cluster_name.to_string()),
                "native_transport_port" => Some(identity.port.to_string()),
                "rpc_address" | "listen_address" => Some(identity.address.to_string()),
                "authenticator.class_name" if self.authentication => {
                    Some("org.apache.cassandra.auth.PasswordAuthenticator".to_owned())
                }
                "authorizer.class_name" if self.authentication => {
                    Some("org.apache.cassandra.auth.CassandraAuthorizer".to_owned())
                }
                _ => match (field::find(name), self.others.get(name)) {
                    (Some(field), _) => field.get(&mut own),
                    (None, Some(value)) => Some(value.to_string()),
                    (None, None) => default,
                },
            };
            (name.to_owned(), value)
        });
        shown.collect()
    }
}

fn names() -> impl Iterator<Item = &'static str> {
    let lines = LIST.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once('=').map_or(line, |(name, _)| name))
}

/// A suggestion for a misspelt name: the one with the longest common prefix, if that is long
/// enough.
fn suggest_name(name: &str) -> String {
    let common = |other: &&str| other.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    let best = names().max_by_key(common).filter(|best| common(best) >= 5);
    hint(best.map(|best| format!("'{best}'")).as_deref())
}
