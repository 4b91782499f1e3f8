//! The columns of a table's sources: of the row written, of rows found, and of rows that are joined
//! to them.

use model::id::{EntityId, IdList, SourceId, StepId};
use model::plan::{Loop, Operand, Precondition};
use model::workload::Column;

use super::row_values::{NullableValue, RowValues, WriteMoment};
use crate::write_plan::count::Count;
use crate::write_plan::join_graph::JoinRole;
use crate::write_plan::request::Request;
use crate::write_plan::scope::Scope;

impl<'a> RowValues<'a> {
    /// A column of the table's sources at one time.
    pub(super) fn value(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        when: WriteMoment,
    ) -> NullableValue {
        if let Some(attribute) = scope.attribute(column) {
            let changes = when == WriteMoment::After && self.impact.target.is_changed(attribute);
            let known =
                self.impact.target.known.get(attribute.index()).is_some_and(Option::is_some);
            let read_along = !changes && !known && self.has_own_rows(scope);
            let stored =
                scope.table.columns.iter().any(|planned| scope.is_stored_by(planned, column));
            if !(read_along && stored) {
                return self.attribute(attribute, when);
            }
        }
        // What the row is joined with after the write is not what was found along with it, nor with
        // the rows that refer to it; those of its new partners are found for themselves.
        let rejoined = when == WriteMoment::After && self.impact.is_affected(scope, column);
        let is_partner = scope.shape.join_role(scope.source) == JoinRole::Partner;
        if (!rejoined || is_partner)
            && let Some(operand) = self.partner_value(scope, column)
        {
            return NullableValue::Is(operand);
        }
        match scope.found.filter(|_| !rejoined) {
            Some(request) => self.row_value(scope, request, column),
            None => self.join_value(scope, column, when),
        }
    }

    /// A column of the rows that refer to the same row.
    fn partner_value(&mut self, scope: &Scope<'a>, column: Column) -> Option<Operand> {
        let (request, column) = scope.partners.iter().find_map(|(request, map)| {
            let found = map.enumerate_ids().find_map(|(source, theirs)| {
                let attribute =
                    scope.shape.attribute_at(column, source).filter(|_| theirs.is_some())?;
                Some(Column { source: (*theirs)?, attribute })
            });
            Some((*request, found?))
        })?;
        Some(self.request_column(request, column))
    }

    /// Whether the rows are read from the written table itself.
    pub(super) fn has_own_rows(&self, scope: &Scope<'a>) -> bool {
        scope.found.and_then(|at| self.requests.member(at)).is_some_and(|found| found.own.is_some())
    }

    /// A column of the rows found.
    fn row_value(&mut self, scope: &Scope<'a>, request: StepId, column: Column) -> NullableValue {
        let Some(own) = self.requests.member_mut(request).and_then(|other| other.own.as_mut())
        else {
            return NullableValue::Is(self.request_column(request, column));
        };
        let stored = scope.table.columns.iter().find(|planned| scope.is_stored_by(planned, column));
        stored.map_or(NullableValue::Null, |planned| {
            own.names.insert(planned.name.clone());
            NullableValue::Is(Operand::Row { step: request, column: planned.name.clone() })
        })
    }

    /// A column of a joined row, which is looked up by its key.
    fn join_value(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        when: WriteMoment,
    ) -> NullableValue {
        let nearest = scope
            .shape
            .sources
            .ids()
            .filter(|source| scope.shape.attribute_at(column, *source).is_some())
            .min_by_key(|source| scope.shape.distance(scope.source, *source));
        let routes = scope.shape.routes(scope.source);
        let Some((source, hop)) = nearest
            .and_then(|source| Some((source, routes.get(source.index()).copied().flatten()?)))
        else {
            return NullableValue::Null;
        };
        // A row that refers to one joined before is not found by a key of it.
        if !hop.to_one {
            return NullableValue::Null;
        }
        let Some(attribute) = scope.shape.attribute_at(column, source) else {
            return NullableValue::Null;
        };
        let Some(entity) = scope.shape.sources.member(source).map(|source| source.entity) else {
            return NullableValue::Null;
        };
        let mut known = Vec::new();
        for (holds, target) in hop.reference.attributes.iter().zip(&hop.reference.target_attributes)
        {
            let holder = Column { source: hop.from, attribute: *holds };
            match self.value(scope, holder, when) {
                NullableValue::Null => return NullableValue::Null,
                NullableValue::Is(operand) => {
                    known.push((Column { source: SourceId::new(0), attribute: *target }, operand));
                }
            }
        }
        if entity == self.impact.target.entity && when == WriteMoment::After {
            self.require(Precondition::NoSelfReference { entity: self.impact.name().to_owned() });
        }
        let tenant = self.tenant_of(scope, hop.from, entity, when);
        let optional = scope.shape.is_optional(source);
        let at = self.add_lookup(scope, entity, (known, optional), tenant);
        NullableValue::Is(self.request_column(at, Column { source: SourceId::new(0), attribute }))
    }

