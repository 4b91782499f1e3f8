//! Elements of lists: each has a time-based id, and the ids' order is that of the list.

use std::borrow::Cow;

use storage::ColumnId;

use super::draft::RowDraft;
use crate::node::Node;

type ListElements<'a> = Vec<Option<Cow<'a, [u8]>>>;

/// Puts elements at the end.
pub(super) fn append<'a>(
    node: &Node,
    draft: &mut RowDraft<'a>,
    column: ColumnId,
    elements: ListElements<'a>,
) {
    for element in elements.into_iter().flatten() {
        draft.put(column, Some(Cow::Owned(node.next_time_id().to_vec())), element);
    }
}

/// Puts elements in front of all others. Their ids are of times before 2010, the later the earlier.
pub(super) fn prepend<'a>(
    node: &Node,
    draft: &mut RowDraft<'a>,
    column: ColumnId,
    elements: ListElements<'a>,
) {
    for element in elements.into_iter().flatten().rev() {
        draft.put(column, Some(Cow::Owned(node.next_front_id().to_vec())), element);
    }
}
