//! [`RowBuilder`]: collects the parts of a row, brings them into order and packs them.

use std::cmp::Ordering;

use super::merge::reconcile;
use super::packer::{RowPacker, entry_size};
use super::{Cell, Row, RowEntry, RowHeader};
use crate::deletion::{DeletionTime, LivenessInfo};
use crate::layout::{ColumnId, Layout};

/// The parts of a row before it is packed; values are borrowed.
#[derive(Clone, Debug)]
pub struct RowBuilder<'a> {
    clustering: Vec<Option<&'a [u8]>>,
    /// The liveness of the primary key.
    pub liveness: LivenessInfo,
    /// The deletion of the row.
    pub deletion: DeletionTime,
    entries: Vec<RowEntry<'a>>,
}

impl<'a> RowBuilder<'a> {
    /// An empty row with these clustering values; a static row has none.
    pub fn new(clustering: impl IntoIterator<Item = Option<&'a [u8]>>) -> Self {
        Self {
            clustering: clustering.into_iter().collect(),
            liveness: LivenessInfo::NONE,
            deletion: DeletionTime::LIVE,
            entries: Vec::new(),
        }
    }

    /// Adds a cell.
    pub fn add(&mut self, cell: Cell<'a>) {
        self.entries.push(RowEntry::Cell(cell));
    }

    /// Adds a deletion of all cells of a multi-cell column.
    pub fn delete_column(&mut self, column: ColumnId, deletion: DeletionTime) {
        self.entries.push(RowEntry::ColumnDeletion(column, deletion));
    }

    /// Whether it has neither liveness nor deletion nor entries.
    pub fn is_empty(&self) -> bool {
        self.liveness.is_none() && self.deletion.is_live() && self.entries.is_empty()
    }

    /// Packs the row: sorts its entries, merges entries with the same column and path as if they
    /// had been written by several statements, and drops what its own deletions cover. Most rows
    /// are added in order and without duplicates, so sorting is skipped where possible.
    pub fn build(mut self, layout: &Layout) -> Row {
        let is_ordered =
            |a: &RowEntry<'a>, b: &RowEntry<'a>| compare_entries(layout, a, b) == Ordering::Less;
        if !self.entries.is_sorted_by(is_ordered) {
            self.entries.sort_by(|a, b| compare_entries(layout, a, b));
            self.entries = merge_entries(layout, self.entries);
        }
        self.pack()
    }

    fn pack(self) -> Row {
        let (liveness, deletion) = (self.liveness, self.deletion);
        let header = RowHeader { liveness, deletion };
        let size = self.entries.iter().map(entry_size).sum();
        let mut packer = RowPacker::new(self.clustering.into_iter(), header, deletion, size);
        self.entries.iter().for_each(|entry| packer.push(entry));
        packer.finish()
    }
}

/// The order of entries: by column, its deletion first, then by path.
pub fn compare_entries(layout: &Layout, a: &RowEntry<'_>, b: &RowEntry<'_>) -> Ordering {
    a.column().cmp(&b.column()).then_with(|| match (a, b) {
        (RowEntry::ColumnDeletion(..), RowEntry::ColumnDeletion(..)) => Ordering::Equal,
        (RowEntry::ColumnDeletion(..), RowEntry::Cell(_)) => Ordering::Less,
        (RowEntry::Cell(_), RowEntry::ColumnDeletion(..)) => Ordering::Greater,
        (RowEntry::Cell(one), RowEntry::Cell(other)) => match (one.path, other.path) {
            (Some(one), Some(other)) => layout.compare_paths(a.column(), one, other),
            (one, other) => one.cmp(&other),
        },
    })
}

/// Merges sorted entries with the same column and path.
fn merge_entries<'a>(layout: &Layout, entries: Vec<RowEntry<'a>>) -> Vec<RowEntry<'a>> {
    let mut merged: Vec<RowEntry<'a>> = Vec::with_capacity(entries.len());
    for entry in entries {
        match merged.last_mut() {
            Some(last) if compare_entries(layout, last, &entry) == Ordering::Equal => {
                *last = match (*last, entry) {
                    (RowEntry::Cell(one), RowEntry::Cell(other)) => {
                        RowEntry::Cell(reconcile(layout, one, other))
                    }
                    (RowEntry::ColumnDeletion(column, one), RowEntry::ColumnDeletion(_, other)) => {
                        RowEntry::ColumnDeletion(column, one.merge(other))
                    }
                    (_, other) => other,
                };
            }
            _ => merged.push(entry),
        }
    }
    merged
}
