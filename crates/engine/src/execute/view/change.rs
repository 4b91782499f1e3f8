//! What the change of one row does to a view.

use std::cmp::Ordering;
use std::iter::Peekable;

use cql::value::compare;
use storage::{Cell, Entry, Layout, Liveness, PartitionKey, PartitionUpdate, Row, RowBuilder};

use super::Derived;
use super::liveness::{self, cell_of};
use crate::node::handle::TableHandle;
use crate::node::view_plan::{ColumnUse, ViewPlan};

/// A row of a table, before and after a write.
pub(super) struct RowChange<'a> {
    pub(super) handle: &'a TableHandle,
    pub(super) key: &'a PartitionKey,
    pub(super) before: Option<&'a Row>,
    pub(super) after: &'a Row,
    pub(super) now_seconds: i64,
}

/// What happens to entries of the view.
enum Action {
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
    pub(super) fn derive(&self, plan: &ViewPlan, derived: &mut Derived) {
        if !plan.takes_row(self.handle, self.key, self.after) {
            return;
        }
        match (self.action(plan), self.before) {
            (Action::Nothing, _) => {}
            (Action::Create, _) => self.create(plan, derived),
            (Action::Lose, Some(before)) => self.lose(plan, before, derived),
            (Action::Update, Some(before)) => self.update(plan, before, derived),
            (Action::Switch, Some(before)) => {
                self.create(plan, derived);
                self.lose(plan, before, derived);
            }
            (Action::Lose | Action::Update | Action::Switch, None) => {}
        }
    }

    fn action(&self, plan: &ViewPlan) -> Action {
        let is_compact = self.handle.definition.is_compact();
        if is_compact && self.after.clustering().any(|value| value.is_none()) {
            return Action::Nothing;
        }
        let Some(column) = plan.key_column else {
            let lives = |row: &Row| row.is_live(self.now_seconds);
            return match (self.before.is_some_and(lives), lives(self.after)) {
                (true, true) => Action::Update,
                (true, false) => Action::Lose,
                (false, true) => Action::Create,
                (false, false) => Action::Nothing,
            };
        };
        let live = |cell: &Cell<'_>| cell.is_live(self.now_seconds);
        let before = self.before.and_then(|row| cell_of(row, column)).filter(live);
        let after = cell_of(self.after, column).filter(live);
        match (before, after) {
            (None, None) => Action::Nothing,
            (None, Some(_)) => Action::Create,
            (Some(_), None) => Action::Lose,
            (Some(before), Some(after)) => {
                let ty = self.handle.layout.column_type(column);
                let same = ty.is_some_and(|ty| compare(ty, before.value, after.value).is_eq());
                if same { Action::Update } else { Action::Switch }
            }
        }
    }

    fn create(&self, plan: &ViewPlan, derived: &mut Derived) {
        let entries = self.after.entries();
        let liveness = liveness::of_entry(plan, self.after, self.now_seconds);
        self.put(plan, self.after, liveness, entries, derived);
    }

    fn update(&self, plan: &ViewPlan, before: &Row, derived: &mut Derived) {
        let liveness = liveness::of_entry(plan, self.after, self.now_seconds);
        self.put(plan, self.after, liveness, self.differences(before), derived);
    }

    fn lose(&self, plan: &ViewPlan, before: &Row, derived: &mut Derived) {
        let timestamp = liveness::lost_at(plan, before, self.after);
        let liveness = if timestamp > self.after.deletion().timestamp {
            liveness::lost(timestamp, self.now_seconds)
        } else {
            Liveness::NONE
        };
        self.put(plan, before, liveness, self.differences(before), derived);
    }

    /// What is in the row after the write and was not before.
    fn differences<'r>(&'r self, before: &'r Row) -> impl Iterator<Item = Entry<'r>> {
        let layout = &*self.handle.layout;
        let mut old = before.entries().peekable();
        self.after.entries().filter(move |new| !take_same(layout, &mut old, new))
    }

    /// Writes the entry that has its key from `key_row`.
    fn put<'r>(
        &'r self,
        plan: &ViewPlan,
        key_row: &'r Row,
        liveness: Liveness,
        entries: impl Iterator<Item = Entry<'r>>,
        derived: &mut Derived,
    ) {
        let Some((key, clustering)) = plan.key_of(self.handle, self.key, key_row) else { return };
        let mut row = RowBuilder::new(clustering);
        row.liveness = liveness;
        row.deletion = self.after.deletion();
        for entry in entries {
            let ColumnUse::Copied(column) = plan.use_of(entry.column()) else { continue };
            match entry {
                Entry::Cell(cell) => row.add(Cell { column, ..cell }),
                Entry::ColumnDeletion(_, deletion) => row.delete_column(column, deletion),
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
    old: &mut Peekable<impl Iterator<Item = Entry<'r>>>,
    new: &Entry<'_>,
) -> bool {
    while old.next_if(|old| order(layout, old, new) == Ordering::Less).is_some() {}
    old.peek() == Some(new)
}

fn order(layout: &Layout, a: &Entry<'_>, b: &Entry<'_>) -> Ordering {
    a.column().cmp(&b.column()).then_with(|| match (a, b) {
        (Entry::Cell(one), Entry::Cell(other)) => match (one.path, other.path) {
            (Some(one), Some(other)) => layout.compare_paths(a.column(), one, other),
            (one, other) => one.cmp(&other),
        },
        (Entry::ColumnDeletion(..), Entry::Cell(_)) => Ordering::Less,
        (Entry::Cell(_), Entry::ColumnDeletion(..)) => Ordering::Greater,
        (Entry::ColumnDeletion(..), Entry::ColumnDeletion(..)) => Ordering::Equal,
    })
}
