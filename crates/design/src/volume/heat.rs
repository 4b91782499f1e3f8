//! Reads and writes of the hottest partition.

use model::concept::{Concept, Skew};
use model::plan::{PlannedTable, Served};
use model::workload::{Comparison, Read, Test, Write, WriteKind};

use super::anchor::{Anchor, Fixes};
use super::rows::{Rows, under};
use super::spread::zipf_share;
use crate::Context;

/// Writes and reads per second of the hottest partition. The newest bucket takes all that its key takes; shards share what is
/// written, but a read visits them all unless it knows the row's key.
pub(super) fn of(context: Context<'_>, table: &PlannedTable, rows: &Rows) -> (f64, f64) {
    let popular = popularity(context.concept, &rows.anchors);
    let shards = f64::from(table.shards());
    let writes = context.workload.writes.iter().map(|write| hits(write, table, rows, popular));
    let reads = table.serves.iter().filter_map(|served| {
        let read = context.workload.reads.get(served.read)?;
        let visited = if knows_shard(table, read, served) { shards } else { 1.0 };
        Some(read.rate.value * popular / visited)
    });
    (writes.sum::<f64>() / shards, reads.sum())
}

/// The share of uses that the most popular value of the key has.
fn popularity(concept: &Concept, anchors: &[Anchor]) -> f64 {
    anchors.iter().map(|anchor| share(concept, anchor)).product()
}

fn share(concept: &Concept, anchor: &Anchor) -> f64 {
    let skew_of =
        |entity: usize, attribute: usize| concept.entities[entity].attributes[attribute].skew;
    let (values, skew) = match &anchor.fixes {
        Fixes::Row { entity, key } => {
            let referred = anchor
                .path
                .last()
                .map(|link| concept.entities[link.entity].references[link.reference].skew);
            let own = key.iter().map(|at| skew_of(*entity, *at));
            let skews = referred.into_iter().chain(own);
            let skew = skews.max_by(|a, b| exponent(*a).total_cmp(&exponent(*b)));
            (concept.entities[*entity].rows.value, skew.unwrap_or(Skew::Uniform))
        }
        Fixes::Value { entity, attribute } | Fixes::Element { entity, attribute } => {
            let found = &concept.entities[*entity].attributes[*attribute];
            (found.distinct.value, found.skew)
        }
        Fixes::Prefix { .. } => (under(concept, anchor).today.values, Skew::Uniform),
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
fn hits(write: &Write, table: &PlannedTable, rows: &Rows, popular: f64) -> f64 {
    let rate = write.rate.value;
    if write.entity == rows.entity {
        return match &write.kind {
            WriteKind::Insert(_) => rate * rows.each * popular.max(largest_share(rows)),
            WriteKind::Update(..) if !stores_what_changes(write, table) => 0.0,
            WriteKind::Update(..) | WriteKind::Delete(_) => rate * rows.each.min(1.0) * popular,
        };
    }
    // Another entity of the join: what the table copies of it changes.
    if stores_what_changes(write, table) { rate * popular } else { 0.0 }
}

/// Whether a table stores something that an update sets, or that a delete of a joined entity takes away.
fn stores_what_changes(write: &Write, table: &PlannedTable) -> bool {
    let set: Option<Vec<_>> = match &write.kind {
        WriteKind::Insert(_) => return false,
        WriteKind::Update(set, _) => Some(set.iter().map(|one| one.attribute).collect()),
        WriteKind::Delete(_) => None,
    };
    table.columns.iter().any(|column| {
        super::attribute_of(&column.derivation).is_some_and(|of| {
            let source = table.holds.sources.get(of.source);
            source.is_some_and(|source| source.entity == write.entity)
                && set.as_ref().is_none_or(|set| set.contains(&of.attribute))
        })
    })
}

/// The share of all rows that the largest partition has.
fn largest_share(rows: &Rows) -> f64 {
    let of = |largest: f64, all: f64| if all > 0.0 { (largest / all).min(1.0) } else { 0.0 };
    if rows.growing.daily.rows.max > 0.0 {
        of(rows.growing.daily.rows.max, rows.total_daily)
    } else {
        of(rows.growing.today.rows.max, rows.total)
    }
}

/// Whether a read knows the shard that it wants.
fn knows_shard(table: &PlannedTable, read: &Read, served: &Served) -> bool {
    use model::plan::Derivation::Shard;
    let Some(of) = table.partition_key().find_map(|column| match &column.derivation {
        Shard { of, .. } => Some(of),
        _ => None,
    }) else {
        return false;
    };
    let equal = |wanted| {
        read.conditions.iter().any(|condition| match condition.test {
            Test::Compare { column, comparison: Comparison::Equal, .. } => {
                served.column(column) == Some(wanted)
            }
            _ => false,
        })
    };
    of.iter().all(|wanted| equal(*wanted))
}
