//! Evaluation of operands and guards.

use cql::types::{NativeType, Type};
use cql::value;
use model::bucket;
use model::concept::Concept;
use model::expression::{Scalar, evaluate};
use model::id::{IdList, ParameterId};
use model::plan::{Bucket, ClientCheck, Derivation, Guard, Operand, PlannedTable, is_met};
use model::workload::{Column, Parameter, Value};
use schema::partitioner;

use super::fold;
use super::frame::ExecutionFrame;
use crate::dataset::Datum;
use crate::value::{TypedValue, constant_type, element_type, parse_constant};

/// 2^52, from which the start of a bucket is subtracted: older buckets have larger write
/// timestamps.
const OLDEST_WINS: i64 = 1 << 52;
/// A text greater than all practical texts: the end of the range of an empty prefix.
const GREATEST: &str = "\u{10ffff}\u{10ffff}\u{10ffff}\u{10ffff}";

/// The context in which operands are evaluated.
#[derive(Clone, Copy, Debug)]
pub(super) struct OperandScope<'a> {
    pub(super) concept: &'a Concept,
    /// The parameters of the read or write, and their values.
    pub(super) parameters: &'a [Parameter],
    pub(super) values: &'a [Datum],
}

impl OperandScope<'_> {
    /// The value of an operand of a statement on a table; `wanted` is the type of what it is for.
    pub(super) fn evaluate(
        &self,
        operand: &Operand,
        frame: &ExecutionFrame,
        table: Option<&PlannedTable>,
        wanted: Option<&Type>,
    ) -> TypedValue {
        let of = |part: &Operand, wanted| self.evaluate(part, frame, table, wanted);
        match operand {
            Operand::Parameter(at) => self.parameter(*at),
            Operand::Literal(text) => literal_value(text, wanted),
            Operand::Turn(at) => {
                frame.turns.get(at.index()).cloned().unwrap_or_else(TypedValue::null)
            }
            Operand::BucketOf(part, width) => {
                let ty = table.and_then(|table| self.bucket_source_type(table));
                to_bucket(&of(part, ty.as_ref()), *width)
            }
            Operand::ShardOf(parts, count) => {
                let types = table.map(|table| self.shard_source_types(table)).unwrap_or_default();
                let values: Vec<_> =
                    parts.iter().enumerate().map(|(at, part)| of(part, types.get(at))).collect();
                to_shard(&values, &types, *count)
            }
            Operand::PrefixOf(part, length) => to_prefix(&of(part, Some(&text_type())), *length),
            Operand::AfterPrefix(part) => prefix_end(&of(part, Some(&text_type()))),
            Operand::Row { step, column } => {
                let row = frame.rows.get(step);
                row.and_then(|row| row.get(column)).unwrap_or_else(TypedValue::null)
            }
            Operand::Single(part) => {
                single_collection(&of(part, wanted.and_then(element_type)), wanted)
            }
            Operand::OrElse(part, other) => {
                let value = of(part, wanted);
                if value.is_null() { replace_null(&value, other, wanted) } else { value }
            }
            Operand::Coalesce(part, other) => {
                let value = of(part, wanted);
                if value.is_null() { of(other, wanted) } else { value }
            }
            Operand::UnlessNull(part) => of(part, wanted),
            Operand::Minus(one, other) => {
                fold::subtract_numbers(&of(one, wanted), &of(other, wanted), wanted)
            }
            Operand::Appended(array, element) | Operand::Without(array, element) => {
                let element = of(element, wanted.and_then(element_type));
                let keeps = matches!(operand, Operand::Appended(..));
                change_element(&of(array, wanted), &element, keeps, wanted)
            }
            Operand::Computed(expression) => {
                let leaf = &mut |part: &Operand| {
                    let value = of(part, None);
                    Scalar::from_bytes(&value.ty, value.bytes.as_deref())
                };
                evaluate(expression, leaf).map_or_else(TypedValue::null, |scalar| {
                    TypedValue::new(scalar.ty(), scalar.to_bytes())
                })
            }
            Operand::OldestWins(part) => oldest_wins_timestamp(&of(part, None)),
            Operand::NewestWins(part) => newest_wins_timestamp(&of(part, None)),
        }
    }

    /// Whether the values meet a check of the client.
    pub(super) fn is_check_met(&self, check: &ClientCheck) -> bool {
        let frame = ExecutionFrame::default();
        is_met(&check.condition, &mut |part: &Operand| {
            let value = self.evaluate(part, &frame, None, None);
            Scalar::from_bytes(&value.ty, value.bytes.as_deref())
        })
    }

    /// The value of a parameter.
    pub(super) fn parameter(&self, at: ParameterId) -> TypedValue {
        let ty = self.parameters.member(at).map(|parameter| parameter.ty.clone());
        let value = self.values.get(at.index()).cloned().flatten();
        TypedValue::new(ty.unwrap_or_else(text_type), value)
    }

    /// The value that a column is compared with.
    pub(super) fn evaluate_value(&self, value: &Value, wanted: Option<&Type>) -> TypedValue {
        match value {
            Value::Parameter(at) => self.parameter(*at),
            Value::Literal(text) => literal_value(text, wanted),
        }
    }

    /// Whether a guard holds.
    pub(super) fn is_satisfied(
        &self,
        guard: &Guard,
        frame: &ExecutionFrame,
        table: Option<&PlannedTable>,
    ) -> bool {
        let pair = |one: &Operand, other: &Operand| self.evaluate_pair(one, other, frame, table);
        let of = |operand: &Operand| self.evaluate(operand, frame, table, None);
        let has = |array: &Operand, element: &Operand| {
            let array = of(array);
            let element = self.evaluate(element, frame, table, element_type(&array.ty));
            array.elements().iter().any(|one| one.compare(&element).is_eq())
        };
        match guard {
            Guard::NotNull(operand) => !of(operand).is_null(),
            Guard::Null(operand) => of(operand).is_null(),
            Guard::Compares(one, comparison, other) => {
                let (one, other) = pair(one, other);
                one.matches_comparison(*comparison, &other)
            }
            Guard::Fails(one, comparison, other) => {
                let (one, other) = pair(one, other);
                !one.matches_comparison(*comparison, &other)
            }
            Guard::Differ(one, other) => {
                let (one, other) = pair(one, other);
                !one.compare(&other).is_eq()
            }
            Guard::Has(array, element) => has(array, element),
            Guard::Lacks(array, element) => !has(array, element),
            Guard::Any(guards) => guards.iter().any(|guard| self.is_satisfied(guard, frame, table)),
            Guard::All(guards) => guards.iter().all(|guard| self.is_satisfied(guard, frame, table)),
        }
    }

    /// Two operands that are compared: a constant has the type of the other.
    fn evaluate_pair(
        &self,
        one: &Operand,
        other: &Operand,
        frame: &ExecutionFrame,
        table: Option<&PlannedTable>,
    ) -> (TypedValue, TypedValue) {
        if matches!(one, Operand::Literal(_)) {
            let other = self.evaluate(other, frame, table, None);
            return (self.evaluate(one, frame, table, Some(&other.ty)), other);
        }
        let one = self.evaluate(one, frame, table, None);
        let other = self.evaluate(other, frame, table, Some(&one.ty));
        (one, other)
    }

    /// The type of what a table's bucket is made from.
    fn bucket_source_type(&self, table: &PlannedTable) -> Option<Type> {
        table.bucket().and_then(|(_, of, _)| self.attribute_type(table, of))
    }

    /// The types of what a table's shard is made from.
    fn shard_source_types(&self, table: &PlannedTable) -> Vec<Type> {
        let of = table.columns.iter().find_map(|column| match &column.derivation {
            Derivation::Shard { of, .. } => Some(of),
            _ => None,
        });
        of.into_iter().flatten().filter_map(|of| self.attribute_type(table, *of)).collect()
    }

    fn attribute_type(&self, table: &PlannedTable, of: Column) -> Option<Type> {
        let entity = table.holds.sources.member(of.source)?.entity;
        let attribute = self.concept.entities.member(entity)?.attributes.member(of.attribute)?;
        Some(attribute.ty.clone())
    }
}

