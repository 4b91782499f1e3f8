//! The design checklist: ten items about anti-patterns.

use model::index_guide::{IndexArchitecture, IndexBand};
use model::plan::{Checklist, ChecklistItem, ColumnRole, PlannedIndex, PlannedTable, list_names};

use super::{
    all_of, find_indexed, find_open_lists, find_unserved, high_cardinality, largest_collection,
    longest_list, no_filtering, partition_size, point, table_count, to_figure,
};
use crate::cost;
use crate::notes::review::Review;
use crate::notes::{collections, in_lists, queues, tombstones};
use model::figures::{format_count, format_rate, pluralise};

/// The checklist.
pub(super) fn checklist(review: Review<'_>) -> Checklist {
    Checklist {
        title: "Design checklist",
        points: vec![
            high_cardinality(review, "Partition key: has high cardinality"),
            partition_size(review, "Partition size: bounded (< 100 MB)"),
            growth(review),
            no_filtering(review, "Queries: do not require ALLOW FILTERING"),
            secondary_indexes(review),
            small_collections(review),
            deletes(review),
            counters(review),
            access_patterns(review),
            lists(review),
        ],
    }
}

/// Partitions that grow without limit are reported with the time until they are too large.
fn growth(review: Review<'_>) -> ChecklistItem {
    let asks = "Growth pattern: no unbounded growth";
    let limits = &review.context.options.limits;
    let growing: Vec<&PlannedTable> = review
        .tables()
        .map(|(_, table)| table)
        .filter(|table| table.volume.is_unbounded())
        .collect();
    if growing.is_empty() {
        let evidence = format!("{}: none grows without limit", table_count(review));
        return point(asks, Some(true), evidence);
    }
    let crosses = |table: &&PlannedTable| {
        Some((table.name.clone(), table.volume.days_until(limits.partition_bytes)?))
    };
    let first = growing.iter().filter_map(crosses).min_by(|left, right| left.1.total_cmp(&right.1));
    let endless = pluralise(to_figure(growing.len()), "table");
    let Some((name, days)) = first else {
        let evidence = format!(
            "bounded in practice: {endless} with growing partitions, none exceeds 100 MB within a century"
        );
        return point(asks, Some(true), evidence);
    };
    let when = model::figures::format_days(days);
    let evidence = format!(
        "unbounded growth: {endless}; {name} is the first to exceed 100 MB at p99.9, after {when}"
    );
    point(asks, Some(false), evidence)
}

fn small_collections(review: Review<'_>) -> ChecklistItem {
    let asks = "Collections: limited to ~100 elements";
    let Some((name, items)) = largest_collection(review) else {
        return point(asks, None, "no collections");
    };
    let growing = collections::find_growing(review);
    let mut evidence = vec![format!("largest: {name}, {} on average", pluralise(items, "element"))];
    if !growing.is_empty() {
        evidence.push(format!("growing: {}", list_names(&growing)));
    }
    let holds = items <= collections::MOST_ELEMENTS && growing.is_empty();
    point(asks, Some(holds), evidence.join("; "))
}

/// Checks that reads scan fewer tombstones than Cassandra warns of, and that nothing is a queue.
fn deletes(review: Review<'_>) -> ChecklistItem {
    let asks = "DELETEs: minimized (use TTL instead)";
    let tables = || review.tables().map(|(_, table)| table);
    let made: f64 =
        tables().map(|table| cost::tombstones::deletion_rate(review.context, table)).sum();
    let expiring = tables().filter(|table| table.options.default_time_to_live.is_some()).count();
    let worst = review
        .reads()
        .map(|(_, read, plan)| (read, plan.effort.tombstones))
        .max_by(|left, right| left.1.total_cmp(&right.1))
        .filter(|(_, met)| *met > 0.0);
    let queues = queues::find_queues(review);
    let mut evidence = Vec::new();
    evidence.push(if made > 0.0 {
        format!("{} tombstones", format_rate(made))
    } else {
        "no write creates tombstones".to_owned()
    });
    if let Some((read, met)) = worst.filter(|(_, met)| made > 0.0 || *met > tombstones::WARN) {
        evidence.push(format!("a read ({}) scans {}", read.name, format_count(met)));
    }
    evidence.extend(
        queues
            .iter()
            .map(|queue| format!("{} and {} form a queue", queue.read.name, queue.write.name)),
    );
    if expiring > 0 {
        evidence.push(format!("{} with a TTL", pluralise(to_figure(expiring), "table")));
    }
    let is_few = worst.is_none_or(|(_, met)| met <= tombstones::WARN);
    point(asks, Some(is_few && queues.is_empty()), evidence.join("; "))
}

