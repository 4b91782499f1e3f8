//! [`Difference`]: a row of a copy that does not agree with its base.

use sim::Datum;

/// A row that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// What is wrong.
    pub(crate) kind: DifferenceKind,
    /// The columns of the key with their values, as CQL.
    pub(crate) key: Vec<(String, String)>,
    /// The columns that differ.
    pub(crate) columns: Vec<ColumnDifference>,
    /// The statements that mend it, in order.
    pub(crate) statements: Vec<String>,
    /// What to know about it.
    pub(crate) remark: Option<String>,
    /// What became of it.
    pub(crate) state: MendState,
    /// The row by which it is found again.
    pub(super) origin: Origin,
}

/// What is wrong with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum DifferenceKind {
    /// The copy has no row for a row of the base.
    Missing,
    /// The base has no row for a row of the copy, or one with other values of its key.
    Orphan,
    /// Columns have other values.
    Different,
    /// A count or sum is wrong.
    Counter,
    /// A bucket is outside the recorded ones: reads do not reach it.
    BucketEnd,
    /// A row refers to a row that its base does not have.
    Dangling,
}

/// A column that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColumnDifference {
    /// Its name.
    pub(crate) name: String,
    /// The value by the base, as CQL.
    pub(crate) expected: String,
    /// The value of the copy, as CQL.
    pub(crate) actual: String,
}

/// What became of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MendState {
    /// It is there.
    Open,
    /// It was mended, and the rows agree now.
    Mended,
    /// Its statements were run, and the rows still differ.
    Persistent,
}

/// The row by which a difference is found again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    /// A row of the base, by its key.
    Base(Vec<Datum>),
    /// A row of the copy, by its key.
    Copy(Vec<Datum>),
    /// A group of rows of the base, by the key of the copy, and how far its counters are off.
    Group(Vec<Datum>, Vec<i64>),
}

impl DifferenceKind {
    /// Its name in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Orphan => "orphan",
            Self::Different => "different",
            Self::Counter => "counter",
            Self::BucketEnd => "bucket end",
            Self::Dangling => "dangling",
        }
    }

    /// Whether it is mended by its statements: the others need a decision.
    pub(crate) const fn can_mend(self) -> bool {
        !matches!(self, Self::Counter | Self::Dangling)
    }
}
