//! Results that are computed: `SQLite` computes them from its stored forms.

use cql::types::{NativeType, Type};
use sqlparser::ast::{BinaryOperator, DataType, Expr, UnaryOperator, Value as SqlValue};

use super::constant::{constant_bytes, strip_casts};
use super::scope::last_part;
use super::write::plain_arguments;
use super::{BindSlot, Rewriter, SlotForm, SlotSource, refusal_message};
use crate::relational::output::attribute_type;
use crate::relational::sqlite_value::SCALE;

/// An expression as it is written, and its type; constants alone may take another.
#[derive(Clone, Debug)]
pub(super) struct WrittenExpression {
    pub(super) text: String,
    pub(super) ty: Type,
}

/// Aggregates, which the caller writes.
pub(super) const AGGREGATES: [&str; 5] = ["count", "sum", "avg", "min", "max"];

impl Rewriter<'_> {
    /// An expression over columns, aggregates and constants.
    pub(super) fn rewrite_expression(
        &mut self,
        expression: &Expr,
        wanted: Option<&Type>,
    ) -> Result<WrittenExpression, String> {
        let boolean = |text: String| WrittenExpression { text, ty: NativeType::Boolean.into() };
        match expression {
            Expr::Nested(inside) => self.rewrite_expression(inside, wanted),
            Expr::Identifier(_) | Expr::CompoundIdentifier(_) => {
                let names = super::expression::column_name(expression).unwrap_or_default();
                let found = self.scope.find(self.concept, names)?;
                let ty = attribute_type(found.attribute);
                Ok(WrittenExpression { text: self.scope.qualify_name(&found), ty })
            }
            Expr::Cast { expr, data_type, .. } => {
                let ty = to_type(data_type).ok_or_else(|| refusal_message(expression))?;
                let inside = self.rewrite_expression(expr, Some(&ty))?;
                Ok(WrittenExpression { text: convert(&inside, &ty), ty })
            }
            Expr::Function(function) => {
                let name = last_part(&function.name)?;
                if AGGREGATES.contains(&name.as_str()) {
                    let (text, ty) = self.rewrite_aggregate(&name, function)?;
                    return Ok(WrittenExpression { text, ty });
                }
                if name != "coalesce" {
                    return Err(refusal_message(expression));
                }
                let (parts, ty) = self.rewrite_alike(&plain_arguments(&function.args), wanted)?;
                // One argument is not enough for SQLite.
                let text = format!("COALESCE({}, NULL)", parts.join(", "));
                Ok(WrittenExpression { text, ty })
            }
            Expr::Case { operand, conditions, else_result, .. } => {
                let mut values: Vec<&Expr> = conditions.iter().map(|when| &when.result).collect();
                values.extend(else_result.as_deref());
                let (values, ty) = self.rewrite_alike(&values, wanted)?;
                let mut words = vec!["CASE".to_owned()];
                for (when, value) in conditions.iter().zip(&values) {
                    let condition = match operand {
                        None => self.rewrite_expression(&when.condition, None)?.text,
                        Some(operand) => {
                            let (sides, _) =
                                self.rewrite_alike(&[operand, &when.condition], None)?;
                            sides.join(" = ")
                        }
                    };
                    words.push(format!("WHEN {condition} THEN {value}"));
                }
                if let Some(value) = values.get(conditions.len()) {
                    words.push(format!("ELSE {value}"));
                }
                words.push("END".to_owned());
                Ok(WrittenExpression { text: words.join(" "), ty })
            }
            Expr::BinaryOp { left, op, right } => self.rewrite_operator(left, op, right),
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                let inside = self.rewrite_expression(expr, None)?.text;
                Ok(boolean(format!("(NOT {inside})")))
            }
            Expr::IsNull(part) => {
                Ok(boolean(format!("({} IS NULL)", self.rewrite_expression(part, None)?.text)))
            }
            Expr::IsNotNull(part) => {
                Ok(boolean(format!("({} IS NOT NULL)", self.rewrite_expression(part, None)?.text)))
            }
            Expr::InList { expr, list, negated } => {
                let mut all: Vec<&Expr> = vec![expr];
                all.extend(list);
                let (all, _) = self.rewrite_alike(&all, None)?;
                let (first, rest) = all.split_first().ok_or_else(|| refusal_message(expression))?;
                let not = if *negated { "NOT " } else { "" };
                Ok(boolean(format!("({first} {not}IN ({}))", rest.join(", "))))
            }
            constant => self.rewrite_constant(constant, wanted),
        }
    }

    fn rewrite_constant(
        &mut self,
        constant: &Expr,
        wanted: Option<&Type>,
    ) -> Result<WrittenExpression, String> {
        let is_number = |ty: &Type| number_rank(ty).is_some();
        let ty = match strip_casts(constant) {
            Expr::Value(value) if value.value == SqlValue::Null => {
                let ty = wanted.cloned().unwrap_or_else(|| NativeType::Text.into());
                return Ok(WrittenExpression { text: "NULL".to_owned(), ty });
            }
            _ => match wanted {
                Some(ty) if !is_number(ty) => ty.clone(),
                _ => own_type(constant).ok_or_else(|| refusal_message(constant))?,
            },
        };
        let bytes = constant_bytes(constant, &ty).ok_or_else(|| refusal_message(constant))?;
        let form = SlotForm::Value(ty.clone());
        self.done.uses.push(BindSlot { given: SlotSource::Constant(bytes), form });
        Ok(WrittenExpression { text: format!("?{}", self.done.uses.len()), ty })
    }

    /// Values in one type: that of the widest number, or of the first that is no constant.
    fn rewrite_alike(
        &mut self,
        parts: &[&Expr],
        wanted: Option<&Type>,
    ) -> Result<(Vec<String>, Type), String> {
        let is_constant =
            |part: &Expr| matches!(strip_casts(part), Expr::Value(_) | Expr::UnaryOp { .. });
        let mut known = wanted.cloned();
        for part in parts.iter().filter(|part| !is_constant(part)) {
            let ty = self.rewrite_expression(part, known.as_ref())?.ty;
            known.get_or_insert(ty);
        }
        let mut written = Vec::new();
        for part in parts {
            written.push(self.rewrite_expression(part, known.as_ref())?);
        }
        let widest =
            written.iter().max_by_key(|part| number_rank(&part.ty)).map(|it| it.ty.clone());
        let first = known.or_else(|| written.first().map(|part| part.ty.clone()));
        let ty = widest.filter(|ty| number_rank(ty).is_some()).or(first);
        let ty = ty.ok_or_else(|| "COALESCE has no argument".to_owned())?;
        Ok((written.iter().map(|part| convert(part, &ty)).collect(), ty))
    }

    fn rewrite_operator(
        &mut self,
        left: &Expr,
        operator: &BinaryOperator,
        right: &Expr,
    ) -> Result<WrittenExpression, String> {
        let (symbol, ty) = match operator {
            BinaryOperator::Eq => ("=", NativeType::Boolean),
            BinaryOperator::NotEq => ("<>", NativeType::Boolean),
            BinaryOperator::Lt => ("<", NativeType::Boolean),
            BinaryOperator::LtEq => ("<=", NativeType::Boolean),
            BinaryOperator::Gt => (">", NativeType::Boolean),
            BinaryOperator::GtEq => (">=", NativeType::Boolean),
            BinaryOperator::And => ("AND", NativeType::Boolean),
            BinaryOperator::Or => ("OR", NativeType::Boolean),
            BinaryOperator::StringConcat => ("||", NativeType::Text),
            other => return Err(refusal_message(other)),
        };
        let wanted = (ty == NativeType::Text).then(|| Type::from(NativeType::Text));
        let (sides, _) = self.rewrite_alike(&[left, right], wanted.as_ref())?;
        Ok(WrittenExpression {
            text: format!("({})", sides.join(&format!(" {symbol} "))),
            ty: ty.into(),
        })
    }
}

