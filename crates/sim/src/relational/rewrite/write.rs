//! INSERT, UPDATE and DELETE.

use cql::types::Type;
use sqlparser::ast::{
    Array, Assignment, AssignmentTarget, BinaryOperator, ConflictTarget, Delete, Expr, FromTable,
    FunctionArg, FunctionArgExpr, FunctionArguments, Insert, OnConflict, OnConflictAction,
    OnInsert, SetExpr, TableFactor, TableObject, TableWithJoins, Update, Values,
};

use super::constant::strip_casts;
use super::expression::is_default;
use super::scope::{fold_name, last_part};
use super::{Rewriter, refusal_message};
use crate::relational::sqlite_expression::write_rounding;
use crate::relational::sqlite_tables::quote_name;
use model::concept::{Attribute, ColumnDefault, DefaultValue};
use model::id::{EntityId, IdList};
use model::sql::find_client_value;

impl<'a> Rewriter<'a> {
    /// Writes an INSERT.
    pub(super) fn write_insert(&mut self, insert: &Insert) -> Result<(), String> {
        let TableObject::TableName(table) = &insert.table else {
            return Err(refusal_message(insert));
        };
        let table = last_part(table)?;
        let entity = self.find_entity(&table)?;
        let attributes = &self.concept.entities[entity].attributes;
        let body = insert.source.as_ref().map(|source| &*source.body);
        let rows: Vec<&[Expr]> = match body {
            None => vec![&[]],
            Some(SetExpr::Values(Values { rows, .. })) => {
                rows.iter().map(|row| &row.content[..]).collect()
            }
            Some(_) => return Err(refusal_message(insert)),
        };
        let width = rows.first().map_or(0, |row| row.len());
        let columns: Vec<String> = if insert.columns.is_empty() {
            let shown = attributes.iter().filter(|attribute| !attribute.hidden);
            shown.take(width).map(|attribute| attribute.name.clone()).collect()
        } else {
            insert.columns.iter().map(last_part).collect::<Result<_, _>>()?
        };
        let alias = insert.table_alias.as_ref().map(|alias| fold_name(&alias.alias));
        let alias = alias.unwrap_or_else(|| table.clone());
        self.scope.tables = vec![(alias.clone(), entity)];
        self.push(&format!("INSERT INTO {} AS {} ", quote_name(&table), quote_name(&alias)));
        self.write_rows(entity, &columns, &rows)?;
        match &insert.on {
            None => {}
            Some(OnInsert::OnConflict(conflict)) => self.write_conflict(conflict)?,
            Some(_) => return Err(refusal_message(insert)),
        }
        self.write_returning(insert.returning.as_deref())
    }

    /// Writes the rows of an INSERT. Constant defaults are those of the tables; the client passes
    /// the others.
    fn write_rows(
        &mut self,
        entity: EntityId,
        columns: &[String],
        rows: &[&[Expr]],
    ) -> Result<(), String> {
        let is_client = |default: &ColumnDefault| {
            matches!(default.value, DefaultValue::Client(_) | DefaultValue::Unsupported)
        };
        let attributes = &self.concept.entities[entity].attributes;
        let omitted = attributes.iter().filter(|attribute| {
            !columns.contains(&attribute.name) && attribute.default.as_ref().is_some_and(is_client)
        });
        let omitted: Vec<&Attribute> = omitted.collect();
        let names = columns.iter().chain(omitted.iter().map(|attribute| &attribute.name));
        let names: Vec<String> = names.map(|column| quote_name(column)).collect();
        if names.is_empty() {
            self.push("DEFAULT VALUES");
            return Ok(());
        }
        self.push(&format!("({}) VALUES ", names.join(", ")));
        for (position, row) in rows.iter().enumerate() {
            self.push(if position == 0 { "(" } else { ", (" });
            for (at, (column, value)) in columns.iter().zip(*row).enumerate() {
                self.push(if at == 0 { "" } else { ", " });
                self.write_new_value(column, value)?;
            }
            for (at, attribute) in omitted.iter().enumerate() {
                self.push(if at + columns.len() == 0 { "" } else { ", " });
                self.write_default(attribute)?;
            }
            self.push(")");
        }
        Ok(())
    }

