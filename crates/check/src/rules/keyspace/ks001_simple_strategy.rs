//! KS001: `SimpleStrategy`.

use crate::facts::tables::is_test_schema;
use crate::{Check, FixKind, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ks001_simple_strategy.md"), Check::Statement(check));

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(keyspace) = project.replication_statement(seen) else { return };
    let target = project.settings.target;
    // These services choose the replication themselves.
    let is_managed = matches!(target.product, Product::Astra | Product::Keyspaces);
    if keyspace.strategy() != "SimpleStrategy" || is_managed {
        return;
    }
    let name = &keyspace.state.name;
    let is_test = is_test_schema(project, keyspace.place, name);
    let copies = keyspace
        .state
        .replication
        .options
        .get("replication_factor")
        .map_or("3", |copies| copies.as_ref());
    let message = format!(
        "{name} is replicated without regard to racks and datacenters, and a second datacenter cannot be added."
    );
    let finding = reporter.report(keyspace.property_location("replication"), message);
    finding
        .with_keyspace(name)
        .severity(if is_test { Severity::Info } else { Severity::Medium })
        .help(format!("replication = {{'class': 'NetworkTopologyStrategy', 'datacenter1': {copies}}}, with the name of your datacenter"));
    if let Some(class) =
        keyspace.replication_location("class").filter(|_| target.is_apache_from((4, 0)))
    {
        finding.fix(
            FixKind::Unsafe,
            "use NetworkTopologyStrategy",
            class,
            "'NetworkTopologyStrategy'",
        );
    }
}
