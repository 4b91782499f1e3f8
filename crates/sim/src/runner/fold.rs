//! Aggregates that the client computes from rows, or combines from the partial aggregates of
//! several statements.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use cql::types::{NativeType, Type};
use cql::value;
use model::plan::ClientStep;
use model::workload::{Column, Comparison, OutputValue, Predicate, Read, Value};

use super::frame::ExecutionFrame;
use super::rows::{ColumnNames, PlanRow};
use crate::dataset::Datum;
use crate::value::{TypedValue, integer_bytes, is_integer};

/// Whether a read aggregates without GROUP BY: it returns one row whatever it finds.
pub(super) fn is_global_aggregate(read: &Read) -> bool {
    let folds = |value| !matches!(value, OutputValue::Column(_) | OutputValue::Exists);
    read.group.is_empty() && read.outputs.iter().any(|output| folds(output.value))
}

/// The row of such a read over no rows: counts are 0, all else is null.
pub(super) fn empty_row(read: &Read) -> PlanRow {
    let counts = read.outputs.iter().filter(|one| matches!(one.value, OutputValue::Count(_)));
    let columns = counts.map(|output| (output.name.clone(), TypedValue::bigint(0))).collect();
    PlanRow { frame: ExecutionFrame::default(), columns }
}

/// The value that a read restricts a column to.
pub(super) fn equality_value(read: &Read, wanted: Column) -> Option<&Value> {
    read.conditions.iter().find_map(|condition| match &condition.predicate {
        Predicate::Compare { column, comparison: Comparison::Equal, value }
            if *column == wanted =>
        {
            Some(value)
        }
        _ => None,
    })
}

/// How the values of a column in several rows are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fold {
    /// They are equal in all rows.
    Same,
    /// They are added up.
    Sum,
    Least,
    Greatest,
}

/// Combines the partial aggregates of the turns of a statement, by group.
pub(super) fn combine(
    names: ColumnNames<'_>,
    group: &[Column],
    items: Vec<PlanRow>,
) -> Vec<PlanRow> {
    let mut folds: BTreeMap<&str, Fold> = BTreeMap::new();
    for output in &names.read.outputs {
        let fold = match output.value {
            OutputValue::Column(_) | OutputValue::Average(_) | OutputValue::Exists => Fold::Same,
            OutputValue::Count(_) | OutputValue::Sum(_) => Fold::Sum,
            OutputValue::Least(_) => Fold::Least,
            OutputValue::Greatest(_) => Fold::Greatest,
        };
        folds.insert(&output.name, fold);
    }
    for step in &names.plan.client {
        match step {
            ClientStep::Average { sum, count, .. } => {
                folds.insert(sum, Fold::Sum);
                folds.insert(count, Fold::Sum);
            }
            ClientStep::DropEmptyGroups(count) | ClientStep::EmptySumIsNull { count, .. } => {
                folds.insert(count, Fold::Sum);
            }
            _ => {}
        }
    }
    let mut groups: Vec<(Vec<TypedValue>, PlanRow)> = Vec::new();
    for item in items {
        let key: Vec<_> = group.iter().map(|column| item.get(names, *column)).collect();
        match groups.iter_mut().find(|(other, _)| is_same_group(other, &key)) {
            None => groups.push((key, item)),
            Some((_, into)) => {
                for (name, value) in item.columns {
                    let fold = folds.get(name.as_str()).copied().unwrap_or(Fold::Same);
                    let before = into.columns.entry(name).or_insert_with(TypedValue::null);
                    *before = fold_pair(fold, before, &value);
                }
            }
        }
    }
    groups.into_iter().map(|(_, item)| item).collect()
}

fn is_same_group(one: &[TypedValue], other: &[TypedValue]) -> bool {
    one.iter().zip(other).all(|(one, other)| one.compare(other).is_eq())
}