    /// Writes a value or DEFAULT.
    fn write_new_value(&mut self, column: &str, value: &Expr) -> Result<(), String> {
        let attribute = self.target_attribute(column)?;
        if is_default(value) {
            return self.write_default(attribute);
        }
        let start = self.done.sql.len();
        self.write_operand(value, &attribute.ty)?;
        self.round_from(start, attribute);
        Ok(())
    }

    fn write_conflict(&mut self, conflict: &OnConflict) -> Result<(), String> {
        self.push(" ON CONFLICT");
        if let Some(ConflictTarget::Columns(columns)) = &conflict.conflict_target {
            let names: Vec<String> =
                columns.iter().map(|column| quote_name(&fold_name(column))).collect();
            self.push(&format!(" ({})", names.join(", ")));
        }
        match &conflict.action {
            OnConflictAction::DoNothing => self.push(" DO NOTHING"),
            OnConflictAction::DoUpdate(update) => {
                self.push(" DO UPDATE SET ");
                let entity = self.scope.tables.first().map(|(_, entity)| *entity);
                self.scope.tables.extend(entity.map(|entity| ("excluded".to_owned(), entity)));
                for (at, assignment) in update.assignments.iter().enumerate() {
                    self.push(if at == 0 { "" } else { ", " });
                    self.write_assignment(assignment)?;
                }
                self.write_where(update.selection.as_ref())?;
            }
        }
        Ok(())
    }

