//! QP007: lists of values that multiply.

use crate::facts::workload::{count_combinations, key_lists};

use crate::{Check, Limit, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity};

const COMBINATIONS: Limit =
    Limit::new("in-combinations", 25.0).describe("number of combinations of IN values");
const MANY: Limit = Limit::new("in-combinations-many", 100.0)
    .describe("number of combinations of IN values at which the severity is high");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp007_in_cartesian_product.md"), Check::Statement(check))
        .with_limits(&[COMBINATIONS, MANY]);

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return };
    let lists = key_lists(&read.table, select);
    let all = [lists.partition.as_slice(), lists.clustering.as_slice()].concat();
    let keys = count_combinations(&lists.partition).unwrap_or(0);
    // Many partition keys are QP006 already.
    if all.len() < 2 || keys > 20 {
        return;
    }
    let known: Vec<Option<usize>> = all.iter().filter(|one| one.is_some()).copied().collect();
    let Some(number) = count_combinations(&known) else { return };
    let count = f64::from(u32::try_from(number).unwrap_or(u32::MAX));
    if count <= reporter.limit(&COMBINATIONS) {
        return;
    }
    let is_refused = project.settings.target.product == Product::Astra;
    let severity = match () {
        () if is_refused => Severity::Error,
        () if count > reporter.limit(&MANY) => Severity::High,
        () => Severity::Medium,
    };
    let one = reporter.report(
        project.select_location(seen),
        format!("The IN lists multiply to {number} combinations."),
    );
    one.with_table(&read.table).severity(severity);
    if is_refused {
        one.note("Astra rejects more than 25 combinations");
    }
    one.help("split the statement: one for each value of the shorter list");
}
