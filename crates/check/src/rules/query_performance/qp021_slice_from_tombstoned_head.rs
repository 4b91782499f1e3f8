//! QP021: reads of the head of a partition whose head is deleted.

use cql::selectable::SelectableKind;
use cql::statement::select::Selector;
use cql::term::TermKind;
use schema::access::{ReadOrder, ReadPlan, WriteEffect, WritePlan, WriteTarget};
use schema::catalog::Column;

use crate::vocabulary::times::is_time;
use crate::vocabulary::work::is_queue_name;

use crate::{Check, Project, ReplayedStatement, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("qp021_slice_from_tombstoned_head.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let own = |write: &&WritePlan| {
        write.table.name == table.name && write.table.keyspace == table.keyspace
    };
    let deletes = facts.writes(project).find(|seen| {
        let mut writes = seen.writes().filter(own);
        writes.any(|write| {
            write.effect == WriteEffect::DeleteRows && write.target != WriteTarget::Partition
        })
    });
    let expires = table.params.default_time_to_live > 0
        || facts
            .writes(project)
            .flat_map(ReplayedStatement::writes)
            .filter(own)
            .any(|write| write.has_ttl);
    if deletes.is_none() && !expires {
        return;
    }
    for seen in facts.reads(project) {
        let Some((column, oldest_first)) = seen.read().and_then(open_head) else { continue };
        let is_time = is_time(column);
        // The other end is where rows are added.
        if !oldest_first || deletes.is_none() && !is_time {
            continue;
        }
        let is_queue = is_time || is_queue_name(&table.name);
        if !is_queue && !is_consuming_read(project, seen, column) {
            continue;
        }
        let severity =
            if is_queue && deletes.is_some() { Severity::High } else { Severity::Medium };
        let one = reporter.report(
            project.select_location(seen),
            "Each read skips all tombstones at the start of the partition.",
        );
        one.with_column(table, column).severity(severity);
        match deletes {
            Some(deletes) => one.with_related(deletes.place, "rows are deleted here"),
            None => one.note("rows expire, the oldest first"),
        };
        one.help(format!(
            "store the last `{0}` that was read and continue from there: AND {0} > ?",
            column.name
        ));
    }
}

/// Whether a read fetches rows that are to be deleted: it selects the column that identifies them,
/// and rows have more than their key. Otherwise it only checks whether there are any.
fn is_consuming_read(project: &Project<'_>, seen: &ReplayedStatement, column: &Column) -> bool {
    let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { return false };
    // A page of a list has a limit that is given, or is long.
    let takes_few = select.limit.as_ref().is_some_and(
        |limit| matches!(&limit.kind, TermKind::Constant(constant) if constant.text.len() < 2),
    );
    if !takes_few {
        return false;
    }
    let is_it = |selector: &Selector| matches!(&selector.expression.kind, SelectableKind::Column(name) if name.text == column.name);
    let has_more = read.table.columns().iter().any(|own| !own.is_primary_key());
    has_more && (select.selectors.is_empty() || select.selectors.iter().any(is_it))
}

/// The clustering column that a read with LIMIT starts at the very end of, and whether its smallest
/// values come first.
fn open_head(read: &ReadPlan) -> Option<(&Column, bool)> {
    if read.limit.is_none()
        || !read.partitions.is_by_key()
        || read.aggregates
        || read.index.is_some()
    {
        return None;
    }
    let keys = read.table.partition_key().len();
    let fixed = read.rows.equal.len()
        + read.rows.listed.iter().map(|list| list.columns.len()).sum::<usize>();
    let column = read.table.columns().get(keys + fixed)?;
    if read.rows.rows.is_some() || read.table.clustering().get(fixed).is_none() {
        return None;
    }
    let ascending = column.descending == (read.order == ReadOrder::Reversed);
    let range = read.rows.range.as_ref();
    let bounded = range
        .is_some_and(|range| if ascending { range.from.is_some() } else { range.to.is_some() });
    (!bounded).then_some((column, ascending))
}
