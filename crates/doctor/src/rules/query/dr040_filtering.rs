//! DR040 filtering

use cql::Severity;
use schema::access::{AccessPlan, FilterScope};
use schema::catalog::Column;

use crate::rules::examination::Examination;
use crate::rules::figures::SMALL_TABLE_PARTITIONS;
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::redesign;
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr040_filtering.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for statement in &cluster.statements {
        let AccessPlan::Read(read) = &statement.plan else { continue };
        let Some(name) = &statement.table else { continue };
        if read.filtering.scope != FilterScope::Everywhere || cluster.is_small(name) {
            continue;
        }
        let partitions = cluster.count_partitions(name);
        let finding = found.report();
        if partitions.is_none() {
            finding.severity(Severity::High);
        }
        finding.table(name).statement(statement.shape);
        match partitions {
            Some(count) => finding.exceed(
                "partitions that are read",
                Quantity::Count(count as f64),
                Quantity::Count(SMALL_TABLE_PARTITIONS as f64),
            ),
            None => finding.evidence("partitions that are read", Quantity::Word("all".to_owned())),
        };
        let filtered: Vec<&Column> =
            read.filtering.columns.iter().filter_map(|at| read.table.columns().get(*at)).collect();
        let names: Vec<&str> = filtered.iter().map(|column| &*column.name).collect();
        finding
            .evidence("filtered by", Quantity::Word(names.join(", ")))
            .evidence("times seen", Quantity::Count(statement.observed.count as f64))
            .evidence_if("slowest", statement.observed.max_ms.map(Quantity::Milliseconds));
        finding.remedy(
            Remedy::new("Create a table whose partition key is what the query restricts, and write to both.")
                .with_cql(redesign::key_by(&read.table, &filtered)),
        );
        if let [column] = filtered.as_slice()
            && cluster.oldest_cassandra().is_some_and(|version| version.major >= 5)
        {
            finding.remedy(
                Remedy::new("Or, for a query that is rare, create a storage-attached index.")
                    .with_cql(format!(
                        "CREATE CUSTOM INDEX ON {name} ({}) USING 'StorageAttachedIndex';",
                        cql::printer::identifier(&column.name)
                    )),
            );
        }
    }
}
