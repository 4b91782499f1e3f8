//! INSERT, UPDATE and DELETE.

use cql::types::Type;
use sqlparser::ast::{
    Array, Assignment, AssignmentTarget, BinaryOperator, ConflictTarget, Delete, Expr, FromTable,
    FunctionArg, FunctionArgExpr, FunctionArguments, Insert, OnConflict, OnConflictAction,
    OnInsert, SetExpr, TableFactor, TableObject, TableWithJoins, Update,
};

use super::constant::bare;
use super::scope::{folded, last};
use super::{Rewriter, unknown};
use crate::relational::sqlite_tables::quoted;
use model::id::{EntityId, Numbered};

impl Rewriter<'_> {
    /// Writes an INSERT.
    pub(super) fn insert(&mut self, insert: &Insert) -> Result<(), String> {
        let TableObject::TableName(table) = &insert.table else { return Err(unknown(insert)) };
        let table = last(table)?;
        let entity = self.entity(&table)?;
        self.scope.tables = vec![(table.clone(), entity)];
        let attributes = &self.concept.entities[entity].attributes;
        let columns: Vec<String> = if insert.columns.is_empty() {
            attributes.iter().map(|attribute| attribute.name.clone()).collect()
        } else {
            insert.columns.iter().map(last).collect::<Result<_, _>>()?
        };
        let body = insert.source.as_ref().map(|source| &*source.body);
        let Some(SetExpr::Values(values)) = body else { return Err(unknown(insert)) };
        let [row] = &values.rows[..] else { return Err(unknown(insert)) };
        let names: Vec<String> = columns.iter().map(|column| quoted(column)).collect();
        self.push(&format!("INSERT INTO {} ({}) VALUES (", quoted(&table), names.join(", ")));
        for (at, (column, value)) in columns.iter().zip(&row.content).enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            let ty = self.column_named(column)?;
            self.operand(value, &ty)?;
        }
        self.push(")");
        match &insert.on {
            None => Ok(()),
            Some(OnInsert::OnConflict(conflict)) => self.conflict(conflict),
            Some(_) => Err(unknown(insert)),
        }
    }

    fn conflict(&mut self, conflict: &OnConflict) -> Result<(), String> {
        self.push(" ON CONFLICT");
        if let Some(ConflictTarget::Columns(columns)) = &conflict.conflict_target {
            let names: Vec<String> = columns.iter().map(|column| quoted(&folded(column))).collect();
            self.push(&format!(" ({})", names.join(", ")));
        }
        match &conflict.action {
            OnConflictAction::DoNothing => self.push(" DO NOTHING"),
            OnConflictAction::DoUpdate(update) => {
                self.push(" DO UPDATE SET ");
                for (at, assignment) in update.assignments.iter().enumerate() {
                    let column = quoted(&target(assignment)?);
                    let comma = if at == 0 { "" } else { ", " };
                    self.push(&format!("{comma}{column} = excluded.{column}"));
                }
            }
        }
        Ok(())
    }

    /// Writes an UPDATE.
    pub(super) fn update(&mut self, update: &Update) -> Result<(), String> {
        self.push("UPDATE ");
        self.target_table(&update.table)?;
        self.push(" SET ");
        for (at, assignment) in update.assignments.iter().enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            self.assignment(assignment)?;
        }
        self.rows_where(update.selection.as_ref())
    }

    /// Writes a DELETE.
    pub(super) fn delete(&mut self, delete: &Delete) -> Result<(), String> {
        let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) = &delete.from;
        let [table] = &tables[..] else { return Err(unknown(delete)) };
        self.push("DELETE FROM ");
        self.target_table(table)?;
        self.rows_where(delete.selection.as_ref())
    }

    fn rows_where(&mut self, condition: Option<&Expr>) -> Result<(), String> {
        let Some(condition) = condition else { return Ok(()) };
        self.push(" WHERE ");
        self.condition(condition)
    }

    fn target_table(&mut self, table: &TableWithJoins) -> Result<(), String> {
        let TableFactor::Table { name, alias, .. } = &table.relation else {
            return Err(unknown(table));
        };
        let name = last(name)?;
        let alias = alias.as_ref().map_or_else(|| name.clone(), |alias| folded(&alias.name));
        self.scope.tables = vec![(alias.clone(), self.entity(&name)?)];
        self.push(&format!("{} AS {}", quoted(&name), quoted(&alias)));
        Ok(())
    }

    fn assignment(&mut self, assignment: &Assignment) -> Result<(), String> {
        let column = target(assignment)?;
        let ty = self.column_named(&column)?;
        self.push(&format!("{} = ", quoted(&column)));
        let value = bare(&assignment.value);
        match (value, &ty) {
            (
                Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right },
                Type::List(element, _) | Type::Set(element, _),
            ) => self.append(left, right, element),
            (Expr::BinaryOp { left, op, right }, _) => {
                let symbol = match op {
                    BinaryOperator::Plus => " + ",
                    BinaryOperator::Minus => " - ",
                    other => return Err(unknown(other)),
                };
                self.operand(left, &ty)?;
                self.push(symbol);
                self.operand(right, &ty)
            }
            (Expr::Function(function), Type::List(element, _) | Type::Set(element, _)) => {
                match (last(&function.name)?.as_str(), &arguments(&function.args)[..]) {
                    ("array_append", [own, more]) => self.append(own, more, element),
                    ("array_remove", [own, less]) => self.remove(own, less, element),
                    _ => Err(unknown(value)),
                }
            }
            _ => self.operand(value, &ty),
        }
    }

    /// One element more; to an array that is null as well.
    fn append(&mut self, own: &Expr, more: &Expr, element: &Type) -> Result<(), String> {
        self.push("json_insert(COALESCE(");
        self.operand(own, element)?;
        self.push(", '[]'), '$[#]', ");
        self.element(single(more), element)?;
        self.push(")");
        Ok(())
    }

    /// All elements but one.
    fn remove(&mut self, own: &Expr, less: &Expr, element: &Type) -> Result<(), String> {
        self.push("(SELECT json_group_array(value) FROM json_each(");
        self.operand(own, element)?;
        self.push(") WHERE value IS NOT ");
        self.element(single(less), element)?;
        self.push(")");
        Ok(())
    }

    fn column_named(&self, column: &str) -> Result<Type, String> {
        let entity = self.scope.tables.first().and_then(|(_, at)| self.concept.entities.at(*at));
        let attributes = entity.map(|entity| &entity.attributes);
        let found = attributes.into_iter().flatten().find(|attribute| attribute.name == column);
        found.map(|found| found.ty.clone()).ok_or_else(|| format!("there is no column {column}"))
    }

    /// The entity of that name.
    pub(super) fn entity(&self, name: &str) -> Result<EntityId, String> {
        self.concept.entity_named(name).ok_or_else(|| format!("there is no table {name}"))
    }
}

fn target(assignment: &Assignment) -> Result<String, String> {
    match &assignment.target {
        AssignmentTarget::ColumnName(name) => last(name),
        AssignmentTarget::Tuple(_) => Err(unknown(assignment)),
    }
}

/// The one element of an array that is written out.
fn single(expression: &Expr) -> &Expr {
    match bare(expression) {
        Expr::Array(Array { elem, .. }) if elem.len() == 1 => &elem[0],
        other => other,
    }
}

/// The plain arguments of a function.
pub(super) fn arguments(arguments: &FunctionArguments) -> Vec<&Expr> {
    let FunctionArguments::List(list) = arguments else { return Vec::new() };
    let plain = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expression)) => Some(expression),
        _ => None,
    };
    list.args.iter().filter_map(plain).collect()
}
