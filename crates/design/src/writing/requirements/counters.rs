//! Counters: counts, sums, and attributes that are added to.

use model::plan::{
    AssignmentOperator, ColumnAssignment, Derivation, Guard, IfClause, Loop, Operand,
    PlannedColumn, Remark, Role,
};
use model::workload::Column;

use super::row::{Term, When};
use super::{RowAction, RowWriter, SendOrder};
use crate::writing::impact::may_be_null;
use crate::writing::impact::target::After;
use crate::writing::request::{Own, Request};
use crate::writing::scope::Scope;
use crate::writing::truth::Truth;

/// How a counter column changes, and when.
type Step = (ColumnAssignment, Truth);

impl<'a> RowWriter<'a> {
    /// A row that comes is counted.
    pub(super) fn count(&mut self, scope: &mut Scope<'a>) {
        if self.values.reach(scope, When::After).is_none() {
            return;
        }
        let belongs = self.values.belongs(scope, When::After);
        if self.values.enter_elements(scope, When::After).is_some() {
            self.count_in(scope, &belongs);
        }
    }

    /// A row that goes is no longer counted.
    pub(super) fn uncount(&mut self, scope: &mut Scope<'a>) {
        if self.values.reach(scope, When::Before).is_some() {
            self.count_deleted(scope);
        }
    }

    /// Counts the row as it is after the write.
    pub(super) fn count_in(&mut self, scope: &mut Scope<'a>, belongs: &Truth) {
        let steps = self.steps(scope, When::After);
        self.send_counts(scope, When::After, belongs, steps);
    }

    /// Takes the row out of the count as it was before the write.
    fn count_out(&mut self, scope: &mut Scope<'a>, belongs: &Truth) {
        let steps = self.steps(scope, When::Before);
        let negative = steps.into_iter().map(|(step, truth)| {
            (ColumnAssignment { operator: AssignmentOperator::Subtract, ..step }, truth)
        });
        self.send_counts(scope, When::Before, belongs, negative.collect());
    }

    /// What the row adds to each counter.
    fn steps(&mut self, scope: &mut Scope<'a>, when: When) -> Vec<Step> {
        let mut steps = Vec::new();
        for column in counters(scope) {
            let step = match column.derivation {
                Derivation::Count(None) => Some((one(), Truth::Always)),
                Derivation::Count(Some(of)) => {
                    self.not_null(scope, of, when).map(|(_, truth)| (one(), truth))
                }
                Derivation::Sum(of) => self.not_null(scope, of, when),
                // A counter attribute starts where the INSERT says.
                Derivation::Attribute(of) if when == When::After => self.not_null(scope, of, when),
                _ => None,
            };
            let nothing = Operand::Literal("0".to_owned());
            if let Some((amount, truth)) = step.filter(|(amount, _)| *amount != nothing) {
                steps.push((add(column, amount), truth));
            }
        }
        steps
    }

    /// A value, and that it is not null.
    fn not_null(
        &mut self,
        scope: &mut Scope<'a>,
        of: Column,
        when: When,
    ) -> Option<(Operand, Truth)> {
        match self.values.value(scope, of, when) {
            Term::Null => None,
            Term::Is(value @ Operand::Literal(_)) => Some((value, Truth::Always)),
            Term::Is(value) if may_be_null(scope, of) => {
                Some((value.clone(), Truth::If(Guard::NotNull(value))))
            }
            Term::Is(value) => Some((value, Truth::Always)),
        }
    }

    /// Sends what happens to the counters of one row, together where it happens together.
    fn send_counts(
        &mut self,
        scope: &mut Scope<'a>,
        when: When,
        belongs: &Truth,
        steps: Vec<Step>,
    ) {
        let Some(key) = self.values.key(scope, when, false) else { return };
        let mut together: Vec<(Truth, Vec<ColumnAssignment>)> = Vec::new();
        for (step, truth) in steps {
            match together.iter_mut().find(|(same, _)| *same == truth) {
                Some((_, assignments)) => assignments.push(step),
                None => together.push((truth, vec![step])),
            }
        }
        for (truth, assignments) in together {
            let guards = Truth::all([belongs.clone(), truth]);
            let key = key.clone();
            let action = RowAction::Update { key, assignments, condition: IfClause::Always };
            self.write(scope, guards, (action, 0.0), SendOrder::Counter);
        }
    }

