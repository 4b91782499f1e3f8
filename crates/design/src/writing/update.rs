//! Updates: the columns change where they are, or the row moves.

use model::plan::{Derivation, IfClause, PlannedColumn, Precondition, Role};
use model::workload::Column;

use super::conditions::unique_key;
use super::draft::{Draft, Scope, Term, When};
use super::shape::Part;
use super::target::After;
use super::truth::Truth;
use super::values::made_from;

/// What a write changes in a table.
struct Changes {
    /// The row's place in the table, whether it belongs there, or what it is joined with.
    place: bool,
    /// Which elements there are.
    elements: bool,
    /// Columns outside the key.
    regular: bool,
}

impl<'a> Draft<'a> {
    /// Plans an UPDATE.
    pub(super) fn plan_update(&mut self) {
        let Some(entity) = self.entity() else { return };
        if !self.write.strict {
            self.require(Precondition::RowExists { entity: entity.name.clone() });
        }
        self.state_unchecked_keys();
        let adds = |after: &After| matches!(after, After::Plus(_) | After::Less(_));
        self.idempotent &= !self.target.after.iter().any(adds);
        self.require_main();
        self.guard_conditions();
        for scope in self.scopes_by_roles() {
            if scope.table.is_counter() {
                self.recount(scope);
            } else {
                self.update(scope);
            }
        }
        if entity.retain.is_some() && !self.rows.is_empty() {
            self.remark(
                "what is written now expires later than the rest of its row: add USING TTL with the time that the row has left",
            );
        }
        if self.first.is_empty() && self.rows.is_empty() && self.counts.is_empty() {
            self.remark("no table holds what changes");
        }
    }

    /// Whether the write changes anything of a table.
    pub(super) fn touches(&self, scope: &Scope<'a>) -> bool {
        self.moves(scope) || self.changes_any(scope, |_| true)
    }

    /// Whether rows of a table move, come or go, or are counted otherwise.
    pub(super) fn moves(&self, scope: &Scope<'a>) -> bool {
        let changes = self.changes(scope);
        let counts = scope.table.is_counter() && self.changes_any(scope, |_| true);
        changes.place || changes.elements || counts
    }

    fn changes(&self, scope: &Scope<'a>) -> Changes {
        let elements = &scope.table.holds.elements;
        Changes {
            place: self.changes_key(scope) || self.affects_belonging(scope),
            elements: elements.iter().any(|column| self.affects(scope, *column)),
            regular: self.changes_any(scope, |column| column.role == Role::Regular),
        }
    }

    /// Whether the primary key changes, the elements of arrays apart.
    fn changes_key(&self, scope: &Scope<'a>) -> bool {
        self.changes_any(scope, |column| {
            column.is_key() && !matches!(column.derivation, Derivation::Element(_))
        })
    }

    fn changes_any(&self, scope: &Scope<'a>, which: fn(&PlannedColumn) -> bool) -> bool {
        let mut columns = scope.table.columns.iter().filter(|column| which(column));
        columns.any(|column| self.affects_column(scope, column))
    }

    /// Brings one table up to date.
    fn update(&mut self, mut scope: Scope<'a>) {
        let changes = self.changes(&scope);
        let beyond_statics = changes.place || changes.elements || changes.regular;
        let before = scope.clone();
        let parent = !scope.shape.makes_rows(scope.source);
        if parent && scope.also.is_empty() && !self.changes_key(&scope) {
            self.change_statics(&mut scope.clone());
        }
        if beyond_statics && self.reach(&mut scope, When::Before).is_none() {
            return;
        }
        if changes.place {
            self.move_row(&scope, &before);
        } else if changes.elements {
            self.change_elements(&scope, &before, changes.regular);
        } else if changes.regular {
            let belongs = self.belongs(&mut scope, When::Before);
            let condition = self.main_condition(&scope);
            if self.enter_elements(&mut scope, When::Before).is_some() {
                self.change(&mut scope, &belongs, &condition);
            }
        }
    }

