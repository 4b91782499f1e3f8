//! IX004: an index query that reads from every node.

use schema::catalog::{ColumnKind, Index, IndexClass, IndexPart};

use super::ix001_index_high_cardinality_2i::near_unique;
use super::ix003_index_is_primary_path::primary_path;
use crate::facts::tables::is_registry;
use crate::facts::workload::index_reads;
use crate::remedies::{lookup_table, query_table};
use crate::vocabulary::times::is_time;

use crate::{
    Check, Confidence, Limit, Product, Project, ReplayedStatement, Reporter, RuleEntry, Severity,
    TableFacts,
};

const NODES: Limit = Limit::new("index-nodes", 10.0)
    .describe("number of nodes at which querying all of them raises the severity");
const RATE: Limit = Limit::new("index-query-rate", 1.0)
    .describe("executions per second at which querying all nodes raises the severity");
const RARE: Limit = Limit::new("index-query-rare", 1.0 / 60.0)
    .describe("executions per second up to which querying all nodes has severity info");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix004_index_scatter_gather.md"), Check::Table(check))
        .with_limits(&[NODES, RATE, RARE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    for index in &facts.table.indexes {
        let reads = index_reads(project, facts, index);
        // IX003 reports once, at the index, that it serves a large share of the reads.
        if primary_path(project, facts, index, reporter).is_some() {
            continue;
        }
        if reads.is_unused()
            && is_for_scattering(facts, index)
            && !is_reported(facts, index, reporter)
        {
            report_index(project, facts, index, reporter);
        }
        for seen in reads.scattered {
            let first = seen.read().and_then(|read| {
                let at = read.index.as_ref()?.indexes.first()?;
                read.table.indexes.get(*at)
            });
            if first.is_some_and(|first| first.name == index.name) {
                report_read(project, facts, index, seen, reporter);
            }
        }
    }
}

/// Whether IX001 already reports that the index finds few rows on many nodes.
fn is_reported(facts: &TableFacts, index: &Index, found: &Reporter<'_>) -> bool {
    let column = facts.table.column(&index.column);
    let is_plain = matches!(index.part, IndexPart::Simple | IndexPart::Full);
    index.class == IndexClass::Legacy
        && is_plain
        && column.is_some_and(|column| near_unique(facts, column, found).is_some())
}

/// Whether an index is of no use to queries that name the partition: it is on a part of the
/// partition key, or on the first clustering column, which such queries find without it. A time
/// there is looked for in ranges within partitions: that index is redundant.
fn is_for_scattering(facts: &TableFacts, index: &Index) -> bool {
    let Some(column) = facts.table.column(&index.column) else { return false };
    match column.kind {
        ColumnKind::Partition => true,
        ColumnKind::Clustering => {
            column.position == 0 && !is_time(column) && facts.reads.is_empty()
        }
        _ => false,
    }
}

fn report_index(
    project: &Project<'_>,
    facts: &TableFacts,
    index: &Index,
    reporter: &mut Reporter<'_>,
) {
    let is_mild =
        index.class == IndexClass::Sai || project.settings.target.product == Product::Scylla;
    let severity = match () {
        () if is_registry(facts) => Severity::Info,
        () if is_mild => Severity::Low,
        () => Severity::Medium,
    };
    let message = format!(
        "Index {} serves only queries without the partition key, which query every node.",
        index.name
    );
    let one = reporter.report(project.index_location(facts, index), message);
    one.with_table(&facts.table).subject.column = Some(index.column.clone());
    one.severity(severity).confidence(Confidence::Medium);
    one.help(match lookup_table(facts, &index.column) {
        Some(table) => format!("read from a table whose key is the restricted columns:\n{table}"),
        None => "read from a table whose key is the restricted columns".to_owned(),
    });
}

fn report_read(
    project: &Project<'_>,
    facts: &TableFacts,
    index: &Index,
    seen: &ReplayedStatement,
    reporter: &mut Reporter<'_>,
) {
    let nodes = f64::from(project.nodes);
    let is_much = nodes >= reporter.limit(&NODES)
        || seen.rate().is_some_and(|rate| rate > reporter.limit(&RATE));
    let is_rare = seen.rate().is_some_and(|rate| rate <= reporter.limit(&RARE));
    let forbids = project.settings.server.get("non_partition_restricted_index_query_enabled");
    let is_forbidden = forbids.is_some_and(|value| value == "false");
    let severity = match &index.class {
        _ if is_forbidden => Severity::Error,
        _ if is_registry(facts) || is_rare => Severity::Info,
        _ if project.settings.target.product == Product::Scylla => Severity::Low,
        IndexClass::Sai if is_much => Severity::Medium,
        IndexClass::Sai => Severity::Low,
        _ if is_much => Severity::High,
        _ => Severity::Medium,
    };
    let message =
        format!("{} queries every node through index {}.", seen.display_name(), index.name);
    let one = reporter.report(project.select_location(seen), message);
    one.with_table(&facts.table).subject.column = Some(index.column.clone());
    one.severity(severity).note(format!("{} nodes", project.nodes));
    if is_forbidden {
        one.note("Guardrail non_partition_restricted_index_query_enabled violated: Non-partition key restricted query is not allowed.");
    }
    one.with_related(project.index_location(facts, index), "the index");
    let table = project.select(seen).and_then(|select| query_table(facts, select));
    one.help(match table {
        Some(table) => format!(
            "restrict the partition key as well, or read from a table whose key is the restricted columns:\n{table}"
        ),
        None => "restrict the partition key as well".to_owned(),
    });
}
