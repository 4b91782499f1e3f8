//! Tables with a row for each element of an array.

use model::id::{LoopId, Numbered, SourceId};
use model::plan::{Derivation, Guard, Loop, Operand, Precondition};
use model::workload::Column;

use super::row::{RowValues, Term, When};
use crate::mapping;
use crate::writing::count;
use crate::writing::impact::target::After;
use crate::writing::request::Request;
use crate::writing::scope::Scope;
use crate::writing::truth::Truth;

impl<'a> RowValues<'a> {
    /// Repeats what follows for each element of the table's arrays. `None` when there are none.
    pub(super) fn enter_elements(&mut self, scope: &mut Scope<'a>, when: When) -> Option<()> {
        if self.finds_own(scope) || scope.table.holds.elements.is_empty() {
            return Some(());
        }
        let reached = scope.found.is_some() || !scope.partners.is_empty();
        if self.keeps_elements(scope, when) && !reached && self.find_elements(scope) {
            return Some(());
        }
        self.look_up_joined(scope, when);
        for column in &scope.table.holds.elements {
            self.enter(scope, *column, when)?;
        }
        Some(())
    }

    /// Whether the elements are those that the arrays have before.
    fn keeps_elements(&self, scope: &Scope<'a>, when: When) -> bool {
        scope.table.holds.elements.iter().all(|column| {
            when == When::Before
                || !matches!(self.impact.becomes(scope, *column), Some(After::To(_) | After::Null))
        })
    }

    /// Joined rows are looked up once, not for each element.
    fn look_up_joined(&mut self, scope: &mut Scope<'a>, when: When) {
        let table = scope.table;
        for column in table.columns.iter().filter(|column| column.is_key() || when == When::After) {
            let _ = self.column(scope, column, when);
        }
    }

    /// Repeats what follows for each element of one array.
    fn enter(&mut self, scope: &mut Scope<'a>, column: Column, when: When) -> Option<()> {
        let replaced = when == When::After
            && matches!(self.impact.becomes(scope, column), Some(After::To(_) | After::Null));
        let turn = if !replaced && is_apart(scope, column) {
            self.read_elements(scope, column, when)?
        } else if let Term::Is(array) = self.value(scope, column, when) {
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

    /// Finds the rows of the elements in the very table, where its key lets it.
    fn find_elements(&mut self, scope: &mut Scope<'a>) -> bool {
        let Some(own) = self.own_rows(scope) else { return false };
        let mut request = self.rows_of(scope);
        request.own = Some(own);
        request.loops.clone_from(&scope.loops);
        (request.times, request.count) = (scope.count, scope.count);
        for of in &scope.table.holds.elements {
            if let Some(entity) = scope.shape.entity(of.source) {
                request.count = request.count.times(count::items(entity, of.attribute));
            }
        }
        let at = self.ask(request);
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

    /// Asks for the elements of an array, a row each; the value that stands for one of them.
    fn read_elements(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        when: When,
    ) -> Option<Operand> {
        let entity = scope.shape.sources.at(column.source)?.entity;
        let mut known = Vec::new();
        for part in scope.shape.key(column.source) {
            let Term::Is(operand) = self.value(scope, part, when) else { return None };
            known.push((Column { source: SourceId::new(0), attribute: part.attribute }, operand));
        }
        let of = scope.shape.entity(column.source)?;
        let name = &of.attributes.at(column.attribute)?.name;
        let array = Column { source: SourceId::new(0), attribute: column.attribute };
        let mut request = Request::of_entity(entity, &of.name, known);
        request.element = Some(array);
        request.wants.insert(array);
        request.times = scope.count;
        request.count = scope.count.times(count::items(of, column.attribute));
        request.loops.clone_from(&scope.loops);
        request.reason = format!("the elements of {}.{name}", of.name);
        let step = self.ask(request);
        scope.loops = vec![Loop::Rows(step)];
        Some(Operand::Row { step, column: name.clone() })
    }

    /// Whether the element at this turn is no longer in its array.
    pub(super) fn gone_elements(&self, scope: &Scope<'a>) -> Truth {
        use model::workload::Comparison::Equal;
        let each =
            scope.elements.iter().map(|(column, turn)| match self.impact.becomes(scope, *column) {
                Some(After::Null) => Truth::Always,
                Some(After::To(array)) => Truth::If(Guard::Lacks(array, turn.clone())),
                Some(After::Remove(less)) => Truth::compares(turn, Equal, &less),
                _ => Truth::Never,
            });
        Truth::any(each)
    }

    /// The places of the row after the write, one for each way in which elements can be in their arrays.
    pub(super) fn places_after(&mut self, scope: &Scope<'a>) -> Vec<(Scope<'a>, Truth)> {
        let mut places = vec![(scope.clone(), Truth::Always)];
        if self.finds_own(scope) {
            return places;
        }
        let appends =
            scope.table.holds.elements.iter().any(|column| {
                matches!(self.impact.becomes(scope, *column), Some(After::Append(_)))
            });
        if !appends {
            let mut looped = scope.clone();
            if self.enter_elements(&mut looped, When::After).is_none() {
                return Vec::new();
            }
            let kept = self.kept_elements(&looped);
            return vec![(looped, kept)];
        }
        for (place, _) in &mut places {
            self.look_up_joined(place, When::After);
        }
        for column in &scope.table.holds.elements {
            let mut more = Vec::new();
            for (place, truth) in places {
                if let Some(After::Append(element)) = self.impact.becomes(scope, *column) {
                    let mut single = place.clone();
                    let new = self.is_new(&mut single, *column, &element);
                    single.elements.push((scope.shape.canonical(*column), element));
                    more.push((single, Truth::all([truth.clone(), new])));
                }
                let mut looped = place;
                if self.enter(&mut looped, *column, When::After).is_some() {
                    more.push((looped, truth));
                }
            }
            places = more;
        }
        places
            .into_iter()
            .map(|(place, truth)| {
                let kept = self.kept_elements(&place);
                (place, Truth::all([truth, kept]))
            })
            .collect()
    }

    /// Whether the elements at this turn are not among those that are removed.
    fn kept_elements(&self, scope: &Scope<'a>) -> Truth {
        let removed = scope.elements.iter().filter_map(|(column, turn)| {
            match self.impact.becomes(scope, *column) {
                Some(After::Remove(less)) => Some(Truth::differ(turn, &less)),
                _ => None,
            }
        });
        Truth::all(removed)
    }

    /// Whether an element that is appended was not in the array before: there it would be counted twice.
    pub(super) fn is_new(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        element: &Operand,
    ) -> Truth {
        if is_apart(scope, column) {
            self.require(Precondition::NewElement);
            return Truth::Always;
        }
        match self.value(scope, column, When::Before) {
            Term::Null => Truth::Always,
            Term::Is(array) => Truth::If(Guard::Lacks(array, element.clone())),
        }
    }
}

/// Whether an array is too large for a collection: then its elements are rows of a table of their own.
fn is_apart(scope: &Scope<'_>, column: Column) -> bool {
    let entity = scope.shape.entity(column.source);
    let attribute = entity.and_then(|entity| entity.attributes.at(column.attribute));
    attribute.is_some_and(mapping::is_too_large)
}
