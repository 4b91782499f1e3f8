//! Partitions that are written or read too often.

use model::plan::topic::HeatTopic;
use model::plan::{Note, NoteKind, NoteSubject};

use super::note;
use super::review::Review;

/// The heat of writes that shards leave, and the heat of reads, which shards do not reduce.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let limits = &review.context.options.limits;
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let volume = &table.volume;
        if volume.hottest_writes > limits.hot_writes {
            let topic = HeatTopic::HotWrites {
                table: table.name.clone(),
                writes: volume.hottest_writes,
                limit: limits.hot_writes,
                is_counter: table.is_counter(),
            };
            notes.push(note(NoteKind::Warning, NoteSubject::Table(at), topic));
        }
        if volume.hottest_reads > limits.hot_reads {
            let topic = HeatTopic::HotReads {
                table: table.name.clone(),
                reads: volume.hottest_reads,
                limit: limits.hot_reads,
                is_sharded: table.shards() > 1,
            };
            notes.push(note(NoteKind::Warning, NoteSubject::Table(at), topic));
        }
    }
    notes
}
