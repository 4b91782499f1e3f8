//! INSERT, UPDATE and DELETE.

use std::collections::BTreeSet;

use cql::relation::{ColumnPart, Conditions};
use cql::statement::write::{
    AssignmentOperation, Delete, Insert, InsertValues, Update, UsingClause,
};
use cql::term::TermKind;
use cql::types::Type;
use schema::catalog::Column;

use super::super::entity::Entity;
use super::super::open_point::{OpenPoint, StatementChange};
use super::condition::{ConditionList, Scope, value_text};
use super::refusal::UntranslatedReason;
use super::translation::{StatementAction, Translation};
use model::sql_name::{list, quote};

/// An INSERT, whose columns may grow by those that go to copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InsertedColumns {
    /// The columns.
    pub(super) names: BTreeSet<String>,
    /// `IF NOT EXISTS`
    pub(super) if_not_exists: bool,
    /// Whether the columns are not told.
    pub(super) is_json: bool,
}

/// The columns that an INSERT writes.
pub(super) fn collect_inserted_columns(
    scope: Scope<'_, '_>,
    insert: &Insert,
) -> Result<InsertedColumns, UntranslatedReason> {
    let mut names = BTreeSet::new();
    let is_json = match &insert.values {
        InsertValues::Json { .. } => {
            names.extend(scope.member.columns().map(|column| column.name.to_string()));
            true
        }
        InsertValues::Columns { columns, values } => {
            for (column, value) in columns.iter().zip(values) {
                if scope.column(&column.text)?.is_some() && value.kind != TermKind::Null {
                    names.insert(column.text.to_string());
                }
            }
            false
        }
    };
    Ok(InsertedColumns { names, if_not_exists: insert.if_not_exists, is_json })
}

impl InsertedColumns {
    /// Whether the row has its key.
    pub(super) fn has_key(&self, entity: &Entity<'_>) -> bool {
        entity.key.iter().all(|name| self.names.contains(*name))
    }

    /// The INSERT.
    pub(super) fn translate(&self, entity: &Entity<'_>) -> Translation {
        let names: BTreeSet<&str> = self.names.iter().map(String::as_str).collect();
        let names = entity.sort_columns(&names);
        let values = vec!["?"; names.len()].join(", ");
        let table = quote(&entity.name);
        let mut sql = format!("INSERT INTO {table} ({})\nVALUES ({values})", list(&names));
        if self.if_not_exists {
            sql.push_str("\nON CONFLICT DO NOTHING");
        }
        let change = self.is_json.then_some(OpenPoint::Change(StatementChange::AllColumns));
        Translation::write(sql, StatementAction::Insert, Vec::new(), change.into_iter().collect())
    }
}

/// Remarks on USING.
pub(super) fn using_points(using: &UsingClause) -> Vec<OpenPoint> {
    let ttl = using.ttl().map(|_| OpenPoint::TtlUnknown);
    let timestamp = using.timestamp().map(|_| OpenPoint::Change(StatementChange::Timestamp));
    ttl.into_iter().chain(timestamp).collect()
}

/// An UPDATE; one that creates rows where no INSERT does.
pub(super) fn translate_update(
    scope: Scope<'_, '_>,
    update: &Update,
    has_inserts: bool,
) -> Result<Translation, UntranslatedReason> {
    let mut conditions = ConditionList::translate(scope, &update.relations)?;
    conditions.replace_buckets(scope, false);
    let mut points = using_points(&update.using);
    let mut assignments = Vec::new();
    let mut plain = Vec::new();
    for assignment in &update.assignments {
        let name = &*assignment.column.text;
        let Some(column) = scope.column(name)? else { continue };
        let (text, change) = assignment_text(column, &assignment.operation);
        points.extend(change.map(OpenPoint::Change));
        if matches!(&assignment.operation, AssignmentOperation::Set(term) if term.kind != TermKind::Null)
        {
            plain.push(name);
        }
        assignments.push((name, text));
    }
    if assignments.is_empty() {
        return Err(UntranslatedReason::Empty);
    }
    let subjects: Vec<String> = assignments.iter().map(|(name, _)| (*name).to_owned()).collect();
    let equal = conditions.equalities();
    let has_key = scope.entity.key.iter().all(|name| equal.contains(name));
    let is_upsert = !has_inserts
        && update.conditions == Conditions::None
        && has_key
        && equal.len() == scope.entity.key.len()
        && scope.entity.unique.iter().all(|name| plain.contains(name))
        && plain.len() == assignments.len();
    if is_upsert {
        points.push(OpenPoint::Change(StatementChange::Upsert));
        let sql = upsert_text(scope.entity, &plain);
        return Ok(Translation::write(sql, StatementAction::Upsert, subjects, points));
    }
    let is_strict = add_conditions(&mut conditions, scope, &update.conditions)?;
    let texts: Vec<String> = assignments.into_iter().map(|(_, text)| text).collect();
    let table = quote(&scope.entity.name);
    let sql =
        format!("UPDATE {table} SET {}\n{}", texts.join(", "), conditions.clause().trim_start());
    points.append(&mut conditions.points);
    let mut written = Translation::write(sql, StatementAction::Update, subjects, points);
    written.directives = conditions.directives;
    written.directives.extend(is_strict.then(|| "@strict".to_owned()));
    Ok(written)
}

