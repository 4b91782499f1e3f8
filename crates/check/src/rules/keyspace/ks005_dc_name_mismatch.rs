//! KS005: datacenter names with two spellings.

use std::collections::BTreeMap;

use crate::{Check, Confidence, Location, Project, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ks005_dc_name_mismatch.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut spellings: BTreeMap<String, (&str, Location)> = BTreeMap::new();
    let seen = project.definitions().filter_map(|(_, seen)| project.replication_statement(seen));
    for keyspace in seen.filter(|keyspace| keyspace.strategy() == "NetworkTopologyStrategy") {
        for name in keyspace.state.replication.options.keys() {
            // Names that replication_factor was expanded to are not written by anyone.
            let Some(place) = keyspace.replication_location(name) else { continue };
            let known = spellings.entry(fold_name(name)).or_insert((name, place));
            if known.0 == &**name {
                continue;
            }
            let message = format!(
                "Datacenter `{name}` is called `{}` elsewhere: one of them has no replicas.",
                known.0
            );
            reporter
                .report(place, message)
                .with_keyspace(&keyspace.state.name)
                .severity(Severity::High)
                .confidence(Confidence::Medium)
                .with_related(known.1, format!("`{}` here", known.0))
                .help("use the name that `nodetool status` shows; names are case-sensitive");
        }
    }
}

/// A name in lower case without punctuation: names that agree in it mean the same datacenter.
fn fold_name(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}
