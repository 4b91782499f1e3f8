//! The values of operands, and whether guards hold.

use cql::types::{NativeType, Type};
use cql::value;
use model::bucket;
use model::concept::Concept;
use model::id::{Numbered, ParameterId};
use model::plan::{Bucket, Derivation, Guard, Operand, PlannedTable};
use model::workload::{Column, Parameter, Value};
use schema::partitioner;

use super::frame::Frame;
use crate::data::Datum;
use crate::value::{Typed, constant, element_type, type_of_constant};

/// 2^52: write timestamps of older buckets are nearer to it.
const OLDEST_WINS: i64 = 1 << 52;
/// What is greater than every text that anyone writes: the end of the range of an empty prefix.
const GREATEST: &str = "\u{10ffff}\u{10ffff}\u{10ffff}\u{10ffff}";

/// What operands are looked up in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scope<'a> {
    pub(super) concept: &'a Concept,
    /// The parameters of the read or write, and their values.
    pub(super) parameters: &'a [Parameter],
    pub(super) values: &'a [Datum],
}

impl Scope<'_> {
    /// The value of an operand of a statement on a table; `wanted` is the type of what it is for.
    pub(super) fn operand(
        &self,
        operand: &Operand,
        frame: &Frame,
        table: Option<&PlannedTable>,
        wanted: Option<&Type>,
    ) -> Typed {
        let of = |part: &Operand, wanted| self.operand(part, frame, table, wanted);
        match operand {
            Operand::Parameter(at) => self.parameter(*at),
            Operand::Literal(text) => literal(text, wanted),
            Operand::Turn(at) => frame.turns.get(at.index()).cloned().unwrap_or_else(Typed::null),
            Operand::BucketOf(part, width) => {
                let ty = table.and_then(|table| self.bucketed(table));
                bucket_of(&of(part, ty.as_ref()), *width)
            }
            Operand::ShardOf(parts, count) => {
                let types = table.map(|table| self.sharded(table)).unwrap_or_default();
                let values: Vec<_> =
                    parts.iter().enumerate().map(|(at, part)| of(part, types.get(at))).collect();
                shard_of(&values, &types, *count)
            }
            Operand::PrefixOf(part, length) => prefix_of(&of(part, Some(&text())), *length),
            Operand::AfterPrefix(part) => after_prefix(&of(part, Some(&text()))),
            Operand::Row { step, column } => {
                let row = frame.rows.get(step);
                row.and_then(|row| row.get(column)).unwrap_or_else(Typed::null)
            }
            Operand::Single(part) => single(&of(part, wanted.and_then(element_type)), wanted),
            Operand::OrElse(part, other) => {
                let value = of(part, wanted);
                if value.is_null() { or_else(&value, other, wanted) } else { value }
            }
            Operand::Minus(one, other) => {
                let (one, other) = (of(one, None).integer(), of(other, None).integer());
                let difference = one.zip(other).and_then(|(one, other)| one.checked_sub(other));
                difference.map_or_else(Typed::null, Typed::bigint)
            }
            Operand::OldestWins(part) => oldest_wins(&of(part, None)),
        }
    }

    /// The value of a parameter.
    pub(super) fn parameter(&self, at: ParameterId) -> Typed {
        let ty = self.parameters.at(at).map(|parameter| parameter.ty.clone());
        let value = self.values.get(at.index()).cloned().flatten();
        Typed::new(ty.unwrap_or_else(text), value)
    }

    /// What a column is compared with.
    pub(super) fn given(&self, value: &Value, wanted: Option<&Type>) -> Typed {
        match value {
            Value::Parameter(at) => self.parameter(*at),
            Value::Literal(text) => literal(text, wanted),
        }
    }

    /// Whether a guard holds.
    pub(super) fn holds(&self, guard: &Guard, frame: &Frame, table: Option<&PlannedTable>) -> bool {
        let pair = |one: &Operand, other: &Operand| self.pair(one, other, frame, table);
        let of = |operand: &Operand| self.operand(operand, frame, table, None);
        let has = |array: &Operand, element: &Operand| {
            let array = of(array);
            let element = self.operand(element, frame, table, element_type(&array.ty));
            array.elements().iter().any(|one| one.order(&element).is_eq())
        };
        match guard {
            Guard::NotNull(operand) => !of(operand).is_null(),
            Guard::Null(operand) => of(operand).is_null(),
            Guard::Compares(one, comparison, other) => {
                let (one, other) = pair(one, other);
                one.compares(*comparison, &other)
            }
            Guard::Fails(one, comparison, other) => {
                let (one, other) = pair(one, other);
                !one.compares(*comparison, &other)
            }
            Guard::Differ(one, other) => {
                let (one, other) = pair(one, other);
                !one.order(&other).is_eq()
            }
            Guard::Has(array, element) => has(array, element),
            Guard::Lacks(array, element) => !has(array, element),
            Guard::Any(guards) => guards.iter().any(|guard| self.holds(guard, frame, table)),
            Guard::All(guards) => guards.iter().all(|guard| self.holds(guard, frame, table)),
        }
    }

    /// Two operands that are compared: a constant has the type of the other.
    fn pair(
        &self,
        one: &Operand,
        other: &Operand,
        frame: &Frame,
        table: Option<&PlannedTable>,
    ) -> (Typed, Typed) {
        if matches!(one, Operand::Literal(_)) {
            let other = self.operand(other, frame, table, None);
            return (self.operand(one, frame, table, Some(&other.ty)), other);
        }
        let one = self.operand(one, frame, table, None);
        let other = self.operand(other, frame, table, Some(&one.ty));
        (one, other)
    }

    /// The type of what a table's bucket is made from.
    fn bucketed(&self, table: &PlannedTable) -> Option<Type> {
        table.bucket().and_then(|(_, of, _)| self.attribute_type(table, of))
    }

    /// The types of what a table's shard is made from.
    fn sharded(&self, table: &PlannedTable) -> Vec<Type> {
        let of = table.columns.iter().find_map(|column| match &column.derivation {
            Derivation::Shard { of, .. } => Some(of),
            _ => None,
        });
        of.into_iter().flatten().filter_map(|of| self.attribute_type(table, *of)).collect()
    }

    fn attribute_type(&self, table: &PlannedTable, of: Column) -> Option<Type> {
        let entity = table.holds.sources.at(of.source)?.entity;
        let attribute = self.concept.entities.at(entity)?.attributes.at(of.attribute)?;
        Some(attribute.ty.clone())
    }
}

