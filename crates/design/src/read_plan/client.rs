//! The client's steps, in order.

use model::id::StepId;
use model::plan::{ClientStep, Loop};
use model::workload::{Column, SortColumn};

use super::columns::ReadView;
use super::order::ResultOrder;
use super::restriction::Restrictions;
use super::selection::{self, Selection};

/// The client's steps: filters, lookups (as late as possible, when the fewest rows are left), order
/// and limit.
pub(super) fn steps(
    view: ReadView<'_>,
    restrictions: &Restrictions,
    order: &ResultOrder,
    selection: &Selection,
    attached: &Attachments,
) -> Vec<ClientStep> {
    let late = |column: &Column| attached.columns.contains(column);
    let (after, before): (Vec<_>, Vec<_>) = restrictions
        .left_over
        .iter()
        .cloned()
        .partition(|condition| condition.predicate.columns().iter().any(late));
    let needed = restrictions.drops
        || !after.is_empty()
        || selection.by_client
        || effective_order(view).iter().any(|ordering| late(&ordering.column));
    let attach = attached.steps.iter().map(|step| ClientStep::Attach(*step));
    let mut steps: Vec<_> = before.into_iter().map(ClientStep::Filter).collect();
    if needed {
        steps.extend(attach.clone());
    }
    steps.extend(after.into_iter().map(ClientStep::Filter));
    steps.extend(final_steps(view, restrictions, order, selection));
    if !needed {
        steps.extend(attach);
    }
    if selection::is_existence(view.read) {
        steps.push(ClientStep::Exists);
    }
    steps
}

/// The lookups for each row.
#[derive(Default)]
pub(super) struct Attachments {
    /// The steps that do it.
    pub(super) steps: Vec<StepId>,
    /// The columns of the read that rows have only after them.
    pub(super) columns: Vec<Column>,
}

/// The order of the read without columns that have one value.
pub(super) fn effective_order(view: ReadView<'_>) -> Vec<SortColumn> {
    let order = view.read.order.iter();
    order.filter(|ordering| !view.is_one_value(ordering.column)).cloned().collect()
}

/// Aggregates, order and limit.
fn final_steps(
    view: ReadView<'_>,
    restrictions: &Restrictions,
    order: &ResultOrder,
    selection: &Selection,
) -> Vec<ClientStep> {
    let read = view.read;
    let parallel = restrictions.loops.iter().any(|turn| !matches!(turn, Loop::Buckets(_)));
    let looped = !restrictions.loops.is_empty();
    let sorted = effective_order(view);
    let mut steps = Vec::new();
    if selection.aggregates {
        if looped && !selection.by_client {
            steps.push(ClientStep::Combine(read.group.clone()));
        }
        steps.extend(selection.after.clone());
        if !sorted.is_empty() && (order.by_client || looped || selection.by_client) {
            steps.push(ClientStep::Sort(sorted));
        }
    } else if !sorted.is_empty() {
        if order.by_client || (looped && !order.in_bucket_sequence) {
            steps.push(ClientStep::Sort(sorted));
        } else if parallel {
            steps.push(ClientStep::Merge(sorted));
        }
    }
    let cut = order.by_client || looped || !restrictions.is_exact() || selection.aggregates;
    if let Some(limit) = read.limit.filter(|_| cut) {
        steps.push(ClientStep::Limit(limit));
    }
    steps
}
