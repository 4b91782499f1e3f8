//! Elements of lists: the path of an element is a time-based UUID, whose order is that of the list.

use std::borrow::Cow;

use storage::ColumnId;

use super::draft::RowDraft;
use crate::node::Node;

type ListElements<'a> = Vec<Option<Cow<'a, [u8]>>>;

/// Appends elements.
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

/// Prepends elements. Their ids have times before 2010 that decrease as time goes on (the server's
/// `REFERENCE_TIME` minus the time since then), so that later prepends come first.
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
