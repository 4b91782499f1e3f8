//! Which tables have a part of a read beside the one that has its rows.

use model::id::{Numbered, SourceId, TableId};
use model::plan::{Part, PlannedTable, Served};
use model::workload::Read;

use super::columns::View;
use crate::Context;

/// The tables of a read beside the one that has its rows, with their positions.
#[derive(Default)]
pub(super) struct Parts<'a> {
    /// The one that finds the keys by which the rows are read.
    pub(super) keys: Option<(TableId, View<'a>)>,
    /// Those in which more is looked up for each row.
    pub(super) lookups: Vec<(TableId, View<'a>)>,
}

impl<'a> Parts<'a> {
    /// Those of a read.
    pub(super) fn of(
        context: Context<'a>,
        tables: &'a [PlannedTable],
        read: &'a Read,
        rows: &Served,
    ) -> Self {
        let mut parts = Self::default();
        for (at, table) in tables.numbered() {
            for served in table.serves.iter().filter(|served| served.read == rows.read) {
                let view = View::new(context.concept, table, read, served);
                match served.part {
                    Part::Rows => {}
                    Part::Keys => parts.keys = parts.keys.or(Some((at, view))),
                    Part::Columns | Part::Counters | Part::Elements => {
                        parts.lookups.push((at, view));
                    }
                }
            }
        }
        parts
    }

    /// Whether rows are dropped because something that they refer to is looked up and is not there.
    pub(super) fn may_drop(&self, rows: View<'_>) -> bool {
        let held =
            |view: View<'_>, source: SourceId| view.sources.at(source).copied().flatten().is_some();
        rows.read.sources.ids().any(|source| {
            !held(rows, source)
                && !self.keys.is_some_and(|(_, keys)| held(keys, source))
                && rows.may_be_absent(source)
        })
    }
}
