//! INSERT, with ON CONFLICT.

use cql::Span;
use sqlparser::ast::{
    Assignment, AssignmentTarget, ConflictTarget, Expr, Insert, ObjectName, OnConflict,
    OnConflictAction, OnInsert, SetExpr, TableObject,
};

use super::counter::{AttributeWrite, WriteMode};
use super::parameter::{ParameterUse, ParameterUseKind, ValueTarget};
use super::refusal;
use super::resolver::{Resolver, fold_name};
use super::scope::Scope;
use super::shape::{ExpressionShape, classify_expression};
use super::value::ValueOrNull;
use super::write::WriteParts;
use crate::concept::AttributeRef;
use crate::id::{AttributeId, EntityId, IdList};
use crate::sql::client_value::find_client_value;
use crate::sql::literal::assigned_literal;
use crate::workload::{Value, WriteKind};

impl Resolver<'_> {
    /// Resolves an INSERT.
    pub(super) fn resolve_insert(&mut self, insert: &Insert) -> Option<WriteParts> {
        if let Some(returned) = &insert.returning {
            self.refuse_returning(returned);
        }
        let TableObject::TableName(name) = &insert.table else {
            self.refuse(&refusal::TABLE_EXPRESSION, self.node_span(&insert.table));
            return None;
        };
        let values = self.single_row(insert);
        let entity = self.resolve_entity(name)?;
        if self.concept.entities[entity].attributes.is_empty() {
            return None;
        }
        let mut columns = self.resolve_insert_columns(entity, name, &insert.columns);
        let values = values?;
        // Without a list of columns, the last ones may be left out.
        if insert.columns.is_empty() {
            columns.truncate(values.len());
        }
        if columns.len() != values.len() {
            self.report_count_mismatch(entity, columns.len(), values);
            return None;
        }
        let (mut found, mut explicit) = (Vec::new(), Vec::new());
        for (column, value) in columns.iter().zip(values) {
            let Some(attribute) = *column else { continue };
            let value = self.resolve_insert_value(AttributeRef { entity, attribute }, value);
            found.extend(value.map(|value| (attribute, value)));
        }
        if columns.iter().all(Option::is_some) {
            let place = self.node_span(name);
            explicit.clone_from(&found);
            let columns: Vec<AttributeId> = columns.into_iter().flatten().collect();
            self.add_defaults(entity, &columns, &mut found, place);
            self.check_whole_key(entity, &found, place);
        }
        let strict = match &insert.on {
            Some(OnInsert::OnConflict(conflict)) => {
                self.resolve_conflict(entity, conflict, &explicit)
            }
            Some(OnInsert::DuplicateKeyUpdate(_)) => {
                self.refuse(&refusal::CLAUSE, self.keyword_span(self.named.span, "ON DUPLICATE"));
                false
            }
            Some(_) => {
                self.refuse(&refusal::CLAUSE, self.named.span);
                false
            }
            None => false,
        };
        Some(WriteParts {
            entity,
            kind: WriteKind::Insert(found),
            strict,
            overwrites: insert.on.is_some() && !strict,
        })
    }

    /// The one row of VALUES.
    fn single_row<'e>(&mut self, insert: &'e Insert) -> Option<&'e [Expr]> {
        // DEFAULT VALUES
        let Some(source) = &insert.source else { return Some(&[]) };
        let SetExpr::Values(values) = &*source.body else {
            self.refuse(&refusal::INSERT_SELECT, self.node_span(&**source));
            return None;
        };
        match &values.rows[..] {
            [row] => Some(&row.content),
            [_, second, ..] => {
                self.refuse(&refusal::SEVERAL_ROWS, self.node_span(second));
                None
            }
            [] => None,
        }
    }

    /// The attributes of the column list, in the order of the text; all of them without a list.
    fn resolve_insert_columns(
        &mut self,
        entity: EntityId,
        table: &ObjectName,
        columns: &[ObjectName],
    ) -> Vec<Option<AttributeId>> {
        if columns.is_empty() {
            return self.concept.entities[entity].attributes.ids().map(Some).collect();
        }
        let name = self.concept.entities[entity].name.clone();
        let scope = Scope::from_table(entity, name, self.node_span(table));
        let mut seen = std::collections::BTreeSet::new();
        let mut found = Vec::new();
        for column in columns {
            let place = self.node_span(column);
            let name = column.0.last().and_then(|part| part.as_ident()).cloned();
            let attribute = name
                .and_then(|name| self.resolve_column(&scope, &[name]))
                .map(|column| column.attribute);
            if attribute.is_some_and(|attribute| !seen.insert(attribute)) {
                self.report_duplicate(place);
            }
            found.push(attribute);
        }
        found
    }

    /// Reports a column that a write sets twice.
    pub(super) fn report_duplicate(&mut self, place: Span) {
        let message = format!("{} sets {} twice", self.name(), self.places.text(place));
        self.report("MF360", place, message, "set each column once");
    }

    fn report_count_mismatch(&mut self, entity: EntityId, columns: usize, values: &[Expr]) {
        let place = values.first().zip(values.last()).map_or(self.named.span, |(first, last)| {
            self.expression_span(first).union(self.expression_span(last))
        });
        let table = &self.concept.entities[entity].name;
        let message = format!(
            "{} lists {columns} columns of {table} but {} values",
            self.name(),
            values.len()
        );
        self.report("MF360", place, message, "provide one value for each column");
    }

    /// The value of a column; nothing for NULL.
    fn resolve_insert_value(&mut self, attribute: AttributeRef, value: &Expr) -> Option<Value> {
        let span = self.expression_span(value);
        let given = self.resolve_new_value(attribute, value)?;
        let ValueOrNull::Value(value) = given else {
            self.check_nullable(attribute, span);
            return None;
        };
        let zero = value == Value::Literal("0".to_owned());
        let how = if zero { WriteMode::InsertedZero } else { WriteMode::Inserted };
        self.assigned.push(AttributeWrite { attribute, span, how });
        Some(value)
    }

    /// A value that is written into an attribute.
    pub(super) fn resolve_new_value(
        &mut self,
        attribute: AttributeRef,
        value: &Expr,
    ) -> Option<ValueOrNull> {
        let column = self.attribute(attribute);
        match classify_expression(value) {
            ExpressionShape::Column([name])
                if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("default") =>
            {
                return self.resolve_default(attribute, self.expression_span(value));
            }
            ExpressionShape::Computed { from_columns: false }
                if find_client_value(value).is_none() =>
            {
                if let Some(constant) = assigned_literal(value, &column.ty) {
                    return Some(ValueOrNull::Value(Value::Literal(constant)));
                }
                self.refuse(&refusal::DEFAULT, self.expression_span(value));
                return None;
            }
            _ => {}
        }
        if let ExpressionShape::Column(_) | ExpressionShape::CastColumn = classify_expression(value)
        {
            self.refuse(&refusal::COPIED, self.expression_span(value));
            return None;
        }
        let usage = ParameterUse { attribute, kind: ParameterUseKind::Written };
        self.resolve_value_or_null(
            value,
            ValueTarget { name: &column.name, ty: &column.ty, usage: Some(usage) },
        )
    }

    /// Reports NULL for an attribute that is not nullable.
    pub(super) fn check_nullable(&mut self, attribute: AttributeRef, span: Span) {
        let column = self.attribute(attribute);
        if !column.nullable {
            let message = format!("{} must not be null", column.name);
            self.report("MF360", span, message, "use a value or a parameter: `?`");
        }
    }

    /// Reports missing key columns: a row is stored under its whole key.
    fn check_whole_key(&mut self, entity: EntityId, given: &[(AttributeId, Value)], place: Span) {
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
                "{} sets no value for {missing}, which is in the key of {}",
                self.name(),
                entity.name
            );
            let help = format!(
                "add {missing}, with a value generated by the application (such as a uuid)"
            );
            self.report("MF360", place, message, help);
        }
    }

    /// Resolves ON CONFLICT: whether an existing row must not be overwritten (`DO NOTHING`).
    fn resolve_conflict(
        &mut self,
        entity: EntityId,
        conflict: &OnConflict,
        given: &[(AttributeId, Value)],
    ) -> bool {
        let span = self.keyword_span(self.named.span, "ON CONFLICT");
        if let Some(ConflictTarget::Columns(columns)) = &conflict.conflict_target {
            let own = &self.concept.entities[entity];
            let mut key: Vec<AttributeId> =
                columns.iter().filter_map(|name| own.attribute_named(&fold_name(name))).collect();
            key.sort_unstable();
            let is_target = |other: &Vec<AttributeId>| {
                let mut other = other.clone();
                other.sort_unstable();
                other == key
            };
            if key.len() != columns.len() || !own.keys.iter().any(is_target) {
                let message = format!(
                    "the ON CONFLICT columns of {} are not a key of {}",
                    self.name(),
                    own.name
                );
                self.report("MF362", span, message, "list the columns of the primary key");
            }
        }
        match &conflict.action {
            OnConflictAction::DoNothing => true,
            OnConflictAction::DoUpdate(update) => {
                self.check_upsert(entity, &update.assignments, given, span);
                if let Some(condition) = &update.selection {
                    self.refuse(&refusal::CLAUSE, self.expression_span(condition));
                }
                false
            }
        }
    }

    /// Checks that `DO UPDATE` sets every inserted column, as an INSERT does in Cassandra anyway.
    fn check_upsert(
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
                let name = upsert_column(assignment)?;
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
            let message = format!(
                "{} updates an existing row with other values than it inserts",
                self.name()
            );
            let help = format!(
                "write a separate UPDATE, which also creates the row: `UPDATE {} SET n = n + ? WHERE ...`",
                own.name
            );
            self.report("MF362", span, message, help);
        } else if let Some(first) = missing.first() {
            let message = format!("{} keeps the old {first} of an existing row", self.name());
            let help = format!("set every inserted column: `{first} = EXCLUDED.{first}`");
            self.report("MF362", span, message, help);
        }
    }
}

/// The column of `x = EXCLUDED.x`.
fn upsert_column(assignment: &Assignment) -> Option<String> {
    let AssignmentTarget::ColumnName(target) = &assignment.target else { return None };
    let target = target.0.last().and_then(|part| part.as_ident()).map(fold_name)?;
    match classify_expression(&assignment.value) {
        ExpressionShape::Column([table, column])
            if fold_name(table) == "excluded" && fold_name(column) == target =>
        {
            Some(target)
        }
        _ => None,
    }
}
