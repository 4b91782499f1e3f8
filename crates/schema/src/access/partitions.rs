//! [`Partitions`]: which partitions a statement touches.

use super::Count;
use crate::bind::restrictions::{
    InList, Restriction, RestrictionId, RestrictionKind, Restrictions, TokenRestrictionKind,
    partition_keys,
};

/// Which partitions a statement touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partitions {
    /// None: some IN has no values.
    None,
    /// The one named by its key.
    One,
    /// Those named by INs; duplicate keys are counted once.
    Several(Count),
    /// Those with a token in a range.
    TokenRange {
        /// Whether the range has a lower bound.
        from: bool,
        /// Whether the range has an upper bound.
        to: bool,
    },
    /// All partitions.
    All,
}

impl Partitions {
    /// The partitions that restrictions select.
    pub(super) fn from_restrictions(restrictions: &Restrictions) -> Self {
        if restrictions.is_key_range {
            return Self::range(restrictions);
        }
        let key = &restrictions.partition.columns;
        let has_no_values = |restriction: &Restriction| matches!(&restriction.kind, RestrictionKind::In(InList::Values(values)) if values.is_empty());
        if key.restrictions.iter().any(has_no_values) {
            return Self::None;
        }
        if !key.has_in() {
            return Self::One;
        }
        match partition_keys(key).map(|keys| keys.len()) {
            Some(0) => Self::None,
            Some(1) => Self::One,
            Some(count) => Self::Several(Count::Known(count)),
            None => Self::Several(Count::Unknown),
        }
    }

    fn range(restrictions: &Restrictions) -> Self {
        let partition = &restrictions.partition;
        match &partition.token {
            Some(token) if partition.is_on_token(&restrictions.table) => match &token.kind {
                TokenRestrictionKind::Equal(_) => Self::TokenRange { from: true, to: true },
                TokenRestrictionKind::Slice(slice) => {
                    Self::TokenRange { from: slice.start.is_some(), to: slice.end.is_some() }
                }
            },
            _ => Self::All,
        }
    }

    /// Whether the partitions are named by their keys.
    pub fn is_by_key(self) -> bool {
        matches!(self, Self::None | Self::One | Self::Several(_))
    }
}

/// The restrictions that give the keys of named partitions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamedKeys {
    /// The restrictions of the key's columns, in key order: the keys are the Cartesian product of
    /// their values.
    pub values: Vec<RestrictionId>,
    /// Whether keys are skipped whose token does not satisfy the token restriction.
    pub within_token: bool,
}

impl NamedKeys {
    /// The keys that restrictions name; empty if they name no partitions.
    pub(super) fn from_restrictions(restrictions: &Restrictions) -> Self {
        if restrictions.is_key_range {
            return Self::default();
        }
        let count = restrictions.partition.columns.restrictions.len();
        Self {
            values: (0..count).map(RestrictionId::Partition).collect(),
            within_token: restrictions.partition.token.is_some(),
        }
    }
}