fn fold_pair(fold: Fold, one: &TypedValue, other: &TypedValue) -> TypedValue {
    match (fold, one.is_null(), other.is_null()) {
        (Fold::Same, ..) | (_, false, true) => one.clone(),
        (_, true, _) => other.clone(),
        (Fold::Sum, ..) => add_numbers(one, other),
        (Fold::Least, ..) if other.compare(one) == Ordering::Less => other.clone(),
        (Fold::Greatest, ..) if other.compare(one) == Ordering::Greater => other.clone(),
        (Fold::Least | Fold::Greatest, ..) => one.clone(),
    }
}

/// Computes the outputs from plain rows, one row for each group.
pub(super) fn aggregate(
    names: ColumnNames<'_>,
    group: &[Column],
    items: Vec<PlanRow>,
) -> Vec<PlanRow> {
    let mut groups: Vec<(Vec<TypedValue>, Vec<PlanRow>)> = Vec::new();
    for item in items {
        let key: Vec<_> = group.iter().map(|column| item.get(names, *column)).collect();
        match groups.iter_mut().find(|(other, _)| is_same_group(other, &key)) {
            None => groups.push((key, vec![item])),
            Some((_, rows)) => rows.push(item),
        }
    }
    if groups.is_empty() && group.is_empty() {
        groups.push((Vec::new(), Vec::new()));
    }
    groups.into_iter().map(|(_, rows)| aggregate_group(names, &rows)).collect()
}

/// The outputs of a group.
fn aggregate_group(names: ColumnNames<'_>, rows: &[PlanRow]) -> PlanRow {
    let values = |column: Column| rows.iter().map(move |row| row.get(names, column));
    let fold = |column, fold| {
        let none = TypedValue::null();
        values(column).fold(none, |before, value| fold_pair(fold, &before, &value))
    };
    let count = |column| values(column).filter(|value| !value.is_null()).count();
    let number = |count: usize| TypedValue::bigint(i64::try_from(count).unwrap_or(i64::MAX));
    let mut columns = BTreeMap::new();
    for output in &names.read.outputs {
        let made = match output.value {
            OutputValue::Column(column) => values(column).next().unwrap_or_else(TypedValue::null),
            OutputValue::Count(None) => number(rows.len()),
            OutputValue::Count(Some(column)) => number(count(column)),
            OutputValue::Sum(column) => fold(column, Fold::Sum),
            OutputValue::Average(column) => {
                average(&fold(column, Fold::Sum), &number(count(column)))
            }
            OutputValue::Least(column) => fold(column, Fold::Least),
            OutputValue::Greatest(column) => fold(column, Fold::Greatest),
            OutputValue::Exists => TypedValue::null(),
        };
        columns.insert(output.name.clone(), made);
    }
    // The group columns are kept for sorting.
    for (column, name) in &names.plan.columns {
        columns
            .entry(name.clone())
            .or_insert_with(|| values(*column).next().unwrap_or_else(TypedValue::null));
    }
    PlanRow { frame: ExecutionFrame::default(), columns }
}

/// A number with its digits after the point.
struct ScaledNumber {
    unscaled: i128,
    scale: u32,
}

impl ScaledNumber {
    fn from_typed(value: &TypedValue) -> Option<Self> {
        let bytes = value.bytes.as_deref()?;
        if is_integer(&value.ty) {
            return Some(Self { unscaled: value.to_integer()?.into(), scale: 0 });
        }
        let Type::Native(NativeType::Decimal) = value.ty else { return None };
        let decimal = value::Decimal::from_bytes(bytes)?;
        let unscaled: i128 = decimal.unscaled.to_string().parse().ok()?;
        if let Ok(scale) = u32::try_from(decimal.scale) {
            return Some(Self { unscaled, scale });
        }
        let zeros = 10_i128.checked_pow(decimal.scale.unsigned_abs())?;
        Some(Self { unscaled: unscaled.checked_mul(zeros)?, scale: 0 })
    }

    fn rescale(&self, scale: u32) -> Option<i128> {
        self.unscaled.checked_mul(10_i128.checked_pow(scale.checked_sub(self.scale)?)?)
    }
}

