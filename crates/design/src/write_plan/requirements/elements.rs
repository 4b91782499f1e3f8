//! Tables with a row for each element of an array.

use model::id::{IdList, LoopId, SourceId};
use model::plan::{Derivation, Guard, Loop, Operand, Precondition};
use model::workload::Column;

use super::row_values::{NullableValue, RowValues, WriteMoment};
use crate::mapping;
use crate::write_plan::count;
use crate::write_plan::guard_expression::GuardExpression;
use crate::write_plan::impact::target::AttributeChange;
use crate::write_plan::request::Request;
use crate::write_plan::scope::Scope;

impl<'a> RowValues<'a> {
    /// Repeats what follows for each element of the table's arrays. `None` when there are none.
    pub(super) fn enter_elements(
        &mut self,
        scope: &mut Scope<'a>,
        when: WriteMoment,
    ) -> Option<()> {
        if self.has_own_rows(scope) || scope.table.holds.elements.is_empty() {
            return Some(());
        }
        let reached = scope.found.is_some() || !scope.partners.is_empty();
        if self.has_same_elements(scope, when) && !reached && self.find_elements(scope) {
            return Some(());
        }
        self.look_up_joined(scope, when);
        for column in &scope.table.holds.elements {
            self.enter(scope, *column, when)?;
        }
        Some(())
    }

    /// Whether the elements are those that the arrays have before the write.
    fn has_same_elements(&self, scope: &Scope<'a>, when: WriteMoment) -> bool {
        scope.table.holds.elements.iter().all(|column| {
            when == WriteMoment::Before
                || !matches!(
                    self.impact.attribute_change(scope, *column),
                    Some(
                        AttributeChange::To(_)
                            | AttributeChange::ToUnlessNull(_)
                            | AttributeChange::Null
                    )
                )
        })
    }

    /// Joined rows are looked up once, not for each element.
    fn look_up_joined(&mut self, scope: &mut Scope<'a>, when: WriteMoment) {
        let table = scope.table;
        for column in
            table.columns.iter().filter(|column| column.is_key() || when == WriteMoment::After)
        {
            let _ = self.column(scope, column, when);
        }
    }

    /// Repeats what follows for each element of one array.
    fn enter(&mut self, scope: &mut Scope<'a>, column: Column, when: WriteMoment) -> Option<()> {
        let replaced = when == WriteMoment::After
            && matches!(
                self.impact.attribute_change(scope, column),
                Some(
                    AttributeChange::To(_)
                        | AttributeChange::ToUnlessNull(_)
                        | AttributeChange::Null
                )
            );
        let turn = if !replaced && has_element_table(scope, column) {
            self.read_elements(scope, column, when)?
        } else if let NullableValue::Is(array) = self.value(scope, column, when) {
            scope.loops.push(Loop::Elements(array));
            Operand::Turn(LoopId::new(scope.loops.len() - 1))
        } else {
            return None;
        };
        scope.elements.push((scope.shape.canonical(column), turn));
        if let Some(entity) = scope.shape.entity(column.source) {
            scope.count = scope.count.times(count::items(entity, column.attribute));
        }
        Some(())
    }

    /// Finds the rows of the elements in the written table itself, where its key allows it.
    fn find_elements(&mut self, scope: &mut Scope<'a>) -> bool {
        let Some(own) = self.own_rows(scope) else { return false };
        let mut request = self.row_request(scope);
        request.own = Some(own);
        request.loops.clone_from(&scope.loops);
        (request.times, request.count) = (scope.count, scope.count);
        for of in &scope.table.holds.elements {
            if let Some(entity) = scope.shape.entity(of.source) {
                request.count = request.count.times(count::items(entity, of.attribute));
            }
        }
        let at = self.add_request(request);
        scope.found = Some(at);
        scope.loops = vec![Loop::Rows(at)];
        for column in &scope.table.columns {
            let Derivation::Element(of) = column.derivation else { continue };
            let element = Operand::Row { step: at, column: column.name.clone() };
            scope.elements.push((scope.shape.canonical(of), element));
            if let Some(entity) = scope.shape.entity(of.source) {
                scope.count = scope.count.times(count::items(entity, of.attribute));
            }
        }
        true
    }

