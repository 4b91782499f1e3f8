//! DR124 single-replica

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::TableName;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr124_single_replica.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    // One node has one replica of everything.
    if cluster.snapshot.nodes.len() < 3 {
        return;
    }
    let keyspaces = cluster.snapshot.schema.iter().flat_map(|catalog| catalog.keyspaces.values());
    for keyspace in keyspaces {
        let is_system = TableName::new(&keyspace.name, "").is_system();
        if is_system
            || keyspace.system
            || keyspace.is_virtual
            || keyspace.tables.values().next().is_none()
        {
            continue;
        }
        let factors = keyspace.replication.options.values();
        let factors: Vec<u32> = factors.filter_map(|factor| factor.parse().ok()).collect();
        let Some(fewest) = factors.iter().min().filter(|fewest| **fewest == 1) else { continue };
        let finding = found.report();
        finding
            .evidence("keyspace", Quantity::Word(keyspace.name.to_string()))
            .evidence("replicas", Quantity::Count(f64::from(*fewest)));
        finding.remedy(Remedy::new("Give every data center three replicas, then repair.").with_cql(
            format!(
                "ALTER KEYSPACE {} WITH replication = {{'class': 'NetworkTopologyStrategy', 'replication_factor': 3}};",
                cql::printer::identifier(&keyspace.name)
            ),
        ));
    }
}
