//! INSERT.

use cql::Span;
use sqlparser::ast::{Expr, Insert, ObjectName, OnInsert, SetExpr, TableObject};

use super::conflict::InsertTarget;
use super::counter::WriteMode;
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
use crate::sql::literal::assignment_literal;
use crate::workload::{Value, WriteKind};

/// The most rows of one INSERT.
const ROWS_MAX: usize = 100;

impl Resolver<'_> {
    /// Resolves an INSERT.
    pub(super) fn resolve_insert(&mut self, insert: &Insert) -> Option<WriteParts> {
        let TableObject::TableName(name) = &insert.table else {
            self.refuse(&refusal::TABLE_EXPRESSION, self.node_span(&insert.table));
            return None;
        };
        let rows = self.value_rows(insert);
        let entity = self.resolve_entity(name)?;
        if self.concept.entities[entity].attributes.is_empty() {
            return None;
        }
        let mut columns = self.resolve_insert_columns(entity, name, &insert.columns);
        let rows = rows?;
        // Without a list of columns, the last ones may be left out.
        if insert.columns.is_empty() {
            columns.truncate(rows.first().map_or(0, |row| row.len()));
        }
        let mut inserted = Vec::new();
        for row in rows {
            inserted.push(self.resolve_row(entity, name, &columns, row)?);
        }
        let alias = insert.table_alias.as_ref().map(|alias| fold_name(&alias.alias));
        let kinds = match &insert.on {
            Some(OnInsert::OnConflict(conflict)) => {
                let target = InsertTarget { entity, name, alias: alias.clone() };
                self.resolve_conflict(&target, conflict, inserted)?
            }
            other => {
                if other.is_some() {
                    let span = self.keyword_span(self.named.span, "ON DUPLICATE");
                    self.refuse(&refusal::CLAUSE, span);
                }
                inserted.into_iter().map(|values| (WriteKind::Insert(values), false)).collect()
            }
        };
        let strict = kinds.iter().any(|(_, strict)| *strict);
        let mut kinds: Vec<_> = kinds.into_iter().map(|(kind, _)| kind).collect();
        let kind = if kinds.len() > 1 { WriteKind::Rows(kinds) } else { kinds.pop()? };
        let alias = alias.unwrap_or_else(|| self.concept.entities[entity].name.clone());
        let scope = Scope::from_table(entity, alias, self.node_span(name));
        let returning = self.resolve_returning(&scope, insert.returning.as_deref());
        Some(WriteParts { entity, kind, returning, strict })
    }

    /// The values of one row.
    fn resolve_row(
        &mut self,
        entity: EntityId,
        name: &ObjectName,
        columns: &[Option<AttributeId>],
        row: &[Expr],
    ) -> Option<Vec<(AttributeId, Value)>> {
        if columns.len() != row.len() {
            self.report_count_mismatch(entity, columns.len(), row);
            return None;
        }
        let mut found = Vec::new();
        for (column, value) in columns.iter().zip(row) {
            let Some(attribute) = *column else { continue };
            let value = self.resolve_insert_value(AttributeRef { entity, attribute }, value);
            found.extend(value.map(|value| (attribute, value)));
        }
        if columns.iter().all(Option::is_some) {
            let place = self.node_span(name);
            let columns: Vec<AttributeId> = columns.iter().copied().flatten().collect();
            self.add_defaults(entity, &columns, &mut found, place);
            self.check_whole_key(entity, &found, place);
        }
        Some(found)
    }

    /// The rows of VALUES.
    fn value_rows<'e>(&mut self, insert: &'e Insert) -> Option<Vec<&'e [Expr]>> {
        // DEFAULT VALUES
        let Some(source) = &insert.source else { return Some(vec![&[]]) };
        let SetExpr::Values(values) = &*source.body else {
            self.refuse(&refusal::INSERT_SELECT, self.node_span(&**source));
            return None;
        };
        if let Some(first) = values.rows.get(ROWS_MAX) {
            let message = format!("{} inserts {} rows", self.name(), values.rows.len());
            let help = format!("insert at most {ROWS_MAX} rows in one statement");
            self.report("MF360", self.node_span(first), message, help);
            return None;
        }
        Some(values.rows.iter().map(|row| &row.content[..]).collect())
    }

    /// The attributes of the column list, in the order of the text; all of them without a list.
    fn resolve_insert_columns(
        &mut self,
        entity: EntityId,
        table: &ObjectName,
        columns: &[ObjectName],
    ) -> Vec<Option<AttributeId>> {
        if columns.is_empty() {
            let attributes = self.concept.entities[entity].attributes.enumerate_ids();
            return attributes.filter(|(_, it)| !it.hidden).map(|(at, _)| Some(at)).collect();
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
            self.record_write(attribute, WriteMode::InsertedNull);
            return None;
        };
        let zero = value == Value::Literal("0".to_owned());
        let how = if zero { WriteMode::InsertedZero } else { WriteMode::Inserted };
        self.record_write(attribute, how);
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
            _ if self.refuse_generated(attribute, self.expression_span(value)) => return None,
            ExpressionShape::Computed { from_columns: false }
                if find_client_value(value).is_none() =>
            {
                if let Some(constant) = assignment_literal(value, &column.ty) {
                    return Some(ValueOrNull::Value(Value::Literal(constant)));
                }
                self.refuse(&refusal::DEFAULT, self.expression_span(value));
                return None;
            }
            _ => {}
        }
        let is_copied = matches!(
            classify_expression(value),
            ExpressionShape::Column(_) | ExpressionShape::CastColumn
        );
        if is_copied && self.find_excluded_column(value).is_none() {
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
        if !column.nullable && column.generated.is_none() {
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
            .filter(|&&key| entity.attributes[key].generated.is_none())
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
}
