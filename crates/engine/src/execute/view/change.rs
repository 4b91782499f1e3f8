//! [`RowChange`]: the updates of a view that follow from the change of one base row.

use std::cmp::Ordering;
use std::iter::Peekable;

use cql::value::compare;
use storage::row::compare_entries;
use storage::{
    Cell, DecoratedKey, Layout, LivenessInfo, PartitionUpdate, Row, RowBuilder, RowEntry,
};

use super::ViewUpdates;
use super::liveness::{self, find_cell};
use crate::node::handle::TableHandle;
use crate::node::view_plan::{ColumnUse, ViewPlan};

/// A row of the base table before and after a write.
pub(super) struct RowChange<'a> {
    pub(super) handle: &'a TableHandle,
    pub(super) key: &'a DecoratedKey,
    pub(super) before: Option<&'a Row>,
    pub(super) after: &'a Row,
    pub(super) now_seconds: i64,
}

/// What happens to the view rows of a base row.
enum UpdateAction {
    Nothing,
    Create,
    /// The old view row is deleted.
    Lose,
    Update,
    /// The view's key changes: the old view row is deleted and another one created.
    Switch,
}

impl RowChange<'_> {
    /// Adds the updates of a view.
    pub(super) fn derive(&self, plan: &ViewPlan, derived: &mut ViewUpdates) {
        if !plan.matches_row(self.handle, self.key, self.after) {
            return;
        }
        match (self.action(plan), self.before) {
            (UpdateAction::Nothing, _) => {}
            (UpdateAction::Create, _) => self.create_entry(plan, derived),
            (UpdateAction::Lose, Some(before)) => self.delete_old_entry(plan, before, derived),
            (UpdateAction::Update, Some(before)) => self.update_entry(plan, before, derived),
            (UpdateAction::Switch, Some(before)) => {
                self.create_entry(plan, derived);
                self.delete_old_entry(plan, before, derived);
            }
            (UpdateAction::Lose | UpdateAction::Update | UpdateAction::Switch, None) => {}
        }
    }

    /// Decides what happens. A view whose key has a column that is not in the base key
    /// (`key_column`) has a row while that column has a live value; any other view has a row while
    /// the base row is live.
    fn action(&self, plan: &ViewPlan) -> UpdateAction {
        let is_compact = self.handle.definition.is_compact();
        if is_compact && self.after.clustering().any(|value| value.is_none()) {
            return UpdateAction::Nothing;
        }
        let Some(column) = plan.key_column else {
            let is_live = |row: &Row| row.is_live(self.now_seconds);
            return match (self.before.is_some_and(is_live), is_live(self.after)) {
                (true, true) => UpdateAction::Update,
                (true, false) => UpdateAction::Lose,
                (false, true) => UpdateAction::Create,
                (false, false) => UpdateAction::Nothing,
            };
        };
        let is_live = |cell: &Cell<'_>| cell.is_live(self.now_seconds);
        let before = self.before.and_then(|row| find_cell(row, column)).filter(is_live);
        let after = find_cell(self.after, column).filter(is_live);
        match (before, after) {
            (None, None) => UpdateAction::Nothing,
            (None, Some(_)) => UpdateAction::Create,
            (Some(_), None) => UpdateAction::Lose,
            (Some(before), Some(after)) => {
                let ty = self.handle.layout.column_type(column);
                let same = ty.is_some_and(|ty| compare(ty, before.value, after.value).is_eq());
                if same { UpdateAction::Update } else { UpdateAction::Switch }
            }
        }
    }

    fn create_entry(&self, plan: &ViewPlan, derived: &mut ViewUpdates) {
        let entries = self.after.entries();
        let liveness = liveness::entry_liveness(plan, self.after, self.now_seconds);
        self.put_entry(plan, self.after, liveness, entries, derived);
    }

    fn update_entry(&self, plan: &ViewPlan, before: &Row, derived: &mut ViewUpdates) {
        let liveness = liveness::entry_liveness(plan, self.after, self.now_seconds);
        self.put_entry(plan, self.after, liveness, self.differences(before), derived);
    }

    fn delete_old_entry(&self, plan: &ViewPlan, before: &Row, derived: &mut ViewUpdates) {
        let timestamp = liveness::entry_deletion_timestamp(plan, before, self.after);
        let liveness = if timestamp > self.after.deletion().timestamp {
            liveness::dead_liveness(timestamp, self.now_seconds)
        } else {
            LivenessInfo::NONE
        };
        self.put_entry(plan, before, liveness, self.differences(before), derived);
    }

    /// The entries of the row after the write that it did not have before.
    fn differences<'r>(&'r self, before: &'r Row) -> impl Iterator<Item = RowEntry<'r>> {
        let layout = &*self.handle.layout;
        let mut old = before.entries().peekable();
        self.after.entries().filter(move |new| !take_same(layout, &mut old, new))
    }

    /// Adds a view row whose key is built from `key_row`.
    fn put_entry<'r>(
        &'r self,
        plan: &ViewPlan,
        key_row: &'r Row,
        liveness: LivenessInfo,
        entries: impl Iterator<Item = RowEntry<'r>>,
        derived: &mut ViewUpdates,
    ) {
        let Some((key, clustering)) = plan.entry_key(self.handle, self.key, key_row) else {
            return;
        };
        let mut row = RowBuilder::new(clustering);
        row.liveness = liveness;
        row.deletion = self.after.deletion();
        for entry in entries {
            let ColumnUse::Copied(column) = plan.column_use(entry.column()) else { continue };
            match entry {
                RowEntry::Cell(cell) => row.add(Cell { column, ..cell }),
                RowEntry::ColumnDeletion(_, deletion) => row.delete_column(column, deletion),
            }
        }
        if row.is_empty() {
            return;
        }
        let row = row.build(&plan.layout);
        let partition = (plan.table, key.clone());
        derived.entry(partition).or_insert_with(|| PartitionUpdate::new(key)).rows.push(row);
    }
}

/// Advances the old entries to the column and path of a new one; whether the same entry is there.
fn take_same<'r>(
    layout: &Layout,
    old: &mut Peekable<impl Iterator<Item = RowEntry<'r>>>,
    new: &RowEntry<'_>,
) -> bool {
    while old.next_if(|old| compare_entries(layout, old, new) == Ordering::Less).is_some() {}
    old.peek() == Some(new)
}
