//! CHECK constraints, UNIQUE constraints that are no keys, and those of which only the text is known.

use cql::Span;
use cql::types::Type;
use sqlparser::ast::{Expr, Spanned};

use super::super::draft::ModelDraft;
use super::super::expression::{ExpressionReader, ExpressionRefusal};
use super::super::source::SqlName;
use super::super::table::{ReferenceDeclaration, TableDeclaration};
use super::super::token;
use crate::concept::{Check, CheckKind, Entity, UniqueConstraint};
use crate::id::{AttributeId, IdList};

/// Adds the constraints of a table.
pub(super) fn add_constraints(
    draft: &mut ModelDraft,
    table: &TableDeclaration,
    entity: &mut Entity,
) {
    for (condition, value) in &table.checks {
        let check = read_check(draft, table, entity, condition, *value);
        entity.checks.extend(check);
    }
    let limits = limit_checks(entity);
    entity.checks.extend(limits);
    for key in table.keys.iter().filter(|key| !key.primary) {
        let columns: Option<Vec<AttributeId>> =
            key.columns.iter().map(|name| table.find_column(name).ok()).collect();
        let Some(attributes) = columns else { continue };
        let same = |other: &Vec<AttributeId>| {
            other.len() == attributes.len() && other.iter().all(|it| attributes.contains(it))
        };
        if key.condition.is_none() && entity.keys.iter().any(same) {
            continue;
        }
        let condition = match &key.condition {
            None => None,
            Some(condition) => match read_check(draft, table, entity, condition, None) {
                Some(condition) => Some(condition),
                None => continue,
            },
        };
        entity.unique.push(UniqueConstraint { attributes, condition });
    }
    add_clauses(draft, table, entity);
}

/// Adds the constraints of which only the text is known.
fn add_clauses(draft: &mut ModelDraft, table: &TableDeclaration, entity: &mut Entity) {
    let is_nullable = |columns: &[SqlName]| {
        let attributes = columns.iter().filter_map(|name| table.find_column(name).ok());
        attributes.into_iter().any(|at| entity.attributes[at].nullable)
    };
    let list = |columns: &[SqlName]| {
        columns.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(", ")
    };
    let mut clauses: Vec<(String, Span, &str)> = Vec::new();
    for key in table.keys.iter().filter(|key| key.nulls_equal && is_nullable(&key.columns)) {
        let sql = format!("UNIQUE NULLS NOT DISTINCT ({})", list(&key.columns));
        clauses.push((sql, key.span, "declare the columns NOT NULL, with a value for none"));
    }
    let full = |it: &&ReferenceDeclaration| {
        it.match_full && it.columns.len() > 1 && is_nullable(&it.columns)
    };
    for reference in table.references.iter().filter(full) {
        let sql = format!("FOREIGN KEY ({}) MATCH FULL", list(&reference.columns));
        let help = "write both columns or none of them in the application";
        clauses.push((sql, reference.span, help));
    }
    clauses.extend(table.clauses.iter().map(|it| (it.sql.clone(), it.span, it.help.as_str())));
    for (sql, span, help) in clauses {
        let message = format!("a constraint of {} is not enforced: {sql}", entity.name);
        draft.warn("MF256", span, message, help);
        entity.checks.push(Check { kind: CheckKind::Clause, sql, expression: None });
    }
}

/// What the types of columns say about their values. Of an array only the text is known.
fn limit_checks(entity: &Entity) -> Vec<Check> {
    let mut checks = Vec::new();
    for (at, attribute) in entity.attributes.enumerate_ids() {
        let Some(limit) = &attribute.limit else { continue };
        let kind = CheckKind::Condition;
        let (condition, sql) = limit.check(&at, &attribute.name);
        checks.push(if let Type::Native(_) = attribute.ty {
            Check { kind, sql, expression: Some(condition) }
        } else {
            Check { kind, sql: format!("{sql}, of each element"), expression: None }
        });
    }
    checks
}

/// A condition on the rows of a table; `None` where it names an unknown column, which is reported.
fn read_check(
    draft: &mut ModelDraft,
    table: &TableDeclaration,
    entity: &Entity,
    condition: &Expr,
    value: Option<AttributeId>,
) -> Option<Check> {
    let column = |name: &str| {
        let at = match value {
            Some(value) if name == "value" => value,
            _ => entity.attribute_named(name)?,
        };
        Some((at, entity.attributes[at.index()].ty.clone()))
    };
    let reader = ExpressionReader { types: &draft.types, column: &column };
    let sql = condition.to_string();
    let place = token::byte_span(condition.span()).unwrap_or(table.name.span);
    match reader.read_condition(condition) {
        Ok(expression) => {
            // The condition of a domain speaks of VALUE, not of the column.
            let name = |at: &AttributeId| entity.attributes[at.index()].name.clone();
            let sql = if value.is_some() { expression.text(&name) } else { sql };
            Some(Check { kind: CheckKind::Condition, sql, expression: Some(expression) })
        }
        Err(ExpressionRefusal::UnknownColumn(name)) => {
            let message =
                format!("a constraint of {} names {name}, which is no column of it", entity.name);
            let help =
                format!("add the column to CREATE TABLE {}, or change the constraint", entity.name);
            draft.report("MF206", place, message, help);
            None
        }
        Err(ExpressionRefusal::Unsupported(part) | ExpressionRefusal::WrongType(part)) => {
            let message = format!(
                "a constraint of {} is not evaluated by the proof, because of {part}: {sql}",
                entity.name
            );
            let help = "check it in the application: Cassandra has no CHECK constraints";
            draft.warn("MF254", place, message, help);
            Some(Check { kind: CheckKind::Condition, sql, expression: None })
        }
    }
}
