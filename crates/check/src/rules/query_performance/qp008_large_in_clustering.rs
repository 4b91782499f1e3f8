//! QP008: IN with many clustering values.

use crate::facts::workload::key_lists;

use crate::{Check, Limit, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

const VALUES: Limit =
    Limit::new("in-clustering-values", 100.0).describe("number of clustering values in an IN list");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp008_large_in_clustering.md"), Check::Statement(check))
        .with_limits(&[VALUES]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    let lists = key_lists(&read.table, select).clustering;
    let Some(number) = lists.into_iter().flatten().max() else { return };
    if f64::from(u32::try_from(number).unwrap_or(u32::MAX)) <= reporter.limit(&VALUES) {
        return;
    }
    let is_refused = project.settings.target.product == Product::Scylla;
    let message = format!("The IN list makes {number} point reads in one partition.");
    let one = reporter.report(project.select_location(seen), message);
    one.with_table(&read.table);
    if is_refused {
        one.severity(Severity::Error).note("ScyllaDB rejects more than 100 values");
    }
    one.help("read the slice that contains them, or query in smaller chunks");
}
