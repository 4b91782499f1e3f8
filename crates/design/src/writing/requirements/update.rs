//! Rows that change where they are, or move.

use model::plan::IfClause;

use super::RowWriter;
use super::row::When;
use crate::writing::impact::target::After;
use crate::writing::impact::{TableChanges, unique_key};
use crate::writing::scope::Scope;
use crate::writing::shape::Part;
use crate::writing::truth::Truth;

impl<'a> RowWriter<'a> {
    /// Brings one table up to date.
    pub(super) fn update(&mut self, mut scope: Scope<'a>, changes: TableChanges) {
        let beyond_statics = changes.place || changes.elements || changes.regular;
        let before = scope.clone();
        let parent = !scope.shape.makes_rows(scope.source);
        if parent && scope.also.is_empty() && !self.values.impact.changes_key(&scope) {
            self.change_statics(&mut scope.clone());
        }
        if beyond_statics && self.values.reach(&mut scope, When::Before).is_none() {
            return;
        }
        if changes.place {
            self.move_row(&scope, &before);
        } else if changes.elements {
            self.change_elements(&scope, &before, changes.regular);
        } else if changes.regular {
            let belongs = self.values.belongs(&mut scope, When::Before);
            let condition = self.main_condition(&scope);
            if self.values.enter_elements(&mut scope, When::Before).is_some() {
                self.change(&mut scope, &belongs, &condition);
            }
        }
    }

    /// The row's place changes: it is deleted where it was, unless that is where it is now, and put where it is now.
    ///
    /// `unreached` is the table before its rows were looked for, which may be others from now on.
    fn move_row(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>) {
        let mut scope = scope.clone();
        let before = self.values.belongs(&mut scope, When::Before);
        let after = self.values.belongs(&mut scope, When::After);
        let unique = unique_key(&scope).is_some_and(|key| key > 0);
        let regular = self.values.impact.changes(&scope).regular;
        let mut old = scope.clone();
        let moved = self.values.differs(&mut old);
        if self.values.enter_elements(&mut old, When::Before).is_some() {
            let gone = self.values.gone_elements(&old);
            let leaves = Truth::any([moved.clone(), after.negated(), gone]);
            self.take(&mut old, Truth::all([before, leaves]), &IfClause::Always);
        }
        let Some(mut start) = self.start_after(&scope, unreached) else { return };
        let after = self.values.belongs(&mut start, When::After);
        for (mut new, kept) in self.values.places_after(&start) {
            let belongs = Truth::all([after.clone(), kept]);
            if unique && moved != Truth::Never {
                let taken = Truth::all([belongs.clone(), moved.clone()]);
                self.put(&mut new.clone(), &taken, &IfClause::NotExists);
                let stays = Truth::all([belongs, moved.clone().negated()]);
                if regular {
                    self.change(&mut new, &stays, &IfClause::Always);
                }
            } else {
                self.put(&mut new, &belongs, &IfClause::Always);
            }
        }
    }

    /// The table's rows after the write: the same ones, unless the row has other partners from now on.
    pub(super) fn start_after(
        &mut self,
        scope: &Scope<'a>,
        unreached: &Scope<'a>,
    ) -> Option<Scope<'a>> {
        if scope.shape.part(scope.source) != Part::Partner || !self.values.impact.rejoins(scope) {
            return Some(scope.clone());
        }
        let mut start = unreached.clone();
        self.values.reach(&mut start, When::After)?;
        Some(start)
    }

    /// Only the elements of an array change (and perhaps columns outside the key).
    fn change_elements(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>, regular: bool) {
        let mut scope = scope.clone();
        let belongs = self.values.belongs(&mut scope, When::Before);
        let [column] = scope.table.holds.elements.as_slice() else {
            return self.move_row(&scope, unreached);
        };
        let single = |element: model::plan::Operand| {
            let mut single = scope.clone();
            single.elements.push((scope.shape.canonical(*column), element));
            single
        };
        let kept = match self.values.impact.becomes(&scope, *column) {
            Some(After::Append(more)) => {
                self.put(&mut single(more), &belongs, &IfClause::Always);
                None
            }
            Some(After::Remove(less)) => {
                self.take(&mut single(less.clone()), belongs.clone(), &IfClause::Always);
                Some(less)
            }
            _ => return self.move_row(&scope, unreached),
        };
        if regular && self.values.enter_elements(&mut scope, When::Before).is_some() {
            let turn = scope.elements.last().map(|(_, turn)| turn.clone());
            let stays = match (&kept, turn) {
                (Some(less), Some(turn)) => Truth::differ(&turn, less),
                _ => Truth::Always,
            };
            self.change(&mut scope, &Truth::all([belongs, stays]), &IfClause::Always);
        }
    }
}