/// The place of a type among those of numbers.
fn number_rank(ty: &Type) -> Option<usize> {
    let order = [
        NativeType::Smallint,
        NativeType::Int,
        NativeType::Bigint,
        NativeType::Decimal,
        NativeType::Float,
        NativeType::Double,
    ];
    order.into_iter().position(|native| *ty == Type::from(native))
}

/// The stored form of an expression in another type.
fn convert(expression: &WrittenExpression, to: &Type) -> String {
    let WrittenExpression { text, ty } = expression;
    let (Type::Native(from), Type::Native(to)) = (ty, to) else { return text.clone() };
    let is_integer =
        |ty: &NativeType| matches!(ty, NativeType::Smallint | NativeType::Int | NativeType::Bigint);
    match (from, to) {
        (from, NativeType::Decimal) if is_integer(from) => format!("({text} * {SCALE})"),
        (from, NativeType::Double) if is_integer(from) => format!("CAST({text} AS REAL)"),
        (NativeType::Decimal, NativeType::Double) => format!("(CAST({text} AS REAL) / {SCALE}.0)"),
        (NativeType::Decimal, to) if is_integer(to) => {
            let half = SCALE / 2;
            format!("(({text} + CASE WHEN {text} < 0 THEN -{half} ELSE {half} END) / {SCALE})")
        }
        (NativeType::Timestamp, NativeType::Date) => format!(
            "(({text} - (({text} % 86400000) + 86400000) % 86400000) / 86400000 + 2147483648)"
        ),
        _ => text.clone(),
    }
}

/// The type of a constant alone.
fn own_type(constant: &Expr) -> Option<Type> {
    let native = match strip_casts(constant) {
        Expr::Value(value) => match &value.value {
            SqlValue::Boolean(_) => NativeType::Boolean,
            SqlValue::Number(number, _) if number.parse::<i32>().is_ok() => NativeType::Int,
            SqlValue::Number(number, _) if number.parse::<i64>().is_ok() => NativeType::Bigint,
            SqlValue::Number(..) => NativeType::Decimal,
            SqlValue::Placeholder(_) => return None,
            _ => NativeType::Text,
        },
        Expr::UnaryOp { expr, .. } => return own_type(expr),
        _ => return None,
    };
    Some(native.into())
}

/// The type that a cast names.
fn to_type(to: &DataType) -> Option<Type> {
    let native = match to {
        DataType::SmallInt(_) | DataType::Int2(_) => NativeType::Smallint,
        DataType::Int(_) | DataType::Integer(_) | DataType::Int4(_) => NativeType::Int,
        DataType::BigInt(_) | DataType::Int8(_) => NativeType::Bigint,
        DataType::Float8 | DataType::DoublePrecision | DataType::Double(_) => NativeType::Double,
        DataType::Numeric(_) | DataType::Decimal(_) => NativeType::Decimal,
        DataType::Text | DataType::Varchar(_) | DataType::CharacterVarying(_) => NativeType::Text,
        DataType::Boolean | DataType::Bool => NativeType::Boolean,
        DataType::Date => NativeType::Date,
        DataType::Timestamp(..) => NativeType::Timestamp,
        DataType::Uuid => NativeType::Uuid,
        _ => return None,
    };
    Some(native.into())
}
