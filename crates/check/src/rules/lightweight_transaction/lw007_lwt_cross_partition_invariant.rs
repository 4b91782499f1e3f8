//! LW007: two conditions that belong together, on two partitions.

use std::collections::BTreeSet;

use schema::access::{AccessPlan, WritePlan};
use schema::bind::restrictions::StatementType;

use crate::facts::workload::is_same_use_case;
use crate::{Check, Confidence, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("lw007_lwt_cross_partition_invariant.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut told = BTreeSet::new();
    for pair in project.statements.windows(2) {
        let [one, other] = pair else { continue };
        let (Some(first), Some(second)) = (conditional_write(one), conditional_write(other)) else {
            continue;
        };
        let names = (&first.table.name, &second.table.name);
        if names.0 == names.1 || !is_same_use_case(project, one, other) || !told.insert(names) {
            continue;
        }
        let message = format!(
            "{} and {} are each written with IF, but no transaction spans two partitions, so the first may be applied and the second not.",
            names.0, names.1
        );
        reporter
            .report(other.place, message)
            .with_table(&second.table)
            .confidence(Confidence::Low)
            .with_related(one.place, "the first condition")
            .help("reserve first (IF NOT EXISTS, with a TTL), write the rest without IF, then confirm the reservation");
    }
}

/// An INSERT IF NOT EXISTS in no batch.
fn conditional_write(seen: &ReplayedStatement) -> Option<&WritePlan> {
    match seen.plan()? {
        AccessPlan::Write(write)
            if write.conditional && write.statement == StatementType::Insert =>
        {
            Some(write)
        }
        _ => None,
    }
}
