//! Counters: counts, sums, and attributes that are incremented.
//!
//! A counter can only be incremented, and an increment is not idempotent. So a write must know
//! exactly which rows were counted before it and which are after it, and send the difference.

use model::plan::{
    AssignmentOperator, ColumnAssignment, ColumnRole, Derivation, Guard, IfClause, Loop, Operand,
    PlanRemark, PlannedColumn,
};
use model::workload::Column;

use super::row_values::{NullableValue, WriteMoment};
use super::{RowAction, RowWriter, SendOrder};
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::impact::can_be_null;
use crate::write_plan::impact::target::AttributeChange;
use crate::write_plan::request::{OwnTableRead, Request};
use crate::write_plan::scope::Scope;

/// How a counter column changes, and when.
type CounterChange = (ColumnAssignment, GuardExpression);

impl<'a> RowWriter<'a> {
    /// A row that comes is counted.
    pub(super) fn count(&mut self, scope: &mut Scope<'a>) {
        if self.values.reach(scope, WriteMoment::After).is_none() {
            return;
        }
        let belongs = self.values.membership(scope, WriteMoment::After);
        if self.values.enter_elements(scope, WriteMoment::After).is_some() {
            self.add_to_count(scope, &belongs);
        }
    }

    /// A row that goes is no longer counted.
    pub(super) fn uncount(&mut self, scope: &mut Scope<'a>) {
        if self.values.reach(scope, WriteMoment::Before).is_some() {
            self.count_deleted(scope);
        }
    }

    /// Counts the row as it is after the write.
    pub(super) fn add_to_count(&mut self, scope: &mut Scope<'a>, belongs: &GuardExpression) {
        let steps = self.counter_changes(scope, WriteMoment::After);
        self.send_counts(scope, WriteMoment::After, belongs, steps);
    }

    /// Takes the row out of the count as it was before the write.
    fn remove_from_count(&mut self, scope: &mut Scope<'a>, belongs: &GuardExpression) {
        let steps = self.counter_changes(scope, WriteMoment::Before);
        let negative = steps.into_iter().map(|(step, truth)| {
            (ColumnAssignment { operator: AssignmentOperator::Subtract, ..step }, truth)
        });
        self.send_counts(scope, WriteMoment::Before, belongs, negative.collect());
    }

    /// What the row adds to each counter.
    fn counter_changes(&mut self, scope: &mut Scope<'a>, when: WriteMoment) -> Vec<CounterChange> {
        let mut steps = Vec::new();
        for column in counters(scope) {
            let step = match column.derivation {
                Derivation::Count(None) => Some((literal_one(), GuardExpression::Always)),
                Derivation::Count(Some(of)) => {
                    self.not_null(scope, of, when).map(|(_, truth)| (literal_one(), truth))
                }
                Derivation::Sum(of) => self.not_null(scope, of, when),
                // A counter attribute starts where the INSERT says.
                Derivation::Attribute(of) if when == WriteMoment::After => {
                    self.not_null(scope, of, when)
                }
                _ => None,
            };
            let nothing = Operand::Literal("0".to_owned());
            let is_new = when == WriteMoment::After && scope.table.has_initial_zeros();
            if is_new && step.is_none() {
                // The row exists from now on.
                steps.push((add(column, nothing), GuardExpression::Always));
                continue;
            }
            if let Some((amount, truth)) = step.filter(|(amount, _)| *amount != nothing) {
                steps.push((add(column, amount), truth));
            }
        }
        steps
    }

    /// A value, and the guard that it is not null.
    fn not_null(
        &mut self,
        scope: &mut Scope<'a>,
        of: Column,
        when: WriteMoment,
    ) -> Option<(Operand, GuardExpression)> {
        match self.values.value(scope, of, when) {
            NullableValue::Null => None,
            NullableValue::Is(value @ Operand::Literal(_)) => {
                Some((value, GuardExpression::Always))
            }
            NullableValue::Is(value) if can_be_null(scope, of) => {
                Some((value.clone(), GuardExpression::If(Guard::NotNull(value))))
            }
            NullableValue::Is(value) => Some((value, GuardExpression::Always)),
        }
    }

    /// Writes the changes of one row's counters, in one statement where they share their guard.
    fn send_counts(
        &mut self,
        scope: &mut Scope<'a>,
        when: WriteMoment,
        belongs: &GuardExpression,
        steps: Vec<CounterChange>,
    ) {
        let Some(key) = self.values.key(scope, when, false) else { return };
        let mut together: Vec<(GuardExpression, Vec<ColumnAssignment>)> = Vec::new();
        for (step, truth) in steps {
            match together.iter_mut().find(|(same, _)| *same == truth) {
                Some((_, assignments)) => assignments.push(step),
                None => together.push((truth, vec![step])),
            }
        }
        for (truth, assignments) in together {
            let guards = GuardExpression::all([belongs.clone(), truth]);
            let key = key.clone();
            let action = RowAction::Update { key, assignments, condition: IfClause::Always };
            self.write(scope, guards, (action, 0.0), SendOrder::Counter);
        }
    }

