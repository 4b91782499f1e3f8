//! Rows that are updated in place, or move to another key.

use model::plan::IfClause;

use super::RowWriter;
use super::row_values::WriteMoment;
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::impact::target::AttributeChange;
use crate::write_plan::impact::{TableChanges, unique_key};
use crate::write_plan::join_graph::JoinRole;
use crate::write_plan::scope::Scope;

impl<'a> RowWriter<'a> {
    /// Updates one table.
    pub(super) fn update(&mut self, mut scope: Scope<'a>, changes: TableChanges) {
        let beyond_statics = changes.place || changes.elements || changes.regular;
        let before = scope.clone();
        if scope.also.is_empty() && !self.values.impact.is_key_changed(&scope) {
            self.change_statics(&mut scope.clone());
        }
        if beyond_statics && self.values.reach(&mut scope, WriteMoment::Before).is_none() {
            return;
        }
        if changes.place {
            self.move_row(&scope, &before);
        } else if changes.elements {
            self.change_elements(&scope, &before, changes.regular);
        } else if changes.regular {
            let belongs = self.values.membership(&mut scope, WriteMoment::Before);
            let condition = self.main_condition(&scope);
            if self.values.enter_elements(&mut scope, WriteMoment::Before).is_some() {
                self.update_row(&mut scope, &belongs, &condition);
            }
        }
    }

    /// The row's key changes: it is deleted under the old key, unless that is also the new one, and
    /// inserted under the new key. Both keys are computed at run time, hence the guards.
    ///
    /// `unreached` is the scope before its rows were searched: they may be others after the write.
    fn move_row(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>) {
        let mut scope = scope.clone();
        let before = self.values.membership(&mut scope, WriteMoment::Before);
        let after = self.values.membership(&mut scope, WriteMoment::After);
        let unique = unique_key(&scope).is_some_and(|key| key > 0);
        let regular = self.values.impact.table_changes(&scope).regular;
        let mut old = scope.clone();
        let moved = self.values.key_change(&mut old);
        if self.values.enter_elements(&mut old, WriteMoment::Before).is_some() {
            let gone = self.values.element_removal(&old);
            let leaves = GuardExpression::any([moved.clone(), after.negate(), gone]);
            self.remove_row(&mut old, GuardExpression::all([before, leaves]), &IfClause::Always);
        }
        let Some(mut start) = self.start_after(&scope, unreached) else { return };
        let after = self.values.membership(&mut start, WriteMoment::After);
        for (mut new, kept) in self.values.places_after(&start) {
            let belongs = GuardExpression::all([after.clone(), kept]);
            if unique && moved != GuardExpression::Never {
                let taken = GuardExpression::all([belongs.clone(), moved.clone()]);
                self.insert_row(&mut new.clone(), &taken, &IfClause::NotExists);
                let stays = GuardExpression::all([belongs, moved.clone().negate()]);
                if regular {
                    self.update_row(&mut new, &stays, &IfClause::Always);
                }
            } else {
                self.insert_row(&mut new, &belongs, &IfClause::Always);
            }
        }
    }

    /// The table's rows after the write: the same ones, unless the row gets other partners.
    pub(super) fn start_after(
        &mut self,
        scope: &Scope<'a>,
        unreached: &Scope<'a>,
    ) -> Option<Scope<'a>> {
        if scope.shape.join_role(scope.source) != JoinRole::Partner
            || !self.values.impact.is_rejoined(scope)
        {
            return Some(scope.clone());
        }
        let mut start = unreached.clone();
        self.values.reach(&mut start, WriteMoment::After)?;
        Some(start)
    }

    /// Only the elements of an array change (and perhaps columns outside the key).
    fn change_elements(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>, regular: bool) {
        let mut scope = scope.clone();
        let belongs = self.values.membership(&mut scope, WriteMoment::Before);
        let [column] = scope.table.holds.elements.as_slice() else {
            return self.move_row(&scope, unreached);
        };
        let single = |element: model::plan::Operand| {
            let mut single = scope.clone();
            single.elements.push((scope.shape.canonical(*column), element));
            single
        };
        let kept = match self.values.impact.attribute_change(&scope, *column) {
            Some(AttributeChange::Append(more)) => {
                self.insert_row(&mut single(more), &belongs, &IfClause::Always);
                None
            }
            Some(AttributeChange::Remove(less)) => {
                self.remove_row(&mut single(less.clone()), belongs.clone(), &IfClause::Always);
                Some(less)
            }
            _ => return self.move_row(&scope, unreached),
        };
        if regular && self.values.enter_elements(&mut scope, WriteMoment::Before).is_some() {
            let turn = scope.elements.last().map(|(_, turn)| turn.clone());
            let stays = match (&kept, turn) {
                (Some(less), Some(turn)) => GuardExpression::differ(&turn, less),
                _ => GuardExpression::Always,
            };
            self.update_row(&mut scope, &GuardExpression::all([belongs, stays]), &IfClause::Always);
        }
    }
}
