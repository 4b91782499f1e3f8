//! IX012: conditions on more than two storage-attached indexes.

use schema::catalog::IndexClass;

use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry};

const CLAUSES: Limit = Limit::new("sai-intersection-clauses", 2.0)
    .describe("number of storage-attached indexes that a query intersects");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix012_sai_many_predicates.md"), Check::Statement(check))
        .with_limits(&[CLAUSES]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(read) = seen.read() else { return };
    let Some(used) = &read.index else { return };
    let is_sai = |at: &&usize| {
        read.table.indexes.get(**at).is_some_and(|index| index.class == IndexClass::Sai)
    };
    let number = used.indexes.iter().filter(is_sai).count();
    if f64::from(u32::try_from(number).unwrap_or(u32::MAX)) > reporter.limit(&CLAUSES) {
        reporter
            .report(project.select_location(seen), format!("Only two of the {number} indexed predicates use an index; the others are post-filtered."))
            .with_table(&read.table)
            .help("keep the two most selective indexes, or raise cassandra.sai.intersection_clause_limit at the expense of slower queries");
    }
}
