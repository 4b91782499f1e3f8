//! cassandra.yaml (and scylla.yaml): the settings of a node.

use super::collector::Target;
use super::section::SectionOutcome;
use crate::yaml::YamlEntry;

/// What the file is called in the list of sources.
const KIND: &str = "cassandra.yaml";

/// Settings that nearly every such file has; two of them tell what it is.
const TELLING_SETTINGS: [&str; 14] = [
    "cluster_name",
    "num_tokens",
    "partitioner",
    "endpoint_snitch",
    "seed_provider",
    "commitlog_sync",
    "commitlog_directory",
    "data_file_directories",
    "listen_address",
    "rpc_address",
    "native_transport_port",
    "concurrent_reads",
    "hinted_handoff_enabled",
    "storage_port",
];

/// Whether the entries of a document are settings of a node.
pub(super) fn is_configuration(entries: &[YamlEntry]) -> bool {
    let telling = entries.iter().filter(|entry| TELLING_SETTINGS.contains(&&*entry.name));
    telling.take(2).count() == 2
}

/// Reads the settings. Secrets are left out.
pub(super) fn read(entries: &[YamlEntry], target: &mut Target<'_>) -> SectionOutcome {
    for entry in entries {
        if entry.value.is_empty() || is_secret(&entry.name) {
            continue;
        }
        if entry.name == "cluster_name" {
            target.snapshot.cluster_name.get_or_insert_with(|| entry.value.clone());
        }
        target.node().settings.insert(entry.name.clone(), entry.value.clone());
    }
    SectionOutcome { kind: Some(KIND), ..SectionOutcome::complete() }
}

/// Whether the name of a setting is that of a password or a key.
fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["password", "secret", "passphrase", "credential", "private_key", "token_"]
        .iter()
        .any(|word| name.contains(word))
        && name != "initial_token"
}