    /// Requests the elements of an array, one row for each; returns the operand that stands for
    /// one.
    fn read_elements(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        when: WriteMoment,
    ) -> Option<Operand> {
        let entity = scope.shape.sources.member(column.source)?.entity;
        let mut known = Vec::new();
        for part in scope.shape.key(column.source) {
            let NullableValue::Is(operand) = self.value(scope, part, when) else { return None };
            known.push((Column { source: SourceId::new(0), attribute: part.attribute }, operand));
        }
        let of = scope.shape.entity(column.source)?;
        let name = &of.attributes.member(column.attribute)?.name;
        let array = Column { source: SourceId::new(0), attribute: column.attribute };
        let mut request = Request::for_entity(entity, &of.name, known);
        request.element = Some(array);
        request.wants.insert(array);
        request.times = scope.count;
        request.count = scope.count.times(count::items(of, column.attribute));
        request.loops.clone_from(&scope.loops);
        request.reason = format!("the elements of {}.{name}", of.name);
        let step = self.add_request(request);
        scope.loops = vec![Loop::Rows(step)];
        Some(Operand::Row { step, column: name.clone() })
    }

    /// Whether the element of this turn is no longer in its array.
    pub(super) fn element_removal(&self, scope: &Scope<'a>) -> GuardExpression {
        use model::workload::Comparison::Equal;
        let each = scope.elements.iter().map(|(column, turn)| {
            match self.impact.attribute_change(scope, *column) {
                Some(AttributeChange::Null) => GuardExpression::Always,
                Some(AttributeChange::To(array)) => {
                    GuardExpression::If(Guard::Lacks(array, turn.clone()))
                }
                Some(AttributeChange::ToUnlessNull(array)) => GuardExpression::all([
                    GuardExpression::If(Guard::NotNull(array.clone())),
                    GuardExpression::If(Guard::Lacks(array, turn.clone())),
                ]),
                Some(AttributeChange::Remove(less)) => GuardExpression::compare(turn, Equal, &less),
                _ => GuardExpression::Never,
            }
        });
        GuardExpression::any(each)
    }

    /// The places of the row after the write, one for each way in which elements can be in their
    /// arrays.
    pub(super) fn places_after(&mut self, scope: &Scope<'a>) -> Vec<(Scope<'a>, GuardExpression)> {
        let mut places = vec![(scope.clone(), GuardExpression::Always)];
        if self.has_own_rows(scope) {
            return places;
        }
        let appends = scope.table.holds.elements.iter().any(|column| {
            matches!(self.impact.attribute_change(scope, *column), Some(AttributeChange::Append(_)))
        });
        if !appends {
            let mut looped = scope.clone();
            if self.enter_elements(&mut looped, WriteMoment::After).is_none() {
                return Vec::new();
            }
            let kept = self.element_retention(&looped);
            return vec![(looped, kept)];
        }
        for (place, _) in &mut places {
            self.look_up_joined(place, WriteMoment::After);
        }
        for column in &scope.table.holds.elements {
            let mut more = Vec::new();
            for (place, truth) in places {
                if let Some(AttributeChange::Append(element)) =
                    self.impact.attribute_change(scope, *column)
                {
                    let mut single = place.clone();
                    let new = self.check_new_element(&mut single, *column, &element);
                    single.elements.push((scope.shape.canonical(*column), element));
                    more.push((single, GuardExpression::all([truth.clone(), new])));
                }
                let mut looped = place;
                if self.enter(&mut looped, *column, WriteMoment::After).is_some() {
                    more.push((looped, truth));
                }
            }
            places = more;
        }
        places
            .into_iter()
            .map(|(place, truth)| {
                let kept = self.element_retention(&place);
                (place, GuardExpression::all([truth, kept]))
            })
            .collect()
    }

    /// Whether the elements of this turn are not among those removed.
    fn element_retention(&self, scope: &Scope<'a>) -> GuardExpression {
        let removed = scope.elements.iter().filter_map(|(column, turn)| {
            match self.impact.attribute_change(scope, *column) {
                Some(AttributeChange::Remove(less)) => Some(GuardExpression::differ(turn, &less)),
                _ => None,
            }
        });
        GuardExpression::all(removed)
    }

    /// Whether an appended element was not in the array before; otherwise it would be counted
    /// twice.
    pub(super) fn check_new_element(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        element: &Operand,
    ) -> GuardExpression {
        if has_element_table(scope, column) {
            self.require(Precondition::NewElement);
            return GuardExpression::Always;
        }
        match self.value(scope, column, WriteMoment::Before) {
            NullableValue::Null => GuardExpression::Always,
            NullableValue::Is(array) => GuardExpression::If(Guard::Lacks(array, element.clone())),
        }
    }
}

/// Whether an array is too large for a collection, so that its elements are rows of a separate
/// table.
fn has_element_table(scope: &Scope<'_>, column: Column) -> bool {
    let entity = scope.shape.entity(column.source);
    let attribute = entity.and_then(|entity| entity.attributes.member(column.attribute));
    attribute.is_some_and(mapping::is_too_large)
}
