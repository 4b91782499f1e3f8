//! KS007: many keyspaces.

use crate::project::{ObjectChange, StatementOutcome};
use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry};

const MANY: Limit =
    Limit::new("keyspaces", 40.0).describe("number of keyspaces per cluster that is high");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ks007_too_many_keyspaces.md"), Check::Project(check))
        .with_limits(&[MANY]);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let creates = |seen: &&ReplayedStatement| {
        matches!(&seen.outcome, StatementOutcome::Changes(Some(ObjectChange::Keyspace { before: None, after: Some(made) }))
            if project.catalog.keyspace(&made.name).is_some())
    };
    let created: Vec<&ReplayedStatement> =
        project.definitions().map(|(_, seen)| seen).filter(creates).collect();
    let mut counted = (1_u32..).zip(&created);
    let Some((_, crossing)) = counted.find(|(count, _)| f64::from(*count) > reporter.limit(&MANY))
    else {
        return;
    };
    let message = format!(
        "The schema has {} keyspaces, each with its own replication settings and tables.",
        created.len()
    );
    reporter
        .report(crossing.place, message)
        .help("put tenants into keys, and tables with the same replication into one keyspace");
}