fn text_type() -> Type {
    NativeType::Text.into()
}

fn literal_value(text: &str, wanted: Option<&Type>) -> TypedValue {
    wanted.map_or_else(|| parse_constant(&constant_type(text), text), |ty| parse_constant(ty, text))
}

/// The constant in place of null, of the type that the value would have.
fn replace_null(null: &TypedValue, other: &str, wanted: Option<&Type>) -> TypedValue {
    let made = wanted.map(|ty| parse_constant(ty, other)).filter(|made| !made.is_null());
    let made =
        made.or_else(|| Some(parse_constant(&null.ty, other)).filter(|made| !made.is_null()));
    made.unwrap_or_else(|| literal_value(other, None))
}

/// The bucket in which a value falls.
pub(crate) fn to_bucket(value: &TypedValue, width: Bucket) -> TypedValue {
    let number = value.bytes.as_ref().and_then(|bytes| bucket::number(width, &value.ty, bytes));
    TypedValue::new(
        bucket::column_type(width),
        number.map(|number| bucket::encode_number(width, number)),
    )
}

/// The shard of a key, whose values are of these types.
pub(crate) fn to_shard(values: &[TypedValue], types: &[Type], count: u32) -> TypedValue {
    let bytes: Option<Vec<_>> = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            types.get(at).map_or_else(|| value.bytes.clone(), |ty| value.to_type(ty))
        })
        .collect();
    let shard = bytes.and_then(|bytes| i32::try_from(partitioner::shard(&bytes, count)).ok());
    TypedValue::new(NativeType::Int, shard.map(|shard| shard.to_be_bytes().to_vec()))
}

