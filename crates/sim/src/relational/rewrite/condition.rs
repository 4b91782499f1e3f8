//! Conditions.

use cql::types::{NativeType, Type};
use sqlparser::ast::{Array, BinaryOperator, Expr, UnaryOperator, Value as SqlValue};

use super::constant::bare;
use super::expression::placeholder;
use super::{Form, Given, Rewriter, unknown};

impl Rewriter<'_> {
    /// Writes a condition.
    pub(super) fn condition(&mut self, condition: &Expr) -> Result<(), String> {
        match condition {
            Expr::Nested(inside) => {
                self.push("(");
                self.condition(inside)?;
                self.push(")");
                Ok(())
            }
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                self.condition(left)?;
                self.push(" AND ");
                self.condition(right)
            }
            Expr::BinaryOp { left, op, right } => self.comparison(left, op, right),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                self.operand(condition, &NativeType::Boolean.into())
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                self.push("NOT (");
                self.condition(expr)?;
                self.push(")");
                Ok(())
            }
            Expr::IsTrue(operand) => self.tested(operand, " IS TRUE"),
            Expr::IsFalse(operand) => self.tested(operand, " IS FALSE"),
            Expr::IsNull(operand) => self.tested(operand, " IS NULL"),
            Expr::IsNotNull(operand) => self.tested(operand, " IS NOT NULL"),
            Expr::InList { expr, list, negated: false } => self.one_of(expr, list),
            Expr::Between { expr, negated: false, low, high } => {
                let ty = self.column_type(expr)?;
                self.operand(expr, &ty)?;
                self.push(" BETWEEN ");
                self.operand(low, &ty)?;
                self.push(" AND ");
                self.operand(high, &ty)
            }
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => {
                self.any(left, right)
            }
            Expr::Like { negated: false, any: false, expr, pattern, escape_char: None } => {
                self.like(expr, pattern)
            }
            Expr::Value(value) if value.value == SqlValue::Boolean(true) => {
                self.push("1");
                Ok(())
            }
            other => Err(unknown(other)),
        }
    }

    fn tested(&mut self, operand: &Expr, test: &str) -> Result<(), String> {
        let ty = self.column_type(operand)?;
        self.operand(operand, &ty)?;
        self.push(test);
        Ok(())
    }

    fn column_type(&self, operand: &Expr) -> Result<Type, String> {
        self.type_of(operand).ok_or_else(|| format!("{operand} is no column"))
    }

    /// `left op right`, of values or of rows.
    fn comparison(
        &mut self,
        left: &Expr,
        operator: &BinaryOperator,
        right: &Expr,
    ) -> Result<(), String> {
        let symbol = match operator {
            BinaryOperator::Eq => " = ",
            BinaryOperator::Lt => " < ",
            BinaryOperator::LtEq => " <= ",
            BinaryOperator::Gt => " > ",
            BinaryOperator::GtEq => " >= ",
            other => return Err(unknown(other)),
        };
        if let (Expr::Tuple(lefts), Expr::Tuple(rights)) = (bare(left), bare(right)) {
            let pairs = lefts.iter().zip(rights);
            let types: Result<Vec<Type>, String> =
                pairs.map(|(left, right)| self.type_of_either(left, right)).collect();
            let types = types?;
            self.row(lefts, &types)?;
            self.push(symbol);
            return self.row(rights, &types);
        }
        let ty = self.type_of_either(left, right)?;
        self.operand(left, &ty)?;
        self.push(symbol);
        self.operand(right, &ty)
    }

    fn row(&mut self, parts: &[Expr], types: &[Type]) -> Result<(), String> {
        self.push("(");
        for (at, (part, ty)) in parts.iter().zip(types).enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            self.operand(part, ty)?;
        }
        self.push(")");
        Ok(())
    }

    fn one_of(&mut self, operand: &Expr, list: &[Expr]) -> Result<(), String> {
        let ty = self.column_type(operand)?;
        self.operand(operand, &ty)?;
        self.push(" IN ");
        self.row(list, &vec![ty; list.len()])
    }

    /// `column = ANY(list)` or `element = ANY(array_column)`
    fn any(&mut self, left: &Expr, right: &Expr) -> Result<(), String> {
        if let Expr::Array(Array { elem, .. }) = bare(right) {
            return self.one_of(left, elem);
        }
        if let Some(Type::List(element, _) | Type::Set(element, _)) = self.type_of(right) {
            self.element(left, &element)?;
            self.push(" IN (SELECT value FROM json_each(");
            self.operand(right, &element)?;
            self.push("))");
            return Ok(());
        }
        let ty = self.column_type(left)?;
        self.operand(left, &ty)?;
        let position = self.parameter(placeholder(right).ok_or_else(|| unknown(right))?);
        self.push(" IN (SELECT value FROM rarray(");
        self.mark(Given::Parameter(position), Form::List(ty));
        self.push("))");
        Ok(())
    }

    /// A backslash escapes, as it does where nothing else is said.
    fn like(&mut self, operand: &Expr, pattern: &Expr) -> Result<(), String> {
        let text = Type::from(NativeType::Text);
        self.operand(operand, &text)?;
        self.push(" LIKE (");
        if let Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } = bare(pattern) {
            self.operand(left, &text)?;
            self.push(" || ");
            self.operand(right, &text)?;
        } else {
            self.operand(pattern, &text)?;
        }
        self.push(") ESCAPE '\\'");
        Ok(())
    }
}
