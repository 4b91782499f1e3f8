//! DM008: one write that becomes many.

use schema::access::AccessPlan;

use crate::facts::figures;
use crate::{Asks, Category, Check, Limit, Project, Reporter, Rule, Seen, Severity};

const TABLES: Limit = Limit {
    name: "tables-per-write",
    default: 6.0,
    what: "tables that one batch may write without being mentioned",
};

pub(super) static RULE: Rule = Rule {
    code: "DM008",
    name: "write-amplification",
    category: Category::Model,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Queries, Asks::Volumes],
    by_default: true,
    limits: &[TABLES],
    check: Check::Statement(check),
    page: include_str!("write_amplification.md"),
};

fn check(_: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    let Some(AccessPlan::Batch(batch)) = seen.plan() else { return };
    let count = u32::try_from(batch.tables.len()).unwrap_or(u32::MAX);
    let Some(table) = batch.tables.first().filter(|_| f64::from(count) > found.limit(&TABLES))
    else {
        return;
    };
    let names: Vec<&str> = batch.tables.iter().map(|table| &*table.name).collect();
    let finding = found.at(seen.place, format!("One write becomes {count}, one for each table."));
    finding.of_table(table).note(names.join(", "));
    if let Some(rate) = seen.rate() {
        finding.note(format!(
            "{} batches are {} writes",
            figures::rate(rate),
            figures::rate(rate * f64::from(count))
        ));
    }
    finding.help("drop copies that no query reads; let rare queries use an index");
}
