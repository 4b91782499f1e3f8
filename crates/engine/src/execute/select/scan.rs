//! [`Scan`]: reads partition after partition and row after row, up to the limits and the page.

use storage::{DecoratedKey, Row};

use super::paging::PagingState;
use super::source::PartitionSource;
use super::tombstones::TombstoneCounter;
use crate::access_recorder::AccessRecorder;
use crate::error::Result;
use crate::node::handle::TableHandle;
use crate::rows::cursor::PartitionCursor;
use crate::rows::filter::RowFilter;
use crate::rows::full_row::FullRow;
use crate::rows::live_row::{LiveRow, ReadTime};
use crate::rows::short_list::ShortList;

/// Receives the rows of a scan.
pub(crate) trait RowSink {
    /// Whether a row counts for limits and pages: every row does, unless groups are counted.
    fn count_row(&mut self, _row: &FullRow<'_>) -> Result<bool> {
        Ok(true)
    }

    /// Whether groups are counted, so that a page continues after its last row to the end of the
    /// group.
    fn is_grouped(&self) -> bool {
        false
    }

    /// Adds a row.
    fn take(&mut self, row: &FullRow<'_>) -> Result<()>;

    /// The size of what was collected so far.
    fn byte_size(&self) -> usize;
}

/// What is read, and up to which limits.
#[derive(Debug)]
pub(crate) struct Scan<'a> {
    pub(crate) handle: &'a TableHandle,
    pub(crate) filter: RowFilter<'a>,
    pub(crate) moment: ReadTime,
    /// Records what is read, if there is a recorder.
    pub(crate) recorder: Option<&'a AccessRecorder>,
    /// Whether a partition without rows is returned with its static row.
    pub(crate) gives_lone_statics: bool,
    /// The maximum number of rows or groups to read.
    pub(crate) wanted: u32,
    /// The maximum number of rows or groups of one partition.
    pub(crate) per_partition: u32,
}

/// How far a scan came.
#[derive(Debug, Default)]
pub(crate) struct ScanProgress {
    /// The number of rows or groups.
    pub(crate) count: u32,
    /// The last row that was read.
    pub(crate) last: Option<LastRow>,
}

/// The last row that was read.
#[derive(Debug)]
pub(crate) struct LastRow {
    key: DecoratedKey,
    /// `None` if nothing can follow in its partition.
    row: Option<Row>,
    taken: u32,
}

enum ScanFlow {
    Continue,
    Stop,
}

enum RowStep {
    Next,
    EndPartition,
    EndPage,
}

/// What was read of the current partition.
struct PartitionProgress {
    /// Rows or groups, including those of earlier pages.
    taken: u32,
    any: bool,
}

/// The state of a running scan.
struct ScanState<'r, 'm, S> {
    scan: &'r Scan<'r>,
    meter: &'r mut TombstoneCounter<'m>,
    sink: &'r mut S,
    progress: ScanProgress,
}

