//! The cost of an index: its upkeep with each row written, and its storage.

use model::id::IdList;
use model::plan::{Effort, PlannedIndex, PlannedTable};

use crate::volume;
use crate::{Context, Target};

/// Bytes of an entry beside the value: the pointer to its row.
const ROW_POINTER_BYTES: f64 = 16.0;
/// The cost of an entry of a storage-attached index relative to a row written: it is written to
/// memory and disk with the row.
const SAI_WRITE_SHARE: f64 = 0.25;
/// The same for a secondary index: a row of a hidden table on the same node.
const SECONDARY_WRITE_SHARE: f64 = 0.5;

/// The effort of index upkeep for each row that gets a value in its column.
pub(crate) fn index_entry_effort(
    context: Context<'_>,
    table: &PlannedTable,
    index: &PlannedIndex,
) -> Effort {
    let written_bytes = entry_bytes(context, table, index);
    if index.attached {
        return Effort { written: SAI_WRITE_SHARE, written_bytes, ..Effort::default() };
    }
    if context.options.target == Target::Scylla {
        // The index is a view: the server reads the old row, and writes to another partition.
        let read = Effort { partitions: 1.0, rows: 1.0, ..Effort::default() };
        return Effort { written: 1.0, written_bytes, ..read };
    }
    Effort { written: SECONDARY_WRITE_SHARE, written_bytes, ..Effort::default() }
}

/// Bytes of all indexes of a table, for each of its rows.
pub(super) fn bytes_per_row(context: Context<'_>, table: &PlannedTable) -> f64 {
    table.indexes.iter().map(|index| entry_bytes(context, table, index)).sum()
}

/// Bytes of an entry.
fn entry_bytes(context: Context<'_>, table: &PlannedTable, index: &PlannedIndex) -> f64 {
    let of =
        table.column(&index.column).and_then(|column| volume::attribute_of(&column.derivation));
    let attribute = of.and_then(|of| {
        let source = table.holds.sources.member(of.source)?;
        context.concept.entities.member(source.entity)?.attributes.member(of.attribute)
    });
    ROW_POINTER_BYTES + attribute.map_or(0.0, |attribute| attribute.bytes.value)
}
