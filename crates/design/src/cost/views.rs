//! The server's upkeep of a materialized view.

use model::plan::{Effort, PlannedTable};

/// The effort of a view for each row of its base that is written, with these columns, or deleted:
/// the old row is read under a lock, and the change goes to another node through a log. A new value
/// in the view's key deletes the old row, too.
pub(crate) fn view_row_effort(view: &PlannedTable, (assigned, deletes): (&[&str], bool)) -> Effort {
    let is_set = |name: &str| assigned.contains(&name);
    if !deletes && !view.columns.iter().any(|column| is_set(&column.name)) {
        // The server reads before it knows that nothing changes.
        return Effort { partitions: 1.0, rows: 1.0, ..Effort::default() };
    }
    let moves = view.columns.iter().any(|column| column.is_key() && is_set(&column.name));
    Effort {
        partitions: 1.0,
        rows: 1.0,
        bytes: view.volume.row_bytes,
        written: if deletes { 0.0 } else { 1.0 },
        written_bytes: if deletes { 0.0 } else { view.volume.row_bytes },
        deleted: if deletes || moves { 1.0 } else { 0.0 },
        logged: 1.0,
        ..Effort::default()
    }
}
