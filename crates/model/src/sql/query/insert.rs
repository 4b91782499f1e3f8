//! INSERT.

use cql::Span;
use sqlparser::ast::{
    Assignment, AssignmentTarget, ConflictTarget, Expr, Insert, ObjectName, OnConflict,
    OnConflictAction, OnInsert, SetExpr, TableObject,
};

use super::counter::{Assigned, How};
use super::parameter::{Met, Target, Way};
use super::refusal;
use super::resolver::{Resolver, folded};
use super::scope::Scope;
use super::shape::{Shape, shape};
use super::value::Given;
use super::write::Written;
use crate::concept::AttributeRef;
use crate::id::{AttributeId, EntityId, Numbered};
use crate::workload::{Value, WriteKind};

impl Resolver<'_> {
    /// Resolves an INSERT.
    pub(super) fn insert(&mut self, insert: &Insert) -> Option<Written> {
        if let Some(returned) = &insert.returning {
            self.returning(returned);
        }
        let TableObject::TableName(name) = &insert.table else {
            self.refuse(&refusal::TABLE_EXPRESSION, self.place(&insert.table));
            return None;
        };
        let values = self.inserted_row(insert);
        let entity = self.entity(name)?;
        if self.concept.entities[entity].attributes.is_empty() {
            return None;
        }
        let columns = self.insert_columns(entity, name, &insert.columns);
        let values = values?;
        if columns.len() != values.len() {
            self.count_differs(entity, columns.len(), values);
            return None;
        }
        let mut found = Vec::new();
        for (column, value) in columns.iter().zip(values) {
            let Some(attribute) = *column else { continue };
            let value = self.inserted(AttributeRef { entity, attribute }, value);
            found.extend(value.map(|value| (attribute, value)));
        }
        if columns.iter().all(Option::is_some) {
            self.whole_key(entity, &found, self.place(name));
        }
        let strict = match &insert.on {
            Some(OnInsert::OnConflict(conflict)) => self.conflict(entity, conflict, &found),
            Some(OnInsert::DuplicateKeyUpdate(_)) => {
                self.refuse(&refusal::CLAUSE, self.keyword(self.named.span, "ON DUPLICATE"));
                false
            }
            Some(_) => {
                self.refuse(&refusal::CLAUSE, self.named.span);
                false
            }
            None => false,
        };
        Some(Written {
            entity,
            kind: WriteKind::Insert(found),
            strict,
            overwrites: insert.on.is_some() && !strict,
        })
    }

    /// The one row of VALUES.
    fn inserted_row<'e>(&mut self, insert: &'e Insert) -> Option<&'e [Expr]> {
        let Some(source) = &insert.source else {
            let message = format!("{} gives no values", self.name());
            self.report("MF360", self.named.span, message, "add VALUES (?, ...)");
            return None;
        };
        let SetExpr::Values(values) = &*source.body else {
            self.refuse(&refusal::INSERT_SELECT, self.place(&**source));
            return None;
        };
        match &values.rows[..] {
            [row] => Some(&row.content),
            [_, second, ..] => {
                self.refuse(&refusal::SEVERAL_ROWS, self.place(second));
                None
            }
            [] => None,
        }
    }

    /// The attributes that are given, in the order of the text; all of them where the statement names none.
    fn insert_columns(
        &mut self,
        entity: EntityId,
        table: &ObjectName,
        columns: &[ObjectName],
    ) -> Vec<Option<AttributeId>> {
        if columns.is_empty() {
            return self.concept.entities[entity].attributes.ids().map(Some).collect();
        }
        let name = self.concept.entities[entity].name.clone();
        let scope = Scope::of(entity, name, self.place(table));
        let mut seen = std::collections::BTreeSet::new();
        let mut found = Vec::new();
        for column in columns {
            let place = self.place(column);
            let name = column.0.last().and_then(|part| part.as_ident()).cloned();
            let attribute =
                name.and_then(|name| self.column(&scope, &[name])).map(|column| column.attribute);
            if attribute.is_some_and(|attribute| !seen.insert(attribute)) {
                self.given_twice(place);
            }
            found.push(attribute);
        }
        found
    }

    /// Reports a column that a write gives twice.
    pub(super) fn given_twice(&mut self, place: Span) {
        let message = format!("{} gives {} twice", self.name(), self.places.text(place));
        self.report("MF360", place, message, "give it once");
    }

    fn count_differs(&mut self, entity: EntityId, columns: usize, values: &[Expr]) {
        let place = values.first().zip(values.last()).map_or(self.named.span, |(first, last)| {
            self.expression(first).to(self.expression(last))
        });
        let table = &self.concept.entities[entity].name;
        let message = format!(
            "{} names {columns} columns of {table} and gives {} values",
            self.name(),
            values.len()
        );
        self.report("MF360", place, message, "give a value for each column");
    }

    /// The value of a column; nothing for NULL.
    fn inserted(&mut self, attribute: AttributeRef, value: &Expr) -> Option<Value> {
        let span = self.expression(value);
        let given = self.written(attribute, value)?;
        let Given::Value(value) = given else {
            self.may_be_null(attribute, span);
            return None;
        };
        let zero = value == Value::Literal("0".to_owned());
        let how = if zero { How::InsertedZero } else { How::Inserted };
        self.assigned.push(Assigned { attribute, span, how });
        Some(value)
    }

    /// A value that is written into an attribute.
    pub(super) fn written(&mut self, attribute: AttributeRef, value: &Expr) -> Option<Given> {
        let column = self.attribute(attribute);
        let is_default = match shape(value) {
            Shape::Column([name]) => name.value.eq_ignore_ascii_case("default"),
            Shape::Computed { from_columns: false } => true,
            _ => false,
        };
        if is_default {
            self.refuse(&refusal::DEFAULT, self.expression(value));
            return None;
        }
        if let Shape::Column(_) | Shape::CastColumn = shape(value) {
            self.refuse(&refusal::COPIED, self.expression(value));
            return None;
        }
        let met = Met { attribute, way: Way::Written };
        self.given(value, Target { name: &column.name, ty: &column.ty, met: Some(met) })
    }

    /// Reports NULL for what may not be null.
    pub(super) fn may_be_null(&mut self, attribute: AttributeRef, span: Span) {
        let column = self.attribute(attribute);
        if !column.nullable {
            let message = format!("{} may not be null", column.name);
            self.report("MF360", span, message, "give a value, or a parameter: `?`");
        }
    }

    /// A row is stored under its whole key.
    fn whole_key(&mut self, entity: EntityId, given: &[(AttributeId, Value)], place: Span) {
        let entity = &self.concept.entities[entity];
        let missing: Vec<&str> = entity
            .primary_key()
            .iter()
            .filter(|&&key| given.iter().all(|(attribute, _)| *attribute != key))
            .map(|&key| entity.attributes[key].name.as_str())
            .collect();
        if !missing.is_empty() && self.errors.is_empty() {
            let missing = missing.join(", ");
            let message = format!(
                "{} gives no {missing}, which is in the key of {}",
                self.name(),
                entity.name
            );
            let help = format!(
                "add {missing}; the program makes the value (a uuid), Cassandra makes none"
            );
            self.report("MF360", place, message, help);
        }
    }

    /// Whether an existing row must not be overwritten: `ON CONFLICT DO NOTHING`.
    fn conflict(
        &mut self,
        entity: EntityId,
        conflict: &OnConflict,
        given: &[(AttributeId, Value)],
    ) -> bool {
        let span = self.keyword(self.named.span, "ON CONFLICT");
        if let Some(ConflictTarget::Columns(columns)) = &conflict.conflict_target {
            let own = &self.concept.entities[entity];
            let mut key: Vec<AttributeId> =
                columns.iter().filter_map(|name| own.attribute_named(&folded(name))).collect();
            key.sort_unstable();
            let is = |other: &Vec<AttributeId>| {
                let mut other = other.clone();
                other.sort_unstable();
                other == key
            };
            if key.len() != columns.len() || !own.keys.iter().any(is) {
                let message =
                    format!("the conflict of {} is on no key of {}", self.name(), own.name);
                self.report("MF362", span, message, "name the columns of its primary key");
            }
        }
        match &conflict.action {
            OnConflictAction::DoNothing => true,
            OnConflictAction::DoUpdate(update) => {
                self.upsert(entity, &update.assignments, given, span);
                if let Some(condition) = &update.selection {
                    self.refuse(&refusal::CLAUSE, self.expression(condition));
                }
                false
            }
        }
    }

    /// `DO UPDATE` is what Cassandra's INSERT does anyway, if it sets all that is inserted.
    fn upsert(
        &mut self,
        entity: EntityId,
        assignments: &[Assignment],
        given: &[(AttributeId, Value)],
        span: Span,
    ) {
        let own = &self.concept.entities[entity];
        let set: Vec<Option<AttributeId>> = assignments
            .iter()
            .map(|assignment| {
                let name = excluded(assignment)?;
                own.attribute_named(&name)
            })
            .collect();
        let missing: Vec<&str> = given
            .iter()
            .map(|(attribute, _)| *attribute)
            .filter(|attribute| {
                !own.primary_key().contains(attribute) && !set.contains(&Some(*attribute))
            })
            .map(|attribute| own.attributes[attribute].name.as_str())
            .collect();
        if set.contains(&None) {
            let message =
                format!("{} updates a row with something else than it inserts", self.name());
            let help = format!(
                "write an UPDATE of its own, which creates the row: `UPDATE {} SET n = n + ? WHERE ...`",
                own.name
            );
            self.report("MF362", span, message, help);
        } else if let Some(first) = missing.first() {
            let message = format!("{} keeps the old {first} of an existing row", self.name());
            let help = format!("set all that is inserted: `{first} = EXCLUDED.{first}`");
            self.report("MF362", span, message, help);
        }
    }
}

/// The column of `x = EXCLUDED.x`.
fn excluded(assignment: &Assignment) -> Option<String> {
    let AssignmentTarget::ColumnName(target) = &assignment.target else { return None };
    let target = target.0.last().and_then(|part| part.as_ident()).map(folded)?;
    match shape(&assignment.value) {
        Shape::Column([table, column])
            if folded(table) == "excluded" && folded(column) == target =>
        {
            Some(target)
        }
        _ => None,
    }
}
