//! What a read asks of the clustering columns of its table.

use model::id::Numbered;
use model::plan::{Direction, PlannedTable, Rule};

use super::words::Word;
use crate::Context;

/// What a read asks of the clustering columns: which come first, and in which order.
#[derive(Clone, Debug)]
pub(super) struct Demand {
    /// The columns that have to come first; with a direction where the result is ordered by it.
    leading: Vec<(Word, Option<Direction>)>,
    /// Whether the opposite order will do: the server reads backwards.
    reversible: bool,
}

impl Demand {
    /// That of the read that a table with these clustering columns was made for.
    pub(super) fn new(
        context: Context<'_>,
        table: &PlannedTable,
        clustering: &[(Word, Direction)],
    ) -> Self {
        let leading = table
            .clustering()
            .zip(clustering)
            .map_while(|(column, (word, direction))| {
                let has = |rule: Rule| column.reasons.iter().any(|reason| reason.rule == rule);
                let asked = has(Rule::Group) || has(Rule::Inequality) || has(Rule::Order);
                asked.then(|| (*word, has(Rule::Order).then_some(*direction)))
            })
            .collect();
        let grouped = table.serves.iter().any(|served| {
            context.workload.reads.at(served.read).is_some_and(|read| !read.group.is_empty())
        });
        Self { leading, reversible: !grouped }
    }

    /// Whether these clustering columns serve it, and how.
    pub(super) fn met_by(&self, clustering: &[(Word, Direction)]) -> Met {
        let fits = |reversed: bool| {
            self.leading.len() <= clustering.len()
                && self.leading.iter().zip(clustering).all(|((asked, way), (word, direction))| {
                    asked == word && way.is_none_or(|way| (way == *direction) != reversed)
                })
        };
        match (fits(false), self.reversible && fits(true)) {
            (true, _) => Met::AsStored,
            (false, true) => Met::Reversed,
            (false, false) => Met::Not,
        }
    }
}

/// How clustering columns serve a read, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Met {
    /// Rows come in the order stored.
    AsStored,
    /// The server reads backwards.
    Reversed,
    /// The client would have to sort or filter.
    Not,
}