    /// The row's place changes: it is deleted where it was, unless that is where it is now, and put where it is now.
    ///
    /// `unreached` is the table before its rows were looked for, which may be others from now on.
    fn move_row(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>) {
        let mut scope = scope.clone();
        let before = self.belongs(&mut scope, When::Before);
        let after = self.belongs(&mut scope, When::After);
        let unique = unique_key(&scope).is_some_and(|key| key > 0);
        let regular = self.changes(&scope).regular;
        let mut old = scope.clone();
        let moved = self.differs(&mut old);
        if self.enter_elements(&mut old, When::Before).is_some() {
            let gone = self.gone_elements(&old);
            let leaves = Truth::any([moved.clone(), after.negated(), gone]);
            self.take(&mut old, Truth::all([before, leaves]), &IfClause::Always);
        }
        let Some(mut start) = self.start_after(&scope, unreached) else { return };
        let after = self.belongs(&mut start, When::After);
        for (mut new, kept) in self.places_after(&start) {
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
        if scope.shape.part(scope.source) != Part::Partner || !self.rejoins(scope) {
            return Some(scope.clone());
        }
        let mut start = unreached.clone();
        self.reach(&mut start, When::After)?;
        Some(start)
    }

    /// Whether the row refers to another row from now on.
    fn rejoins(&self, scope: &Scope<'a>) -> bool {
        scope.shape.hops(scope.source).iter().any(|hop| {
            hop.reference.attributes.iter().any(|attribute| self.target.changes(*attribute))
        })
    }

    /// Whether the reference by which a source is reached changes its value.
    fn refers_elsewhere(&mut self, scope: &Scope<'a>) -> Truth {
        let mut truths = Vec::new();
        for hop in scope.shape.hops(scope.source).into_iter().filter(|hop| hop.to_one) {
            for attribute in &hop.reference.attributes {
                let before = self.attribute(*attribute, When::Before);
                truths.push(match (before, self.attribute(*attribute, When::After)) {
                    (Term::Is(before), Term::Is(after)) => Truth::differ(&before, &after),
                    _ => Truth::Always,
                });
            }
        }
        Truth::any(truths)
    }

    /// Whether the place of the row in the table changes.
    fn differs(&mut self, scope: &mut Scope<'a>) -> Truth {
        let key: Vec<_> = scope.table.columns.iter().filter(|column| column.is_key()).collect();
        let plain = |of: Column| {
            key.iter().any(|column| matches!(column.derivation, Derivation::Attribute(is) if scope.shape.same(is, of)))
        };
        // A bucket, shard or prefix changes only with the column that it is made from.
        let decides: Vec<_> = key
            .iter()
            .filter(|column| match column.derivation {
                Derivation::Element(_) => false,
                Derivation::Attribute(_) => true,
                _ => !made_from(column).into_iter().all(plain),
            })
            .filter(|column| self.affects_column(scope, column))
            .copied()
            .collect();
        let mut truths = Vec::new();
        let partner = scope.shape.part(scope.source) == Part::Partner;
        for column in decides {
            let mine = made_from(column).into_iter().all(|of| scope.attribute(of).is_some());
            if partner && !mine {
                truths.push(self.refers_elsewhere(scope));
                continue;
            }
            let before = self.column(scope, column, When::Before);
            let after = self.column(scope, column, When::After);
            truths.push(match (before, after) {
                (Term::Is(before), Term::Is(after)) => Truth::differ(&before, &after),
                _ => Truth::Always,
            });
        }
        Truth::any(truths)
    }

    /// Only the elements of an array change (and perhaps columns outside the key).
    fn change_elements(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>, regular: bool) {
        let mut scope = scope.clone();
        let belongs = self.belongs(&mut scope, When::Before);
        let [column] = scope.table.holds.elements.as_slice() else {
            return self.move_row(&scope, unreached);
        };
        let single = |element: model::plan::Operand| {
            let mut single = scope.clone();
            single.elements.push((scope.shape.canonical(*column), element));
            single
        };
        let kept = match self.becomes(&scope, *column) {
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
        if regular && self.enter_elements(&mut scope, When::Before).is_some() {
            let turn = scope.elements.last().map(|(_, turn)| turn.clone());
            let stays = match (&kept, turn) {
                (Some(less), Some(turn)) => Truth::differ(&turn, less),
                _ => Truth::Always,
            };
            self.change(&mut scope, &Truth::all([belongs, stays]), &IfClause::Always);
        }
    }
}
