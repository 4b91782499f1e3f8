//! The tables with parts of a read other than its rows.

use model::id::{IdList, SourceId, TableId};
use model::plan::{PlannedTable, ReadPart, ServedRead};
use model::workload::Read;

use super::columns::ReadView;
use crate::Context;

/// The tables with parts of a read other than its rows, with their positions.
#[derive(Default)]
pub(super) struct ReadParts<'a> {
    /// The one that finds the keys by which the rows are read.
    pub(super) keys: Option<(TableId, ReadView<'a>)>,
    /// Those in which more is looked up for each row.
    pub(super) lookups: Vec<(TableId, ReadView<'a>)>,
}

impl<'a> ReadParts<'a> {
    /// The parts of a read.
    pub(super) fn new(
        context: Context<'a>,
        tables: &'a [PlannedTable],
        read: &'a Read,
        rows: &ServedRead,
    ) -> Self {
        let mut parts = Self::default();
        for (at, table) in tables.enumerate_ids() {
            for served in table.serves.iter().filter(|served| served.read == rows.read) {
                let view = ReadView::new(context.concept, table, read, served);
                match served.part {
                    ReadPart::Rows => {}
                    ReadPart::Keys => parts.keys = parts.keys.or(Some((at, view))),
                    ReadPart::Columns | ReadPart::Counters | ReadPart::Elements => {
                        parts.lookups.push((at, view));
                    }
                }
            }
        }
        parts
    }

    /// Whether rows are dropped because a row that they refer to is looked up and absent.
    pub(super) fn can_drop_rows(&self, rows: ReadView<'_>) -> bool {
        let held = |view: ReadView<'_>, source: SourceId| {
            view.sources.member(source).copied().flatten().is_some()
        };
        rows.read.sources.ids().any(|source| {
            !held(rows, source)
                && !self.keys.is_some_and(|(_, keys)| held(keys, source))
                && rows.can_be_absent(source)
        })
    }
}