    /// The tenant of a joined row, which is that of the row that refers to it.
    fn tenant_of(
        &mut self,
        scope: &mut Scope<'a>,
        holder: SourceId,
        entity: EntityId,
        when: WriteMoment,
    ) -> Option<(Column, Operand)> {
        let tenant = self.impact.context.concept.tenant.as_deref()?;
        let mine = scope.shape.entity(holder)?.attribute_named(tenant)?;
        let theirs =
            self.impact.context.concept.entities.member(entity)?.attribute_named(tenant)?;
        match self.value(scope, Column { source: holder, attribute: mine }, when) {
            NullableValue::Is(operand) => {
                Some((Column { source: SourceId::new(0), attribute: theirs }, operand))
            }
            NullableValue::Null => None,
        }
    }

    /// The request that looks up a joined row, shared by all values of that row.
    fn add_lookup(
        &mut self,
        scope: &mut Scope<'a>,
        entity: EntityId,
        (known, optional): (Vec<(Column, Operand)>, bool),
        tenant: Option<(Column, Operand)>,
    ) -> StepId {
        let name =
            self.impact.context.concept.entities.member(entity).map_or("", |entity| &entity.name);
        let mut request = Request { optional, ..Request::for_entity(entity, name, known) };
        let beside = tenant.filter(|(column, _)| !request.enough.contains(column));
        request.known.extend(beside);
        let alike = |other: &Request| {
            other.own.is_none()
                && !other.ensures
                && other.sources == request.sources
                && other.known == request.known
                && other.optional == request.optional
                && other.enough == request.enough
        };
        if let Some((_, at)) = scope.parents.iter().find(|(other, _)| alike(other)) {
            return *at;
        }
        // What is the same in every turn is read once.
        let each = request.known.iter().any(|(_, operand)| self.is_varying(scope, operand));
        let loops = if each { scope.loops.clone() } else { Vec::new() };
        let same = |other: &Request| alike(other) && other.loops == loops;
        let at = self.requests.find_id(same).unwrap_or_else(|| {
            let reason = format!("the joined row of {name}, which the table also stores");
            let count = if each { scope.count } else { Count::ONE };
            let (loops, times) = (loops.clone(), count);
            let at = self.requests.next_id();
            self.requests.push(Request { loops, times, count, reason, ..request.clone() });
            at
        });
        scope.parents.push((request, at));
        if each {
            scope.loops = vec![Loop::Rows(at)];
        }
        at
    }

    /// Whether a value differs between the turns of the loops.
    fn is_varying(&self, scope: &Scope<'a>, operand: &Operand) -> bool {
        match operand {
            Operand::Parameter(_) | Operand::Literal(_) => false,
            Operand::Row { step, .. } => self.is_turn(&scope.loops, *step),
            _ => !scope.loops.is_empty(),
        }
    }

    /// Whether a turn of the loops stands for a row of a step, or of one that led to it.
    fn is_turn(&self, loops: &[Loop], step: StepId) -> bool {
        loops.iter().any(|turn| match turn {
            Loop::Rows(at) => {
                let led = self.requests.member(*at).filter(|_| *at > step);
                *at == step || led.is_some_and(|other| self.is_turn(&other.loops, step))
            }
            _ => false,
        })
    }
}
