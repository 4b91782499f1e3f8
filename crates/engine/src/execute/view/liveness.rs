//! The liveness of view rows: how long they live, and the timestamp at which they are deleted
//! (Cassandra's `ViewUpdateGenerator.computeLivenessInfoForEntry` and
//! `computeTimestampForEntryDeletion`).

use storage::deletion::{EXPIRED_TTL, NO_DELETION_TIME, NO_TIMESTAMP, NO_TTL};
use storage::{Cell, ColumnId, LivenessInfo, Row};

use crate::node::view_plan::{ColumnUse, ViewPlan};

/// The cell of a single-cell column.
pub(super) fn find_cell(row: &Row, column: ColumnId) -> Option<Cell<'_>> {
    row.cells().find(|cell| cell.column == column)
}

/// The liveness of the view row of a base row.
///
/// If the view's key has a column that is not in the base key, the view row lives as long as that
/// column's value. Otherwise it lives as long as the base row, which may be live only by columns
/// that are not in the view: then it takes over their latest timestamp and longest TTL.
pub(super) fn entry_liveness(plan: &ViewPlan, row: &Row, now_seconds: i64) -> LivenessInfo {
    if let Some(column) = plan.key_column {
        return find_cell(row, column).map_or(LivenessInfo::NONE, |cell| LivenessInfo {
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
    let mut is_permanent = false;
    let mut longest: Option<Cell<'_>> = None;
    for cell in cells_outside_view(plan, row).filter(|cell| cell.is_live(now_seconds)) {
        timestamp = timestamp.max(cell.timestamp);
        if !cell.is_expiring() {
            is_permanent = true;
        } else if longest.is_none_or(|longest| cell.local_time > longest.local_time) {
            longest = Some(cell);
        }
    }
    if is_permanent || (own.is_live(now_seconds) && own.ttl == NO_TTL) {
        return LivenessInfo::new(timestamp);
    }
    match longest {
        Some(cell) if !own.is_live(now_seconds) || cell.local_time > own.expires_at => {
            LivenessInfo { timestamp, ttl: cell.ttl, expires_at: cell.local_time }
        }
        _ => own,
    }
}

/// The timestamp at which the view row of a base row is deleted: it must cover the view row's
/// liveness, but not one that is written again later.
pub(super) fn entry_deletion_timestamp(plan: &ViewPlan, before: &Row, after: &Row) -> i64 {
    let deletion = after.deletion();
    if let Some(column) = plan.key_column {
        let timestamp = find_cell(before, column).map_or(NO_TIMESTAMP, |cell| cell.timestamp);
        return if deletion.has_deleted(timestamp) { deletion.timestamp } else { timestamp };
    }
    let timestamp = deletion.timestamp.max(before.liveness().timestamp);
    if plan.include_all {
        return timestamp;
    }
    // Cells that are dead by now count as well: the view row may have been live by them.
    cells_outside_view(plan, before).fold(timestamp, |latest, cell| latest.max(cell.timestamp))
}

/// The liveness of a view row that is deleted at a timestamp. An expired liveness, unlike a
/// tombstone, does not cover cells of the view row that were written before it and may become
/// visible again.
pub(super) fn dead_liveness(timestamp: i64, now_seconds: i64) -> LivenessInfo {
    let now = i32::try_from(now_seconds).unwrap_or(NO_DELETION_TIME - 1);
    LivenessInfo { timestamp, ttl: EXPIRED_TTL, expires_at: now }
}

fn cells_outside_view<'r>(plan: &'r ViewPlan, row: &'r Row) -> impl Iterator<Item = Cell<'r>> {
    row.cells().filter(|cell| plan.column_use(cell.column) == ColumnUse::Unselected)
}
