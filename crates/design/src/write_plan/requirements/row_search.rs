//! Finds the rows of a table in which a row of the written entity occurs.

use model::id::{IdList, SourceId};
use model::plan::{ColumnRole, Derivation, Loop, PlannedColumn};
use model::workload::{Column, Join, Source};

use super::row_values::{NullableValue, RowValues, WriteMoment};
use crate::write_plan::count;
use crate::write_plan::impact::is_partition_determined;
use crate::write_plan::join_graph::{JoinGraph, JoinRole};
use crate::write_plan::request::{OwnTableRead, Request};
use crate::write_plan::scope::Scope;

impl<'a> RowValues<'a> {
    /// Requests the table's rows in which the entity's row occurs; what follows is repeated for
    /// each.
    pub(super) fn find_rows(&mut self, scope: &mut Scope<'a>) {
        if self.impact.can_add_rows(scope) {
            self.find_possible_rows(scope);
        } else {
            self.find_held_rows(scope);
        }
    }

    /// Requests the rows that the table has now.
    fn find_held_rows(&mut self, scope: &mut Scope<'a>) {
        let rows = count::count_joined_rows(
            scope.shape,
            scope.source,
            self.impact.context.options.limits.years,
        );
        let times = scope.count;
        scope.count = scope.count.times(rows);
        let mut request = self.row_request(scope);
        request.times = times;
        request.own = self.own_rows(scope);
        // The known values may have been read in loops of their own.
        request.loops.clone_from(&scope.loops);
        request.count = scope.count;
        let at = self.add_request(request);
        scope.found = Some(at);
        scope.loops = vec![Loop::Rows(at)];
    }

    /// Requests the rows in which the entity's row occurs, or would occur if the write's changes
    /// are left out of account.
    fn find_possible_rows(&mut self, scope: &mut Scope<'a>) {
        let mut map = vec![None; scope.shape.sources.len()];
        let mut sources: Vec<Source> = Vec::new();
        let Some(start) = scope.shape.sources.member(scope.source) else { return };
        map[scope.source] = Some(SourceId::new(0));
        sources.push(Source { join: None, ..start.clone() });
        let mut open = vec![scope.source];
        while let Some(at) = open.pop() {
            for hop in scope.shape.hops(at) {
                let begins = scope.is_written(at) && self.impact.can_begin_join(&hop);
                if begins || map[hop.to].is_some() {
                    continue;
                }
                let Some(held) = scope.shape.sources.member(hop.to) else { continue };
                let with = map[at].unwrap_or_default();
                let (reference, to_one, optional) = (hop.position, hop.to_one, hop.optional);
                let join = Some(Join { with, reference, to_one, optional });
                map[hop.to] = Some(sources.next_id());
                sources.push(Source { join, ..held.clone() });
                open.push(hop.to);
            }
        }
        let theirs = |column: Column| {
            let source = map.member(column.source).copied().flatten()?;
            Some(Column { source, attribute: column.attribute })
        };
        let mut request = self.row_request(scope);
        request.known.retain_mut(|(column, _)| theirs(*column).map(|to| *column = to).is_some());
        request.enough = request.known.iter().map(|(column, _)| *column).collect();
        request.distinct = request.distinct.iter().filter_map(|column| theirs(*column)).collect();
        request.filters.retain(|filter| {
            !filter.predicate.columns().iter().any(|column| self.impact.is_affected(scope, *column))
        });
        request.filters.retain_mut(|filter| {
            filter.predicate.map_columns(theirs).map(|test| filter.predicate = test).is_some()
        });
        request.not_null.retain(|column| !self.impact.is_affected(scope, *column));
        request.not_null = request.not_null.iter().filter_map(|column| theirs(*column)).collect();
        request.sources = sources;
        let rows = count::count_joined_rows(
            scope.shape,
            scope.source,
            self.impact.context.options.limits.years,
        );
        request.times = scope.count;
        scope.count = scope.count.times(rows);
        request.loops.clone_from(&scope.loops);
        request.count = scope.count;
        let at = self.add_request(request);
        scope.partners.push((at, map));
        scope.loops = vec![Loop::Rows(at)];
    }

    /// Loops over the table's rows in which the entity's row occurs: those of its partners, or
    /// those found.
    pub(super) fn reach(&mut self, scope: &mut Scope<'a>, when: WriteMoment) -> Option<()> {
        match scope.shape.join_role(scope.source) {
            JoinRole::Maker => {}
            JoinRole::Parent => self.find_rows(scope),
            JoinRole::Partner if when == WriteMoment::Before && self.own_rows(scope).is_some() => {
                // Those of the partners that it gets are looked for by themselves.
                if self.impact.is_rejoined(scope) {
                    self.find_held_rows(scope);
                } else {
                    self.find_rows(scope);
                }
            }
            JoinRole::Partner => self.find_partners(scope, when)?,
        }
        self.restrict_roles(scope);
        Some(())
    }

