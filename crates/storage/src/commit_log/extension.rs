//! [`SegmentExtension`]: how far the last segment is extended with zeros before records replace them.
//!
//! A sync of a file that has grown must also write its new size, which takes the file system several
//! times as long as the bytes alone. So when appends wait for syncs, the zeros are written ahead, by
//! the ticks of the log, in steps: while a step is on its way to the disk, a sync of records waits
//! for it.

/// The bytes of a step.
const STEP: u64 = 256 << 10;
/// The bytes that are ahead of the records at most, and at least while there are appends.
const AHEAD_MAX: u64 = 4 << 20;
const AHEAD_MIN: u64 = STEP;
/// As many times the bytes since the last tick are ahead.
const TICKS_AHEAD: u64 = 8;

/// The zeros at the end of the last segment.
#[derive(Debug)]
pub(super) struct SegmentExtension {
    /// The offset at which they end; 0 if there are none.
    end: u64,
    /// The offset up to which they are to be written.
    goal: u64,
    /// The position of the log at the last tick.
    last_position: u64,
    /// Whether the disk has not refused yet.
    is_possible: bool,
}

impl SegmentExtension {
    pub(super) fn new(position: u64) -> Self {
        Self { end: 0, goal: 0, last_position: position, is_possible: true }
    }

    /// Whether the segment has zeros after its records.
    pub(super) fn has_zeros(&self, size: u64) -> bool {
        self.end > size
    }

    /// Sets the goal for a segment of that size, if there were appends since the last time.
    pub(super) fn plan(&mut self, size: u64, position: u64, segment_size: u64) {
        let appended = position.saturating_sub(self.last_position);
        self.last_position = position;
        let ahead = (appended.saturating_mul(TICKS_AHEAD)).clamp(AHEAD_MIN, AHEAD_MAX);
        if appended > 0 && self.end.saturating_sub(size) < ahead / 2 {
            self.goal = (size + ahead).min(segment_size);
        }
    }

    /// The offset at which the next step ends; `None` when the goal is reached.
    pub(super) fn next_step(&self, size: u64) -> Option<u64> {
        let end = self.end.max(size);
        (self.is_possible && end < self.goal).then(|| self.goal.min(end + STEP))
    }

    /// Records a step. It may have failed in the middle.
    pub(super) fn advance(&mut self, end: u64) {
        self.end = end;
    }

    /// Ends all extensions: the disk is full, for example. The log works without them.
    pub(super) fn give_up(&mut self) {
        self.is_possible = false;
    }

    /// Starts again with a new segment.
    pub(super) fn reset(&mut self) {
        (self.end, self.goal) = (0, 0);
    }
}
