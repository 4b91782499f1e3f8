//! Partition keys that are free text, such as tags: some values are far more frequent than others,
//! even if no skew is declared.

use cql::types::{NativeType, Type};
use model::concept::Skew;
use model::plan::topic::SpreadTopic;
use model::plan::{Derivation, Note, NoteKind, NoteSubject, PlannedColumn, PlannedTable};
use model::workload::Column;

use super::cardinality::PartitionSpread;
use super::review::{Review, source_columns};
use super::{cardinality, note};

/// Rows under one value from which its popularity matters: an almost unique value has none.
const LEAST: f64 = 10.0;

/// A warning for each table that stays within the limits only if values are equally frequent.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let limit = review.context.options.limits.partition_rows;
    let mut notes = Vec::new();
    for (at, table) in review.tables().filter(|(_, table)| is_doubtful(review, table)) {
        let volume = &table.volume;
        let later = volume.rows_after(review.horizon());
        let shards = f64::from(table.shards());
        let values = volume.partitions / shards;
        let top = 1.0 / harmonic(values);
        let rows = values * later.mean * top;
        if rows <= limit || later.max >= rows || later.mean * shards < LEAST {
            continue;
        }
        let topic = SpreadTopic::EvenWords {
            table: table.name.clone(),
            key: key_without_shard(table).map(|column| column.name.clone()).collect(),
            partitions: volume.partitions,
            rows: later.mean,
            top_share: top,
            top_rows: rows,
            attributes: attributes(review, table),
        };
        notes.push(note(NoteKind::Warning, NoteSubject::Table(at), topic));
    }
    notes
}

/// Whether a table depends on equally frequent values, and nothing else is wrong with its key.
/// (Growth in buckets depends on the current rate, not on the sum.)
fn is_doubtful(review: Review<'_>, table: &PlannedTable) -> bool {
    table.bucket().is_none()
        && !table.is_counter()
        && is_free_text_key(review, table)
        && cardinality::partition_spread(review, table) != PartitionSpread::Few
}

/// The attributes that the partition key is made from.
fn attributes(review: Review<'_>, table: &PlannedTable) -> Vec<String> {
    let of = table.partition_key().flat_map(source_columns);
    of.filter_map(|of| review.attribute(table, of)).map(|one| one.name.clone()).collect()
}

/// The columns of the partition key but for the shard.
fn key_without_shard(table: &PlannedTable) -> impl Iterator<Item = &PlannedColumn> {
    table.partition_key().filter(|column| !matches!(column.derivation, Derivation::Shard { .. }))
}

/// Whether the partition key is text that identifies nothing and has no declared skew.
fn is_free_text_key(review: Review<'_>, table: &PlannedTable) -> bool {
    let mut columns = key_without_shard(table).peekable();
    columns.peek().is_some()
        && columns.all(|column| {
            let text = matches!(column.ty, Type::Native(NativeType::Text | NativeType::Ascii));
            text && source_columns(column).into_iter().all(|of| is_free_text(review, table, of))
        })
}

/// Whether an attribute is neither in a key nor a reference, and has no declared skew.
fn is_free_text(review: Review<'_>, table: &PlannedTable, of: Column) -> bool {
    let Some(entity) = review.entity(table, of.source) else { return false };
    let named = entity.keys.iter().any(|key| key.contains(&of.attribute))
        || entity.references.iter().any(|one| one.attributes.contains(&of.attribute));
    let attribute = review.attribute(table, of);
    !named && attribute.is_some_and(|attribute| attribute.skew == Skew::Uniform)
}

/// The harmonic number 1 + 1/2 + ... + 1/n, approximated with Euler's constant.
fn harmonic(n: f64) -> f64 {
    if n < 2.0 { 1.0 } else { n.ln() + 0.577_215_7 + 0.5 / n }
}
