//! Rows in which the entity written occurs several times: which of them a scope stands for.

use model::id::{IdList, SourceId};
use model::workload::WriteKind;

use super::row_values::{NullableValue, RowValues, WriteMoment};
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::join_graph::JoinRole;
use crate::write_plan::scope::Scope;

impl<'a> RowValues<'a> {
    /// Restricts a scope to the table's rows in which the entity's row occurs in exactly these
    /// roles.
    pub(super) fn restrict_roles(&mut self, scope: &mut Scope<'a>) {
        if matches!(self.impact.write.kind, WriteKind::Insert(_)) {
            return;
        }
        let roles = scope.also.iter().map(|role| (*role, true));
        let roles: Vec<_> = roles.chain(scope.others.iter().map(|role| (*role, false))).collect();
        // What the row in that role is, whichever it is.
        let mut plain = Scope { also: Vec::new(), ..scope.clone() };
        let mut truths = Vec::new();
        for (role, meant) in roles {
            if !is_met(&plain, role) {
                continue;
            }
            let mut same = Vec::new();
            for column in plain.shape.key(role) {
                let mine = self.value_before(column.attribute);
                same.push(match self.value(&mut plain, column, WriteMoment::Before) {
                    NullableValue::Is(theirs) => GuardExpression::equal(&theirs, &mine),
                    NullableValue::Null => GuardExpression::Never,
                });
            }
            let same = GuardExpression::all(same);
            truths.push(if meant { same } else { same.negate() });
        }
        plain.also.clone_from(&scope.also);
        plain.apart = GuardExpression::all(truths);
        *scope = plain;
    }

    /// Whether a row can be all roles of a scope at once: references that are joined to the same row
    /// are equal.
    pub(super) fn same_row(&mut self, scope: &Scope<'a>, when: WriteMoment) -> GuardExpression {
        let mut truths = Vec::new();
        for (one, other) in scope.find_joined_attributes() {
            truths.push(match (self.attribute(one, when), self.attribute(other, when)) {
                (NullableValue::Is(one), NullableValue::Is(other)) => {
                    GuardExpression::equal(&one, &other)
                }
                _ => GuardExpression::Never,
            });
        }
        GuardExpression::all(truths)
    }
}

/// Whether rows in a role were looked for: where none were, the row itself is meant in all.
fn is_met(scope: &Scope<'_>, role: SourceId) -> bool {
    scope.found.is_some()
        || scope.shape.join_role(scope.source) != JoinRole::Partner
        || scope.partners.iter().any(|(_, map)| map.member(role).copied().flatten().is_some())
}