impl Scan<'_> {
    /// Runs the scan. `taken` is the number of rows of a resumed partition that were returned
    /// before.
    pub(crate) fn run(
        &self,
        source: &mut PartitionSource,
        taken: u32,
        meter: &mut TombstoneCounter<'_>,
        sink: &mut impl RowSink,
    ) -> Result<ScanProgress> {
        let mut reading = ScanState { scan: self, meter, sink, progress: ScanProgress::default() };
        let mut last = None;
        while let Some((mut cursor, resumed)) = source.next(reading.meter.execution())? {
            let taken = resumed.then_some(taken);
            let key = cursor.key.clone();
            if let Some(recorder) = self.recorder {
                recorder.open_partition(key.key());
            }
            reading.meter.begin_partition();
            let flow = reading.read_partition(&mut cursor, &key, taken)?;
            reading.meter.end_partition(&key);
            last = Some(key);
            if let ScanFlow::Stop = flow {
                break;
            }
        }
        reading.meter.finish(last.as_ref());
        Ok(reading.progress)
    }

    fn record_exclusion(&self, row: &FullRow<'_>) {
        if let Some(recorder) = self.recorder {
            recorder.record_exclusion(&self.filter.list_mismatches(row));
        }
    }

    /// The paging state, if there may be another page: the server does not look beyond the last row
    /// of a full page.
    pub(crate) fn next_page(
        &self,
        progress: ScanProgress,
        source: &PartitionSource,
        left: Option<u32>,
    ) -> Option<PagingState> {
        let ScanProgress { count, last } = progress;
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

impl<S: RowSink> ScanState<'_, '_, S> {
    /// Reads a partition; `taken` is the number of rows that were returned before, if it is
    /// resumed.
    fn read_partition(
        &mut self,
        cursor: &mut PartitionCursor,
        partition_key: &DecoratedKey,
        taken: Option<u32>,
    ) -> Result<ScanFlow> {
        let moment = &self.scan.moment;
        let key = self.scan.handle.partition_values(partition_key);
        let statics = cursor.statics.take();
        let mut dead = 0;
        let statics = statics.as_ref().and_then(|row| LiveRow::read_static(row, moment, &mut dead));
        let partition = FullRow {
            handle: self.scan.handle,
            key: &key,
            clustering: &[],
            statics: statics.as_ref(),
            row: None,
            now_seconds: moment.now,
        };
        self.meter.begin_rows(statics.is_some(), dead)?;
        self.meter.count_ranges(&cursor.ranges, moment)?;
        if !self.scan.filter.matches_partition(&partition) {
            self.scan.record_exclusion(&partition);
            return Ok(ScanFlow::Continue);
        }
        let mut rows = PartitionProgress { taken: taken.unwrap_or(0), any: false };
        for row in cursor {
            let mut dead = 0;
            // Filled in place: reads would spend a tenth of their time on moving it.
            let mut live = LiveRow::new();
            let lives = live.fill(&row, moment, &mut dead);
            self.meter.count_row(lives, dead)?;
            self.meter.count_bytes(row.as_bytes().len())?;
            if !lives {
                continue;
            }
            match self.read_row(&row, &live, &partition, partition_key, &mut rows)? {
                RowStep::Next => {}
                RowStep::EndPartition => return Ok(ScanFlow::Continue),
                RowStep::EndPage => return Ok(ScanFlow::Stop),
            }
        }
        if rows.any || taken.is_some() || !self.scan.gives_lone_statics || statics.is_none() {
            return Ok(ScanFlow::Continue);
        }
        self.read_lone_statics(&partition, partition_key)
    }

    fn read_row(
        &mut self,
        row: &Row,
        live: &LiveRow<'_>,
        partition: &FullRow<'_>,
        key: &DecoratedKey,
        rows: &mut PartitionProgress,
    ) -> Result<RowStep> {
        let clustering = ShortList::<_, 4>::collect(None, row.clustering());
        let clustering = clustering.as_slice();
        let joined = FullRow { clustering, row: Some(live), ..*partition };
        if !self.scan.filter.matches_row(&joined) {
            self.scan.record_exclusion(&joined);
            return Ok(RowStep::Next);
        }
        rows.any = true;
        if self.sink.count_row(&joined)? {
            if self.progress.count == self.scan.wanted {
                return Ok(RowStep::EndPage);
            }
            if rows.taken == self.scan.per_partition {
                return Ok(RowStep::EndPartition);
            }
            self.progress.count += 1;
            rows.taken += 1;
        }
        self.sink.take(&joined)?;
        self.meter.check_result(self.sink.byte_size())?;
        let by_group = self.sink.is_grouped();
        let is_full = !by_group && self.progress.count == self.scan.wanted;
        if is_full || by_group {
            let row = (!clustering.is_empty()).then(|| row.clone());
            self.progress.last = Some(LastRow { key: key.clone(), row, taken: rows.taken });
        }
        Ok(match (is_full, by_group) {
            (true, _) => RowStep::EndPage,
            (false, false) if rows.taken == self.scan.per_partition => RowStep::EndPartition,
            _ => RowStep::Next,
        })
    }

    /// Reads a partition that has only a static row.
    fn read_lone_statics(
        &mut self,
        partition: &FullRow<'_>,
        key: &DecoratedKey,
    ) -> Result<ScanFlow> {
        if self.sink.count_row(partition)? {
            if self.progress.count == self.scan.wanted {
                return Ok(ScanFlow::Stop);
            }
            self.progress.count += 1;
        }
        self.sink.take(partition)?;
        self.progress.last = Some(LastRow { key: key.clone(), row: None, taken: 1 });
        let is_full = !self.sink.is_grouped() && self.progress.count == self.scan.wanted;
        Ok(if is_full { ScanFlow::Stop } else { ScanFlow::Continue })
    }
}
