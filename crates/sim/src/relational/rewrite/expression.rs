//! Columns, parameters and constants.

use cql::types::Type;
use sqlparser::ast::{Expr, Ident, Value as SqlValue};

use super::constant::{bare, constant};
use super::{Form, Given, Rewriter, unknown};

/// The name that an expression is.
pub(super) fn name(expression: &Expr) -> Option<&[Ident]> {
    match bare(expression) {
        Expr::Identifier(name) => Some(std::slice::from_ref(name)),
        Expr::CompoundIdentifier(names) => Some(names),
        _ => None,
    }
}

/// The parameter that an expression is.
pub(super) fn placeholder(expression: &Expr) -> Option<&str> {
    match bare(expression) {
        Expr::Value(value) => match &value.value {
            SqlValue::Placeholder(placeholder) => Some(placeholder),
            _ => None,
        },
        _ => None,
    }
}

impl Rewriter<'_> {
    /// The type of the column that an expression is.
    pub(super) fn type_of(&self, expression: &Expr) -> Option<Type> {
        let found = self.scope.find(self.concept, name(expression)?).ok()?;
        Some(found.attribute.ty.clone())
    }

    /// The type of whichever of two expressions is a column.
    pub(super) fn type_of_either(&self, one: &Expr, other: &Expr) -> Result<Type, String> {
        let ty = self.type_of(one).or_else(|| self.type_of(other));
        ty.ok_or_else(|| format!("neither {one} nor {other} is a column"))
    }

    /// Writes a column, parameter or constant, as columns of the type are stored.
    pub(super) fn operand(&mut self, expression: &Expr, ty: &Type) -> Result<(), String> {
        self.given(expression, ty, Form::Value(ty.clone()))
    }

    /// Writes an element of an array.
    pub(super) fn element(&mut self, expression: &Expr, ty: &Type) -> Result<(), String> {
        self.given(expression, ty, Form::Element(ty.clone()))
    }

    fn given(&mut self, expression: &Expr, ty: &Type, form: Form) -> Result<(), String> {
        if let Some(names) = name(expression) {
            let found = self.scope.find(self.concept, names)?;
            let written = self.scope.written(&found);
            self.push(&written);
            return Ok(());
        }
        if let Some(placeholder) = placeholder(expression) {
            let position = self.parameter(placeholder);
            self.mark(Given::Parameter(position), form);
            return Ok(());
        }
        if let Expr::Value(value) = bare(expression)
            && value.value == SqlValue::Null
        {
            self.push("NULL");
            return Ok(());
        }
        let bytes = constant(expression, ty).ok_or_else(|| unknown(expression))?;
        self.mark(Given::Constant(bytes), form);
        Ok(())
    }
}
