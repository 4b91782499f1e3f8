//! DR020 tombstones-per-read

use std::collections::BTreeMap;

use cql::Severity;

use crate::rules::examination::{Examination, LoggedEvents};
use crate::rules::figures::{TOMBSTONES_FAIL, TOMBSTONES_WARN};
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{EventKind, ObservedStatement, StatementShape, TableName};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dr020_tombstones_per_read.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    let warnings = cluster.events(EventKind::TombstoneWarning);
    let failures = cluster.events(EventKind::TombstoneFailure);
    let mut tables = cluster.snapshot.list_measured_tables();
    tables.extend(warnings.keys().chain(failures.keys()).copied().flatten());
    // The statement of each table that met most.
    let mut worst: BTreeMap<TableName, (&StatementShape, &ObservedStatement)> = BTreeMap::new();
    for (table, shape, observed) in cluster.list_named_statements() {
        if observed.max_tombstones.is_some() {
            let known = worst.entry(table).or_insert((shape, observed));
            if observed.max_tombstones >= known.1.max_tombstones {
                *known = (shape, observed);
            }
        }
    }
    tables.extend(worst.keys());
    tables.sort_unstable();
    tables.dedup();
    for table in tables {
        let measured = cluster.worst(table, |figures| figures.tombstones_per_read.as_ref()?.max);
        let p99 = cluster.worst(table, |figures| figures.tombstones_per_read.as_ref()?.p99);
        let logged = [warnings.get(&Some(table)), failures.get(&Some(table))];
        let logged = logged.into_iter().flatten().flatten();
        let logged = logged.filter_map(|(node, _, summary)| Some((*node, summary.max?)));
        let seen = worst.get(table);
        let logged = logged.max_by(|a, b| a.1.total_cmp(&b.1));
        let by_statement = seen.and_then(|(_, observed)| observed.max_tombstones);
        let counted =
            logged.map(|(_, count)| count).into_iter().chain(by_statement.map(|it| it as f64));
        let counted = counted.reduce(f64::max);
        let most = logged.or(measured);
        let count = choose_count(counted, measured.map(|(_, count)| count));
        let Some(count) = count.filter(|count| *count >= TOMBSTONES_WARN) else { continue };
        let aborted = count_events(failures.get(&Some(table)));
        let finding = found.report();
        finding.table(table);
        if aborted > 0 || count >= TOMBSTONES_FAIL {
            finding.severity(Severity::Critical);
        }
        if let Some((node, _)) = most {
            finding.node(node);
        }
        finding.exceed(
            "tombstones of one read",
            Quantity::Count(count),
            Quantity::Count(TOMBSTONES_WARN),
        );
        finding.evidence_if("99 of 100 reads meet at most", p99.map(|(_, it)| Quantity::Count(it)));
        if let Some((shape, observed)) = seen {
            finding.statement(shape);
            finding.evidence_if(
                "live rows of that read",
                observed.live_rows.map(|rows| Quantity::Count(rows as f64)),
            );
        }
        let warned = count_events(warnings.get(&Some(table)));
        for (what, count) in [("warnings in the log", warned), ("aborted reads", aborted)] {
            finding.evidence_if(what, (count > 0).then_some(Quantity::Count(count as f64)));
        }
        suggest(cluster, table, finding);
    }
}

/// The events of all nodes.
fn count_events(groups: Option<&Vec<LoggedEvents<'_>>>) -> u64 {
    groups.map_or(0, |groups| groups.iter().map(|(_, _, summary)| summary.count).sum())
}

/// Logs count exactly, histograms round up by a fifth but also know reads that were not logged.
fn choose_count(counted: Option<f64>, measured: Option<f64>) -> Option<f64> {
    match (counted, measured) {
        (Some(counted), Some(measured)) if measured > counted * 1.2 => Some(measured),
        (counted, measured) => counted.or(measured),
    }
}

fn suggest(
    cluster: &Examination<'_>,
    table: &TableName,
    finding: &mut crate::rules::finding::Finding,
) {
    let full_name = table.to_string();
    let grace = cluster.definition(table).map(|it| it.params.gc_grace_seconds);
    finding.evidence_if("gc_grace_seconds", grace.map(|it| Quantity::Seconds(f64::from(it))));
    finding.remedy(Remedy::new(
        "Read past the deleted rows: restrict the read to rows after the last one that was handled, or put a bucket of time into the partition key.",
    ));
    finding.remedy(
        Remedy::new("Let rows expire by a TTL in time windows instead of deleting them one by one.")
            .with_cql(format!(
                "ALTER TABLE {full_name} WITH default_time_to_live = 86400 AND compaction = {{'class': 'TimeWindowCompactionStrategy', 'compaction_window_unit': 'HOURS', 'compaction_window_size': '1'}};"
            )),
    );
    finding.remedy(
        Remedy::new("Lower gc_grace_seconds only if repair runs more often than that.")
            .with_cql(format!("ALTER TABLE {full_name} WITH gc_grace_seconds = 86400;")),
    );
}