    /// Requests the rows that refer to the same row as the entity's; what follows is repeated for
    /// each.
    fn find_partners(&mut self, scope: &mut Scope<'a>, when: WriteMoment) -> Option<()> {
        for hop in scope.shape.hops(scope.source) {
            let beyond = scope.shape.hops_beyond(hop);
            if beyond.iter().all(|hop| hop.to_one || scope.also.contains(&hop.to)) {
                continue;
            }
            let mut known = Vec::new();
            for (mine, theirs) in
                hop.reference.attributes.iter().zip(&hop.reference.target_attributes)
            {
                let holder = Column { source: scope.source, attribute: *mine };
                let NullableValue::Is(operand) = self.value(scope, holder, when) else {
                    return None;
                };
                known.push((Column { source: SourceId::new(0), attribute: *theirs }, operand));
            }
            let mut map = vec![None; scope.shape.sources.len()];
            let mut sources: Vec<Source> = Vec::new();
            for step in &beyond {
                let from = map.member(step.from).copied().flatten();
                let (reference, to_one, optional) = (step.position, step.to_one, step.optional);
                let join = from.map(|with| Join { with, reference, to_one, optional });
                map[step.to] = Some(sources.next_id());
                sources.push(Source { join, ..scope.shape.sources.member(step.to)?.clone() });
            }
            let name = &self.impact.context.concept.entities.member(hop.reference.target)?.name;
            let mut request = Request::for_entity(hop.reference.target, name, known);
            let shape = JoinGraph { concept: self.impact.context.concept, sources: &sources };
            let keys = sources.ids().flat_map(|source| shape.key(source));
            request.distinct = keys.map(|column| shape.canonical(column)).collect();
            let rows = count::count_joined_rows(
                shape,
                SourceId::new(0),
                self.impact.context.options.limits.years,
            );
            request.times = scope.count;
            scope.count = scope.count.times(rows);
            request.sources = sources;
            request.loops.clone_from(&scope.loops);
            request.count = scope.count;
            request.reason = format!("the rows that refer to the same row of {name}");
            let at = self.add_request(request);
            scope.partners.push((at, map));
            scope.loops = vec![Loop::Rows(at)];
        }
        Some(())
    }

    /// A request for rows of the table's join.
    pub(super) fn row_request(&mut self, scope: &mut Scope<'a>) -> Request {
        let key = scope.shape.key(scope.source);
        let mut known = Vec::new();
        for column in key {
            if let NullableValue::Is(operand) = self.value(scope, column, WriteMoment::Before) {
                known.push((scope.shape.canonical(column), operand));
            }
        }
        let sources = scope.shape.sources.ids();
        let makers: Vec<_> =
            sources.clone().filter(|source| scope.shape.is_maker(*source)).collect();
        let makers = if makers.is_empty() { sources.collect() } else { makers };
        let keys = makers.into_iter().flat_map(|source| scope.shape.key(source));
        let distinct = keys.map(|column| scope.shape.canonical(column)).collect();
        let name = scope.shape.entity(scope.source).map_or("", |entity| &entity.name);
        let mut request = Request::for_entity(self.impact.target.entity, name, known);
        request.sources.clone_from(&scope.table.holds.sources);
        request.filters.clone_from(&scope.table.holds.filters);
        request.not_null.clone_from(&scope.table.holds.not_null);
        request.distinct = distinct;
        request.reason = format!("the rows of {} that hold the row of {name}", scope.table.name);
        request
    }

    /// A read of the written table itself, if its rows can be found by the entity's own values.
    pub(super) fn own_rows(&mut self, scope: &mut Scope<'a>) -> Option<OwnTableRead> {
        let table = scope.table;
        if table.is_counter() || !is_partition_determined(scope.shape, table, scope.source) {
            return None;
        }
        let attribute = |column: &PlannedColumn| match column.derivation {
            Derivation::Attribute(of) => scope.shape.attribute_at(of, scope.source),
            _ => None,
        };
        let restricted: Vec<_> = table
            .columns
            .iter()
            .filter(|column| column.is_key())
            .take_while(|column| {
                column.role == ColumnRole::Partition || attribute(column).is_some()
            })
            .collect();
        let fixed: Vec<_> = restricted.iter().filter_map(|column| attribute(column)).collect();
        let held = |column: Column| fixed.contains(&column.attribute);
        if !scope.shape.has_key(scope.source, held) {
            return None;
        }
        let mut key = Vec::new();
        for column in restricted {
            match self.column(scope, column, WriteMoment::Before) {
                NullableValue::Is(operand) => key.push((column.name.clone(), operand)),
                NullableValue::Null => return None,
            }
        }
        let names = table.columns.iter().filter(|column| column.is_key());
        let names = names.map(|column| column.name.clone()).collect();
        Some(OwnTableRead { table: scope.at, key, names })
    }
}