    /// Writes an UPDATE.
    pub(super) fn write_update(&mut self, update: &Update) -> Result<(), String> {
        self.push("UPDATE ");
        self.write_target(&update.table)?;
        self.push(" SET ");
        for (at, assignment) in update.assignments.iter().enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            self.write_assignment(assignment)?;
        }
        self.write_where(update.selection.as_ref())?;
        self.write_returning(update.returning.as_deref())
    }

    /// Writes a DELETE.
    pub(super) fn write_delete(&mut self, delete: &Delete) -> Result<(), String> {
        let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) = &delete.from;
        let [table] = &tables[..] else { return Err(refusal_message(delete)) };
        self.push("DELETE FROM ");
        self.write_target(table)?;
        self.write_where(delete.selection.as_ref())?;
        self.write_returning(delete.returning.as_deref())
    }

    fn write_where(&mut self, condition: Option<&Expr>) -> Result<(), String> {
        let Some(condition) = condition else { return Ok(()) };
        self.push(" WHERE ");
        self.write_condition(condition)
    }

    fn write_target(&mut self, table: &TableWithJoins) -> Result<(), String> {
        let TableFactor::Table { name, alias, .. } = &table.relation else {
            return Err(refusal_message(table));
        };
        let name = last_part(name)?;
        let alias = alias.as_ref().map_or_else(|| name.clone(), |alias| fold_name(&alias.name));
        self.scope.tables = vec![(alias.clone(), self.find_entity(&name)?)];
        self.push(&format!("{} AS {}", quote_name(&name), quote_name(&alias)));
        Ok(())
    }

    fn write_assignment(&mut self, assignment: &Assignment) -> Result<(), String> {
        let column = target_column(assignment)?;
        let attribute = self.target_attribute(&column)?;
        self.push(&format!("{} = ", quote_name(&column)));
        if is_default(&assignment.value) {
            return self.write_default(attribute);
        }
        let start = self.done.sql.len();
        self.write_assigned(assignment, attribute)?;
        self.round_from(start, attribute);
        Ok(())
    }

    /// Rounds what was written since to the digits of an attribute.
    fn round_from(&mut self, start: usize, attribute: &Attribute) {
        if let Some(scale) = attribute.scale() {
            let value = self.done.sql.split_off(start);
            self.push(&write_rounding(&format!("({value})"), scale));
        }
    }

    fn write_assigned(
        &mut self,
        assignment: &Assignment,
        attribute: &Attribute,
    ) -> Result<(), String> {
        let ty = attribute.ty.clone();
        if let Some(value) = find_client_value(&assignment.value, &ty) {
            return self.write_client_value(value, &ty);
        }
        let value = strip_casts(&assignment.value);
        match (value, &ty) {
            (
                Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right },
                Type::List(element, _) | Type::Set(element, _),
            ) => self.write_append(left, right, element),
            (Expr::BinaryOp { left, op, right }, _) => {
                let symbol = match op {
                    BinaryOperator::Plus => " + ",
                    BinaryOperator::Minus => " - ",
                    other => return Err(refusal_message(other)),
                };
                self.write_operand(left, &ty)?;
                self.push(symbol);
                self.write_operand(right, &ty)
            }
            (Expr::Function(function), _)
                if last_part(&function.name)? == "coalesce"
                    && plain_arguments(&function.args).len() == 2 =>
            {
                self.push("COALESCE(");
                for (at, part) in plain_arguments(&function.args).into_iter().enumerate() {
                    self.push(if at == 0 { "" } else { ", " });
                    self.write_operand(part, &ty)?;
                }
                self.push(")");
                Ok(())
            }
            (Expr::Function(function), Type::List(element, _) | Type::Set(element, _)) => {
                match (last_part(&function.name)?.as_str(), &plain_arguments(&function.args)[..]) {
                    ("array_append", [own, more]) => self.write_append(own, more, element),
                    ("array_remove", [own, less]) => self.write_remove(own, less, element),
                    _ => Err(refusal_message(value)),
                }
            }
            _ => self.write_operand(value, &ty),
        }
    }

    /// Appends an element, to a null array as well.
    fn write_append(&mut self, own: &Expr, more: &Expr, element: &Type) -> Result<(), String> {
        self.push("json_insert(COALESCE(");
        self.write_operand(own, element)?;
        self.push(", '[]'), '$[#]', ");
        self.write_element(single_element(more), element)?;
        self.push(")");
        Ok(())
    }

    /// Removes an element.
    fn write_remove(&mut self, own: &Expr, less: &Expr, element: &Type) -> Result<(), String> {
        self.push("(SELECT json_group_array(value) FROM json_each(");
        self.write_operand(own, element)?;
        self.push(") WHERE value IS NOT ");
        self.write_element(single_element(less), element)?;
        self.push(")");
        Ok(())
    }

    fn target_attribute(&self, column: &str) -> Result<&'a Attribute, String> {
        let entity =
            self.scope.tables.first().and_then(|(_, at)| self.concept.entities.member(*at));
        let attributes = entity.map(|entity| &entity.attributes);
        let found = attributes.into_iter().flatten().find(|attribute| attribute.name == column);
        found.ok_or_else(|| format!("column {column} does not exist"))
    }

    /// The entity of that name.
    pub(super) fn find_entity(&self, name: &str) -> Result<EntityId, String> {
        self.concept.entity_named(name).ok_or_else(|| format!("table {name} does not exist"))
    }
}

fn target_column(assignment: &Assignment) -> Result<String, String> {
    match &assignment.target {
        AssignmentTarget::ColumnName(name) => last_part(name),
        AssignmentTarget::Tuple(_) => Err(refusal_message(assignment)),
    }
}

/// The element of an array of one, or the expression itself.
fn single_element(expression: &Expr) -> &Expr {
    match strip_casts(expression) {
        Expr::Array(Array { elem, .. }) if elem.len() == 1 => &elem[0],
        other => other,
    }
}

/// The plain arguments of a function.
pub(super) fn plain_arguments(arguments: &FunctionArguments) -> Vec<&Expr> {
    let FunctionArguments::List(list) = arguments else { return Vec::new() };
    let plain = |argument| match argument {
        &FunctionArg::Unnamed(FunctionArgExpr::Expr(ref expression)) => Some(expression),
        _ => None,
    };
    list.args.iter().filter_map(plain).collect()
}
