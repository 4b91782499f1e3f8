//! Ids of candidates.

use std::ops::Index;

use model::id::Member;

use super::CandidateTable;

/// A candidate among the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct CandidateId(usize);

impl Member for CandidateTable {
    type Id = CandidateId;

    fn id(position: usize) -> CandidateId {
        CandidateId(position)
    }

    fn position(id: CandidateId) -> usize {
        id.0
    }
}

impl Index<CandidateId> for [CandidateTable] {
    type Output = CandidateTable;

    fn index(&self, id: CandidateId) -> &CandidateTable {
        &self[id.0]
    }
}

impl Index<CandidateId> for Vec<CandidateTable> {
    type Output = CandidateTable;

    fn index(&self, id: CandidateId) -> &CandidateTable {
        &self[id.0]
    }
}
