//! Materialized views: what they stand on.

use model::plan::{About, Note, NoteKind};

use super::note;
use super::review::Review;

/// A warning for each view.
pub(super) fn notes(review: Review<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    for (at, table) in review.tables() {
        let base = table.view_of.and_then(|base| review.design.tables.get(base));
        let Some(base) = base else { continue };
        let message = format!(
            "`{}` is a materialized view of `{}`: experimental, off by default, and it may drift from its base without anything to repair it",
            table.name, base.name
        );
        let help = "set `materialized_views_enabled: true` in cassandra.yaml on every node and compare both from time to time, or design without --allow-views";
        notes.push(note(NoteKind::Warning, About::Table(at), message, help));
    }
    notes
}
