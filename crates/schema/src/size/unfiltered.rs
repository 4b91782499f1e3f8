//! Rows: flags, clustering, sizes, liveness, and the cells of each column.

use cql::types::Type;

use super::number::{mean_vint, small, vint, with_length};
use super::value::{cell_bytes, divide, single};
use super::{CellState, ColumnLayout, PartitionLayout, RowOrigin, TimeRange};

/// The bytes of a row deletion, and of a complex column without a deletion if another one has one.
const LIVE_DELETION: f64 = 18.0;
/// The bytes of a TTL, stored as the difference from the minimum.
const TTL: f64 = 1.0;
/// The flags of a row.
const FLAGS: f64 = 1.0;

/// The encoding of the cells of a row.
struct RowEncoding {
    /// The bytes of a write timestamp.
    stamp: f64,
    /// The bytes of the timestamp before it, which the deletion of an assigned collection has.
    stamp_before: f64,
    /// The bytes of a local deletion or expiry time.
    local: f64,
    /// Whether the row has a timestamp, which its cells need not repeat.
    live: bool,
    /// The bytes of an expiry time, if cells expire.
    expiry: Option<f64>,
    /// The bytes of a counter.
    counter: f64,
}

/// The bytes of a row; `previous` are those of the row (or header) before it.
pub(super) fn row(layout: &PartitionLayout, times: TimeRange, previous: f64) -> f64 {
    let counts = layout.regulars.iter().any(|field| field.ty.is_counter());
    let live = layout.written == RowOrigin::Insert && !counts;
    let writing = RowEncoding::new(layout, times, live);
    let mut body = vint(previous);
    match layout.written {
        RowOrigin::Delete => {
            body += writing.stamp + writing.local + subset(&layout.regulars, |_| true);
        }
        RowOrigin::Insert | RowOrigin::Update => {
            if live {
                body += writing.stamp;
                body += writing.expiry.map_or(0.0, |expiry| TTL + expiry);
            }
            body += columns(&layout.regulars, &writing);
        }
    }
    FLAGS + clustering(&layout.clustering) + with_length(body)
}

/// The bytes of the static row; zero without static columns.
pub(super) fn static_row(layout: &PartitionLayout, times: TimeRange) -> f64 {
    if layout.statics.is_empty() {
        return 0.0;
    }
    let writing = RowEncoding::new(layout, times, false);
    let body = vint(0.0) + columns(&layout.statics, &writing);
    FLAGS + 1.0 + with_length(body)
}

/// The number of cells of a column.
pub(super) fn cells(field: &ColumnLayout) -> f64 {
    match (field.stored, &field.ty) {
        (CellState::Unset, _) => 0.0,
        (CellState::Null, ty) => f64::from(u8::from(!ty.is_multi_cell())),
        (_, Type::User(user, _)) if field.ty.is_multi_cell() => small(user.fields.len()),
        (_, ty) if ty.is_multi_cell() => field.items + field.added,
        _ => 1.0,
    }
}

/// The bytes of the clustering values: a header for each 32 of them.
fn clustering(columns: &[ColumnLayout]) -> f64 {
    let headers = small(columns.len().div_ceil(32));
    headers + columns.iter().map(cell_bytes).sum::<f64>()
}

/// The bytes of the column subset and the columns.
fn columns(fields: &[ColumnLayout], writing: &RowEncoding) -> f64 {
    let deletions = fields.iter().any(has_deletion);
    let all: f64 = fields.iter().map(|field| column(field, writing, deletions)).sum();
    subset(fields, |field| field.stored == CellState::Unset) + all
}

/// Whether the file has deletions.
fn has_deletions(layout: &PartitionLayout) -> bool {
    let mut fields = layout.regulars.iter().chain(&layout.statics);
    layout.beside_tombstones
        || fields.any(|field| has_deletion(field) || field.stored == CellState::Null)
}

/// Whether the column is an assigned collection, with a deletion.
fn has_deletion(field: &ColumnLayout) -> bool {
    field.ty.is_multi_cell()
        && matches!(field.stored, CellState::Value | CellState::Overwritten | CellState::Null)
}

