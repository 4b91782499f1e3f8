//! DM008: one write that becomes many.

use model::figures;
use schema::access::AccessPlan;

use crate::{Check, Limit, Project, ReplayedStatement, Reporter, RuleEntry};

const TABLES: Limit =
    Limit::new("tables-per-write", 6.0).describe("number of tables written by one batch");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm008_write_amplification.md"), Check::Statement(check))
        .with_limits(&[TABLES]);

fn check(_: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    let Some(AccessPlan::Batch(batch)) = seen.plan() else { return };
    let count = u32::try_from(batch.tables.len()).unwrap_or(u32::MAX);
    let Some(table) = batch.tables.first().filter(|_| f64::from(count) > reporter.limit(&TABLES))
    else {
        return;
    };
    let names: Vec<&str> = batch.tables.iter().map(|table| &*table.name).collect();
    let finding = reporter
        .report(seen.place, format!("Each batch makes {count} writes, one for each table."));
    finding.with_table(table).note(names.join(", "));
    if let Some(rate) = seen.rate() {
        finding.note(format!(
            "{} batches make {} writes",
            figures::format_rate(rate),
            figures::format_rate(rate * f64::from(count))
        ));
    }
    finding.help("drop copies that no query reads; use an index for rare queries");
}
