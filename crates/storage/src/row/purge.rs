//! Forgetting: deletions and expired cells that have been kept long enough.

use super::{Entry, Row, RowBuilder};
use crate::deletion::{Deletion, Liveness, NO_DELETION_TIME};

/// A row without what died before that second; `None` if nothing is left. What is left out must not be needed against
/// older data elsewhere.
pub fn purge(row: &Row, gc_before: i64) -> Option<Row> {
    let is_old = |time: i32| time != NO_DELETION_TIME && i64::from(time) < gc_before;
    let mut kept = RowBuilder::new(row.clustering());
    let (liveness, deletion) = (row.liveness(), row.deletion());
    kept.liveness = if is_old(liveness.expires_at) { Liveness::NONE } else { liveness };
    kept.deletion = if is_old(deletion.local_time) { Deletion::LIVE } else { deletion };
    for entry in row.entries() {
        let time = match entry {
            Entry::ColumnDeletion(_, deletion) => deletion.local_time,
            Entry::Cell(cell) => cell.local_time,
        };
        if !is_old(time) {
            kept.push(entry);
        }
    }
    (!kept.is_empty()).then(|| kept.pack())
}
