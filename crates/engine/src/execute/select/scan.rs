//! The reading itself: partition after partition, row after row, as far as limits and the page go.

use storage::{PartitionKey, Row};

use super::paging::PagingState;
use super::source::Source;
use super::tombstones::Meter;
use crate::error::Result;
use crate::node::handle::TableHandle;
use crate::record::AccessRecorder;
use crate::rows::cursor::PartitionCursor;
use crate::rows::filter::Filter;
use crate::rows::joined::JoinedRow;
use crate::rows::live::{LiveRow, Moment};

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
    pub(crate) moment: Moment,
    /// Takes down what is read, if somebody wants to know.
    pub(crate) recorder: Option<&'a AccessRecorder>,
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

enum Step {
    Next,
    EndPartition,
    EndPage,
}

/// What was read of the partition at hand.
struct OfPartition {
    /// Rows or groups, those of earlier pages too.
    taken: u32,
    any: bool,
}

/// A reading under way.
struct Reading<'r, 'm, S> {
    scan: &'r Scan<'r>,
    meter: &'r mut Meter<'m>,
    sink: &'r mut S,
    progress: Progress,
}

impl Scan<'_> {
    /// Reads. `taken` is how much of a resumed partition was given before.
    pub(crate) fn run(
        &self,
        source: &mut Source,
        taken: u32,
        meter: &mut Meter<'_>,
        sink: &mut impl Sink,
    ) -> Result<Progress> {
        let mut reading = Reading { scan: self, meter, sink, progress: Progress::default() };
        let mut last = None;
        while let Some((mut cursor, resumed)) = source.next() {
            let taken = resumed.then_some(taken);
            let key = cursor.key.clone();
            if let Some(recorder) = self.recorder {
                recorder.open_partition(key.key());
            }
            let flow = reading.partition(&mut cursor, &key, taken)?;
            reading.meter.end_partition(&key);
            last = Some(key);
            if let Flow::Stop = flow {
                break;
            }
        }
        reading.meter.end(last.as_ref());
        Ok(reading.progress)
    }

    fn record_refusal(&self, row: &JoinedRow<'_>) {
        if let Some(recorder) = self.recorder {
            recorder.leave_out(&self.filter.refused_columns(row));
        }
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
        if partition_is_done && source.is_last_named(&last.key) {
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

impl<S: Sink> Reading<'_, '_, S> {
    /// Reads a partition; `taken` is how much of it was given before, if it is resumed.
    fn partition(
        &mut self,
        cursor: &mut PartitionCursor,
        partition_key: &PartitionKey,
        taken: Option<u32>,
    ) -> Result<Flow> {
        let moment = &self.scan.moment;
        let key = self.scan.handle.partition_values(partition_key);
        let statics = cursor.statics.take();
        let mut dead = 0;
        let statics = statics.as_ref().and_then(|row| LiveRow::read_static(row, moment, &mut dead));
        let partition = JoinedRow {
            handle: self.scan.handle,
            key: &key,
            clustering: &[],
            statics: statics.as_ref(),
            row: None,
            now_seconds: moment.now,
        };
        self.meter.row(false, dead)?;
        self.meter.ranges(&cursor.ranges, moment)?;
        if !self.scan.filter.admits_partition(&partition) {
            self.scan.record_refusal(&partition);
            return Ok(Flow::Continue);
        }
        let mut rows = OfPartition { taken: taken.unwrap_or(0), any: false };
        for row in cursor {
            let mut dead = 0;
            let live = LiveRow::read(&row, moment, &mut dead);
            self.meter.row(live.is_some(), dead)?;
            let Some(live) = live else { continue };
            match self.row(&row, &live, &partition, partition_key, &mut rows)? {
                Step::Next => {}
                Step::EndPartition => return Ok(Flow::Continue),
                Step::EndPage => return Ok(Flow::Stop),
            }
        }
        if rows.any || taken.is_some() || !self.scan.gives_lone_statics || statics.is_none() {
            return Ok(Flow::Continue);
        }
        self.lone_statics(&partition, partition_key)
    }

    fn row(
        &mut self,
        row: &Row,
        live: &LiveRow<'_>,
        partition: &JoinedRow<'_>,
        key: &PartitionKey,
        rows: &mut OfPartition,
    ) -> Result<Step> {
        let clustering: Vec<Option<&[u8]>> = row.clustering().collect();
        let joined = JoinedRow { clustering: &clustering, row: Some(live), ..*partition };
        if !self.scan.filter.admits_row(&joined) {
            self.scan.record_refusal(&joined);
            return Ok(Step::Next);
        }
        rows.any = true;
        if self.sink.counts(&joined)? {
            if self.progress.count == self.scan.wanted {
                return Ok(Step::EndPage);
            }
            if rows.taken == self.scan.per_partition {
                return Ok(Step::EndPartition);
            }
            self.progress.count += 1;
            rows.taken += 1;
        }
        self.sink.take(&joined)?;
        let by_group = self.sink.counts_groups();
        let is_full = !by_group && self.progress.count == self.scan.wanted;
        if is_full || by_group {
            let row = (!clustering.is_empty()).then(|| row.clone());
            self.progress.last = Some(Last { key: key.clone(), row, taken: rows.taken });
        }
        Ok(match (is_full, by_group) {
            (true, _) => Step::EndPage,
            (false, false) if rows.taken == self.scan.per_partition => Step::EndPartition,
            _ => Step::Next,
        })
    }

    /// A partition that has a static row only.
    fn lone_statics(&mut self, partition: &JoinedRow<'_>, key: &PartitionKey) -> Result<Flow> {
        if self.sink.counts(partition)? {
            if self.progress.count == self.scan.wanted {
                return Ok(Flow::Stop);
            }
            self.progress.count += 1;
        }
        self.sink.take(partition)?;
        self.progress.last = Some(Last { key: key.clone(), row: None, taken: 1 });
        let is_full = !self.sink.counts_groups() && self.progress.count == self.scan.wanted;
        Ok(if is_full { Flow::Stop } else { Flow::Continue })
    }
}
