//! DR021 queue

use cql::Severity;
use schema::access::{AccessPlan, Partitions, ReadPlan, WriteEffect, WriteTarget};

use crate::rules::examination::{Examination, PlannedStatement};
use crate::rules::figures::{TOMBSTONES_HEALTHY, TOMBSTONES_WARN};
use crate::rules::finding::{Quantity, Remedy};
use crate::rules::redesign;
use crate::rules::reporter::Reporter;
use crate::rules::rule::RuleEntry;
use crate::snapshot::{EventKind, TableName};

pub(super) const RULE: RuleEntry = RuleEntry::new(include_str!("dr021_queue.md"), examine);

fn examine(cluster: &Examination<'_>, found: &mut Reporter) {
    for (name, table) in cluster.defined_tables() {
        let poll = cluster.statements_on(&name).find(|statement| is_poll(statement));
        let deletion = cluster.statements_on(&name).find(|statement| is_row_deletion(statement));
        let (Some(poll), Some(deletion)) = (poll, deletion) else { continue };
        let tombstones = most_tombstones(cluster, &name);
        let by_time =
            table.clustering().first().is_some_and(|column| redesign::is_time(&column.ty));
        let severity = match tombstones {
            Some(count) if count < TOMBSTONES_HEALTHY => continue,
            Some(count) if count >= TOMBSTONES_WARN => Severity::High,
            // Without figures the statements must be those of a queue, not of any list.
            None if !(by_time && has_limit(poll)) => continue,
            _ => Severity::Medium,
        };
        let finding = found.report();
        finding.severity(severity).table(&name).statement(poll.shape);
        if let Some(count) = tombstones {
            finding.exceed(
                "tombstones of one read",
                Quantity::Count(count),
                Quantity::Count(TOMBSTONES_HEALTHY),
            );
        }
        finding
            .evidence("deleted by", Quantity::Word(deletion.shape.text.clone()))
            .evidence("deletions seen", Quantity::Count(deletion.observed.count as f64))
            .evidence("polls seen", Quantity::Count(poll.observed.count as f64));
        finding
            .remedy(Remedy::new("Use a message broker, such as Kafka or RabbitMQ, for the queue."));
        finding.remedy(
            Remedy::new(
                "If it must be a table: a partition for each hour and worker, no deletions but a TTL.",
            )
            .with_cql(redesign::batches_of_work(table)),
        );
    }
}

/// Whether it reads rows of a partition in order, as a consumer of a queue does.
fn is_poll(statement: &PlannedStatement<'_>) -> bool {
    let AccessPlan::Read(read) = &statement.plan else { return false };
    let ReadPlan { partitions, single_row, rows, index, .. } = &**read;
    *partitions == Partitions::One
        && single_row.is_none()
        && index.is_none()
        && rows.rows.is_none()
        && !read.table.clustering().is_empty()
}

fn has_limit(statement: &PlannedStatement<'_>) -> bool {
    matches!(&statement.plan, AccessPlan::Read(read) if read.limit.is_some())
}

fn is_row_deletion(statement: &PlannedStatement<'_>) -> bool {
    let AccessPlan::Write(write) = &statement.plan else { return false };
    write.effect == WriteEffect::DeleteRows
        && matches!(write.target, WriteTarget::Rows(_))
        && !write.table.clustering().is_empty()
}

/// The most tombstones that a read of the table met, if anyone measured.
fn most_tombstones(cluster: &Examination<'_>, table: &TableName) -> Option<f64> {
    let measured = cluster.worst(table, |figures| figures.tombstones_per_read.as_ref()?.max);
    let statements = cluster.statements_on(table).filter_map(|it| it.observed.max_tombstones);
    let logged = cluster.events(EventKind::TombstoneWarning);
    let logged = logged.get(&Some(table)).into_iter().flatten().filter_map(|(_, _, it)| it.max);
    let all = measured.map(|(_, count)| count).into_iter();
    all.chain(statements.map(|count| count as f64)).chain(logged).reduce(f64::max)
}