fn text() -> Type {
    NativeType::Text.into()
}

fn literal(text: &str, wanted: Option<&Type>) -> Typed {
    wanted.map_or_else(|| constant(&type_of_constant(text), text), |ty| constant(ty, text))
}

/// The constant in place of null, of the type that the value would have.
fn or_else(null: &Typed, other: &str, wanted: Option<&Type>) -> Typed {
    let made = wanted.map(|ty| constant(ty, other)).filter(|made| !made.is_null());
    let made = made.or_else(|| Some(constant(&null.ty, other)).filter(|made| !made.is_null()));
    made.unwrap_or_else(|| literal(other, None))
}

/// The bucket in which a value falls.
pub(crate) fn bucket_of(value: &Typed, width: Bucket) -> Typed {
    let number = value.bytes.as_ref().and_then(|bytes| bucket::number(width, &value.ty, bytes));
    Typed::new(bucket::type_of(width), number.map(|number| bucket::value(width, number)))
}

/// The shard of a key, whose values are of these types.
pub(crate) fn shard_of(values: &[Typed], types: &[Type], count: u32) -> Typed {
    let bytes: Option<Vec<_>> = values
        .iter()
        .enumerate()
        .map(|(at, value)| {
            types.get(at).map_or_else(|| value.bytes.clone(), |ty| value.to_type(ty))
        })
        .collect();
    let shard = bytes.and_then(|bytes| i32::try_from(partitioner::shard(&bytes, count)).ok());
    Typed::new(NativeType::Int, shard.map(|shard| shard.to_be_bytes().to_vec()))
}

/// The first characters of a text.
pub(crate) fn prefix_of(value: &Typed, length: usize) -> Typed {
    let prefix = value.bytes.as_ref().and_then(|bytes| {
        let text = std::str::from_utf8(bytes).ok()?;
        Some(text.chars().take(length).collect::<String>().into_bytes())
    });
    Typed::new(value.ty.clone(), prefix)
}

/// The least text that is greater than every text with this prefix.
fn after_prefix(value: &Typed) -> Typed {
    let after = value.bytes.as_ref().and_then(|bytes| {
        let mut characters: Vec<char> = std::str::from_utf8(bytes).ok()?.chars().collect();
        while let Some(last) = characters.pop() {
            // The next character; there are none where halves of pairs would be.
            let next = (u32::from(last) + 1..=u32::from(char::MAX)).find_map(char::from_u32);
            if let Some(next) = next {
                characters.push(next);
                return Some(characters.into_iter().collect::<String>().into_bytes());
            }
        }
        Some(GREATEST.as_bytes().to_vec())
    });
    Typed::new(value.ty.clone(), after)
}

/// A collection of one element.
fn single(element: &Typed, wanted: Option<&Type>) -> Typed {
    let Some(ty) = wanted else { return element.clone() };
    if element.is_null() {
        return Typed::null();
    }
    let part = element_type(ty).map_or_else(|| element.bytes.clone(), |ty| element.to_type(ty));
    Typed::new(ty.clone(), value::join(ty, &[part]).ok())
}

/// The timestamp by which the row of an older bucket wins.
pub(crate) fn oldest_wins(start: &Typed) -> Typed {
    let from = start.integer().or_else(|| bucket::millis(&start.ty, start.bytes.as_deref()?));
    from.map_or_else(Typed::null, |from| Typed::bigint(OLDEST_WINS.saturating_sub(from)))
}
