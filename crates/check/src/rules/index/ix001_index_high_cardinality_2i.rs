//! IX001: a legacy index on a column that is nearly unique.

use cql::types::NativeType;
use model::figures::format_count;
use model::index_guide;
use schema::catalog::{Column, IndexClass, IndexPart};

use crate::facts::tables::is_registry;
use crate::facts::workload::index_reads;
use crate::remedies::lookup_table;
use crate::vocabulary::ids::{is_address_of_one, is_near_unique, is_numbering, is_title};
use crate::vocabulary::tenants::is_tenant_id;
use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;

use crate::{
    Check, Confidence, Limit, Product, Project, Reporter, RuleEntry, Severity, TableFacts,
};

const SHARE: Limit = Limit::new("index-distinct-share", index_guide::NEARLY_UNIQUE_SHARE)
    .describe("ratio of distinct values to rows at which an indexed column is nearly unique");
const VALUES: Limit = Limit::new("index-distinct-values", index_guide::NEARLY_UNIQUE_VALUES)
    .describe("number of distinct values at which an indexed column is nearly unique");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix001_index_high_cardinality_2i.md"), Check::Table(check))
        .with_limits(&[SHARE, VALUES]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    // ScyllaDB stores an index as a separate table: a value is found on one node.
    if project.settings.target.product == Product::Scylla {
        return;
    }
    for index in facts.table.indexes.iter().filter(|index| index.class == IndexClass::Legacy) {
        let Some(column) = facts.table.column(&index.column) else { continue };
        // An index on a time of the key is redundant (IX007).
        let is_redundant =
            column.is_primary_key() && is_time(column) && facts.volume.rows.is_none();
        let is_whole = matches!(index.part, IndexPart::Simple | IndexPart::Full) && !is_redundant;
        let Some((confidence, figures)) = near_unique(facts, column, reporter).filter(|_| is_whole)
        else {
            continue;
        };
        let reads = index_reads(project, facts, index);
        // A query that looks for one value shows that the name means what it says.
        let confidence = if reads.scattered.is_empty() {
            confidence
        } else {
            confidence.max(Confidence::Medium)
        };
        let severity = match () {
            () if reads.is_within_partitions() => Severity::Info,
            () if is_registry(facts) && confidence > Confidence::Low => Severity::Medium,
            () => Severity::High,
        };
        let message = format!(
            "Each lookup through the secondary index on `{}` queries every node to find a few rows.",
            column.name
        );
        let has_sai = project.settings.target.is_apache_from((5, 0));
        let one = reporter.report(project.index_location(facts, index), message);
        one.with_column(&facts.table, column).severity(severity).confidence(confidence);
        if let Some(figures) = figures {
            one.note(figures);
        }
        let sai = if has_sai { "; for rare queries, USING 'sai'" } else { "" };
        let table = lookup_table(facts, &column.name)
            .map_or_else(String::new, |table| format!(":\n{table}"));
        one.help(format!(
            "look up the key in a table that is written in one LOGGED batch with {}{sai}{table}",
            facts.table.name
        ));
    }
}

/// Whether nearly every row has its own value: how sure that is, and the figures if they are
/// declared.
pub(super) fn near_unique(
    facts: &TableFacts,
    column: &Column,
    found: &Reporter<'_>,
) -> Option<(Confidence, Option<String>)> {
    let position = facts.table.column_index(&column.name)?;
    if let Some(distinct) = facts.volume.distinct(position) {
        let rows = facts.volume.rows;
        let is_share = rows.is_some_and(|rows| distinct > rows * found.limit(&SHARE));
        let figures = match rows {
            Some(rows) => {
                format!("{} values in {} rows", format_count(distinct), format_count(rows))
            }
            None => format!("{} values", format_count(distinct)),
        };
        return (is_share || distinct > found.limit(&VALUES))
            .then_some((Confidence::High, Some(figures)));
    }
    // A tenant has many rows.
    match native_type(&column.ty) {
        _ if is_tenant_id(column) => None,
        Some(NativeType::Uuid | NativeType::Timeuuid) => Some((Confidence::Medium, None)),
        // Measured values and moments hardly ever repeat.
        Some(
            NativeType::Timestamp | NativeType::Double | NativeType::Float | NativeType::Decimal,
        ) => Some((Confidence::Low, None)),
        _ if is_address_of_one(column) => Some((Confidence::Medium, None)),
        _ => {
            let is_it = is_near_unique(column) || is_numbering(column) || is_title(column);
            is_it.then_some((Confidence::Low, None))
        }
    }
}