/// The bytes of the column subset: zero if a row has all columns of the file, a bit for each column
/// up to 63, otherwise a list.
fn subset(fields: &[ColumnLayout], missing: impl Fn(&ColumnLayout) -> bool) -> f64 {
    // In a file, simple columns precede complex ones.
    let simple = fields.iter().filter(|field| !field.ty.is_multi_cell());
    let complex = fields.iter().filter(|field| field.ty.is_multi_cell());
    let absent: Vec<bool> = simple.chain(complex).map(missing).collect();
    let Some(last) = absent.iter().rposition(|absent| *absent) else { return 0.0 };
    if absent.len() < 64 {
        return small(last / 7 + 1).min(9.0);
    }
    let count = absent.iter().filter(|absent| **absent).count();
    let listed = absent.len() - count >= absent.len() / 2;
    let positions = absent.iter().enumerate().filter(|(_, absent)| **absent == listed);
    vint(small(count)) + positions.map(|(at, _)| vint(small(at))).sum::<f64>()
}

/// Bytes of one column of a row.
fn column(field: &ColumnLayout, writing: &RowEncoding, deletions: bool) -> f64 {
    match field.stored {
        CellState::Unset => 0.0,
        _ if field.ty.is_multi_cell() => complex(field, writing, deletions),
        CellState::Null => 1.0 + writing.own_stamp(field.stored) + writing.local,
        _ if field.ty.is_counter() => 1.0 + writing.stamp + with_length(writing.counter),
        CellState::Value | CellState::Overwritten | CellState::Added => {
            writing.cell(field.stored) + cell_bytes(field)
        }
    }
}

/// The bytes of a multi-cell column.
fn complex(field: &ColumnLayout, writing: &RowEncoding, deletions: bool) -> f64 {
    let deletion = match (has_deletion(field), deletions) {
        (true, _) => writing.stamp_before + writing.local,
        (false, true) => LIVE_DELETION,
        (false, false) => 0.0,
    };
    if field.stored == CellState::Null {
        return deletion + vint(0.0);
    }
    let count = cells(field);
    // An element that was added has its own timestamp, as a cell that was overwritten has.
    let added = if matches!(field.ty, Type::User(..)) { 0.0 } else { field.added };
    let later = writing.cell(CellState::Added);
    let flags = (count - added) * writing.cell(field.stored) + added * later;
    deletion + vint(count) + flags + elements(field, count)
}

/// The bytes of the elements of a multi-cell column: their paths and values.
fn elements(field: &ColumnLayout, count: f64) -> f64 {
    match &field.ty {
        // A list has a timeuuid for each element.
        Type::List(element, _) => count * (17.0 + value_bytes(single(element, field.bytes))),
        Type::Set(element, _) => count * with_length(single(element, field.bytes)),
        Type::Map(entry, _) => {
            let parts = divide(&[&entry.0, &entry.1], field.bytes);
            count * (with_length(parts[0]) + value_bytes(parts[1]))
        }
        // The fields of a user type have their positions.
        ty => divide(&ty.parts(), field.bytes).into_iter().map(|it| 3.0 + value_bytes(it)).sum(),
    }
}

/// The bytes of a value in a multi-cell column: always with its length, unless it is empty.
fn value_bytes(bytes: f64) -> f64 {
    if bytes > 0.0 { with_length(bytes) } else { 0.0 }
}

impl RowEncoding {
    fn new(layout: &PartitionLayout, times: TimeRange, live: bool) -> Self {
        let TimeRange { first, last } = times;
        let before = |micros: f64| (micros - 1.0).max(0.0);
        Self {
            stamp: mean_vint(first.micros, last.micros),
            stamp_before: mean_vint(before(first.micros), before(last.micros)),
            local: mean_vint(first.seconds, last.seconds),
            live,
            expiry: layout.expires.map(|seconds| {
                // Relative to the oldest deletion of the file, if it has any; otherwise to the
                // first expiry.
                let from = if has_deletions(layout) { seconds } else { 0.0 };
                mean_vint(from + first.seconds, from + last.seconds)
            }),
            counter: 2.0 + 34.0 * layout.counter_shards.max(1.0),
        }
    }

    /// The bytes of the timestamp of a cell.
    fn own_stamp(&self, stored: CellState) -> f64 {
        if self.is_written_with_row(stored) { 0.0 } else { self.stamp }
    }

    /// The bytes of a cell's flags, timestamp and expiry.
    fn cell(&self, stored: CellState) -> f64 {
        let expiry = self.expiry.filter(|_| !self.is_written_with_row(stored));
        1.0 + self.own_stamp(stored) + expiry.map_or(0.0, |expiry| expiry + TTL)
    }

    /// Whether the cell was written with its row.
    fn is_written_with_row(&self, stored: CellState) -> bool {
        self.live && matches!(stored, CellState::Value | CellState::Null)
    }
}
