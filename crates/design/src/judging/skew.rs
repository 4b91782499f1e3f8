//! Partition keys that are words of people: they are not used evenly, whatever the file leaves unsaid.

use cql::types::{NativeType, Type};
use model::concept::Skew;
use model::plan::{About, Derivation, Note, NoteKind, PlannedTable};
use model::workload::Column;

use super::judged::{Judged, listed, made_from};
use super::note;
use crate::figures::{count, counted, share};

/// A warning for each table that keeps within the bound only if words are used evenly.
pub(super) fn notes(judged: Judged<'_>) -> Vec<Note> {
    let limit = judged.context.options.limits.partition_rows;
    let mut notes = Vec::new();
    for (at, table) in judged.tables() {
        // Growth in buckets is a matter of the moment, not of the sum.
        if table.bucket().is_some() || table.is_counter() || !is_of_words(judged, table) {
            continue;
        }
        let volume = &table.volume;
        let later = volume.rows_after(judged.horizon());
        let top = 1.0 / harmonic(volume.partitions);
        let rows = volume.partitions * later.mean * top / f64::from(table.shards());
        if rows <= limit || later.max >= rows {
            continue;
        }
        let names: Vec<&str> = table.partition_key().map(|column| column.name.as_str()).collect();
        let message = format!(
            "`{}` has a partition for each {} ({} of {} on average), taken as evenly used: if some are as popular as words are, the first has {} of all, {}",
            table.name,
            listed(&names),
            count(volume.partitions),
            counted(later.mean, "row"),
            share(top),
            counted(rows, "row")
        );
        let help =
            format!("say with @skew how evenly {} is used", listed(&attributes(judged, table)));
        notes.push(note(NoteKind::Warning, About::Table(at), message, help));
    }
    notes
}

/// The attributes that the partition key is made from.
fn attributes<'a>(judged: Judged<'a>, table: &PlannedTable) -> Vec<&'a str> {
    let of = table.partition_key().flat_map(made_from);
    of.filter_map(|of| judged.attribute(table, of)).map(|one| one.name.as_str()).collect()
}

/// Whether the partition key is text that names nothing unique and of which no skew is stated.
fn is_of_words(judged: Judged<'_>, table: &PlannedTable) -> bool {
    let mut columns = table
        .partition_key()
        .filter(|column| !matches!(column.derivation, Derivation::Shard { .. }))
        .peekable();
    columns.peek().is_some()
        && columns.all(|column| {
            let text = matches!(column.ty, Type::Native(NativeType::Text | NativeType::Ascii));
            text && made_from(column).into_iter().all(|of| is_word(judged, table, of))
        })
}

/// Whether an attribute is neither in a key nor a reference, and no skew is stated.
fn is_word(judged: Judged<'_>, table: &PlannedTable, of: Column) -> bool {
    let Some(entity) = judged.entity(table, of.source) else { return false };
    let named = entity.keys.iter().any(|key| key.contains(&of.attribute))
        || entity.references.iter().any(|one| one.attributes.contains(&of.attribute));
    let attribute = judged.attribute(table, of);
    !named && attribute.is_some_and(|attribute| attribute.skew == Skew::Uniform)
}

/// 1 + 1/2 + ... + 1/n, by Euler's constant.
fn harmonic(n: f64) -> f64 {
    if n < 2.0 { 1.0 } else { n.ln() + 0.577_215_7 + 0.5 / n }
}