    /// The counters of a row that is deleted.
    pub(super) fn count_deleted(&mut self, scope: &mut Scope<'a>) {
        let belongs = self.values.membership(scope, WriteMoment::Before);
        let of_the_row = counters(scope)
            .iter()
            .all(|column| matches!(column.derivation, Derivation::Attribute(_)));
        if self.values.enter_elements(scope, WriteMoment::Before).is_none() {
            return;
        }
        if !of_the_row {
            // A row that did not exist was not counted.
            let belongs = GuardExpression::all([belongs, self.values.row_existence()]);
            return self.remove_from_count(scope, &belongs);
        }
        let Some(key) = self.values.key(scope, WriteMoment::Before, false) else { return };
        let action = RowAction::Delete { key, condition: IfClause::Always };
        self.write(scope, belongs, (action, 1.0), SendOrder::Counter);
        self.remark(PlanRemark::CounterDeleted { table: scope.table.name.clone() });
    }

    /// The counters of a row that changes.
    pub(super) fn recount(&mut self, mut scope: Scope<'a>) {
        let elements = &scope.table.holds.elements;
        let moves = self.values.impact.can_change_group(&scope)
            || elements.iter().any(|column| self.values.impact.is_affected(&scope, *column));
        let changed: Vec<_> = counters(&scope)
            .into_iter()
            .filter(|column| self.values.impact.is_column_affected(&scope, column))
            .collect();
        if !moves && changed.is_empty() {
            return;
        }
        let unreached = scope.clone();
        if self.values.reach(&mut scope, WriteMoment::Before).is_none() {
            return;
        }
        let elements = scope.table.holds.elements.as_slice();
        let only_elements = moves && !self.values.impact.can_change_group(&scope);
        if let ([array], true) = (elements, only_elements) {
            self.recount_elements(&scope, &unreached, *array);
        } else if moves {
            self.recount_moved(&scope, &unreached);
        } else {
            self.recount_in_place(&mut scope, &changed);
        }
    }

    /// Only the elements of one array change: new ones are counted, removed ones are subtracted.
    fn recount_elements(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>, array: Column) {
        let mut scope = scope.clone();
        let belongs = self.values.membership(&mut scope, WriteMoment::Before);
        let canonical = scope.shape.canonical(array);
        let mut single = scope.clone();
        match self.values.impact.attribute_change(&scope, array) {
            Some(AttributeChange::Append(more)) => {
                let new = self.values.check_new_element(&mut single, array, &more);
                single.elements.push((canonical, more));
                self.add_to_count(&mut single, &GuardExpression::all([belongs, new]));
            }
            Some(AttributeChange::Remove(less)) => {
                let held = self.values.check_new_element(&mut single, array, &less).negate();
                single.elements.push((canonical, less));
                self.remove_from_count(&mut single, &GuardExpression::all([belongs, held]));
            }
            _ => self.recount_moved(&scope, unreached),
        }
    }

    /// The row leaves one group and enters another.
    fn recount_moved(&mut self, scope: &Scope<'a>, unreached: &Scope<'a>) {
        let mut old = scope.clone();
        let belongs = self.values.membership(&mut old, WriteMoment::Before);
        if self.values.enter_elements(&mut old, WriteMoment::Before).is_some() {
            self.remove_from_count(&mut old, &belongs);
        }
        let Some(start) = self.start_after(scope, unreached) else { return };
        for (mut new, kept) in self.values.places_after(&start) {
            let belongs = self.values.membership(&mut new, WriteMoment::After);
            self.add_to_count(&mut new, &GuardExpression::all([belongs, kept]));
        }
    }

