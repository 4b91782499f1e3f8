//! Conditions of WHERE and ON.

use cql::types::{NativeType, Type};
use sqlparser::ast::{Array, BinaryOperator, Expr, UnaryOperator, Value as SqlValue};

use super::constant::strip_casts;
use super::expression::placeholder;
use super::{Rewriter, SlotForm, SlotSource, refusal_message};

impl Rewriter<'_> {
    /// Writes a condition.
    pub(super) fn write_condition(&mut self, condition: &Expr) -> Result<(), String> {
        match condition {
            Expr::Nested(inside) => {
                self.push("(");
                self.write_condition(inside)?;
                self.push(")");
                Ok(())
            }
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                self.write_condition(left)?;
                self.push(" AND ");
                self.write_condition(right)
            }
            Expr::BinaryOp { left, op, right } => self.write_comparison(left, op, right),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                self.write_operand(condition, &NativeType::Boolean.into())
            }
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                self.push("NOT (");
                self.write_condition(expr)?;
                self.push(")");
                Ok(())
            }
            Expr::IsTrue(operand) => self.write_postfix(operand, " IS TRUE"),
            Expr::IsFalse(operand) => self.write_postfix(operand, " IS FALSE"),
            Expr::IsNull(operand) | Expr::IsUnknown(operand) => {
                self.write_postfix(operand, " IS NULL")
            }
            Expr::IsNotNull(operand) | Expr::IsNotUnknown(operand) => {
                self.write_postfix(operand, " IS NOT NULL")
            }
            Expr::InList { expr, list, negated: false } => self.write_in(expr, list),
            Expr::Between { expr, negated: false, low, high } => {
                let ty = self.column_type(expr)?;
                self.write_operand(expr, &ty)?;
                self.push(" BETWEEN ");
                self.write_operand(low, &ty)?;
                self.push(" AND ");
                self.write_operand(high, &ty)
            }
            Expr::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } => {
                self.write_any(left, right)
            }
            Expr::Like { negated: false, any: false, expr, pattern, escape_char: None } => {
                self.write_like(expr, pattern)
            }
            Expr::Value(value) if value.value == SqlValue::Boolean(true) => {
                self.push("1");
                Ok(())
            }
            other => Err(refusal_message(other)),
        }
    }

    fn write_postfix(&mut self, operand: &Expr, test: &str) -> Result<(), String> {
        let ty = self.column_type(operand)?;
        self.write_operand(operand, &ty)?;
        self.push(test);
        Ok(())
    }

    fn column_type(&self, operand: &Expr) -> Result<Type, String> {
        self.type_of(operand).ok_or_else(|| format!("{operand} is not a column"))
    }

    /// `left op right`, of values or of rows.
    fn write_comparison(
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
            other => return Err(refusal_message(other)),
        };
        if let (Expr::Tuple(lefts), Expr::Tuple(rights)) = (strip_casts(left), strip_casts(right)) {
            let pairs = lefts.iter().zip(rights);
            let types: Result<Vec<Type>, String> =
                pairs.map(|(left, right)| self.type_of_either(left, right)).collect();
            let types = types?;
            self.write_row(lefts, &types)?;
            self.push(symbol);
            return self.write_row(rights, &types);
        }
        let ty = self.type_of_either(left, right)?;
        self.write_operand(left, &ty)?;
        self.push(symbol);
        self.write_operand(right, &ty)
    }

    fn write_row(&mut self, parts: &[Expr], types: &[Type]) -> Result<(), String> {
        self.push("(");
        for (at, (part, ty)) in parts.iter().zip(types).enumerate() {
            self.push(if at == 0 { "" } else { ", " });
            self.write_operand(part, ty)?;
        }
        self.push(")");
        Ok(())
    }

    fn write_in(&mut self, operand: &Expr, list: &[Expr]) -> Result<(), String> {
        let ty = self.column_type(operand)?;
        self.write_operand(operand, &ty)?;
        self.push(" IN ");
        self.write_row(list, &vec![ty; list.len()])
    }

    /// `column = ANY(list)` or `element = ANY(array_column)`
    fn write_any(&mut self, left: &Expr, right: &Expr) -> Result<(), String> {
        if let Expr::Array(Array { elem, .. }) = strip_casts(right) {
            return self.write_in(left, elem);
        }
        if let Some(Type::List(element, _) | Type::Set(element, _)) = self.type_of(right) {
            self.write_element(left, &element)?;
            self.push(" IN (SELECT value FROM json_each(");
            self.write_operand(right, &element)?;
            self.push("))");
            return Ok(());
        }
        let ty = self.column_type(left)?;
        self.write_operand(left, &ty)?;
        let position =
            self.parameter_position(placeholder(right).ok_or_else(|| refusal_message(right))?);
        self.push(" IN (SELECT value FROM rarray(");
        self.write_marker(SlotSource::Parameter(position), SlotForm::List(ty));
        self.push("))");
        Ok(())
    }

    /// A backslash escapes, as by default in `PostgreSQL`.
    fn write_like(&mut self, operand: &Expr, pattern: &Expr) -> Result<(), String> {
        let text = Type::from(NativeType::Text);
        self.write_operand(operand, &text)?;
        self.push(" LIKE (");
        if let Expr::BinaryOp { left, op: BinaryOperator::StringConcat, right } =
            strip_casts(pattern)
        {
            self.write_operand(left, &text)?;
            self.push(" || ");
            self.write_operand(right, &text)?;
        } else {
            self.write_operand(pattern, &text)?;
        }
        self.push(") ESCAPE '\\'");
        Ok(())
    }
}
