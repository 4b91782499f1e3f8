//! The time span of the files of a table, by its compaction and by the lifetime of its rows.

use model::plan::{FileSpan, FileSpanBasis, PlannedTable};
use model::workload::WriteKind;
use schema::compaction_window::CompactionWindow;

use super::{YEAR, is_dependent_on, retention};
use crate::Context;

/// The longest time to live that is set: ten years. Cassandra allows twenty, but refuses a write that
/// would expire after 2038-01-19, unless all its nodes store expiry times in the format of 5.0.
const LONGEST_LIFE: f64 = 315_360_000.0;

/// How the writes of an application change what a table holds.
pub(crate) struct TableMutations {
    /// A write deletes such rows.
    pub(crate) deletes: bool,
    /// A write changes them.
    pub(crate) updates: bool,
}

impl TableMutations {
    /// By what the workload does to the facts of which the rows are made.
    pub(crate) fn from_workload(context: Context<'_>, table: &PlannedTable) -> Self {
        let mut changes = Self { deletes: false, updates: false };
        for write in &context.workload.writes {
            if !table.holds.sources.iter().any(|source| source.entity == write.entity) {
                continue;
            }
            match &write.kind {
                WriteKind::Insert(_) | WriteKind::Upsert(_) | WriteKind::Rows(_) => {}
                WriteKind::Delete(_) => changes.deletes = true,
                WriteKind::Update(assignments, _) => {
                    changes.updates |= assignments.iter().any(|assignment| {
                        is_dependent_on(table, write.entity, assignment.attribute)
                    });
                }
            }
        }
        changes
    }
}

/// The time span of the files of a table: as stated, otherwise by its compaction and retention.
pub(super) fn derive_file_span(context: Context<'_>, table: &PlannedTable) -> FileSpan {
    if let Some(days) = context.options.file_span_days {
        return FileSpan { days, basis: FileSpanBasis::Stated };
    }
    let window = if table.options.is_finished() {
        table.options.window
    } else {
        let ttl = predict_single_write_ttl(context, table);
        ttl.map(|seconds| CompactionWindow::for_life(u64::from(seconds)).seconds())
    };
    let period = context.options.limits.years * YEAR;
    FileSpan::derive(window, retention(context.concept, table), period)
}

/// The time to live of rows that are inserted once and expire, which time windows are for; by what
/// the workload does, since the search has to price tables as they will be.
pub(crate) fn predict_single_write_ttl(context: Context<'_>, table: &PlannedTable) -> Option<u32> {
    let ttl = to_ttl(retention(context.concept, table)?)?;
    let changes = TableMutations::from_workload(context, table);
    (!changes.deletes && !changes.updates).then_some(ttl)
}

/// A retention as a time to live; `None` for one that is too long.
pub(crate) fn to_ttl(seconds: f64) -> Option<u32> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between one second and ten years"
    )]
    let ttl = seconds.ceil().max(1.0) as u32;
    (seconds <= LONGEST_LIFE).then_some(ttl)
}
