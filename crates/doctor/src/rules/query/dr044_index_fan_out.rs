//! DR044 index-fan-out

use cql::Severity;
use schema::access::AccessPlan;
use schema::catalog::{Column, IndexClass};

use crate::rules::examination::Examination;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::redesign;
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::TableName;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr044_index_fan_out.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for statement in &cluster.statements {
        let AccessPlan::Read(read) = &statement.plan else { continue };
        let Some(name) = &statement.table else { continue };
        let Some(index) = read.index.as_ref().filter(|index| !index.within_partition) else {
            continue;
        };
        if cluster.is_small(name) {
            continue;
        }
        let indexes = index.indexes.iter().filter_map(|at| read.table.indexes.get(*at));
        let indexes: Vec<_> = indexes.collect();
        let is_attached = indexes.iter().all(|index| index.class == IndexClass::Sai);
        let finding = found.report();
        if is_attached {
            finding.severity(Severity::Medium);
        }
        let nodes = cluster.snapshot.nodes.len() as f64;
        finding.table(name).statement(statement.shape);
        finding.impact = statement.observed.count as f64;
        finding
            .evidence("nodes that are asked, of those known", Quantity::Count(nodes))
            .evidence("times seen", Quantity::Count(statement.observed.count as f64))
            .evidence_if("slowest", statement.observed.max_ms.map(Quantity::Milliseconds));
        for index in &indexes {
            finding.evidence("index", Quantity::Word(index.name.to_string()));
            let values = cluster.sum(&index_table(name, &index.name), |figures| figures.partitions);
            finding.evidence_if("values in the index", values.map(|it| Quantity::Count(it as f64)));
        }
        let columns: Vec<&Column> =
            index.columns.iter().filter_map(|at| read.table.columns().get(*at)).collect();
        finding.remedy(
            Remedy::new(
                "Create a table whose partition key is the indexed column, and write to both.",
            )
            .with_cql(redesign::key_by(&read.table, &columns)),
        );
    }
}

/// The hidden table of an index, as the server names it in its statistics.
fn index_table(table: &TableName, index: &str) -> TableName {
    TableName::new(&table.keyspace, &format!("{}.{index}", table.table))
}
