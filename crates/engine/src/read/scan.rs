//! The reading itself: partition after partition, row after row, as far as limits and the page go.

use storage::{PartitionKey, Row};

use super::filter::Filter;
use super::joined::JoinedRow;
use super::live::LiveRow;
use super::paging::PagingState;
use super::source::Source;
use crate::cursor::PartitionCursor;
use crate::error::Result;
use crate::handle::TableHandle;

/// What rows go into.
pub(crate) trait Sink {
    /// Whether a row counts for limits and pages: all do, unless groups count.
    fn counts(&mut self, _row: &JoinedRow<'_>) -> Result<bool> {
        Ok(true)
    }

    /// Whether groups count, so that a page goes on behind its last row to the end of the group.
    fn counts_groups(&self) -> bool {
        false
    }

    /// Takes a row.
    fn take(&mut self, row: &JoinedRow<'_>) -> Result<()>;
}

/// What is read, and how far.
#[derive(Debug)]
pub(crate) struct Scan<'a> {
    pub(crate) handle: &'a TableHandle,
    pub(crate) filter: Filter<'a>,
    pub(crate) now_seconds: i64,
    /// Rows live by their insertion only.
    pub(crate) by_insertion_only: bool,
    /// A partition without rows answers with its static row.
    pub(crate) gives_lone_statics: bool,
    /// Rows or groups to read.
    pub(crate) wanted: u32,
    /// Rows or groups of one partition.
    pub(crate) per_partition: u32,
}

/// How far a reading came.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    /// Rows or groups.
    pub(crate) count: u32,
    /// The last row.
    pub(crate) last: Option<Last>,
}

/// The last row that was read.
#[derive(Debug)]
pub(crate) struct Last {
    key: PartitionKey,
    /// None where nothing can come after it in its partition.
    row: Option<Row>,
    taken: u32,
}

enum Flow {
    Continue,
    Stop,
}

impl Scan<'_> {
    /// Reads. `taken` is how much of a resumed partition was given before.
    pub(crate) fn run(
        &self,
        source: &mut Source,
        taken: u32,
        sink: &mut impl Sink,
    ) -> Result<Progress> {
        let mut progress = Progress::default();
        while let Some((mut cursor, resumed)) = source.next() {
            let taken = if resumed { taken } else { 0 };
            if let Flow::Stop = self.partition(&mut cursor, resumed, taken, &mut progress, sink)? {
                break;
            }
        }
        Ok(progress)
    }

    fn partition(
        &self,
        cursor: &mut PartitionCursor,
        resumed: bool,
        mut taken: u32,
        progress: &mut Progress,
        sink: &mut impl Sink,
    ) -> Result<Flow> {
        let partition_key = cursor.key.clone();
        let key = self.handle.partition_values(&partition_key);
        let statics = cursor.statics.take();
        let statics = statics.as_ref().and_then(|row| LiveRow::read_static(row, self.now_seconds));
        let partition = JoinedRow {
            handle: self.handle,
            key: &key,
            clustering: &[],
            statics: statics.as_ref(),
            row: None,
            now_seconds: self.now_seconds,
        };
        if !self.filter.admits_partition(&partition) {
            return Ok(Flow::Continue);
        }
        let mut had_rows = false;
        for row in cursor {
            let live = LiveRow::read(&row, self.now_seconds, self.by_insertion_only);
            let Some(live) = live else { continue };
            let clustering: Vec<Option<&[u8]>> = row.clustering().collect();
            let joined = JoinedRow { clustering: &clustering, row: Some(&live), ..partition };
            if !self.filter.admits_row(&joined) {
                continue;
            }
            had_rows = true;
            if sink.counts(&joined)? {
                if progress.count == self.wanted {
                    return Ok(Flow::Stop);
                }
                if taken == self.per_partition {
                    return Ok(Flow::Continue);
                }
                progress.count += 1;
                taken += 1;
            }
            sink.take(&joined)?;
            let is_full = !sink.counts_groups() && progress.count == self.wanted;
            let is_done = !sink.counts_groups() && taken == self.per_partition;
            if is_full || sink.counts_groups() {
                let row = (!clustering.is_empty()).then(|| row.clone());
                progress.last = Some(Last { key: partition_key.clone(), row, taken });
            }
            if is_full {
                return Ok(Flow::Stop);
            }
            if is_done {
                return Ok(Flow::Continue);
            }
        }
        if had_rows || resumed || !self.gives_lone_statics || statics.is_none() {
            return Ok(Flow::Continue);
        }
        self.lone_statics(&partition, &partition_key, progress, sink)
    }

    /// A partition that has a static row only.
    fn lone_statics(
        &self,
        partition: &JoinedRow<'_>,
        key: &PartitionKey,
        progress: &mut Progress,
        sink: &mut impl Sink,
    ) -> Result<Flow> {
        if sink.counts(partition)? {
            if progress.count == self.wanted {
                return Ok(Flow::Stop);
            }
            progress.count += 1;
        }
        sink.take(partition)?;
        progress.last = Some(Last { key: key.clone(), row: None, taken: 1 });
        let is_full = !sink.counts_groups() && progress.count == self.wanted;
        Ok(if is_full { Flow::Stop } else { Flow::Continue })
    }

    /// Where the next page begins, if there may be one: the server looks no further than the last row of a full page.
    pub(crate) fn next_page(
        &self,
        progress: Progress,
        source: &Source,
        left: Option<u32>,
    ) -> Option<PagingState> {
        let Progress { count, last } = progress;
        let left = left.map(|left| left.saturating_sub(count));
        if count < self.wanted || left == Some(0) {
            return None;
        }
        let last = last?;
        let partition_is_done = last.row.is_none() || last.taken >= self.per_partition;
        if partition_is_done && source.is_last_named() {
            return None;
        }
        let row = last.row.filter(|_| !partition_is_done);
        let position = |row: Row| {
            let clustering: Vec<_> = row.clustering().collect();
            self.handle.row_position(&clustering)
        };
        Some(PagingState { left, taken: last.taken, key: last.key, row: row.map(position) })
    }
}
