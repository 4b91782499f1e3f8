//! KS003: more replicas than nodes.

use crate::facts::tables::is_test_schema;
use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ks003_rf_above_nodes.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(keyspace) = project.replication_statement(seen) else { return };
    let nodes = project.nodes;
    let name = &keyspace.state.name;
    for (datacenter, copies) in &keyspace.state.replication.options {
        let Some(copies) = copies.parse::<u32>().ok().filter(|copies| *copies > nodes) else {
            continue;
        };
        let entry = keyspace
            .replication_location(datacenter)
            .or_else(|| keyspace.replication_location("replication_factor"));
        let place = entry.unwrap_or_else(|| keyspace.property_location("replication"));
        let message = format!(
            "{name} has a replication factor of {copies}, but the cluster has {nodes} nodes: a quorum counts replicas that do not exist."
        );
        let is_test = is_test_schema(project, keyspace.place, name);
        reporter
            .report(place, message)
            .with_keyspace(name)
            .severity(if is_test { Severity::Info } else { Severity::High })
            .note(format!("a quorum is {} of {copies} replicas", copies / 2 + 1))
            .help("lower the replication factor, or add nodes first");
    }
}
