//! What a read requires of the clustering columns of its table.

use model::id::IdList;
use model::plan::{Direction, MappingRule, PlannedTable};

use super::key_part::KeyPart;
use crate::Context;

/// What a read requires of the clustering columns: which come first, and in which order.
#[derive(Clone, Debug)]
pub(super) struct ClusteringRequirement {
    /// The columns that have to come first; with a direction where the result is ordered by it.
    leading: Vec<(KeyPart, Option<Direction>)>,
    /// Whether the opposite order will do: the server reads backwards.
    reversible: bool,
}

impl ClusteringRequirement {
    /// The requirement of the read that a table with these clustering columns was made for.
    pub(super) fn new(
        context: Context<'_>,
        table: &PlannedTable,
        clustering: &[(KeyPart, Direction)],
    ) -> Self {
        let leading = table
            .clustering()
            .zip(clustering)
            .map_while(|(column, (word, direction))| {
                let has =
                    |rule: MappingRule| column.reasons.iter().any(|reason| reason.rule == rule);
                let is_leading = has(MappingRule::Group)
                    || has(MappingRule::Inequality)
                    || has(MappingRule::Order);
                is_leading.then(|| (*word, has(MappingRule::Order).then_some(*direction)))
            })
            .collect();
        let grouped = table.serves.iter().any(|served| {
            context.workload.reads.member(served.read).is_some_and(|read| !read.group.is_empty())
        });
        Self { leading, reversible: !grouped }
    }

    /// Whether these clustering columns serve it, and how.
    pub(super) fn match_clustering(&self, clustering: &[(KeyPart, Direction)]) -> ClusteringMatch {
        let fits = |reversed: bool| {
            self.leading.len() <= clustering.len()
                && self.leading.iter().zip(clustering).all(|((part, way), (word, direction))| {
                    part == word && way.is_none_or(|way| (way == *direction) != reversed)
                })
        };
        match (fits(false), self.reversible && fits(true)) {
            (true, _) => ClusteringMatch::AsStored,
            (false, true) => ClusteringMatch::Reversed,
            (false, false) => ClusteringMatch::Mismatch,
        }
    }
}

/// How clustering columns serve a read, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ClusteringMatch {
    /// Rows come in the order stored.
    AsStored,
    /// The server reads backwards.
    Reversed,
    /// The client would have to sort or filter.
    Mismatch,
}
