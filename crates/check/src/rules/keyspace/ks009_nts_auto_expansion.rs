//! KS009: datacenters that are not named.

use crate::{Check, Product, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ks009_nts_auto_expansion.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(keyspace) = project.replication_statement(seen) else { return };
    let target = project.settings.target.product;
    let spread = keyspace.replication_location("replication_factor");
    let is_managed = matches!(target, Product::Astra | Product::Keyspaces);
    let Some(place) =
        spread.filter(|_| keyspace.strategy() == "NetworkTopologyStrategy" && !is_managed)
    else {
        return;
    };
    let name = &keyspace.state.name;
    reporter
        .report(place, format!("{name} is replicated to the datacenters that exist when the statement runs; later ones are not added."))
        .with_keyspace(name)
        .help("name the datacenters: {'class': 'NetworkTopologyStrategy', 'datacenter1': 3}");
}