/// A number as floating point.
pub(crate) fn to_float(value: &TypedValue) -> Option<f64> {
    let bytes = value.bytes.as_deref()?;
    match value.ty {
        Type::Native(NativeType::Double) => Some(f64::from_be_bytes(bytes.try_into().ok()?)),
        Type::Native(NativeType::Float) => Some(f32::from_be_bytes(bytes.try_into().ok()?).into()),
        _ => {
            let number = ScaledNumber::from_typed(value)?;
            // The precision of a float suffices here.
            format!("{}e-{}", number.unscaled, number.scale).parse().ok()
        }
    }
}

/// The sum of two numbers: whole ones as `bigint`, else of their type.
fn add_numbers(one: &TypedValue, other: &TypedValue) -> TypedValue {
    combine_numbers(one, other, |one, other| one + other, i128::checked_add)
}

/// The difference of two numbers, in the type that is wanted; null where one is null.
pub(super) fn subtract_numbers(
    one: &TypedValue,
    other: &TypedValue,
    wanted: Option<&Type>,
) -> TypedValue {
    let difference = combine_numbers(one, other, |one, other| one - other, i128::checked_sub);
    match wanted {
        Some(ty) => TypedValue::new(ty.clone(), to_output(&difference, ty)),
        None => difference,
    }
}

fn combine_numbers(
    one: &TypedValue,
    other: &TypedValue,
    floats: fn(f64, f64) -> f64,
    whole: fn(i128, i128) -> Option<i128>,
) -> TypedValue {
    let is_floating = |value: &TypedValue| {
        matches!(value.ty, Type::Native(NativeType::Double | NativeType::Float))
    };
    if is_floating(one) || is_floating(other) {
        let result = to_float(one).zip(to_float(other)).map(|(one, other)| floats(one, other));
        return TypedValue::new(NativeType::Double, result.map(|it| it.to_be_bytes().to_vec()));
    }
    let exact = || {
        let (one, other) = (ScaledNumber::from_typed(one)?, ScaledNumber::from_typed(other)?);
        let scale = one.scale.max(other.scale);
        Some((whole(one.rescale(scale)?, other.rescale(scale)?)?, scale))
    };
    let Some((sum, scale)) = exact() else { return TypedValue::null() };
    if is_integer(&one.ty) && is_integer(&other.ty) {
        return i64::try_from(sum).map_or_else(|_| TypedValue::null(), TypedValue::bigint);
    }
    let ty = Type::from(NativeType::Decimal);
    let text = format!("{sum}e-{scale}");
    TypedValue::new(ty.clone(), value::from_text(&ty, &text, 0).ok())
}

/// A sum divided by a count; null over no rows.
pub(super) fn average(sum: &TypedValue, count: &TypedValue) -> TypedValue {
    let count = count.to_integer().filter(|count| *count != 0);
    #[expect(clippy::cast_precision_loss, reason = "averages are compared within a tolerance")]
    let average = to_float(sum).zip(count).map(|(sum, count)| sum / count as f64);
    TypedValue::new(NativeType::Double, average.map(|number| number.to_be_bytes().to_vec()))
}

/// A value in the bytes of an output's type.
pub(super) fn to_output(value: &TypedValue, ty: &Type) -> Datum {
    value.bytes.as_ref()?;
    if value.ty == *ty || (is_integer(&value.ty) && is_integer(ty)) {
        return value.to_type(ty);
    }
    match ty {
        Type::Native(NativeType::Double) => Some(to_float(value)?.to_be_bytes().to_vec()),
        #[expect(
            clippy::cast_possible_truncation,
            reason = "it was a float before it was added up"
        )]
        Type::Native(NativeType::Float) => Some((to_float(value)? as f32).to_be_bytes().to_vec()),
        Type::Native(NativeType::Decimal) if value.ty != *ty => {
            match ScaledNumber::from_typed(value) {
                Some(number) => value::from_text(ty, &number.unscaled.to_string(), 0).ok(),
                None => value::from_text(ty, &to_float(value)?.to_string(), 0).ok(),
            }
        }
        Type::Native(NativeType::Bigint) => integer_bytes(ty, value.to_integer()?),
        _ => value.bytes.clone(),
    }
}
