//! [`VerificationReport`]: what was compared, what was not, and what differs.

use std::collections::BTreeMap;

use super::difference::{Difference, DifferenceKind, MendState};

/// The result of a verification.
#[derive(Clone, Debug, Default)]
pub(crate) struct VerificationReport {
    /// The keyspace.
    pub(crate) keyspace: String,
    /// Whether differences were mended.
    pub(crate) is_mending: bool,
    /// The sources of truth.
    pub(crate) bases: Vec<BaseReport>,
    /// The copies that were compared, in the order of the design.
    pub(crate) copies: Vec<CopyReport>,
    /// The tables and columns that were not compared, and why: `table` or `table.column`.
    pub(crate) unverified: Vec<(String, String)>,
}

/// The source of truth about an entity.
#[derive(Clone, Debug, Default)]
pub(crate) struct BaseReport {
    /// The table of the model.
    pub(crate) entity: String,
    /// The table of the design.
    pub(crate) table: String,
    /// Why this one.
    pub(crate) reason: String,
    /// Whether another table was compared with it.
    pub(crate) has_copies: bool,
}

/// A copy that was compared.
#[derive(Clone, Debug, Default)]
pub(crate) struct CopyReport {
    /// The table.
    pub(crate) table: String,
    /// What of it is a copy, such as `rows`.
    pub(crate) content: &'static str,
    /// The table that its rows are made from.
    pub(crate) base: String,
    /// The tables that columns of other entities are looked up in.
    pub(crate) lookups: Vec<String>,
    /// Rows of the base that were read.
    pub(crate) base_rows: u64,
    /// Rows that they make, which were looked up; groups of them for counters.
    pub(crate) expected_rows: u64,
    /// Rows of the copy that were read to find those that should not be there.
    pub(crate) copy_rows: u64,
    /// Differences by kind and by what became of them.
    pub(crate) counts: BTreeMap<DifferenceKind, DifferenceCounts>,
    /// The first differences.
    pub(crate) differences: Vec<Difference>,
}

/// Numbers of differences.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct DifferenceCounts {
    /// All that were found.
    pub(crate) found: u64,
    /// Those that were mended.
    pub(crate) mended: u64,
}

impl VerificationReport {
    /// Differences that were found.
    pub(crate) fn count_found(&self) -> u64 {
        self.copies.iter().map(CopyReport::count_found).sum()
    }

    /// Differences that were mended.
    pub(crate) fn count_mended(&self) -> u64 {
        self.copies.iter().map(CopyReport::count_mended).sum()
    }
}

impl CopyReport {
    /// Differences that were found.
    pub(crate) fn count_found(&self) -> u64 {
        self.counts.values().map(|counts| counts.found).sum()
    }

    /// Differences that were mended.
    pub(crate) fn count_mended(&self) -> u64 {
        self.counts.values().map(|counts| counts.mended).sum()
    }

    /// Adds a difference; the first `kept` are kept.
    pub(super) fn add(&mut self, difference: Difference, kept: usize) {
        let counts = self.counts.entry(difference.kind).or_default();
        counts.found += 1;
        counts.mended += u64::from(difference.state == MendState::Mended);
        if self.differences.len() < kept {
            self.differences.push(difference);
        }
    }
}
