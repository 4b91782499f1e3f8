//! Finding the rows of a table that a row of another entity is in.

use model::plan::{Derivation, Loop, Operand, PlannedColumn, Role};
use model::workload::Column;

use super::count;
use super::draft::{Draft, Scope, Term, When};
use super::request::{Own, Request};
use super::statics::partition_follows;
use crate::mapping;

impl<'a> Draft<'a> {
    /// Asks for the table's rows that the entity's row is in; what follows is repeated for each of them.
    pub(super) fn find(&mut self, scope: &mut Scope<'a>) {
        let rows = count::joined_rows(scope.shape, scope.source, self.context.options.limits.years);
        scope.count = scope.count.times(rows);
        let mut request = self.rows_of(scope);
        request.own = self.own_rows(scope);
        // What the request is looked up by may have been read in turns of its own.
        request.loops.clone_from(&scope.loops);
        request.count = scope.count;
        self.requests.push(request);
        let at = self.requests.len() - 1;
        scope.found = Some(at);
        scope.loops = vec![Loop::Rows(at)];
    }

    /// Finds the rows of the elements in the very table, where its key lets it.
    pub(super) fn find_elements(&mut self, scope: &mut Scope<'a>) -> bool {
        let Some(own) = self.own_rows(scope) else { return false };
        let mut request = self.rows_of(scope);
        request.own = Some(own);
        request.loops.clone_from(&scope.loops);
        self.requests.push(request);
        let at = self.requests.len() - 1;
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
    pub(super) fn read_elements(
        &mut self,
        scope: &mut Scope<'a>,
        column: Column,
        when: When,
    ) -> Option<Operand> {
        let entity = scope.shape.sources.get(column.source)?.entity;
        let mut known = Vec::new();
        for part in scope.shape.key(column.source) {
            let Term::Is(operand) = self.value(scope, part, when) else { return None };
            known.push((Column { source: 0, attribute: part.attribute }, operand));
        }
        let of = scope.shape.entity(column.source)?;
        let array = Column { source: 0, attribute: column.attribute };
        let mut request = Request::of_entity(entity, &of.name, known);
        request.element = Some(array);
        request.wants.insert(array);
        request.loops.clone_from(&scope.loops);
        request.reason =
            format!("the elements of {}.{}", of.name, of.attributes.get(column.attribute)?.name);
        self.requests.push(request);
        let step = self.requests.len() - 1;
        scope.loops = vec![Loop::Rows(step)];
        Some(Operand::Row { step, column: of.attributes.get(column.attribute)?.name.clone() })
    }

    /// A request for rows of the table's join.
    fn rows_of(&mut self, scope: &mut Scope<'a>) -> Request {
        let key = scope.shape.key(scope.source);
        let mut known = Vec::new();
        for column in key {
            if let Term::Is(operand) = self.value(scope, column, When::Before) {
                known.push((scope.shape.canonical(column), operand));
            }
        }
        let sources = 0..scope.shape.sources.len();
        let makers: Vec<_> =
            sources.clone().filter(|source| scope.shape.makes_rows(*source)).collect();
        let makers = if makers.is_empty() { sources.collect() } else { makers };
        let keys = makers.into_iter().flat_map(|source| scope.shape.key(source));
        let distinct = keys.map(|column| scope.shape.canonical(column)).collect();
        let name = scope.shape.entity(scope.source).map_or("", |entity| &entity.name);
        let mut request = Request::of_entity(self.target.entity, name, known);
        request.sources.clone_from(&scope.table.holds.sources);
        request.filters.clone_from(&scope.table.holds.filters);
        request.not_null.clone_from(&scope.table.holds.not_null);
        request.distinct = distinct;
        request.reason = format!("the rows of {} that hold the row of {name}", scope.table.name);
        request
    }

    /// A request of the very table, if its rows can be found by what the entity's row says.
    pub(super) fn own_rows(&mut self, scope: &mut Scope<'a>) -> Option<Own> {
        let table = scope.table;
        if table.is_counter() || !partition_follows(scope.shape, table, scope.source) {
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
            .take_while(|column| column.role == Role::Partition || attribute(column).is_some())
            .collect();
        let fixed: Vec<_> = restricted.iter().filter_map(|column| attribute(column)).collect();
        let held = |column: Column| fixed.contains(&column.attribute);
        if !scope.shape.hold_key(scope.source, held) {
            return None;
        }
        let mut key = Vec::new();
        for column in restricted {
            match self.column(scope, column, When::Before) {
                Term::Is(operand) => key.push((column.name.clone(), operand)),
                Term::Null => return None,
            }
        }
        let names = table.columns.iter().filter(|column| column.is_key());
        let names = names.map(|column| column.name.clone()).collect();
        Some(Own { table: scope.at, key, names })
    }
}

/// Whether an array is too large for a collection: then its elements are rows of a table of their own.
pub(super) fn is_apart(scope: &Scope<'_>, column: Column) -> bool {
    let entity = scope.shape.entity(column.source);
    let attribute = entity.and_then(|entity| entity.attributes.get(column.attribute));
    attribute.is_some_and(mapping::is_too_large)
}
