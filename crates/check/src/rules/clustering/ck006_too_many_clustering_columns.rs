//! CK006: many clustering columns.

use cql::types::NativeType;

use super::ck008_unused_clustering_column::find_unused_columns;
use crate::vocabulary::ids::{is_id, is_own_id};
use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const MANY: Limit = Limit::new("clustering-columns-many", 4.0)
    .describe("number of clustering columns at which a table has many");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ck006_too_many_clustering_columns.md"), Check::Table(check))
        .with_limits(&[MANY]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let number = u32::try_from(table.clustering().len()).map_or(f64::INFINITY, f64::from);
    let Some(first) = table.clustering().first() else { return };
    if table.is_view || number < reporter.limit(&MANY) {
        return;
    }
    // Without an id, every column may be needed to identify a row.
    let has_own = table.clustering().iter().any(|column| {
        native_type(&column.ty) == Some(NativeType::Timeuuid) || is_own_id(&table.name, column)
    });
    let idle: Vec<&str> = find_unused_columns(project, facts)
        .filter(|column| has_own && !is_id(column) && !is_time(column))
        .map(|column| &*column.name)
        .collect();
    let message = format!(
        "The {number} clustering columns of {} force queries to restrict long prefixes.",
        table.name
    );
    let finding = reporter.report(project.key_location(facts, &first.name), message);
    finding
        .with_table(table)
        .help("merge related columns, and make columns that no query uses regular");
    if idle.is_empty() {
        finding.severity(Severity::Info).confidence(Confidence::Medium);
    } else {
        finding.note(format!("no query uses {}", idle.join(", ")));
    }
}
