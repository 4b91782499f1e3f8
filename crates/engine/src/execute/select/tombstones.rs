//! [`TombstoneCounter`]: counts the tombstones of a read, of which the server warns and above a
//! limit fails.

use schema::catalog::Keyspace;
use storage::{DecoratedKey, RangeTombstone};

use super::failure;
use crate::error::Result;
use crate::execute::Execution;
use crate::rows::live_row::ReadTime;

/// The tombstones of one read command.
pub(crate) struct TombstoneCounter<'a> {
    execution: &'a Execution<'a>,
    /// Prints the command as the server does.
    command: &'a dyn Fn(Option<&DecoratedKey>) -> String,
    warns_above: u64,
    fails_above: u64,
    /// Whether each partition is a command of its own.
    by_partition: bool,
    live: u64,
    tombstones: u64,
}

impl<'a> TombstoneCounter<'a> {
    pub(crate) fn new(
        execution: &'a Execution<'a>,
        keyspace: &str,
        by_partition: bool,
        command: &'a dyn Fn(Option<&DecoratedKey>) -> String,
    ) -> Self {
        let settings = &execution.node.settings;
        let is_exempt = Keyspace::is_local_system(keyspace);
        let threshold = |setting: u64| if is_exempt { u64::MAX } else { setting };
        Self {
            execution,
            command,
            warns_above: threshold(settings.tombstone_warn_threshold),
            fails_above: threshold(settings.tombstone_failure_threshold),
            by_partition,
            live: 0,
            tombstones: 0,
        }
    }

    /// Counts a row.
    pub(crate) fn count_row(&mut self, lives: bool, dead: u32) -> Result<()> {
        self.live += u64::from(lives);
        self.add(u64::from(dead))
    }

    /// Counts the bounds of range tombstones; two that touch share one.
    pub(crate) fn count_ranges(
        &mut self,
        ranges: &[RangeTombstone],
        moment: &ReadTime,
    ) -> Result<()> {
        let mut end = None;
        let kept = ranges.iter().filter(|range| moment.is_remembered(range.deletion.local_time));
        for range in kept {
            let ends = if end == Some(&range.start) { 1 } else { 2 };
            end = Some(&range.end);
            self.add(ends)?;
        }
        Ok(())
    }

    fn add(&mut self, tombstones: u64) -> Result<()> {
        self.tombstones += tombstones;
        if self.tombstones > self.fails_above {
            let consistency = self.execution.parameters.consistency;
            return Err(failure::read_failure(consistency, "READ_TOO_MANY_TOMBSTONES"));
        }
        Ok(())
    }

    /// Ends a partition.
    pub(crate) fn end_partition(&mut self, key: &DecoratedKey) {
        if self.by_partition {
            self.warn(Some(key), key);
            (self.live, self.tombstones) = (0, 0);
        }
    }

    /// Ends the read.
    pub(crate) fn finish(&mut self, last: Option<&DecoratedKey>) {
        if let Some(key) = last.filter(|_| !self.by_partition) {
            self.warn(None, key);
        }
    }

    fn warn(&self, named: Option<&DecoratedKey>, last: &DecoratedKey) {
        const QUERY_CHARACTERS_MAX: usize = 512;
        if self.tombstones <= self.warns_above {
            return;
        }
        let query: String = (self.command)(named).chars().take(QUERY_CHARACTERS_MAX).collect();
        self.execution.warn(format!(
            "Read {} live rows and {} tombstone cells for query {query}; token {} (see tombstone_warn_threshold)",
            self.live,
            self.tombstones,
            last.token()
        ));
    }
}
