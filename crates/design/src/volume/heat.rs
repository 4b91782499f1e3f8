//! Reads and writes of the hottest partition.

use model::concept::{Concept, DAY, Skew, zipf_share};
use model::id::{AttributeId, EntityId, IdList};
use model::plan::{PlannedTable, ServedRead};
use model::workload::{Assignment, Comparison, Predicate, Read, Write, WriteKind};

use super::anchor::{Anchor, AnchorKind};
use super::rows::{RowEstimate, rows_under_anchor};
use crate::Context;

/// Writes and reads per second of the hottest partition. The newest bucket receives everything
/// written under its key; shards share what is written, but a read visits them all unless it gives
/// the row's key. Later changes are spread over all buckets.
pub(super) fn estimate_heat(
    context: Context<'_>,
    table: &PlannedTable,
    rows: &RowEstimate,
) -> (f64, f64) {
    let popular = popularity(context.concept, &rows.anchors);
    let shards = f64::from(table.shards());
    let buckets = buckets(context, table);
    let held =
        |write: &&Write| table.holds.sources.iter().any(|source| source.entity == write.entity);
    let writes = context.workload.writes.iter().filter(held);
    let writes = writes.map(|write| write_heat(write, table, rows, popular, buckets));
    let reads = table.serves.iter().filter_map(|served| {
        let read = context.workload.reads.member(served.read)?;
        let visited = if is_shard_given(table, read, served) { shards } else { 1.0 };
        Some(read.rate.value * popular / visited)
    });
    (writes.sum::<f64>() / shards, reads.sum())
}

/// The number of buckets of a value of the key: later changes are spread over them.
fn buckets(context: Context<'_>, table: &PlannedTable) -> f64 {
    let width = table.bucket().and_then(|(_, _, bucket)| bucket.days());
    let planned = super::horizon(context, table);
    let lived =
        super::retention(context.concept, table).map_or(planned, |it| planned.min(it / DAY));
    width.map_or(1.0, |days| (lived / days).max(1.0))
}

/// The share of accesses that go to the most popular value of the key.
pub(super) fn popularity(concept: &Concept, anchors: &[Anchor]) -> f64 {
    anchors.iter().map(|anchor| share(concept, anchor)).product()
}

fn share(concept: &Concept, anchor: &Anchor) -> f64 {
    let skew_of = |entity: EntityId, attribute: AttributeId| {
        concept.entities[entity].attributes[attribute].skew
    };
    let (values, skew) = match &anchor.fixes {
        AnchorKind::Row { entity, key } => {
            let referred = anchor
                .path
                .last()
                .map(|link| concept.entities[link.entity].references[link.reference].skew);
            let own = key.iter().map(|at| skew_of(*entity, *at));
            let skews = referred.into_iter().chain(own);
            let skew = skews.max_by(|a, b| exponent(*a).total_cmp(&exponent(*b)));
            (concept.entities[*entity].rows.value, skew.unwrap_or(Skew::Uniform))
        }
        AnchorKind::Value { entity, attribute } | AnchorKind::Element { entity, attribute } => {
            let found = &concept.entities[*entity].attributes[*attribute];
            (found.distinct.value, found.skew)
        }
        AnchorKind::Prefix { .. } => {
            (rows_under_anchor(concept, anchor).today.values, Skew::Uniform)
        }
    };
    zipf_share(values.max(1.0), exponent(skew))
}

const fn exponent(skew: Skew) -> f64 {
    match skew {
        Skew::Uniform => 0.0,
        Skew::Zipf(exponent) => exponent,
    }
}

/// Writes per second that one write brings to the hottest partition.
fn write_heat(
    write: &Write,
    table: &PlannedTable,
    rows: &RowEstimate,
    popular: f64,
    buckets: f64,
) -> f64 {
    let rate = write.rate.value;
    match &write.kind {
        WriteKind::Insert(_) if write.entity == rows.entity => {
            rate * rows.each * popular.max(rows.largest_share)
        }
        WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => 0.0,
        WriteKind::Delete(_) if write.entity == rows.entity => {
            rate * rows.each.min(1.0) * popular / buckets
        }
        // Rows of other entities are deleted by writes to those.
        WriteKind::Delete(_) => 0.0,
        WriteKind::Update(assignments, _) => {
            let changed = |assignment: &Assignment| {
                super::is_dependent_on(table, write.entity, assignment.attribute)
            };
            if assignments.iter().any(changed) { rate * popular / buckets } else { 0.0 }
        }
    }
}

/// Whether a read can compute its shard.
fn is_shard_given(table: &PlannedTable, read: &Read, served: &ServedRead) -> bool {
    use model::plan::Derivation::Shard;
    let Some(of) = table.partition_key().find_map(|column| match &column.derivation {
        Shard { of, .. } => Some(of),
        _ => None,
    }) else {
        return false;
    };
    let equal = |wanted| {
        read.conditions.iter().any(|condition| match condition.predicate {
            Predicate::Compare { column, comparison: Comparison::Equal, .. } => {
                served.column(column) == Some(wanted)
            }
            _ => false,
        })
    };
    of.iter().all(|wanted| equal(*wanted))
}
