//! [`IndexTarget`]: which part of a row an index is on.

use std::borrow::Cow;
use std::sync::Arc;

use cql::types::{NativeType, Type};
use schema::catalog::{self, ColumnKind, IndexClass, IndexPart};
use storage::{
    Cell, ColumnId, DecoratedKey, Layout, Memtable, PartitionSlice, PartitionUpdate, Row, Slice,
    SliceFilter, byte_comparable, position,
};

use super::analyzer::Analyzer;
use super::entry::IndexEntry;
use crate::node::handle::TableHandle;

/// The maximum size of a value in a storage-attached index; longer ones are not indexed.
const TERM_MAX: usize = 8192;

/// The target of an index.
#[derive(Debug)]
pub(crate) struct IndexTarget {
    place: IndexedColumn,
    part: IndexedPart,
    analyzer: Option<Analyzer>,
    /// Whether values may have any length.
    is_boundless: bool,
    layout: Arc<Layout>,
    /// Whether partition keys have several components.
    is_composite: bool,
}

#[derive(Clone, Copy, Debug)]
enum IndexedColumn {
    Partition(usize),
    Clustering(usize),
    Static(ColumnId),
    Regular(ColumnId),
}

/// What became of the row of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntryState {
    /// It has the value.
    Current,
    /// It is gone, or has another value.
    Stale,
    /// A range tombstone covers it. The server reads it again and again by a built-in index.
    InDeletedRange,
}

/// The indexed part of a column, with its type.
#[derive(Debug)]
enum IndexedPart {
    Whole(Type),
    /// The values of cells: elements of a list, values of a map.
    Values(Type),
    /// The paths of cells: elements of a set, keys of a map.
    Keys(Type),
    /// The paths and values of cells: entries of a map.
    Entries(Type, Type),
}

impl IndexTarget {
    /// The target of an index; `None` for one without entries: on vectors, or of an unknown class.
    pub(crate) fn for_index(
        table: &TableHandle,
        column: usize,
        index: &catalog::Index,
        analyzer: Option<Analyzer>,
    ) -> Option<Self> {
        let definition = table.definition.columns().get(column)?;
        if !matches!(index.class, IndexClass::Legacy | IndexClass::Sai) {
            return None;
        }
        let place = match definition.kind {
            ColumnKind::Partition => IndexedColumn::Partition(definition.position),
            ColumnKind::Clustering => IndexedColumn::Clustering(definition.position),
            ColumnKind::Static => IndexedColumn::Static(table.column_id(column)?),
            ColumnKind::Regular => IndexedColumn::Regular(table.column_id(column)?),
        };
        let is_built_in = index.class == IndexClass::Legacy;
        // A built-in index finds bytes: equal decimals of different scales are different values.
        let term_type = |ty: &Type| if is_built_in { NativeType::Blob.into() } else { ty.clone() };
        let part = match &definition.ty {
            Type::Vector(..) if !is_built_in => return None,
            Type::List(element, _) if definition.is_multi_cell() => {
                IndexedPart::Values(term_type(element))
            }
            Type::Set(element, _) if definition.is_multi_cell() => {
                IndexedPart::Keys(term_type(element))
            }
            Type::Map(entry, _) if definition.is_multi_cell() => match index.part {
                IndexPart::Keys => IndexedPart::Keys(term_type(&entry.0)),
                IndexPart::Entries => {
                    IndexedPart::Entries(term_type(&entry.0), term_type(&entry.1))
                }
                _ => IndexedPart::Values(term_type(&entry.1)),
            },
            ty if definition.is_multi_cell() && ty.is_collection() => return None,
            ty => IndexedPart::Whole(term_type(ty)),
        };
        Some(Self {
            place,
            part,
            analyzer,
            is_boundless: is_built_in,
            layout: Arc::clone(&table.layout),
            is_composite: table.definition.partition_key().len() > 1,
        })
    }

    /// Whether its entries are of whole partitions.
    pub(crate) fn is_partition_level(&self) -> bool {
        matches!(self.place, IndexedColumn::Partition(_) | IndexedColumn::Static(_))
    }

    /// Whether it is on a static column.
    pub(crate) fn is_static(&self) -> bool {
        matches!(self.place, IndexedColumn::Static(_))
    }

    /// The encoding of a value in the order of the index; `None` if it is too long.
    pub(crate) fn encode_term(&self, value: &[u8]) -> Option<Vec<u8>> {
        let ty = match &self.part {
            IndexedPart::Whole(ty)
            | IndexedPart::Values(ty)
            | IndexedPart::Keys(ty)
            | IndexedPart::Entries(ty, _) => ty,
        };
        let value = self.analyzer.map_or(Cow::Borrowed(value), |analyzer| analyzer.apply(value));
        let mut out = Vec::new();
        byte_comparable::encode(ty, &value, &mut out);
        (self.is_boundless || value.len() <= TERM_MAX).then_some(out)
    }

    /// The encoding of an entry of a map.
    pub(crate) fn encode_entry_term(&self, key: &[u8], value: &[u8]) -> Option<Vec<u8>> {
        let IndexedPart::Entries(key_type, value_type) = &self.part else { return None };
        let mut out = Vec::new();
        byte_comparable::encode(key_type, key, &mut out);
        byte_comparable::encode(value_type, value, &mut out);
        (self.is_boundless || key.len() + value.len() <= TERM_MAX).then_some(out)
    }

