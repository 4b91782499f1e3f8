//! How statements use indexes.

use model::index_guide;
use schema::catalog::Index;

use crate::{Project, ReplayedStatement, TableFacts};

/// The reads that an index finds rows for.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexReads<'p> {
    /// Those that name no partition: every node is asked.
    pub(crate) scattered: Vec<&'p ReplayedStatement>,
    /// Those within named partitions.
    pub(crate) within: Vec<&'p ReplayedStatement>,
    /// Those that compare its column, and are answered otherwise.
    pub(crate) others: Vec<&'p ReplayedStatement>,
}

impl IndexReads<'_> {
    /// Whether it is only used within named partitions.
    pub(crate) fn is_within_partitions(&self) -> bool {
        self.scattered.is_empty() && !self.within.is_empty()
    }

    /// Whether it is only used now and then, as by a dashboard: each query that asks every node has a rate of at most once a minute.
    pub(crate) fn is_rare(&self) -> bool {
        let is_rare = |seen: &&ReplayedStatement| {
            seen.rate().is_some_and(|rate| rate <= index_guide::READ_RATE_RARE)
        };
        !self.scattered.is_empty() && self.scattered.iter().all(is_rare)
    }

    /// Whether no statement uses it.
    pub(crate) fn is_unused(&self) -> bool {
        self.scattered.is_empty() && self.within.is_empty() && self.others.is_empty()
    }
}

/// The reads of a table that one of its indexes finds rows for.
pub(crate) fn index_reads<'p>(
    project: &'p Project<'_>,
    facts: &'p TableFacts,
    index: &Index,
) -> IndexReads<'p> {
    let mut reads = IndexReads::default();
    for seen in facts.reads(project) {
        let Some(read) = seen.read() else { continue };
        // Positions are those of the table as it was when the statement ran.
        let is_it =
            |at: &usize| read.table.indexes.get(*at).is_some_and(|own| own.name == index.name);
        let is_column =
            |at: &usize| read.table.columns().get(*at).is_some_and(|own| own.name == index.column);
        match &read.index {
            Some(used) if used.indexes.iter().any(is_it) => {
                if used.within_partition {
                    reads.within.push(seen);
                } else {
                    reads.scattered.push(seen);
                }
            }
            _ if read.filtering.columns.iter().any(is_column) => reads.others.push(seen),
            _ => {}
        }
    }
    reads
}
