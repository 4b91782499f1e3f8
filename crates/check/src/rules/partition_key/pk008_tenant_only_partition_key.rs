//! PK008: all data of a tenant in one partition.

use model::figures;
use schema::catalog::Column;

use crate::facts::tables::is_registry;
use crate::facts::volumes::unbounded_growth;
use crate::remedies::NewKey;
use crate::vocabulary::ids::{is_id, is_numbering};
use crate::vocabulary::people::{is_person, is_privilege_name};
use crate::vocabulary::tenants::{is_tenant, is_tenant_id};
use crate::vocabulary::times::is_time_bucket;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const ROWS: Limit = Limit::new("tenant-rows", 100_000.0)
    .describe("number of rows of the largest tenant in one partition");
const SKEW: Limit = Limit::new("tenant-skew", 100.0)
    .describe("ratio of the largest tenant's rows to the mean tenant's rows in one partition");
/// Below this number of rows in all tenants, skew is not reported.
const SMALL: f64 = 10_000.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk008_tenant_only_partition_key.md"), Check::Table(check))
        .with_limits(&[ROWS, SKEW]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let [column] = table.partition_key() else { return };
    let Some(first) = table.clustering().first() else { return };
    if table.is_view || !is_tenant(column) || is_registry(facts) {
        return;
    }
    let rows = facts.volume.partition.as_ref().map(|size| size.rows);
    let (severity, confidence) = match rows {
        Some(rows) if rows.large > reporter.limit(&ROWS) => (Severity::High, Confidence::High),
        Some(rows) if rows.large > SMALL && rows.large > reporter.limit(&SKEW) * rows.mean => {
            (Severity::High, Confidence::High)
        }
        Some(_) => return,
        // PS001 reports growth with time, and customers count as tenants only if figures show it.
        None if is_tenant_id(column)
            && has_own_things(facts)
            && unbounded_growth(project, facts).is_none() =>
        {
            (Severity::Medium, Confidence::Low)
        }
        None => return,
    };
    let new = NewKey::from_table(table).with_new_partition_column(table, "bucket", "int");
    let message = format!(
        "All rows of the largest `{}` are in one partition of {}.",
        column.name, table.name
    );
    let finding = reporter.report(project.key_location(facts, &column.name), message);
    finding.with_column(table, column).severity(severity).confidence(confidence).help(format!(
        "add `{}` or a bucket to the partition key: {}",
        first.name,
        new.clause()
    ));
    if let Some(rows) = rows {
        let (large, mean) = (figures::format_count(rows.large), figures::format_count(rows.mean));
        finding.note(format!("{large} rows in the largest partition, {mean} in the average one"));
    }
    finding.with_fix(project.rekey_fix(facts, &new, "split each tenant"));
}

/// Whether rows are things of their own, of which a tenant may have any number: they have ids. Members, days and kinds are few.
fn has_own_things(facts: &TableFacts) -> bool {
    let table = &facts.table;
    let is_own = |column: &Column| (is_id(column) || is_numbering(column)) && !is_person(column);
    let has_ids = table.clustering().iter().any(is_own);
    let is_daily = table.clustering().first().is_some_and(is_time_bucket);
    has_ids && !is_daily && !is_privilege_name(&table.name)
}
