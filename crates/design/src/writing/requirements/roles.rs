//! Rows in which the entity written stands several times: which of them are meant.

use model::id::{Numbered, SourceId};
use model::workload::WriteKind;

use super::row::{RowValues, Term, When};
use crate::writing::scope::Scope;
use crate::writing::shape::Part;
use crate::writing::truth::Truth;

impl<'a> RowValues<'a> {
    /// Sets which rows of the table are meant: those in which the row of the entity stands in just these roles.
    pub(super) fn tell_roles_apart(&mut self, scope: &mut Scope<'a>) {
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
                let mine = self.before(column.attribute);
                same.push(match self.value(&mut plain, column, When::Before) {
                    Term::Is(theirs) => Truth::equal(&theirs, &mine),
                    Term::Null => Truth::Never,
                });
            }
            let same = Truth::all(same);
            truths.push(if meant { same } else { same.negated() });
        }
        plain.also.clone_from(&scope.also);
        plain.apart = Truth::all(truths);
        *scope = plain;
    }
}

/// Whether rows in a role were looked for: where none were, the row itself is meant in all.
fn is_met(scope: &Scope<'_>, role: SourceId) -> bool {
    scope.found.is_some()
        || scope.shape.part(scope.source) != Part::Partner
        || scope.partners.iter().any(|(_, map)| map.at(role).copied().flatten().is_some())
}
