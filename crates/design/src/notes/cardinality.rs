//! Partition keys of few values: how unevenly the nodes are loaded.

use model::concept::Origin;
use model::id::IdList;
use model::plan::topic::{Imbalance, SpreadTopic};
use model::plan::{Derivation, Note, NoteKind, NoteSubject, PlannedTable};
use model::workload::{Write, WriteKind};

use super::review::Review;
use super::{note, time_keys};
use crate::volume;

/// Fewer partitions than this are few.
pub(super) const FEW: f64 = 1_000.0;

/// Whether the number of a table's partitions is a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartitionSpread {
    /// It has many.
    Many,
    /// It has few, but is so small and so rarely used that one partition could hold it all.
    SmallAnyway,
    /// It has few, and they do not spread over the nodes.
    Few,
}

/// How a table's partitions spread.
pub(super) fn partition_spread(review: Review<'_>, table: &PlannedTable) -> PartitionSpread {
    let limits = &review.context.options.limits;
    let volume = &table.volume;
    // Without a figure there is nothing to review.
    if volume.partitions <= 0.0 || later_partitions(review, table) >= FEW {
        return PartitionSpread::Many;
    }
    let cool =
        volume.hottest_writes <= limits.hot_writes && volume.hottest_reads <= limits.hot_reads;
    let small = volume.table_bytes_after(review.horizon()) <= limits.partition_bytes;
    if cool && small { PartitionSpread::SmallAnyway } else { PartitionSpread::Few }
}

/// Partitions at the end of the planning period: more than today where time is in the key, or where
/// what the key stands for grows.
pub(super) fn later_partitions(review: Review<'_>, table: &PlannedTable) -> f64 {
    let volume = &table.volume;
    let is_timed = table.bucket().is_some()
        || table.partition_key().any(|column| time_keys::is_time(&column.ty));
    if is_timed || has_growing_key(review, table) {
        let added = volume.partitions_after(review.horizon()) - volume.partitions;
        volume.partitions + added * share_of_kept_rows(review, table)
    } else {
        volume.partitions
    }
}

/// Of the rows that are added to a table, the share that is not deleted again: without its rows a
/// partition is gone.
fn share_of_kept_rows(review: Review<'_>, table: &PlannedTable) -> f64 {
    let tip = volume::tip(review.context.concept, table);
    let Some(tip) = tip.and_then(|tip| table.holds.sources.member(tip)) else { return 1.0 };
    let own = || {
        let writes = review.context.workload.writes.iter();
        writes.filter(|write| write.entity == tip.entity)
    };
    let is_insert = |write: &&Write| matches!(write.kind, WriteKind::Insert(_));
    let is_delete = |write: &&Write| matches!(write.kind, WriteKind::Delete(_));
    let added: f64 = own().filter(is_insert).map(|write| write.rate.value).sum();
    let deleted: f64 = own().filter(is_delete).map(|write| write.rate.value).sum();
    if added > 0.0 { (1.0 - deleted / added).clamp(0.0, 1.0) } else { 1.0 }
}

/// Whether new values of the partition key come with new rows: of the entity that it refers to, or
/// of the table's own where it is their key.
fn has_growing_key(review: Review<'_>, table: &PlannedTable) -> bool {
    let concept = review.context.concept;
    let mut columns = table.partition_key().filter_map(|column| match column.derivation {
        Derivation::Attribute(of) => Some(of),
        _ => None,
    });
    columns.any(|of| {
        let Some(entity) = review.entity(table, of.source) else { return false };
        let mut references = entity.references.iter();
        let reference = references.find(|reference| reference.attributes.contains(&of.attribute));
        let holder = reference.map_or(Some(entity), |it| concept.entities.member(it.target));
        let is_stated = entity
            .attributes
            .member(of.attribute)
            .is_some_and(|attribute| attribute.distinct.origin == Origin::Given);
        holder.is_some_and(|holder| holder.grows.value > 0.0) && !is_stated
    })
}

/// A warning for each table of few partitions, with the load of the busiest node.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        // Time in the key creates new partitions all the time; time alone is the topic `time_keys`.
        let timed = table.partition_key().any(|column| time_keys::is_time(&column.ty));
        // With as many replicas as nodes, every node has everything.
        let everywhere = review.context.concept.copies() >= review.context.concept.nodes;
        if partition_spread(review, table) != PartitionSpread::Few || timed || everywhere {
            continue;
        }
        let topic = SpreadTopic::Few {
            table: table.name.clone(),
            partitions: table.volume.partitions.max(1.0),
            key: table.partition_key().map(|column| column.name.clone()).collect(),
            bytes: table.volume.table_bytes_after(0.0),
            imbalance: imbalance(review, table),
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Table(at), topic));
    }
    notes
}

/// The effect of few partitions on the nodes: some have none, or the busiest has more than its
/// share.
///
/// Partitions are placed on nodes like balls into bins: with m of them on each of n nodes on
/// average, the fullest has about sqrt(2 m ln n) more.
pub(super) fn imbalance(review: Review<'_>, table: &PlannedTable) -> Imbalance {
    let concept = review.context.concept;
    let nodes = f64::from(concept.nodes.max(1));
    let copies = f64::from(concept.copies().min(concept.nodes).max(1));
    let placed = table.volume.partitions.max(1.0) * copies;
    let largest =
        table.volume.today.max / (table.volume.partitions * table.volume.today.mean).max(1.0);
    if placed < nodes {
        return Imbalance::Unused { holders: placed.round(), nodes };
    }
    // No node has more than everything.
    let excess = (2.0 * nodes.ln() / (placed / nodes)).sqrt().min(nodes / copies - 1.0);
    if largest > excess && largest <= 1.0 {
        return Imbalance::Largest { share: largest, copies, nodes };
    }
    Imbalance::Busiest { nodes, excess }
}
