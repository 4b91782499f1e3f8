//! Operands of statements.

use cql::types::{NativeType, Type};
use model::bucket;
use model::constant::{self, element_type};
use model::plan::{Bucket, Operand};
use model::workload::Value;

use super::data_type;
use super::expression::lower_expression;
use super::scope::{Scope, null_of};
use crate::program::{BucketWidth, ConstantValue, DataType, Expression, ExpressionKind};

impl Scope<'_> {
    /// The value of an operand, and its type; `wanted` is the type of what it is for.
    pub(super) fn lower_typed(
        &self,
        operand: &Operand,
        wanted: Option<&Type>,
    ) -> (Expression, Type) {
        let text = || Type::Native(NativeType::Text);
        let bigint = || Type::Native(NativeType::Bigint);
        let boxed = |part: &Operand, wanted: Option<&Type>| {
            let (value, ty) = self.lower_typed(part, wanted);
            (Box::new(value), ty)
        };
        let typed = |ty: Type, kind| (Expression { ty: data_type(&ty), kind }, ty);
        match operand {
            Operand::Parameter(at) => self.parameter(at.index()),
            Operand::Literal(literal) => lower_constant(literal, wanted),
            Operand::Turn(at) => typed(self.turn_type(*at), ExpressionKind::Turn(at.index())),
            Operand::BucketOf(part, width) => {
                let (value, _) = boxed(part, self.bucket_source_type().as_ref());
                let ty = bucket::column_type(*width);
                typed(ty, ExpressionKind::Bucket(value, lower_width(*width)))
            }
            Operand::ShardOf(parts, count) => {
                let types = self.shard_source_types();
                let values = parts.iter().enumerate().map(|(at, part)| match types.get(at) {
                    Some(ty) => self.lower(part, ty),
                    None => self.lower_typed(part, None).0,
                });
                typed(NativeType::Int.into(), ExpressionKind::Shard(values.collect(), *count))
            }
            Operand::PrefixOf(part, length) => {
                let (value, _) = boxed(part, Some(&text()));
                typed(text(), ExpressionKind::Prefix(value, *length))
            }
            Operand::AfterPrefix(part) => {
                let (value, _) = boxed(part, Some(&text()));
                typed(text(), ExpressionKind::PrefixEnd(value))
            }
            Operand::Row { step, column } => self.row(*step, column),
            Operand::Single(part) => {
                let Some(ty) = wanted else { return self.lower_typed(part, None) };
                let value = match element_type(ty) {
                    Some(element) => self.lower(part, element),
                    None => self.lower_typed(part, None).0,
                };
                typed(ty.clone(), ExpressionKind::Singleton(Box::new(value)))
            }
            Operand::OrElse(part, other) => {
                let (value, ty) = self.lower_typed(part, wanted);
                let (other, _) = lower_constant(other, Some(&ty));
                typed(ty, ExpressionKind::Coalesce(vec![value, other]))
            }
            Operand::Coalesce(part, other) => {
                let (value, ty) = self.lower_typed(part, wanted);
                let other = self.lower(other, &ty);
                typed(ty, ExpressionKind::Coalesce(vec![value, other]))
            }
            Operand::UnlessNull(part) => self.lower_typed(part, wanted),
            Operand::Minus(one, other) => {
                let ty = wanted.cloned().unwrap_or_else(|| self.lower_typed(one, None).1);
                let parts = (Box::new(self.lower(one, &ty)), Box::new(self.lower(other, &ty)));
                typed(ty, ExpressionKind::Difference(parts.0, parts.1))
            }
            Operand::Appended(array, element) | Operand::Without(array, element) => {
                let ty = wanted.cloned().unwrap_or_else(|| self.lower_typed(array, None).1);
                let array = Box::new(self.lower(array, &ty));
                let element = Box::new(match element_type(&ty) {
                    Some(of) => self.lower(element, of),
                    None => self.lower_typed(element, None).0,
                });
                let is_added = matches!(operand, Operand::Appended(..));
                typed(
                    ty,
                    if is_added {
                        ExpressionKind::Append(array, element)
                    } else {
                        ExpressionKind::Remove(array, element)
                    },
                )
            }
            Operand::Computed(expression) => {
                lower_expression(expression, &|part: &Operand| self.lower_typed(part, None))
            }
            Operand::OldestWins(part) => {
                typed(bigint(), ExpressionKind::OldestWins(boxed(part, None).0))
            }
            Operand::NewestWins(part) => {
                typed(bigint(), ExpressionKind::NewestWins(boxed(part, None).0))
            }
        }
    }

    /// The value that a column is compared with.
    pub(super) fn lower_value(&self, value: &Value, wanted: Option<&Type>) -> (Expression, Type) {
        match value {
            Value::Parameter(at) => self.parameter(at.index()),
            Value::Literal(text) => lower_constant(text, wanted),
        }
    }
}

/// A constant in CQL's spelling.
pub(super) fn lower_constant(text: &str, wanted: Option<&Type>) -> (Expression, Type) {
    let ty = wanted.cloned().unwrap_or_else(|| constant::own_type(text));
    let bytes = constant::to_bytes(&ty, text);
    match ConstantValue::from_bytes(&ty, bytes.as_deref()) {
        Some(value) => {
            (Expression { ty: data_type(&ty), kind: ExpressionKind::Constant(value) }, ty)
        }
        None => null_of(ty),
    }
}

/// The width of a bucket.
pub(super) const fn lower_width(bucket: Bucket) -> BucketWidth {
    match bucket {
        Bucket::Hours(count) => BucketWidth::Hours(count),
        Bucket::Days(count) => BucketWidth::Days(count),
        Bucket::Weeks(count) => BucketWidth::Weeks(count),
        Bucket::Months(count) => BucketWidth::Months(count),
        Bucket::Range(width) => BucketWidth::Range(width),
    }
}

/// Two values that are compared, in the wider type of whole numbers.
pub(super) fn align(one: Expression, other: Expression) -> (Expression, Expression) {
    const fn width(ty: &DataType) -> u8 {
        match ty {
            DataType::Tinyint => 1,
            DataType::Smallint => 2,
            DataType::Int => 3,
            DataType::Varint => 5,
            _ => 4,
        }
    }
    if one.ty == other.ty {
        return (one, other);
    }
    let is_other_wider =
        one.ty.is_integer() && other.ty.is_integer() && width(&one.ty) < width(&other.ty);
    if is_other_wider {
        let ty = other.ty.clone();
        (one.convert(ty), other)
    } else {
        let ty = one.ty.clone();
        (one, other.convert(ty))
    }
}
