//! What the change of one row does to a view.

use std::cmp::Ordering;
use std::iter::Peekable;

use cql::value::compare;
use storage::{
    Cell, DecoratedKey, Layout, LivenessInfo, PartitionUpdate, Row, RowBuilder, RowEntry,
};

use super::ViewUpdates;
use super::liveness::{self, find_cell};
use crate::node::handle::TableHandle;
use crate::node::view_plan::{ColumnUse, ViewPlan};

/// A row of a table, before and after a write.
pub(super) struct RowChange<'a> {
    pub(super) handle: &'a TableHandle,
    pub(super) key: &'a DecoratedKey,
    pub(super) before: Option<&'a Row>,
    pub(super) after: &'a Row,
    pub(super) now_seconds: i64,
}

/// What happens to entries of the view.
enum UpdateAction {
    Nothing,
    Create,
    /// The entry there was is lost.
    Lose,
    Update,
    /// Another entry takes its place.
    Switch,
}

impl RowChange<'_> {
    /// Adds what the change does to a view.
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

    fn action(&self, plan: &ViewPlan) -> UpdateAction {
        let is_compact = self.handle.definition.is_compact();
        if is_compact && self.after.clustering().any(|value| value.is_none()) {
            return UpdateAction::Nothing;
        }
        let Some(column) = plan.key_column else {
            let lives = |row: &Row| row.is_live(self.now_seconds);
            return match (self.before.is_some_and(lives), lives(self.after)) {
                (true, true) => UpdateAction::Update,
                (true, false) => UpdateAction::Lose,
                (false, true) => UpdateAction::Create,
                (false, false) => UpdateAction::Nothing,
            };
        };
        let live = |cell: &Cell<'_>| cell.is_live(self.now_seconds);
        let before = self.before.and_then(|row| find_cell(row, column)).filter(live);
        let after = find_cell(self.after, column).filter(live);
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

    /// What is in the row after the write and was not before.
    fn differences<'r>(&'r self, before: &'r Row) -> impl Iterator<Item = RowEntry<'r>> {
        let layout = &*self.handle.layout;
        let mut old = before.entries().peekable();
        self.after.entries().filter(move |new| !take_same(layout, &mut old, new))
    }

    /// Writes the entry that has its key from `key_row`.
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
        let place = (plan.table, key.clone());
        derived.entry(place).or_insert_with(|| PartitionUpdate::new(key)).rows.push(row);
    }
}

/// Goes on to the place of an entry; whether the same is there.
fn take_same<'r>(
    layout: &Layout,
    old: &mut Peekable<impl Iterator<Item = RowEntry<'r>>>,
    new: &RowEntry<'_>,
) -> bool {
    while old.next_if(|old| compare_entries(layout, old, new) == Ordering::Less).is_some() {}
    old.peek() == Some(new)
}

fn compare_entries(layout: &Layout, a: &RowEntry<'_>, b: &RowEntry<'_>) -> Ordering {
    a.column().cmp(&b.column()).then_with(|| match (a, b) {
        (RowEntry::Cell(one), RowEntry::Cell(other)) => match (one.path, other.path) {
            (Some(one), Some(other)) => layout.compare_paths(a.column(), one, other),
            (one, other) => one.cmp(&other),
        },
        (RowEntry::ColumnDeletion(..), RowEntry::Cell(_)) => Ordering::Less,
        (RowEntry::Cell(_), RowEntry::ColumnDeletion(..)) => Ordering::Greater,
        (RowEntry::ColumnDeletion(..), RowEntry::ColumnDeletion(..)) => Ordering::Equal,
    })
}