    /// The counters of a row that is deleted.
    pub(super) fn count_deleted(&mut self, scope: &mut Scope<'a>) {
        let belongs = self.values.belongs(scope, When::Before);
        let of_the_row = counters(scope)
            .iter()
            .all(|column| matches!(column.derivation, Derivation::Attribute(_)));
        if self.values.enter_elements(scope, When::Before).is_none() {
            return;
        }
        if !of_the_row {
            // What was not there was not counted.
            let belongs = Truth::all([belongs, self.values.was_there()]);
            return self.count_out(scope, &belongs);
        }
        let Some(key) = self.values.key(scope, When::Before, false) else { return };
        let action = RowAction::Delete { key, condition: IfClause::Always };
        self.write(scope, belongs, (action, 1.0), SendOrder::Counter);
        self.remark(Remark::CounterDeleted { table: scope.table.name.clone() });
    }

    /// The counters of a row that changes.
    pub(super) fn recount(&mut self, mut scope: Scope<'a>) {
        let elements = &scope.table.holds.elements;
        let moves = self.values.impact.moves_groups(&scope)
            || elements.iter().any(|column| self.values.impact.affects(&scope, *column));
        let changed: Vec<_> = counters(&scope)
            .into_iter()
            .filter(|column| self.values.impact.affects_column(&scope, column))
            .collect();
        if !moves && changed.is_empty() {
            return;
        }
        let unreached = scope.clone();
        if self.values.reach(&mut scope, When::Before).is_none() {
            return;
        }
        let elements = scope.table.holds.elements.as_slice();
        let only_elements = moves && !self.values.impact.moves_groups(&scope);
        if let ([array], true) = (elements, only_elements) {
            self.recount_elements(&scope, &unreached, *array);
        } else if moves {
            self.recount_moved(&scope, &unreached);
        } else {
            self.recount_in_place(&mut scope, &changed);
        }
    }

    /// Only the elements of one array change: those that come are counted, those that go no longer.
    fn recount_elements(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>, array: Column) {
        let mut scope = scope.clone();
        let belongs = self.values.belongs(&mut scope, When::Before);
        let canonical = scope.shape.canonical(array);
        let mut single = scope.clone();
        match self.values.impact.becomes(&scope, array) {
            Some(After::Append(more)) => {
                let new = self.values.is_new(&mut single, array, &more);
                single.elements.push((canonical, more));
                self.count_in(&mut single, &Truth::all([belongs, new]));
            }
            Some(After::Remove(less)) => {
                let held = self.values.is_new(&mut single, array, &less).negated();
                single.elements.push((canonical, less));
                self.count_out(&mut single, &Truth::all([belongs, held]));
            }
            _ => self.recount_moved(&scope, unreached),
        }
    }

    /// The row leaves one group and enters another.
    fn recount_moved(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>) {
        let mut old = scope.clone();
        let belongs = self.values.belongs(&mut old, When::Before);
        if self.values.enter_elements(&mut old, When::Before).is_some() {
            self.count_out(&mut old, &belongs);
        }
        let Some(start) = self.start_after(scope, unreached) else { return };
        for (mut new, kept) in self.values.places_after(&start) {
            let belongs = self.values.belongs(&mut new, When::After);
            self.count_in(&mut new, &Truth::all([belongs, kept]));
        }
    }