/// Adds an IF clause, and returns whether it is IF EXISTS.
fn add_conditions(
    list: &mut ConditionList,
    scope: Scope<'_, '_>,
    conditions: &Conditions,
) -> Result<bool, UntranslatedReason> {
    match conditions {
        Conditions::None => Ok(false),
        Conditions::Exists => Ok(true),
        Conditions::All(conditions) => list.add_conditions(scope, conditions).map(|()| false),
    }
}

fn upsert_text(entity: &Entity<'_>, columns: &[&str]) -> String {
    let names: BTreeSet<&str> = entity.key.iter().chain(columns).copied().collect();
    let names = entity.sort_columns(&names);
    let sets: Vec<String> =
        columns.iter().map(|name| format!("{0} = EXCLUDED.{0}", quote(name))).collect();
    format!(
        "INSERT INTO {} ({})\nVALUES ({})\nON CONFLICT ({}) DO UPDATE SET {}",
        quote(&entity.name),
        list(&names),
        vec!["?"; names.len()].join(", "),
        list(&entity.key),
        sets.join(", ")
    )
}

/// An assignment, and how it differs from the statement.
fn assignment_text(
    column: &Column,
    operation: &AssignmentOperation,
) -> (String, Option<StatementChange>) {
    let name = quote(&column.name);
    let is_array = matches!(column.ty, Type::List(..) | Type::Set(..));
    let is_number = column.ty.is_counter();
    match operation {
        AssignmentOperation::Set(term) => (format!("{name} = {}", value_text(term)), None),
        AssignmentOperation::Add(_) if is_number => (format!("{name} = {name} + ?"), None),
        AssignmentOperation::Subtract(_) if is_number => (format!("{name} = {name} - ?"), None),
        AssignmentOperation::Add(_) if is_array => {
            (format!("{name} = array_append({name}, ?)"), Some(StatementChange::OneElement))
        }
        AssignmentOperation::Subtract(_) if is_array => {
            (format!("{name} = array_remove({name}, ?)"), Some(StatementChange::OneElement))
        }
        _ => (format!("{name} = ?"), Some(StatementChange::WholeCollection)),
    }
}

/// A DELETE: of rows, or of values, which is an UPDATE.
pub(super) fn translate_delete(
    scope: Scope<'_, '_>,
    delete: &Delete,
) -> Result<Translation, UntranslatedReason> {
    let mut conditions = ConditionList::translate(scope, &delete.relations)?;
    if let Some(bucket) = conditions.replace_buckets(scope, false) {
        return Err(UntranslatedReason::DeletesBucket(bucket));
    }
    let is_strict = add_conditions(&mut conditions, scope, &delete.conditions)?;
    let mut points = using_points(&delete.using);
    let mut assignments = Vec::new();
    let mut subjects = Vec::new();
    for target in &delete.targets {
        let name = &*target.column.text;
        if scope.column(name)?.is_none() {
            continue;
        }
        subjects.push(name.to_owned());
        match target.part {
            ColumnPart::Whole => assignments.push(format!("{} = NULL", quote(name))),
            ColumnPart::Element(_) | ColumnPart::Field(_) => {
                points.push(OpenPoint::Change(StatementChange::WholeCollection));
                assignments.push(format!("{} = ?", quote(name)));
            }
        }
    }
    if !delete.targets.is_empty() && assignments.is_empty() {
        return Err(UntranslatedReason::Empty);
    }
    let (table, clause) = (quote(&scope.entity.name), conditions.clause());
    let (sql, action) = if assignments.is_empty() {
        subjects = conditions.columns.iter().map(|(name, _)| name.clone()).collect();
        (format!("DELETE FROM {table}\n{}", clause.trim_start()), StatementAction::Delete)
    } else {
        (
            format!("UPDATE {table} SET {}\n{}", assignments.join(", "), clause.trim_start()),
            StatementAction::Update,
        )
    };
    points.append(&mut conditions.points);
    let mut written = Translation::write(sql, action, subjects, points);
    written.directives = conditions.directives;
    written.directives.extend(is_strict.then(|| "@strict".to_owned()));
    Ok(written)
}
