//! DR004 growing-collection

use cql::Severity;
use schema::access::{AccessPlan, WriteEffect};
use schema::catalog::{Column, Table};

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::redesign;
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::TableName;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr004_growing_collection.md"), examine);

/// Elements of a collection that are read and written in good time.
const ELEMENTS: f64 = 100.0;
/// Bytes of a collection that are.
const BYTES: f64 = 64e3;
const ELEMENTS_HIGH: f64 = 1_000.0;

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, table) in cluster.defined_tables() {
        let collections: Vec<&Column> = table
            .columns()
            .iter()
            .filter(|it| it.is_multi_cell() && it.ty.is_collection())
            .collect();
        // With clustering columns the cells of a partition tell nothing about a row.
        if collections.is_empty() || !table.clustering().is_empty() {
            continue;
        }
        let others = table.regulars().len().saturating_sub(collections.len()) as f64;
        let cells = cluster.worst(&name, |figures| figures.partition_cells.as_ref()?.max);
        let elements = cells.map(|(node, cells)| (node, (cells - others).max(0.0)));
        let bytes = cluster.worst(&name, |figures| {
            let measured = figures.partition_bytes.as_ref().and_then(|bytes| bytes.max);
            measured.or(figures.mean_partition_bytes.map(|bytes| bytes as f64))
        });
        let many = elements.filter(|(_, elements)| *elements / 1.2 > ELEMENTS);
        let large = bytes.filter(|(_, bytes)| *bytes / 1.2 > BYTES);
        // A large row alone may be a large text; who adds elements shows that it is the collection.
        let is_appended = has_appends(cluster, &name, table);
        if many.is_none() && !(large.is_some() && is_appended) {
            continue;
        }
        let finding = found.report();
        finding.table(&name);
        if let Some((node, elements)) = many {
            if elements > ELEMENTS_HIGH {
                finding.severity(Severity::High);
            }
            finding.node(node).exceed(
                "elements of one row, at most",
                Quantity::Count(elements),
                Quantity::Count(ELEMENTS),
            );
        }
        if let Some((node, bytes)) = large {
            finding.node(node).exceed(
                "bytes of one row",
                Quantity::Bytes(bytes),
                Quantity::Bytes(BYTES),
            );
        }
        let columns: Vec<&str> = collections.iter().map(|column| &*column.name).collect();
        finding.evidence("collections", Quantity::Word(columns.join(", ")));
        if let Some(statement) = cluster.statements_on(&name).find(|it| is_append(&it.plan, table))
        {
            finding.statement(statement.shape);
        }
        finding.remedy(
            Remedy::new("Store the elements as rows of their own.")
                .with_cql(redesign::elements_as_rows(table, collections[0])),
        );
    }
}

fn has_appends(cluster: &Examination<'_>, name: &TableName, table: &Table) -> bool {
    cluster.statements_on(name).any(|statement| is_append(&statement.plan, table))
}

/// Whether a statement writes to a collection of the table.
fn is_append(plan: &AccessPlan, table: &Table) -> bool {
    let AccessPlan::Write(write) = plan else { return false };
    let is_collection = |at: &usize| {
        table.columns().get(*at).is_some_and(|it| it.is_multi_cell() && it.ty.is_collection())
    };
    write.effect == WriteEffect::Upsert && write.columns.iter().any(is_collection)
}
