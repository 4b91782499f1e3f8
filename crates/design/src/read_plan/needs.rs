//! Which columns of a read its rows must have: outputs, and what the client filters, groups and
//! sorts by.

use model::workload::{Column, OutputValue};

use super::client;
use super::columns::ReadView;
use super::order::ResultOrder;
use super::restriction::Restrictions;
use super::selection::{self, Selection};

/// The columns that rows must have.
#[derive(Clone, Debug, Default)]
pub(super) struct RowNeeds {
    /// Outputs, with their names.
    outputs: Vec<(Column, String)>,
    /// Columns that the client uses.
    others: Vec<Column>,
}

impl RowNeeds {
    /// The columns that a read needs, given what its table does for it.
    pub(super) fn new(
        view: ReadView<'_>,
        restrictions: &Restrictions,
        order: &ResultOrder,
        selection: &Selection,
    ) -> Self {
        let read = view.read;
        let mut needs = Self::default();
        let looped = !restrictions.loops.is_empty();
        let by_rows = !selection.aggregates && !selection::is_existence(read);
        if !selection.by_client {
            needs.outputs.extend(read.outputs.iter().filter_map(|output| match output.value {
                OutputValue::Column(column) => Some((column, output.name.clone())),
                _ => None,
            }));
        }
        let filters =
            restrictions.left_over.iter().flat_map(|condition| condition.predicate.columns());
        needs.others.extend(filters);
        if selection.by_client {
            let inputs =
                read.outputs.iter().filter_map(|output| selection::input_column(output.value));
            needs.others.extend(inputs);
        }
        if selection.by_client || (selection.aggregates && looped) {
            needs.others.extend(&read.group);
        }
        if by_rows && (order.by_client || looped) {
            let wanted = client::effective_order(view);
            needs.others.extend(wanted.iter().map(|ordering| ordering.column));
        }
        needs
    }

    /// All of them, outputs first and with their names.
    pub(super) fn all(&self) -> Vec<(Column, Option<String>)> {
        let outputs = self.outputs.iter().map(|(column, name)| (*column, Some(name.clone())));
        outputs.chain(self.others.iter().map(|column| (*column, None))).collect()
    }
}
