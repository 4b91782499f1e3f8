//! The list of differences, `examples/DIFFERENCES.md`: a table of file, query, published key, our key, reason.

use std::fs;

use crate::examples::root;

/// A line of the list.
pub(super) struct KnownDifference {
    pub(super) file: String,
    pub(super) query: String,
    pub(super) published: String,
    pub(super) ours: String,
}

impl KnownDifference {
    pub(super) fn is_about(&self, file: &str, query: &str) -> bool {
        self.file == file && self.query == query
    }
}

/// The lines of the list.
pub(super) fn read_differences() -> Vec<KnownDifference> {
    let text =
        fs::read_to_string(root().join("examples/DIFFERENCES.md")).expect("the list can be read");
    let mut lines = Vec::new();
    for line in text.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<_> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().trim_matches('`')).collect();
        let [file, query, published, ours, why] = cells.as_slice() else {
            panic!("a line of the list has {} cells: {line}", cells.len())
        };
        assert!(why.len() > 20, "a difference without a reason: {line}");
        let [file, query, published, ours] =
            [file, query, published, ours].map(|cell| (*cell).to_owned());
        lines.push(KnownDifference { file, query, published, ours });
    }
    assert!(!lines.is_empty(), "the list of differences is empty");
    lines
}
