//! Partitions that are written or read too often.

use model::plan::{About, Note, NoteKind, PlannedTable};

use super::note;
use super::review::Review;
use crate::figures::rate;

/// What is left of the heat of writes after shards, and the heat of reads, which shards do not relieve.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let limits = &review.context.options.limits;
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let volume = &table.volume;
        if volume.hottest_writes > limits.hot_writes {
            let message = format!(
                "the hottest partition of `{}` takes {} writes, more than {}",
                table.name,
                rate(volume.hottest_writes),
                rate(limits.hot_writes)
            );
            let help = cooler(table);
            notes.push(note(NoteKind::Warning, About::Table(at), message, help));
        }
        if volume.hottest_reads > limits.hot_reads {
            let sharded =
                if table.shards() > 1 { ", its shards all being read each time" } else { "" };
            let message = format!(
                "the hottest partition of `{}` is read {}{sharded}, more than {}",
                table.name,
                rate(volume.hottest_reads),
                rate(limits.hot_reads)
            );
            let help = "put a cache before it, keep a copy per group of readers, or search by a narrower key: shards do not help a read that visits them all";
            notes.push(note(NoteKind::Warning, About::Table(at), message, help));
        }
    }
    notes
}

/// What to do about a partition that is written too often.
fn cooler(table: &PlannedTable) -> &'static str {
    if table.is_counter() {
        "count in the application and add the sums up every second, or count by a finer key and add up when reading"
    } else {
        "search by one more attribute, so that the writes spread over more partitions"
    }
}