/// The first characters of a text.
pub(crate) fn to_prefix(value: &TypedValue, length: usize) -> TypedValue {
    let prefix = value.bytes.as_ref().and_then(|bytes| {
        let text = std::str::from_utf8(bytes).ok()?;
        Some(text.chars().take(length).collect::<String>().into_bytes())
    });
    TypedValue::new(value.ty.clone(), prefix)
}

/// The least text that is greater than every text with this prefix.
fn prefix_end(value: &TypedValue) -> TypedValue {
    let after = value.bytes.as_ref().and_then(|bytes| {
        let mut characters: Vec<char> = std::str::from_utf8(bytes).ok()?.chars().collect();
        while let Some(last) = characters.pop() {
            // The next character, skipping the surrogates.
            let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
            if let Some(next) = next {
                characters.push(next);
                return Some(characters.into_iter().collect::<String>().into_bytes());
            }
        }
        Some(GREATEST.as_bytes().to_vec())
    });
    TypedValue::new(value.ty.clone(), after)
}

/// A collection of one element.
fn single_collection(element: &TypedValue, wanted: Option<&Type>) -> TypedValue {
    let Some(ty) = wanted else { return element.clone() };
    if element.is_null() {
        return TypedValue::null();
    }
    let part = element_type(ty).map_or_else(|| element.bytes.clone(), |ty| element.to_type(ty));
    TypedValue::new(ty.clone(), value::join(ty, &[part]).ok())
}

/// An array with an element at its end, or without it.
fn change_element(
    array: &TypedValue,
    element: &TypedValue,
    is_added: bool,
    wanted: Option<&Type>,
) -> TypedValue {
    let ty = wanted.unwrap_or(&array.ty);
    let mut elements = array.elements();
    if is_added {
        elements.push(element.clone());
    } else {
        elements.retain(|one| one.compare(element).is_ne());
    }
    let parts: Vec<_> = elements
        .iter()
        .map(|one| element_type(ty).map_or_else(|| one.bytes.clone(), |ty| one.to_type(ty)))
        .collect();
    TypedValue::new(ty.clone(), value::join(ty, &parts).ok())
}

/// The timestamp by which the row of a newer range wins.
pub(crate) fn newest_wins_timestamp(number: &TypedValue) -> TypedValue {
    let number = number.to_integer();
    number.map_or_else(TypedValue::null, |it| TypedValue::bigint(OLDEST_WINS.saturating_add(it)))
}

/// The timestamp by which the row of an older bucket wins.
pub(crate) fn oldest_wins_timestamp(start: &TypedValue) -> TypedValue {
    let from = start.to_integer().or_else(|| bucket::to_millis(&start.ty, start.bytes.as_deref()?));
    from.map_or_else(TypedValue::null, |from| TypedValue::bigint(OLDEST_WINS.saturating_sub(from)))
}