    /// The group stays; what is counted or summed changes.
    fn recount_in_place(&mut self, scope: &mut Scope<'a>, changed: &[&'a PlannedColumn]) {
        let belongs = self.values.belongs(scope, When::Before);
        let mut steps = Vec::new();
        for column in changed {
            match column.derivation {
                Derivation::Attribute(of) => steps.extend(self.own_counter(scope, column, of)),
                Derivation::Sum(of) => {
                    steps.push(self.sum_changes(scope, column, of));
                }
                Derivation::Count(Some(of)) => steps.extend(self.nulls(scope, column, of)),
                _ => {}
            }
        }
        if self.values.enter_elements(scope, When::Before).is_some() {
            self.send_counts(scope, When::Before, &belongs, steps);
        }
    }

    /// How a sum follows a summed value.
    fn sum_changes(&mut self, scope: &mut Scope<'a>, column: &PlannedColumn, of: Column) -> Step {
        let before = self.values.value(scope, of, When::Before);
        let added = match self.values.impact.becomes(scope, of) {
            Some(After::Plus(amount)) => Some(add(column, amount)),
            Some(After::Less(amount)) => Some(subtract(column, amount)),
            _ => None,
        };
        match (added, before) {
            (Some(step), Term::Is(before)) if may_be_null(scope, of) => {
                (step, Truth::If(Guard::NotNull(before)))
            }
            (Some(step), _) => (step, Truth::Always),
            (None, before) => {
                let after = or_zero(self.values.value(scope, of, When::After));
                let before = or_zero(before);
                let difference = Operand::Minus(Box::new(after), Box::new(before));
                (add(column, difference), Truth::Always)
            }
        }
    }

    /// A counted column that becomes null, or no longer is.
    fn nulls(&mut self, scope: &mut Scope<'a>, column: &PlannedColumn, of: Column) -> Vec<Step> {
        let is = |term: Term| match term {
            Term::Null => Truth::Never,
            Term::Is(Operand::Literal(_)) => Truth::Always,
            Term::Is(value) => Truth::If(Guard::NotNull(value)),
        };
        let before = is(self.values.value(scope, of, When::Before));
        let after = is(self.values.value(scope, of, When::After));
        let appears = Truth::all([before.clone().negated(), after.clone()]);
        let vanishes = Truth::all([before, after.negated()]);
        vec![(add(column, one()), appears), (subtract(column, one()), vanishes)]
    }

    /// A counter attribute that is added to, or set.
    fn own_counter(
        &mut self,
        scope: &mut Scope<'a>,
        column: &PlannedColumn,
        of: Column,
    ) -> Option<Step> {
        let attribute = scope.shape.attribute_at(of, scope.source)?;
        let step = match self.values.impact.target.after.get(attribute.index())?.clone() {
            After::Plus(amount) => add(column, amount),
            After::Less(amount) => subtract(column, amount),
            After::To(value) => {
                let before = self.read_counter(scope, column)?;
                add(column, Operand::Minus(Box::new(value), Box::new(before)))
            }
            After::Null => subtract(column, self.read_counter(scope, column)?),
            _ => return None,
        };
        Some((step, Truth::Always))
    }

    /// What a counter is before: a counter can only be added to, so to set it its value must be read.
    fn read_counter(&mut self, scope: &mut Scope<'a>, column: &PlannedColumn) -> Option<Operand> {
        let key = self.values.key(scope, When::Before, false)?;
        let mut request =
            Request::of_entity(self.values.impact.target.entity, &scope.table.name, Vec::new());
        let names = [column.name.clone()].into();
        request.own = Some(Own { table: scope.at, key, names });
        request.loops.clone_from(&scope.loops);
        (request.times, request.count) = (scope.count, scope.count);
        "a counter can only be added to: the difference is".clone_into(&mut request.reason);
        let step = self.values.ask(request);
        if !scope.loops.is_empty() {
            scope.loops = vec![Loop::Rows(step)];
        }
        self.remark(Remark::CounterSet);
        let read = Operand::Row { step, column: column.name.clone() };
        Some(Operand::OrElse(Box::new(read), "0".to_owned()))
    }
}

/// The counter columns of a table.
fn counters<'a>(scope: &Scope<'a>) -> Vec<&'a PlannedColumn> {
    scope.table.columns.iter().filter(|column| column.role == Role::Counter).collect()
}

fn one() -> Operand {
    Operand::Literal("1".to_owned())
}

/// A value, or 0 where it is null.
fn or_zero(term: Term) -> Operand {
    match term {
        Term::Null => Operand::Literal("0".to_owned()),
        Term::Is(value @ Operand::Literal(_)) => value,
        Term::Is(value) => Operand::OrElse(Box::new(value), "0".to_owned()),
    }
}

fn add(column: &PlannedColumn, amount: Operand) -> ColumnAssignment {
    ColumnAssignment::new(&column.name, AssignmentOperator::Add, amount)
}

fn subtract(column: &PlannedColumn, amount: Operand) -> ColumnAssignment {
    ColumnAssignment::new(&column.name, AssignmentOperator::Subtract, amount)
}
