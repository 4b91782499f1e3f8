//! [`PendingEntry`]: an entry whose lines are still being read.

use super::Sentence;

/// The most bytes of an entry that are kept.
const ENTRY_BYTES_MAX: usize = 1 << 20;

/// An entry of interest with the lines that follow it.
pub(super) struct PendingEntry {
    pub(super) sentence: &'static Sentence,
    pub(super) head: Vec<u8>,
    pub(super) text: String,
}

impl PendingEntry {
    pub(super) fn new(sentence: &'static Sentence, head: &[u8], message: &str) -> Self {
        Self { sentence, head: head.to_owned(), text: message.to_owned() }
    }

    /// Adds a line.
    pub(super) fn push(&mut self, line: &str) {
        if self.text.len() + line.len() < ENTRY_BYTES_MAX {
            self.text.push('\n');
            self.text.push_str(line);
        }
    }
}