fn counters(review: Review<'_>) -> ChecklistItem {
    let asks = "Counters: properly isolated in counter-only tables";
    let with: Vec<&PlannedTable> =
        review.tables().map(|(_, table)| table).filter(|table| table.is_counter()).collect();
    if with.is_empty() {
        return point(asks, None, "no counters");
    }
    let mixed: Vec<&str> = with
        .iter()
        .filter(|table| {
            table
                .columns
                .iter()
                .any(|column| matches!(column.role, ColumnRole::Regular | ColumnRole::Static))
        })
        .map(|table| table.name.as_str())
        .collect();
    let evidence = if mixed.is_empty() {
        let names: Vec<&str> = with.iter().map(|table| table.name.as_str()).collect();
        list_names(&names)
    } else {
        format!("mixed with other columns in {}", list_names(&mixed))
    };
    point(asks, Some(mixed.is_empty()), evidence)
}

/// Checks that every read has a table whose key it uses: an index or a scan is none.
fn access_patterns(review: Review<'_>) -> ChecklistItem {
    let asks = "Access patterns: each pattern has a dedicated table";
    let (all, without) = find_unserved(review);
    let indexed = find_indexed(review);
    let scans: Vec<&str> = review
        .reads()
        .filter(|(_, _, plan)| plan.partitions > review.context.options.limits.fan_out_scan)
        .map(|(_, read, _)| read.name.as_str())
        .collect();
    let mut evidence = Vec::new();
    if !without.is_empty() {
        evidence.push(format!("not served: {}", list_names(&without)));
    }
    if !indexed.is_empty() {
        evidence.push(format!("by an index: {}", list_names(&indexed)));
    }
    if !scans.is_empty() {
        evidence.push(format!("by a scan: {}", list_names(&scans)));
    }
    let holds = evidence.is_empty();
    if holds {
        evidence.push(format!("{}, on {}", all_of(all, "query"), table_count(review)));
    }
    point(asks, Some(holds), evidence.join("; "))
}

/// Checks lists of values, of reads and of writes. An array parameter may have any length.
fn lists(review: Review<'_>) -> ChecklistItem {
    let asks = "IN clauses: limited to ~20 values";
    let open = find_open_lists(review);
    let longest = longest_list(review);
    let mut evidence = Vec::new();
    if !open.is_empty() {
        evidence.push(format!(
            "of any length: {} (send at most {} values at a time)",
            list_names(&open),
            in_lists::SAFE
        ));
    }
    if let Some((name, values)) = longest {
        evidence.push(format!("longest: {name}, {values} values"));
    }
    if evidence.is_empty() {
        return point(asks, None, "no lists of values");
    }
    let is_short = longest.is_none_or(|(_, values)| values <= in_lists::SAFE);
    point(asks, Some(is_short && open.is_empty()), evidence.join("; "))
}

/// Checks that no secondary index is on a column of nearly unique values, unless reads give the
/// partition beside it. Storage-attached and global indexes suit such columns.
fn secondary_indexes(review: Review<'_>) -> ChecklistItem {
    let asks = "Secondary indexes: not on high-cardinality columns";
    let tables = review.tables().map(|(_, table)| table);
    let all = tables.flat_map(|table| table.indexes.iter().map(move |index| (table, index)));
    let (secondary, others): (Vec<_>, Vec<_>) = all.partition(|(_, index)| {
        index.figures.is_some_and(|it| it.architecture == IndexArchitecture::Secondary)
    });
    let describe = |(table, index): &(&PlannedTable, &PlannedIndex)| {
        let figures = index.figures.map(|figures| format!(", {figures}")).unwrap_or_default();
        format!("{}.{}{figures}", table.name, index.column)
    };
    if secondary.is_empty() {
        let others: Vec<String> = others.iter().map(describe).collect();
        return match &others[..] {
            [] => point(asks, None, "no indexes: every query uses a key"),
            others => point(asks, None, format!("no secondary index; {}", others.join("; "))),
        };
    }
    let is_unsuitable = |(_, index): &&(&PlannedTable, &PlannedIndex)| {
        index.figures.is_some_and(|it| it.nodes.is_some() && it.band == IndexBand::VeryMany)
    };
    let holds = !secondary.iter().any(|index| is_unsuitable(&index));
    let evidence: Vec<String> = secondary.iter().chain(&others).map(describe).collect();
    point(asks, Some(holds), evidence.join("; "))
}
