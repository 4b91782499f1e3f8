//! [`EventSink`]: where the readers of sentences put events and statements.

use std::hash::{DefaultHasher, Hasher as _};

use crate::snapshot::{
    EventDetails, EventKind, LogEvent, ObservedStatement, StatementOrigin, TableName,
};
use crate::source::collector::Target;
use crate::source::statement::ShapedStatement;

/// The most shapes of statements that are kept.
const SHAPES_MAX: usize = 20_000;
/// The most bytes of a statement that are kept as an example.
const STATEMENT_BYTES_MAX: usize = 8 * 1024;

/// Takes what one entry of a log says.
pub(in crate::source) struct EventSink<'a, 't> {
    /// The time of the entry.
    pub(in crate::source) at_ms: Option<i64>,
    target: &'a mut Target<'t>,
    /// The hash of the entry's text, which tells whether another file has it too.
    hash: u64,
    is_new: Option<bool>,
}

impl<'a, 't> EventSink<'a, 't> {
    /// A sink for an entry with these parts of text.
    pub(in crate::source) fn new(
        at_ms: Option<i64>,
        texts: &[&[u8]],
        target: &'a mut Target<'t>,
    ) -> Self {
        let mut hasher = DefaultHasher::new();
        hasher.write(target.node.as_bytes());
        for text in texts {
            hasher.write(text);
        }
        Self { at_ms, hash: hasher.finish(), target, is_new: None }
    }

    /// Whether no other file reported the entry.
    fn is_new(&mut self) -> bool {
        let (events, hash) = (&mut self.target.known_events, self.hash);
        *self.is_new.get_or_insert_with(|| events.insert(hash))
    }

    /// Counts an event.
    pub(super) fn event(
        &mut self,
        kind: EventKind,
        table: Option<TableName>,
        details: EventDetails,
    ) {
        if !self.is_new() {
            return;
        }
        let mut event = LogEvent { kind, at_ms: self.at_ms, table, details };
        if let Some(statement) = &mut event.details.statement {
            truncate(statement, STATEMENT_BYTES_MAX);
        }
        self.target.node().log.add(&event);
    }

    /// Adds an occurrence of a statement.
    pub(in crate::source) fn statement(
        &mut self,
        origin: StatementOrigin,
        shaped: ShapedStatement,
        mut observed: ObservedStatement,
    ) {
        if !self.is_new() {
            return;
        }
        observed.origins.insert(origin);
        observed.count = observed.count.max(1);
        observed.first_ms = self.at_ms;
        observed.last_ms = self.at_ms;
        observed.max_in_values = observed.max_in_values.max(shaped.in_values);
        let statements = &self.target.snapshot.statements;
        if statements.len() < SHAPES_MAX || statements.contains_key(&shaped.shape) {
            self.target.snapshot.observe(shaped.shape, observed);
        }
    }

    /// Where else an entry may put what it says.
    pub(super) fn target(&mut self) -> &mut Target<'t> {
        self.target
    }
}

/// Cuts a text at a boundary of characters.
fn truncate(text: &mut String, bytes: usize) {
    if text.len() > bytes {
        let end = (0..=bytes).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
    }
}
