//! The position of a frame among the candidates.

use std::ops::Index;

use model::id::Member;

use super::Frame;

/// A frame among the candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FrameId(usize);

impl Member for Frame {
    type Id = FrameId;

    fn id(position: usize) -> FrameId {
        FrameId(position)
    }

    fn position(id: FrameId) -> usize {
        id.0
    }
}

impl Index<FrameId> for [Frame] {
    type Output = Frame;

    fn index(&self, id: FrameId) -> &Frame {
        &self[id.0]
    }
}

impl Index<FrameId> for Vec<Frame> {
    type Output = Frame;

    fn index(&self, id: FrameId) -> &Frame {
        &self[id.0]
    }
}