    pub(crate) fn entries_of_update(
        &self,
        update: &PartitionUpdate,
        add: &mut dyn FnMut(IndexEntry),
    ) {
        self.emit_entries(&update.key, update.statics.as_ref(), &update.rows, add);
    }

    pub(crate) fn entries_of_read(
        &self,
        key: &DecoratedKey,
        read: &PartitionSlice,
        add: &mut dyn FnMut(IndexEntry),
    ) {
        self.emit_entries(key, read.statics.as_ref(), &read.rows, add);
    }

    fn emit_entries(
        &self,
        key: &DecoratedKey,
        statics: Option<&Row>,
        rows: &[Row],
        add: &mut dyn FnMut(IndexEntry),
    ) {
        let partition = key.as_bytes();
        match self.place {
            IndexedColumn::Partition(at) => {
                if statics.into_iter().chain(rows).any(Row::has_content) {
                    let value = self.partition_value(key, at);
                    let term = self.encode_term(value.unwrap_or_default());
                    if let Some(term) = term {
                        add(IndexEntry::new(&term, partition, &[]));
                    }
                }
            }
            IndexedColumn::Static(column) => {
                for term in statics.into_iter().flat_map(|row| self.terms(row, column)) {
                    add(IndexEntry::new(&term, partition, &[]));
                }
            }
            IndexedColumn::Clustering(_) | IndexedColumn::Regular(_) => {
                let mut at = Vec::new();
                for row in rows {
                    let terms = self.row_terms(row);
                    if !terms.is_empty() {
                        at.clear();
                        position::encode_row(&self.layout, row.clustering(), &mut at);
                    }
                    for term in terms {
                        add(IndexEntry::new(&term, partition, &at));
                    }
                }
            }
        }
    }

    fn partition_value<'a>(&self, key: &'a DecoratedKey, at: usize) -> Option<&'a [u8]> {
        let mut rest = key.key();
        if !self.is_composite {
            return Some(rest);
        }
        for _ in 0..at {
            rest = take_component(rest)?.1;
        }
        Some(take_component(rest)?.0)
    }

    fn row_terms(&self, row: &Row) -> Vec<Vec<u8>> {
        match self.place {
            IndexedColumn::Clustering(at) if row.has_content() => row
                .clustering()
                .nth(at)
                .flatten()
                .and_then(|value| self.encode_term(value))
                .into_iter()
                .collect(),
            IndexedColumn::Regular(column) | IndexedColumn::Static(column) => {
                self.terms(row, column).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The values of the cells of a column, including expired ones: nothing happens when a cell
    /// expires.
    fn terms<'a>(&'a self, row: &'a Row, column: ColumnId) -> impl Iterator<Item = Vec<u8>> + 'a {
        let own = row
            .cells()
            .skip_while(move |cell| cell.column < column)
            .take_while(move |cell| cell.column == column);
        own.filter(|cell| !cell.is_tombstone()).filter_map(|cell| self.cell_term(&cell))
    }

    fn cell_term(&self, cell: &Cell<'_>) -> Option<Vec<u8>> {
        match &self.part {
            IndexedPart::Whole(_) | IndexedPart::Values(_) => self.encode_term(cell.value),
            IndexedPart::Keys(_) => self.encode_term(cell.path.unwrap_or_default()),
            IndexedPart::Entries(..) => {
                self.encode_entry_term(cell.path.unwrap_or_default(), cell.value)
            }
        }
    }

    /// Whether the row of an entry still has its value.
    pub(crate) fn is_current(&self, table: &Memtable, entry: &IndexEntry) -> bool {
        self.find_state(table, entry) == EntryState::Current
    }

    /// What became of the row of an entry.
    pub(crate) fn find_state(&self, table: &Memtable, entry: &IndexEntry) -> EntryState {
        let start = entry.position();
        // The smallest position after the row's own.
        let end = [start, &[0]].concat().into();
        let slice = [Slice { start: start.into(), end }];
        let max_rows = if self.is_partition_level() { 0 } else { usize::MAX };
        let slice_filter = SliceFilter { slices: &slice, reversed: false, after: None, max_rows };
        let Some(read) = table.read(&entry.key(), slice_filter) else { return EntryState::Stale };
        let row = match self.place {
            IndexedColumn::Partition(_) => return EntryState::Current,
            IndexedColumn::Static(_) => read.statics.as_ref(),
            IndexedColumn::Clustering(_) | IndexedColumn::Regular(_) => read.rows.first(),
        };
        let has_term = |row: &Row| self.row_terms(row).iter().any(|term| **term == *entry.term());
        match row {
            Some(row) if has_term(row) => EntryState::Current,
            None if self.is_boundless && !read.ranges.is_empty() => EntryState::InDeletedRange,
            _ => EntryState::Stale,
        }
    }
}

/// The first component of a composite key, and the rest.
fn take_component(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (value, rest) = rest.split_at_checked(usize::from(u16::from_be_bytes(*length)))?;
    Some((value, rest.get(1..).unwrap_or_default()))
}
