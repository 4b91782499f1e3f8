//! KS002: few replicas.

use crate::facts::tables::is_test_schema;
use crate::{
    Check, FixKind, Limit, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
};

const COPIES: Limit = Limit::new("replication-factor", 3.0)
    .describe("minimum number of replicas per datacenter in production");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ks002_low_replication.md"), Check::Statement(check))
        .with_limits(&[COPIES]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(keyspace) = project.replication_statement(seen) else { return };
    if matches!(project.settings.target.product, Product::Astra | Product::Keyspaces) {
        return;
    }
    let name = &keyspace.state.name;
    let is_test = is_test_schema(project, keyspace.place, name);
    let wanted = reporter.limit(&COPIES);
    let simple = keyspace.strategy() == "SimpleStrategy";
    let spread = keyspace.replication_location("replication_factor");
    let mut told = false;
    for (datacenter, copies) in &keyspace.state.replication.options {
        let Ok(copies) = copies.parse::<u32>() else { continue };
        // One number for all datacenters is one finding.
        if f64::from(copies) >= wanted || copies == 0 || told && spread.is_some() {
            continue;
        }
        told = true;
        let entry = keyspace.replication_location(datacenter).or(spread);
        let place = entry.unwrap_or_else(|| keyspace.property_location("replication"));
        let where_to =
            if simple || spread.is_some() { String::new() } else { format!(" in {datacenter}") };
        let message = match copies {
            1 => format!(
                "{name} has one replica{where_to}: data on a failed node cannot be read, and may be lost."
            ),
            _ => format!(
                "{name} has {copies} replicas{where_to}: a quorum needs both, so a single node failure makes it unavailable."
            ),
        };
        let severity = match (is_test, copies) {
            (true, _) => Severity::Info,
            (false, 1) => Severity::High,
            (false, _) => Severity::Medium,
        };
        let finding = reporter.report(place, message).with_keyspace(name).severity(severity);
        finding.help(format!("use {wanted} replicas in each datacenter"));
        if entry.is_some() {
            finding.fix(
                FixKind::Unsafe,
                format!("use {wanted} replicas"),
                place,
                format!("{wanted}"),
            );
        }
    }
}
