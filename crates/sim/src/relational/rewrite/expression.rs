//! Columns, parameters and constants.

use cql::types::Type;
use model::concept::{Attribute, ClientValue, DefaultValue};
use model::sql::find_client_value;
use sqlparser::ast::{Expr, Ident, Value as SqlValue};

use super::constant::{constant_bytes, strip_casts};
use super::{Rewriter, SlotForm, SlotSource, refusal_message};
use crate::relational::sqlite_tables::{default_value, literal};

/// The column name of an expression, if it is left.
pub(super) fn column_name(expression: &Expr) -> Option<&[Ident]> {
    match strip_casts(expression) {
        Expr::Identifier(name) => Some(std::slice::from_ref(name)),
        Expr::CompoundIdentifier(names) => Some(names),
        _ => None,
    }
}

/// The parameter of an expression, if it is left.
pub(super) fn placeholder(expression: &Expr) -> Option<&str> {
    match strip_casts(expression) {
        Expr::Value(value) => match &value.value {
            SqlValue::Placeholder(placeholder) => Some(placeholder),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression is the word DEFAULT.
pub(super) fn is_default(expression: &Expr) -> bool {
    matches!(expression, Expr::Identifier(name)
        if name.quote_style.is_none() && name.value.eq_ignore_ascii_case("default"))
}

fn no_default(attribute: &Attribute) -> String {
    format!("the default of {} is not supported by the relational database", attribute.name)
}

impl Rewriter<'_> {
    /// The type of an expression that is a column.
    pub(super) fn type_of(&self, expression: &Expr) -> Option<Type> {
        let found = self.scope.find(self.concept, column_name(expression)?).ok()?;
        Some(found.attribute.ty.clone())
    }

    /// The type of whichever of two expressions is a column.
    pub(super) fn type_of_either(&self, left: &Expr, right: &Expr) -> Result<Type, String> {
        let ty = self.type_of(left).or_else(|| self.type_of(right));
        ty.ok_or_else(|| format!("neither {left} nor {right} is a column"))
    }

    /// Writes a column, parameter or constant in the stored form of the type.
    pub(super) fn write_operand(&mut self, expression: &Expr, ty: &Type) -> Result<(), String> {
        self.write_value(expression, ty, SlotForm::Value(ty.clone()))
    }

    /// Writes an element of an array.
    pub(super) fn write_element(&mut self, expression: &Expr, ty: &Type) -> Result<(), String> {
        self.write_value(expression, ty, SlotForm::Element(ty.clone()))
    }

    fn write_value(&mut self, expression: &Expr, ty: &Type, form: SlotForm) -> Result<(), String> {
        if let Some(names) = column_name(expression) {
            let found = self.scope.find(self.concept, names)?;
            let written = self.scope.qualify_name(&found);
            self.push(&written);
            return Ok(());
        }
        if let Some(placeholder) = placeholder(expression) {
            let position = self.parameter_position(placeholder);
            self.write_marker(SlotSource::Parameter(position), form);
            return Ok(());
        }
        if let Some(value) = find_client_value(expression, ty) {
            return self.write_client_value(value, ty);
        }
        if let Expr::Value(value) = strip_casts(expression)
            && value.value == SqlValue::Null
        {
            self.push("NULL");
            return Ok(());
        }
        let bytes = constant_bytes(expression, ty).ok_or_else(|| refusal_message(expression))?;
        self.write_marker(SlotSource::Constant(bytes), form);
        Ok(())
    }

    /// Writes the parameter in place of a value that the client makes.
    pub(super) fn write_client_value(
        &mut self,
        value: ClientValue,
        ty: &Type,
    ) -> Result<(), String> {
        let position = self.client.next_position(value, ty);
        let position = position.ok_or_else(|| format!("no parameter is {value}"))?;
        self.write_marker(SlotSource::Parameter(position), SlotForm::Value(ty.clone()));
        Ok(())
    }

    /// Writes the default of a column.
    pub(super) fn write_default(&mut self, attribute: &Attribute) -> Result<(), String> {
        match attribute.default.as_ref().map(|default| &default.value) {
            None => {
                self.push("NULL");
                Ok(())
            }
            Some(DefaultValue::Client(value)) => self.write_client_value(*value, &attribute.ty),
            Some(DefaultValue::Constant(_)) => {
                let value = default_value(attribute).ok_or_else(|| no_default(attribute))?;
                self.push(&literal(&value));
                Ok(())
            }
            Some(DefaultValue::Unsupported) => Err(no_default(attribute)),
        }
    }
}
