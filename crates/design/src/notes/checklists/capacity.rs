//! The checklist of the cluster: whether it can do the work and hold the bytes of the design.

use model::figures::{
    format_bytes, format_count, format_days, format_rate, format_share, group_thousands, pluralise,
};
use model::id::IdList;
use model::plan::{Checklist, ChecklistItem};

use super::point;
use crate::Context;
use crate::capacity::{Capacity, NODE, NodeLoad, hottest_partition};
use crate::notes::capacity::{find_capacity, statement_name};
use crate::notes::review::Review;

/// The checklist; `None` where the prices say nothing about nodes.
pub(super) fn checklist(review: Review<'_>) -> Option<Checklist> {
    let capacity = find_capacity(review)?;
    Some(Checklist {
        title: "Capacity checklist",
        points: vec![
            work(review, &capacity),
            storage(review, &capacity),
            heat(review),
            node(review, &capacity),
        ],
    })
}

fn work(review: Review<'_>, capacity: &Capacity) -> ChecklistItem {
    let heaviest = capacity.heaviest.map(|(about, share)| {
        format!("; {} of it is {}", format_share(share), statement_name(review, about))
    });
    let evidence = format!(
        "needs {} of {} with {} each, {} of them for requests{}",
        format_nodes(capacity.work_nodes),
        pluralise(capacity.nodes, "node"),
        pluralise(NODE.cores, "core"),
        format_share(NODE.busy_share),
        heaviest.unwrap_or_default()
    );
    point("Work: the nodes can do it", Some(capacity.has_room_for_work()), evidence)
}

fn storage(review: Review<'_>, capacity: &Capacity) -> ChecklistItem {
    let evidence = format!(
        "needs {} of {}: {} after {} on {}, {} each",
        format_nodes(capacity.storage_nodes),
        pluralise(capacity.nodes, "node"),
        format_bytes(capacity.bytes),
        format_days(review.horizon()),
        if capacity.copies.1 > 1.0 {
            format!("{} copies", format_count(capacity.copies.1))
        } else {
            "1 copy".to_owned()
        },
        format_bytes(NODE.bytes),
    );
    point("Storage: the nodes can hold it", Some(capacity.has_room_for_bytes()), evidence)
}

/// The uses of the hottest partition, which no number of nodes spreads.
fn heat(review: Review<'_>) -> ChecklistItem {
    let asks = "Hottest partition: within what one partition can serve";
    let Some((_, table, _)) = hottest_partition(review.design) else {
        return point(asks, None, "no partition is used by key");
    };
    let limits = &review.context.options.limits;
    let volume = &table.volume;
    let holds = review.tables().all(|(_, table)| {
        table.volume.hottest_writes <= limits.hot_writes
            && table.volume.hottest_reads <= limits.hot_reads
    });
    let evidence = format!(
        "{}: {} reads and {} writes, at most {} and {}",
        table.name,
        format_rate(volume.hottest_reads),
        format_rate(volume.hottest_writes),
        format_rate(limits.hot_reads),
        format_rate(limits.hot_writes)
    );
    point(asks, Some(holds), evidence)
}

/// The work of the node with the most requests: of its share as much more as it has requests.
fn node(review: Review<'_>, capacity: &Capacity) -> ChecklistItem {
    let asks = "Hottest node: within what one node can do";
    let Context { concept, workload, options } = review.context;
    let Some(load) = NodeLoad::new(concept, workload, options, review.design) else {
        return point(asks, None, "every node has all data, or there are no requests");
    };
    let work = capacity.work_nodes / capacity.nodes * load.ratio();
    let table = review.design.tables.member(load.table).map_or("", |table| &table.name);
    let evidence = format!(
        "{} requests, {:.2} times the average of {} nodes, {} of them to {table}; {} of what it can do",
        format_rate(load.hottest),
        load.ratio(),
        load.nodes,
        format_share(load.share),
        format_share(work)
    );
    point(asks, Some(work <= 1.0), evidence)
}

/// Nodes: a share of one, or how many.
fn format_nodes(nodes: f64) -> String {
    if nodes < 9.95 { format_count(nodes.max(0.001)) } else { group_thousands(nodes.ceil()) }
}
