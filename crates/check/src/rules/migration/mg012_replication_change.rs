//! MG012: a migration moves the replicas of a keyspace to other nodes.

use std::collections::BTreeSet;

use crate::facts::tables::is_test_schema;
use crate::project::{KeyspaceState, ObjectChange};
use crate::{Check, MigrationStep, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mg012_replication_change.md"), Check::Step(check));

fn check(project: &Project<'_>, step: &MigrationStep, reporter: &mut Reporter<'_>) {
    let ObjectChange::Keyspace { before: Some(before), after: Some(after) } = &step.change else {
        return;
    };
    if before.replication == after.replication
        || step.on_new
        || is_test_schema(project, step.place, &after.name)
    {
        return;
    }
    let name = &after.name;
    let (then, now) = (class(before), class(after));
    if then != now {
        let help = format!(
            "make sure first that the snitches report the datacenter names; then ALTER with replicas on the same nodes, and run nodetool repair -full {name} on every node (nodetool rebuild in a new datacenter) before anything reads from the new replicas"
        );
        reporter
            .report(step.place, format!("Replication of `{name}` changed from {then} to {now}: rows may belong to nodes that do not have them."))
            .with_keyspace(name).help(help);
        return;
    }
    let (more, fewer) = copies(before, after);
    if !more.is_empty() {
        reporter
            .report(step.place, format!("Replication of `{name}` changed ({}): the new replicas are empty until a repair.", more.join(", ")))
            .with_keyspace(name)
            .note("reads at ONE may return nothing, and with one additional replica even QUORUM may read only new replicas")
            .help(format!(
                "run nodetool repair -full {name} on every node immediately afterwards (nodetool rebuild in a new datacenter), and until then read at a consistency level that includes the old replicas"
            ));
    }
    if !fewer.is_empty() {
        reporter
            .report(step.place, format!("Replication of `{name}` changed ({}): fewer node failures are tolerated.", fewer.join(", ")))
            .with_keyspace(name)
            .help(format!("run nodetool repair -full {name} before it, and nodetool cleanup {name} on every node afterwards"));
    }
}

fn class(state: &KeyspaceState) -> &str {
    let class = &*state.replication.class;
    class.rsplit('.').next().unwrap_or(class)
}

/// Descriptions of where replicas are added and where they are removed.
fn copies(before: &KeyspaceState, after: &KeyspaceState) -> (Vec<String>, Vec<String>) {
    let of = |state: &KeyspaceState, place: &str| -> u32 {
        let copies = state.replication.options.get(place).map_or("0", |copies| &**copies);
        copies.split('/').next().and_then(|copies| copies.trim().parse().ok()).unwrap_or_default()
    };
    let places: BTreeSet<&str> = before
        .replication
        .options
        .keys()
        .chain(after.replication.options.keys())
        .map(|place| &**place)
        .collect();
    let (mut more, mut fewer) = (Vec::new(), Vec::new());
    for place in places {
        let (then, now) = (of(before, place), of(after, place));
        let words = match place {
            "replication_factor" => format!("{then} to {now} replicas"),
            _ => format!("{then} to {now} replicas in {place}"),
        };
        if now > then {
            more.push(words);
        } else if now < then {
            fewer.push(words);
        }
    }
    (more, fewer)
}
