//! How long an entry of a view lives, and when it was lost.

use storage::deletion::{EXPIRED_TTL, NO_DELETION_TIME, NO_TIMESTAMP, NO_TTL};
use storage::{Cell, ColumnId, Liveness, Row};

use crate::node::view_plan::{ColumnUse, ViewPlan};

/// The cell of a column without elements.
pub(super) fn cell_of(row: &Row, column: ColumnId) -> Option<Cell<'_>> {
    row.cells().find(|cell| cell.column == column)
}

/// The liveness of the entry of a row.
///
/// With a key column of its own, an entry lives as long as that column's value. Otherwise it lives as long as the row,
/// and a row may live by columns that the view has not: they then lend it their timestamp and lifetime.
pub(super) fn of_entry(plan: &ViewPlan, row: &Row, now_seconds: i64) -> Liveness {
    if let Some(column) = plan.key_column {
        return cell_of(row, column).map_or(Liveness::NONE, |cell| Liveness {
            timestamp: cell.timestamp,
            ttl: cell.ttl,
            expires_at: cell.local_time,
        });
    }
    let own = row.liveness();
    if plan.include_all {
        return own;
    }
    let mut timestamp = own.timestamp;
    let mut lasts = false;
    let mut longest: Option<Cell<'_>> = None;
    for cell in unselected(plan, row).filter(|cell| cell.is_live(now_seconds)) {
        timestamp = timestamp.max(cell.timestamp);
        if !cell.is_expiring() {
            lasts = true;
        } else if longest.is_none_or(|longest| cell.local_time > longest.local_time) {
            longest = Some(cell);
        }
    }
    if lasts || (own.is_live(now_seconds) && own.ttl == NO_TTL) {
        return Liveness::at(timestamp);
    }
    match longest {
        Some(cell) if !own.is_live(now_seconds) || cell.local_time > own.expires_at => {
            Liveness { timestamp, ttl: cell.ttl, expires_at: cell.local_time }
        }
        _ => own,
    }
}

/// When the entry of a row was lost.
pub(super) fn lost_at(plan: &ViewPlan, before: &Row, after: &Row) -> i64 {
    let deletion = after.deletion();
    if let Some(column) = plan.key_column {
        let timestamp = cell_of(before, column).map_or(NO_TIMESTAMP, |cell| cell.timestamp);
        return if deletion.covers(timestamp) { deletion.timestamp } else { timestamp };
    }
    let timestamp = deletion.timestamp.max(before.liveness().timestamp);
    if plan.include_all {
        return timestamp;
    }
    // Live or dead: it may have been what the entry lived by.
    unselected(plan, before).fold(timestamp, |latest, cell| latest.max(cell.timestamp))
}

/// The liveness of an entry that is lost at a time.
pub(super) fn lost(timestamp: i64, now_seconds: i64) -> Liveness {
    let now = i32::try_from(now_seconds).unwrap_or(NO_DELETION_TIME - 1);
    Liveness { timestamp, ttl: EXPIRED_TTL, expires_at: now }
}

fn unselected<'r>(plan: &'r ViewPlan, row: &'r Row) -> impl Iterator<Item = Cell<'r>> {
    row.cells().filter(|cell| plan.use_of(cell.column) == ColumnUse::Unselected)
}
