//! ON CONFLICT: an INSERT whose row may exist already.

use cql::Span;
use cql::types::Type;
use sqlparser::ast::{
    ConflictTarget, DoUpdate, Expr, Ident, ObjectName, OnConflict, OnConflictAction,
};

use super::from_clause::conjuncts;
use super::parameter::ValueTarget;
use super::resolver::{Resolver, fold_name};
use super::scope::Scope;
use super::shape::{ExpressionShape, classify_expression};
use super::value::ValueOrNull;
use crate::figures::with_article;
use crate::id::{AttributeId, EntityId};
use crate::workload::{Assignment, AssignmentValue, Condition, Upsert, Value, WriteKind};

/// A row of VALUES, as EXCLUDED names it.
pub(super) struct ExcludedRow {
    entity: EntityId,
    values: Vec<(AttributeId, Value)>,
}

/// The table of an INSERT.
pub(super) struct InsertTarget<'e> {
    pub(super) entity: EntityId,
    pub(super) name: &'e ObjectName,
    /// The name that it has in ON CONFLICT.
    pub(super) alias: Option<String>,
}

/// What `DO UPDATE` sets, and where.
type ConflictUpdate = (Vec<Assignment>, Vec<Condition>);

impl Resolver<'_> {
    /// Resolves ON CONFLICT: for each row what the write is, and whether it must not overwrite an
    /// existing row.
    pub(super) fn resolve_conflict(
        &mut self,
        target: &InsertTarget<'_>,
        conflict: &OnConflict,
        rows: Vec<Vec<(AttributeId, Value)>>,
    ) -> Option<Vec<(WriteKind, bool)>> {
        let span = self.keyword_span(self.named.span, "ON CONFLICT");
        let is_nothing = matches!(conflict.action, OnConflictAction::DoNothing);
        if is_nothing && conflict.conflict_target.is_none() && self.has_no_key(target.entity) {
            return Some(rows.into_iter().map(|it| (WriteKind::Insert(it), false)).collect());
        }
        let keys = self.resolve_arbiters(target.entity, conflict, span)?;
        let first = self.parameters.next_id();
        let mut resolved = Vec::new();
        for (position, values) in rows.into_iter().enumerate() {
            if position > 0 {
                self.parameters.repeat_from(first);
            }
            let given = |key: &&Vec<AttributeId>| {
                key.iter().all(|part| values.iter().any(|(attribute, _)| attribute == part))
            };
            let keys: Vec<_> = keys.iter().filter(given).cloned().collect();
            let update = match &conflict.action {
                OnConflictAction::DoNothing => None,
                OnConflictAction::DoUpdate(update) => {
                    Some(self.resolve_do_update(target, update, &keys, values.clone())?)
                }
            };
            if keys.is_empty() {
                let message = format!("{} gives no value for its ON CONFLICT columns", self.name());
                self.report("MF362", span, message, "insert a value for each of them");
                return None;
            }
            let is_alone = self.concept.entities[target.entity].keys.len() == 1;
            resolved.push(match update {
                // IF NOT EXISTS under the only key there is.
                None if is_alone => (WriteKind::Insert(values), true),
                update => (WriteKind::Upsert(Upsert { values, keys, update }), false),
            });
        }
        Some(resolved)
    }

    /// Whether a table has no key but the id that its rows get: no row is there already.
    fn has_no_key(&self, entity: EntityId) -> bool {
        let own = &self.concept.entities[entity];
        let is_row_id = |at: &AttributeId| {
            let attribute = &own.attributes[*at];
            attribute.hidden && attribute.generated.is_none()
        };
        own.unique.is_empty() && own.keys.iter().all(|key| key.iter().all(is_row_id))
    }

    /// The keys by which a row may exist already.
    fn resolve_arbiters(
        &mut self,
        entity: EntityId,
        conflict: &OnConflict,
        span: Span,
    ) -> Option<Vec<Vec<AttributeId>>> {
        let own = &self.concept.entities[entity];
        let named = match &conflict.conflict_target {
            None if matches!(conflict.action, OnConflictAction::DoNothing) => {
                return Some(own.keys.clone());
            }
            None => {
                let message = format!("{} names no key in ON CONFLICT DO UPDATE", self.name());
                let key: Vec<_> = own.primary_key().iter().collect();
                let key: Vec<_> = key.iter().map(|&&at| own.attributes[at].name.as_str()).collect();
                let help = format!("write ON CONFLICT ({})", key.join(", "));
                self.report("MF362", span, message, help);
                return None;
            }
            Some(ConflictTarget::Columns(columns)) => {
                columns.iter().map(|name| own.attribute_named(&fold_name(name))).collect()
            }
            Some(ConflictTarget::OnConstraint(name)) => {
                let name = name.0.last().and_then(|part| part.as_ident()).map(fold_name);
                name.and_then(|name| self.declared.constraints.get(&(entity, name)).cloned())
            }
        };
        let named: Option<Vec<AttributeId>> = named;
        let is_same = |key: &&Vec<AttributeId>| {
            named.as_ref().is_some_and(|named| {
                named.len() == key.len() && key.iter().all(|part| named.contains(part))
            })
        };
        if let Some(key) = own.keys.iter().find(is_same) {
            return Some(vec![key.clone()]);
        }
        let message =
            format!("the ON CONFLICT columns of {} are not a key of {}", self.name(), own.name);
        let help = "name the primary key, or a key that is UNIQUE and NOT NULL";
        self.report("MF362", span, message, help);
        None
    }

    /// Resolves DO UPDATE for one row.
    fn resolve_do_update(
        &mut self,
        target: &InsertTarget<'_>,
        update: &DoUpdate,
        keys: &[Vec<AttributeId>],
        values: Vec<(AttributeId, Value)>,
    ) -> Option<ConflictUpdate> {
        let entity = target.entity;
        let table = self.concept.entities[entity].name.clone();
        let alias = target.alias.clone().unwrap_or(table);
        let scope = Scope::from_table(entity, alias, self.node_span(target.name));
        let reported = self.errors.len();
        self.excluded = Some(ExcludedRow { entity, values });
        let assignments = self.resolve_assignments(&scope, &update.assignments);
        let conditions = match &update.selection {
            Some(condition) => self.resolve_conditions(&scope, &conjuncts(condition)),
            None => Vec::new(),
        };
        let excluded = self.excluded.take()?;
        if self.errors.len() > reported {
            return None;
        }
        // A key column that is set to the value under which the row was found stays as it is.
        let is_same = |assignment: &Assignment| {
            let value = excluded.values.iter().find(|(given, _)| *given == assignment.attribute);
            let found = value.map(|(_, value)| AssignmentValue::Set(value.clone()));
            keys.first().is_some_and(|key| key.contains(&assignment.attribute))
                && found.as_ref() == Some(&assignment.value)
        };
        let assignments: Vec<_> = assignments.into_iter().filter(|it| !is_same(it)).collect();
        self.check_key_change(entity, &assignments, self.named.name_span);
        Some((assignments, conditions))
    }

    /// The column of `EXCLUDED.column`, within DO UPDATE.
    pub(super) fn find_excluded_column<'e>(&self, expression: &'e Expr) -> Option<&'e Ident> {
        self.excluded.as_ref()?;
        match classify_expression(expression) {
            ExpressionShape::Column([table, column]) if fold_name(table) == "excluded" => {
                Some(column)
            }
            _ => None,
        }
    }

    /// The value of `EXCLUDED.column`.
    pub(super) fn resolve_excluded(
        &mut self,
        column: &str,
        span: Span,
        target: ValueTarget<'_>,
    ) -> Option<ValueOrNull> {
        let excluded = self.excluded.as_ref()?;
        let own = &self.concept.entities[excluded.entity];
        let Some(attribute) = own.attribute_named(column) else {
            let message = format!("table {} has no column {column}", own.name);
            let names = own.attributes.iter().map(|attribute| attribute.name.as_str());
            let help = match self.suggest(column, names) {
                Some(meant) => cql::spelling::suggestion(meant),
                None => format!("name a column of {}", own.name),
            };
            self.report("MF303", span, message, help);
            return None;
        };
        let value = excluded.values.iter().find(|(given, _)| *given == attribute);
        let value = value.map_or(ValueOrNull::Null, |(_, value)| ValueOrNull::Value(value.clone()));
        let ty = &own.attributes[attribute].ty;
        if !is_assignable(ty, target.ty) {
            let (from, to) = (with_article(ty), with_article(target.ty));
            let message = format!("EXCLUDED.{column} is {from} and {} is {to}", target.name);
            self.report("MF341", span, message, "use a column of the same type");
            return None;
        }
        Some(value)
    }
}

/// Whether a value of one type can be written to a column of the other.
fn is_assignable(from: &Type, to: &Type) -> bool {
    from.freeze() == to.freeze()
}