    /// The group stays; what is counted or summed changes.
    fn recount_in_place(&mut self, scope: &mut Scope<'a>, changed: &[&'a PlannedColumn]) {
        let belongs = self.values.membership(scope, WriteMoment::Before);
        let mut steps = Vec::new();
        for column in changed {
            match column.derivation {
                Derivation::Attribute(of) => steps.extend(self.own_counter(scope, column, of)),
                Derivation::Sum(of) => {
                    steps.push(self.sum_changes(scope, column, of));
                }
                Derivation::Count(Some(of)) => steps.extend(self.null_changes(scope, column, of)),
                _ => {}
            }
        }
        if self.values.enter_elements(scope, WriteMoment::Before).is_some() {
            self.send_counts(scope, WriteMoment::Before, &belongs, steps);
        }
    }

    /// How a sum follows a summed value.
    fn sum_changes(
        &mut self,
        scope: &mut Scope<'a>,
        column: &PlannedColumn,
        of: Column,
    ) -> CounterChange {
        let before = self.values.value(scope, of, WriteMoment::Before);
        let added = match self.values.impact.attribute_change(scope, of) {
            Some(AttributeChange::Plus(amount)) => Some(add(column, amount)),
            Some(AttributeChange::Less(amount)) => Some(subtract(column, amount)),
            _ => None,
        };
        match (added, before) {
            (Some(step), NullableValue::Is(before)) if can_be_null(scope, of) => {
                (step, GuardExpression::If(Guard::NotNull(before)))
            }
            (Some(step), _) => (step, GuardExpression::Always),
            (None, before) => {
                let after = or_zero(self.values.value(scope, of, WriteMoment::After));
                let before = or_zero(before);
                let difference = Operand::Minus(Box::new(after), Box::new(before));
                (add(column, difference), GuardExpression::Always)
            }
        }
    }

    /// A counted column that becomes null, or no longer is.
    fn null_changes(
        &mut self,
        scope: &mut Scope<'a>,
        column: &PlannedColumn,
        of: Column,
    ) -> Vec<CounterChange> {
        let is = |term: NullableValue| match term {
            NullableValue::Null => GuardExpression::Never,
            NullableValue::Is(Operand::Literal(_)) => GuardExpression::Always,
            NullableValue::Is(value) => GuardExpression::If(Guard::NotNull(value)),
        };
        let before = is(self.values.value(scope, of, WriteMoment::Before));
        let after = is(self.values.value(scope, of, WriteMoment::After));
        let appears = GuardExpression::all([before.clone().negate(), after.clone()]);
        let vanishes = GuardExpression::all([before, after.negate()]);
        vec![(add(column, literal_one()), appears), (subtract(column, literal_one()), vanishes)]
    }

    /// A counter attribute that is incremented or set.
    fn own_counter(
        &mut self,
        scope: &mut Scope<'a>,
        column: &PlannedColumn,
        of: Column,
    ) -> Option<CounterChange> {
        let attribute = scope.shape.attribute_at(of, scope.source)?;
        let step = match self.values.impact.target.after.get(attribute.index())?.clone() {
            AttributeChange::Plus(amount) => add(column, amount),
            AttributeChange::Less(amount) => subtract(column, amount),
            AttributeChange::To(value) => {
                let before = self.read_counter(scope, column)?;
                add(column, Operand::Minus(Box::new(value), Box::new(before)))
            }
            AttributeChange::ToUnlessNull(value) => {
                let before = self.read_counter(scope, column)?;
                let after = Operand::Coalesce(Box::new(value), Box::new(before.clone()));
                add(column, Operand::Minus(Box::new(after), Box::new(before)))
            }
            AttributeChange::Null => subtract(column, self.read_counter(scope, column)?),
            _ => return None,
        };
        Some((step, GuardExpression::Always))
    }

    /// The value of a counter before the write: it can only be incremented, so setting it needs the
    /// difference.
    fn read_counter(&mut self, scope: &mut Scope<'a>, column: &PlannedColumn) -> Option<Operand> {
        let key = self.values.key(scope, WriteMoment::Before, false)?;
        let mut request =
            Request::for_entity(self.values.impact.target.entity, &scope.table.name, Vec::new());
        let names = [column.name.clone()].into();
        request.own = Some(OwnTableRead { table: scope.at, key, names });
        request.loops.clone_from(&scope.loops);
        (request.times, request.count) = (scope.count, scope.count);
        "a counter can only be incremented, so its value is read to compute the difference"
            .clone_into(&mut request.reason);
        let step = self.values.add_request(request);
        if !scope.loops.is_empty() {
            scope.loops = vec![Loop::Rows(step)];
        }
        self.remark(PlanRemark::CounterSet);
        let read = Operand::Row { step, column: column.name.clone() };
        Some(Operand::OrElse(Box::new(read), "0".to_owned()))
    }
}

/// The counter columns of a table.
fn counters<'a>(scope: &Scope<'a>) -> Vec<&'a PlannedColumn> {
    scope.table.columns.iter().filter(|column| column.role == ColumnRole::Counter).collect()
}

fn literal_one() -> Operand {
    Operand::Literal("1".to_owned())
}

/// A value, or 0 where it is null.
fn or_zero(term: NullableValue) -> Operand {
    match term {
        NullableValue::Null => Operand::Literal("0".to_owned()),
        NullableValue::Is(value @ Operand::Literal(_)) => value,
        NullableValue::Is(value) => Operand::OrElse(Box::new(value), "0".to_owned()),
    }
}

fn add(column: &PlannedColumn, amount: Operand) -> ColumnAssignment {
    ColumnAssignment::new(&column.name, AssignmentOperator::Add, amount)
}

fn subtract(column: &PlannedColumn, amount: Operand) -> ColumnAssignment {
    ColumnAssignment::new(&column.name, AssignmentOperator::Subtract, amount)
}
