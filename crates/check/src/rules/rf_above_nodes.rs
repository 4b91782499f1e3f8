//! KS003: more copies than nodes.

use crate::facts::is_for_tests;
use crate::{Asks, Category, Check, Project, Reporter, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "KS003",
    name: "rf-above-nodes",
    category: Category::Options,
    severity: Severity::High,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("rf_above_nodes.md"),
};

fn check(project: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    let Some(keyspace) = project.replication_seen(seen) else { return };
    let nodes = project.settings.nodes;
    let name = &keyspace.state.name;
    for (datacenter, copies) in &keyspace.state.replication.options {
        let Some(copies) = copies.parse::<u32>().ok().filter(|copies| *copies > nodes) else {
            continue;
        };
        let entry = keyspace
            .replication_value(datacenter)
            .or_else(|| keyspace.replication_value("replication_factor"));
        let place = entry.unwrap_or_else(|| keyspace.property_place("replication"));
        let message = format!(
            "{name} wants {copies} copies, and the cluster has {nodes} nodes: quorum counts copies that do not exist."
        );
        let is_test = is_for_tests(project, keyspace.place, name);
        found
            .at(place, message)
            .of_keyspace(name)
            .severity(if is_test { Severity::Info } else { Severity::High })
            .note(format!("{} of {copies} copies are a quorum", copies / 2 + 1))
            .help("lower the number of copies, or add nodes first");
    }
}
