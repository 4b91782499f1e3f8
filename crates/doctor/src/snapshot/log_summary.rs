//! The events of a node's logs, summed up.

use std::collections::BTreeMap;

use super::event::{EventKind, EventSummary, LogEvent};
use super::table::TableName;

/// The most groups that are kept; events of further groups are counted under their kind alone.
const GROUPS_MAX: usize = 10_000;

/// The events of a node's logs by kind, table and label.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LogSummary {
    /// The groups.
    pub groups: BTreeMap<(EventKind, Option<TableName>, Option<String>), EventSummary>,
    /// Lines that were read.
    pub lines: u64,
    /// The time of the first line.
    pub first_ms: Option<i64>,
    /// The time of the last line.
    pub last_ms: Option<i64>,
}

impl LogSummary {
    /// Counts an event.
    pub fn add(&mut self, event: &LogEvent) {
        let mut key = (event.kind, event.table.clone(), event.details.label.clone());
        if self.groups.len() >= GROUPS_MAX && !self.groups.contains_key(&key) {
            key = (event.kind, None, None);
        }
        self.groups.entry(key).or_default().add(event);
    }

    /// The groups of a kind.
    pub fn groups_of(
        &self,
        kind: EventKind,
    ) -> impl Iterator<Item = (Option<&TableName>, Option<&str>, &EventSummary)> {
        let of_kind = self.groups.iter().filter(move |((known, _, _), _)| *known == kind);
        of_kind.map(|((_, table, label), summary)| (table.as_ref(), label.as_deref(), summary))
    }
}
