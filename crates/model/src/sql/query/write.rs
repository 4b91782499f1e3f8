//! UPDATE and DELETE, and what all writes share.

use std::collections::BTreeSet;

use cql::Span;
use cql::types::Type;
use sqlparser::ast::{
    Assignment as SqlAssignment, AssignmentTarget, BinaryOperator, Delete, Expr, FromTable,
    TableFactor, TableWithJoins, Update,
};

use super::counter::WriteMode;
use super::from_clause::conjuncts;
use super::output::is_number;
use super::parameter::{ParameterUse, ParameterUseKind, ValueTarget};
use super::refusal;
use super::resolver::{Resolver, fold_name};
use super::scope::Scope;
use super::shape::{
    ExpressionShape, classify_expression, plain_arguments, strip_brackets, strip_casts,
};
use super::value::ValueOrNull;
use crate::concept::AttributeRef;
use crate::figures::with_article;
use crate::id::{EntityId, SourceId};
use crate::sql::client_value::find_client_value;
use crate::workload::{Assignment, AssignmentValue, Condition, Returning, Value, WriteKind};

/// A resolved write.
pub(super) struct WriteParts {
    pub(super) entity: EntityId,
    pub(super) kind: WriteKind,
    pub(super) returning: Option<Returning>,
    /// An existing row must not be overwritten.
    pub(super) strict: bool,
}

impl Resolver<'_> {
    /// Resolves an UPDATE.
    pub(super) fn resolve_update(&mut self, update: &Update) -> Option<WriteParts> {
        if let Some(from) = &update.from {
            self.refuse(&refusal::OTHER_TABLES, self.node_span(from));
        }
        if let Some(part) = update.order_by.first().map(|item| &item.expr).or(update.limit.as_ref())
        {
            self.refuse(&refusal::LIMITED_WRITE, self.expression_span(part));
        }
        let scope = self.resolve_target(&update.table)?;
        let assignments = self.resolve_assignments(&scope, &update.assignments);
        let conditions = self.resolve_where(&scope, update.selection.as_ref());
        self.check_key_change(scope.entity(SourceId::new(0)), &assignments, self.named.name_span);
        let returning = self.resolve_returning(&scope, update.returning.as_deref());
        let kind = WriteKind::Update(assignments, conditions);
        Some(WriteParts { entity: scope.entity(SourceId::new(0)), kind, returning, strict: false })
    }

    /// Resolves a DELETE.
    pub(super) fn resolve_delete(&mut self, delete: &Delete) -> Option<WriteParts> {
        let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) = &delete.from;
        let [table] = &tables[..] else {
            self.refuse(&refusal::OTHER_TABLES, self.named.span);
            return None;
        };
        if let Some(other) = delete.using.iter().flatten().next() {
            self.refuse(&refusal::OTHER_TABLES, self.node_span(other));
        }
        if let Some(part) = delete.order_by.first().map(|item| &item.expr).or(delete.limit.as_ref())
        {
            self.refuse(&refusal::LIMITED_WRITE, self.expression_span(part));
        }
        let scope = self.resolve_target(table)?;
        let conditions = self.resolve_where(&scope, delete.selection.as_ref());
        let returning = self.resolve_returning(&scope, delete.returning.as_deref());
        let kind = WriteKind::Delete(conditions);
        Some(WriteParts { entity: scope.entity(SourceId::new(0)), kind, returning, strict: false })
    }

    /// The table that is changed.
    fn resolve_target(&mut self, table: &TableWithJoins) -> Option<Scope> {
        if let Some(join) = table.joins.first() {
            self.refuse(&refusal::OTHER_TABLES, self.node_span(&join.relation));
        }
        let TableFactor::Table { name, alias, .. } = &table.relation else {
            self.refuse(&refusal::TABLE_EXPRESSION, self.node_span(&table.relation));
            return None;
        };
        let entity = self.resolve_entity(name)?;
        if self.concept.entities[entity].attributes.is_empty() {
            return None;
        }
        let own = self.concept.entities[entity].name.clone();
        let alias = alias.as_ref().map_or(own, |alias| fold_name(&alias.name));
        Some(Scope::from_table(entity, alias, self.node_span(name)))
    }

    /// The rows that are changed.
    fn resolve_where(&mut self, scope: &Scope, condition: Option<&Expr>) -> Vec<Condition> {
        let Some(condition) = condition else {
            let entity = &self.concept.entities[scope.entity(SourceId::new(0))];
            let message = format!("{} changes every row of {}", self.name(), entity.name);
            let key: Vec<String> = entity
                .primary_key()
                .iter()
                .map(|&key| format!("{} = ?", entity.attributes[key].name))
                .collect();
            let help = format!("restrict the rows: `WHERE {}`", key.join(" AND "));
            self.report("MF364", scope.tables[0].span, message, help);
            return Vec::new();
        };
        let conditions = self.resolve_conditions(scope, &conjuncts(condition));
        self.report_contradictions(scope, &[], &conditions);
        conditions
    }

    pub(super) fn resolve_assignments(
        &mut self,
        scope: &Scope,
        assignments: &[SqlAssignment],
    ) -> Vec<Assignment> {
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for assignment in assignments {
            let AssignmentTarget::ColumnName(name) = &assignment.target else {
                let place = self.node_span(&assignment.target);
                let message = format!("{} sets several columns in one assignment", self.name());
                self.report("MF364", place, message, "set each column separately: `a = ?, b = ?`");
                continue;
            };
            let place = self.node_span(name);
            let Some(name) = name.0.last().and_then(|part| part.as_ident()) else { continue };
            let Some(column) = self.resolve_column(scope, std::slice::from_ref(name)) else {
                continue;
            };
            if !seen.insert(column.attribute) {
                self.report_duplicate(place);
            }
            let attribute = scope.attribute(column);
            let is_default = matches!(&assignment.value, Expr::Identifier(name)
                if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("default"));
            let generated = self.attribute(attribute).generated.is_some();
            if (is_default && generated) || (!is_default && self.refuse_generated(attribute, place))
            {
                continue;
            }
            let value = self.resolve_assignment(scope, attribute, &assignment.value);
            found.extend(value.map(|value| Assignment { attribute: column.attribute, value }));
        }
        found
    }

    /// The new value of an attribute.
    fn resolve_assignment(
        &mut self,
        scope: &Scope,
        attribute: AttributeRef,
        value: &Expr,
    ) -> Option<AssignmentValue> {
        let span = self.expression_span(value);
        if find_client_value(value).is_some() {
            return self.resolve_set(attribute, value, span);
        }
        match strip_brackets(value) {
            Expr::BinaryOp { left, op: BinaryOperator::Plus, right } => {
                let other = if self.is_itself(scope, attribute, left) { right } else { left };
                let own = if std::ptr::eq(other, right) { left } else { right };
                self.resolve_addend(scope, attribute, (own, other), span).map(AssignmentValue::Add)
            }
            Expr::BinaryOp { left, op: BinaryOperator::Minus, right } => self
                .resolve_addend(scope, attribute, (left, right), span)
                .map(AssignmentValue::Subtract),
            Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } => self
                .resolve_element(scope, attribute, (left, right), span)
                .map(AssignmentValue::Append),
            Expr::Function(function) if !plain_arguments(&function.args).is_empty() => {
                let name = function.name.0.last().and_then(|part| part.as_ident()).map(fold_name);
                let given = plain_arguments(&function.args);
                match (name.as_deref(), &given[..]) {
                    (Some("array_append"), [own, element]) => self
                        .resolve_element(scope, attribute, (own, element), span)
                        .map(AssignmentValue::Append),
                    (Some("coalesce"), [value, own]) => {
                        self.resolve_optional_value(scope, attribute, (value, own), span)
                    }
                    (Some("array_remove"), [own, element]) => self
                        .resolve_element(scope, attribute, (own, element), span)
                        .map(AssignmentValue::Remove),
                    _ => self.refuse_assignment(attribute, span),
                }
            }
            _ => self.resolve_set(attribute, value, span),
        }
    }

    /// `= value` or `= NULL`
    fn resolve_set(
        &mut self,
        attribute: AttributeRef,
        value: &Expr,
        span: Span,
    ) -> Option<AssignmentValue> {
        match self.resolve_new_value(attribute, value)? {
            ValueOrNull::Value(value) => {
                self.record_write(attribute, WriteMode::Set);
                Some(AssignmentValue::Set(value))
            }
            ValueOrNull::Null => {
                self.check_nullable(attribute, span);
                self.record_write(attribute, WriteMode::Set);
                Some(AssignmentValue::Null)
            }
        }
    }

    /// `= COALESCE(value, itself)`
    fn resolve_optional_value(
        &mut self,
        scope: &Scope,
        attribute: AttributeRef,
        (value, own): (&Expr, &Expr),
        span: Span,
    ) -> Option<AssignmentValue> {
        if !self.is_itself(scope, attribute, strip_casts(own)) {
            return self.refuse_assignment(attribute, span);
        }
        match self.resolve_new_value(attribute, value)? {
            ValueOrNull::Value(value) => {
                self.record_write(attribute, WriteMode::Set);
                Some(match value {
                    // EXCLUDED.column is one too, where the row is inserted with it.
                    Value::Parameter(_) => AssignmentValue::SetUnlessNull(value),
                    // A constant is never null.
                    Value::Literal(_) => AssignmentValue::Set(value),
                })
            }
            ValueOrNull::Null => self.refuse_assignment(attribute, span),
        }
    }

    /// Whether an expression is the attribute that is set.
    fn is_itself(&self, scope: &Scope, attribute: AttributeRef, expression: &Expr) -> bool {
        let ExpressionShape::Column(names) = classify_expression(expression) else { return false };
        let (column, tables) = match names {
            [column] => (column, None),
            [table, column] => (column, Some(table)),
            _ => return false,
        };
        fold_name(column) == self.attribute(attribute).name
            && tables.is_none_or(|table| scope.tables.iter().any(|it| it.alias == fold_name(table)))
    }

    /// The number that is added to or subtracted from the attribute.
    fn resolve_addend(
        &mut self,
        scope: &Scope,
        attribute: AttributeRef,
        (own, value): (&Expr, &Expr),
        span: Span,
    ) -> Option<Value> {
        let column = self.attribute(attribute);
        if !self.is_itself(scope, attribute, own) {
            return self.refuse_assignment(attribute, span);
        }
        if !is_number(&column.ty) {
            let message = format!("{} is {}, not a number", column.name, with_article(&column.ty));
            let help = format!("compute it in the application: `{} = ?`", column.name);
            self.report("MF364", span, message, help);
            return None;
        }
        let target = ValueTarget { name: &column.name, ty: &column.ty, usage: None };
        let value = self.resolve_value(value, target)?;
        self.record_write(attribute, WriteMode::Added);
        Some(value)
    }

    /// The element that is added to or removed from an array.
    fn resolve_element(
        &mut self,
        scope: &Scope,
        attribute: AttributeRef,
        (own, element): (&Expr, &Expr),
        span: Span,
    ) -> Option<Value> {
        let column = self.attribute(attribute);
        let (Type::List(ty, _) | Type::Set(ty, _)) = &column.ty else {
            return self.refuse_assignment(attribute, span);
        };
        if !self.is_itself(scope, attribute, own) {
            return self.refuse_assignment(attribute, span);
        }
        let element = match classify_expression(element) {
            ExpressionShape::Array([element]) => element,
            ExpressionShape::Array(_) => {
                let message = format!("{} adds several elements to {}", self.name(), column.name);
                self.report("MF364", span, message, "add one element: `array_append(column, ?)`");
                return None;
            }
            _ => element,
        };
        let usage = ParameterUse { attribute, kind: ParameterUseKind::Written };
        self.resolve_value(element, ValueTarget { name: &column.name, ty, usage: Some(usage) })
    }

    fn refuse_assignment<T>(&mut self, attribute: AttributeRef, span: Span) -> Option<T> {
        let column = &self.attribute(attribute).name;
        let message = format!("{} computes the value of {column}", self.name());
        let help = format!(
            "compute it in the application (`{column} = ?`), or increment it: `{column} = {column} + ?`"
        );
        self.report("MF364", span, message, help);
        None
    }
}
