//! [`Evaluator`]: the selected expressions of a SELECT, evaluated on rows.

use std::borrow::Cow;

use cql::selectable::CellInfo;
use cql::types::Type;
use cql::value;
use schema::Refusal;
use schema::bind::selection::Expression;
use schema::catalog::Table;
use schema::refusal::{ComputationReason, ValueReason};

use super::{Accumulator, Computation, Env, call, evaluate, failure, mask_column};

/// The timestamp and remaining TTL of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellTimes {
    /// The timestamp of the write, in microseconds since 1970.
    pub timestamp: i64,
    /// The remaining TTL in seconds; `None` if it does not expire.
    pub ttl: Option<i32>,
}

/// A cell of a multi-cell column: its path (the element of a set, the key of a map, the field of a
/// user type as two bytes) and its times.
pub type PathTimes<'a> = (Cow<'a, [u8]>, CellTimes);

/// The values of a row.
pub trait RowValues {
    /// The value of a column by its index in the table; a multi-cell column is serialised as one
    /// value. `None` for null, and for an empty multi-cell collection.
    fn column(&self, column: usize) -> Option<Cow<'_, [u8]>>;

    /// The times of a single-cell column.
    fn times(&self, column: usize) -> Option<CellTimes>;

    /// The times of the live cells of a multi-cell column, in order.
    fn cells(&self, column: usize) -> Vec<PathTimes<'_>>;
}

/// Evaluates expressions on rows of a table.
#[derive(Clone, Copy, Debug)]
pub struct Evaluator<'a> {
    /// The table of the rows.
    pub table: &'a Table,
    /// The environment of native functions.
    pub env: Env<'a>,
    /// Whether columns are returned without their masks.
    pub unmasked: bool,
}

impl Evaluator<'_> {
    /// Evaluates an expression without aggregates on a row.
    pub fn evaluate(&self, expression: &Expression, row: &dyn RowValues) -> Computation {
        match expression {
            Expression::Column(at) => self.read_column(*at, row),
            Expression::Term(term) => evaluate(term, &self.env),
            Expression::CellInfo { info, column, of } => self.cell_info(*info, *column, of, row),
            Expression::Call { function, arguments } => {
                let values = self.evaluate_all(arguments, row)?;
                let values: Vec<Option<&[u8]>> = values.iter().map(Option::as_deref).collect();
                call(function, &values, &self.env)
            }
            Expression::Field(of, field) => {
                let Some(Type::User(user, frozen)) = self.type_of(of) else { return Ok(None) };
                let Some(bytes) = self.evaluate(of, row)? else { return Ok(None) };
                let parts = value::split(&Type::User(user, frozen), &bytes).unwrap_or_default();
                Ok(parts.get(*field).copied().flatten().map(<[u8]>::to_vec))
            }
            Expression::Element { of, key, .. } => {
                let Some(ty) = self.type_of(of) else { return Ok(None) };
                let (Some(bytes), Some(key)) = (self.evaluate(of, row)?, evaluate(key, &self.env)?)
                else {
                    return Ok(None);
                };
                Ok(find_element(&ty, &bytes, &key))
            }
            Expression::Slice { of, from, to, .. } => {
                let Some(ty) = self.type_of(of) else { return Ok(None) };
                let Some(bytes) = self.evaluate(of, row)? else { return Ok(None) };
                let bound = |term: Option<&_>| match term {
                    Some(term) => evaluate(term, &self.env),
                    None => Ok(None),
                };
                let (from, to) = (bound(from.as_ref())?, bound(to.as_ref())?);
                let sliced = slice(&ty, &bytes, from.as_deref(), to.as_deref());
                // A multi-cell column without cells has no value.
                let has_cells = matches!(**of, Expression::Column(_)) && ty.is_multi_cell();
                Ok(sliced.filter(|bytes| !has_cells || bytes[..] != [0; 4]))
            }
            Expression::Collection { ty, elements } => pack(ty, self.evaluate_all(elements, row)?),
            Expression::Map { ty, entries } => {
                let mut parts = Vec::with_capacity(entries.len() * 2);
                for (key, value) in entries {
                    parts.push(self.evaluate(key, row)?);
                    parts.push(self.evaluate(value, row)?);
                }
                pack(ty, parts)
            }
            Expression::UserType { ty, fields } => {
                let mut parts = vec![None; ty.parts().len()];
                for (at, field) in fields {
                    if let Some(part) = parts.get_mut(*at) {
                        *part = self.evaluate(field, row)?;
                    }
                }
                pack(ty, parts)
            }
        }
    }

    /// Evaluates an expression on a group of rows: aggregate calls take the results of their
    /// accumulators, in the order of [`aggregates`]; everything else is evaluated on the first row.
    pub(crate) fn evaluate_group(
        &self,
        expression: &Expression,
        row: &dyn RowValues,
        finished: &mut dyn Iterator<Item = Option<Vec<u8>>>,
    ) -> Computation {
        match expression {
            Expression::Call { function, .. } if function.is_aggregate() => {
                Ok(finished.next().flatten())
            }
            Expression::Call { function, arguments } if contains_aggregate(expression) => {
                let values = arguments.iter().map(|part| self.evaluate_group(part, row, finished));
                let values = values.collect::<Result<Vec<_>, _>>()?;
                let values: Vec<Option<&[u8]>> = values.iter().map(Option::as_deref).collect();
                call(function, &values, &self.env)
            }
            Expression::Collection { ty, elements } if contains_aggregate(expression) => {
                let values = elements.iter().map(|part| self.evaluate_group(part, row, finished));
                pack(ty, values.collect::<Result<_, _>>()?)
            }
            Expression::Map { ty, entries } if contains_aggregate(expression) => {
                let mut parts = Vec::with_capacity(entries.len() * 2);
                for (key, value) in entries {
                    parts.push(self.evaluate_group(key, row, finished)?);
                    parts.push(self.evaluate_group(value, row, finished)?);
                }
                pack(ty, parts)
            }
            Expression::UserType { ty, fields } if contains_aggregate(expression) => {
                let mut parts = vec![None; ty.parts().len()];
                for (at, field) in fields {
                    let value = self.evaluate_group(field, row, finished)?;
                    if let Some(part) = parts.get_mut(*at) {
                        *part = value;
                    }
                }
                pack(ty, parts)
            }
            Expression::Field(of, field) if contains_aggregate(of) => {
                let whole = self.evaluate_group(of, row, finished)?;
                let (Some(ty), Some(bytes)) = (self.type_of(of), whole) else { return Ok(None) };
                let parts = value::split(&ty, &bytes).unwrap_or_default();
                Ok(parts.get(*field).copied().flatten().map(<[u8]>::to_vec))
            }
            _ => self.evaluate(expression, row),
        }
    }

    /// Adds the arguments of an aggregate call for a row to its accumulator.
    pub fn accumulate(
        &self,
        call: &Expression,
        row: &dyn RowValues,
        accumulator: &mut Accumulator,
    ) -> Result<(), Box<Refusal>> {
        let Expression::Call { arguments, .. } = call else { return Ok(()) };
        let values = self.evaluate_all(arguments, row)?;
        let values: Vec<Option<&[u8]>> = values.iter().map(Option::as_deref).collect();
        accumulator.add(&values)
    }

    fn evaluate_all(
        &self,
        expressions: &[Expression],
        row: &dyn RowValues,
    ) -> Result<Vec<Option<Vec<u8>>>, Box<Refusal>> {
        expressions.iter().map(|expression| self.evaluate(expression, row)).collect()
    }

    fn read_column(&self, at: usize, row: &dyn RowValues) -> Computation {
        let value = row.column(at);
        match self.table.columns().get(at) {
            Some(column) if column.mask.is_some() && !self.unmasked => {
                mask_column(column, value.as_deref())
            }
            _ => Ok(value.map(Cow::into_owned)),
        }
    }

    /// The type of the value that a part is selected from.
    fn type_of(&self, expression: &Expression) -> Option<Type> {
        match expression {
            Expression::Column(at) => self.table.columns().get(*at).map(|column| column.ty.clone()),
            Expression::Call { function, .. } => Some(function.returns.clone()),
            Expression::Field(of, field) => match self.type_of(of)? {
                Type::User(user, _) => user.fields.get(*field).map(|(_, ty)| ty.clone()),
                _ => None,
            },
            Expression::Element { of, .. } => match self.type_of(of)? {
                Type::Map(entry, _) => Some(entry.1.clone()),
                Type::Set(element, _) => Some((*element).clone()),
                _ => None,
            },
            Expression::Slice { of, .. } => self.type_of(of),
            Expression::Collection { ty, .. }
            | Expression::Map { ty, .. }
            | Expression::UserType { ty, .. } => Some(ty.clone()),
            Expression::Term(_) | Expression::CellInfo { .. } => None,
        }
    }

    fn cell_info(
        &self,
        info: CellInfo,
        column: usize,
        of: &Expression,
        row: &dyn RowValues,
    ) -> Computation {
        let Some(ty) = self.table.columns().get(column).map(|column| &column.ty) else {
            return Ok(None);
        };
        if !ty.is_multi_cell() {
            return Ok(row.times(column).and_then(|times| encode_info(info, times)));
        }
        let cells = row.cells(column);
        let key_type = match ty {
            Type::Map(entry, _) => entry.0.clone(),
            Type::Set(element, _) => (**element).clone(),
            _ => cql::types::NativeType::Blob.into(),
        };
        let at = |key: &[u8]| {
            let cell = cells.iter().find(|(path, _)| value::compare(&key_type, path, key).is_eq());
            cell.and_then(|(_, times)| encode_info(info, *times))
        };
        match of {
            Expression::Field(_, field) => {
                Ok(u16::try_from(*field).ok().and_then(|field| at(&field.to_be_bytes())))
            }
            Expression::Element { key, .. } => {
                Ok(evaluate(key, &self.env)?.and_then(|key| at(&key)))
            }
            Expression::Slice { from, to, .. } => {
                let bound = |term: Option<&_>| match term {
                    Some(term) => evaluate(term, &self.env),
                    None => Ok(None),
                };
                let (from, to) = (bound(from.as_ref())?, bound(to.as_ref())?);
                let is_inside = |path: &[u8]| {
                    let above = |from: &Vec<u8>| value::compare(&key_type, path, from).is_ge();
                    let below = |to: &Vec<u8>| value::compare(&key_type, path, to).is_le();
                    from.as_ref().is_none_or(above) && to.as_ref().is_none_or(below)
                };
                let inside = cells.iter().filter(|(path, _)| is_inside(path));
                Ok(collect_times(info, inside.map(|(_, times)| Some(*times)).collect()))
            }
            _ => Ok(collect_times(info, whole_times(ty, &cells))),
        }
    }
}

/// The times of all cells; for a user type, one for each field.
fn whole_times(ty: &Type, cells: &[PathTimes<'_>]) -> Vec<Option<CellTimes>> {
    let Type::User(user, _) = ty else {
        return cells.iter().map(|(_, times)| Some(*times)).collect();
    };
    if cells.is_empty() {
        return Vec::new();
    }
    let of_field = |field: u16| {
        let cell = cells.iter().find(|(path, _)| **path == field.to_be_bytes());
        cell.map(|(_, times)| *times)
    };
    (0_u16..).zip(&user.fields).map(|(field, _)| of_field(field)).collect()
}

fn encode_info(info: CellInfo, times: CellTimes) -> Option<Vec<u8>> {
    match info {
        CellInfo::WriteTime | CellInfo::MaxWriteTime => {
            Some(times.timestamp.to_be_bytes().to_vec())
        }
        CellInfo::Ttl => times.ttl.map(|ttl| ttl.to_be_bytes().to_vec()),
    }
}

/// The times as a list, or the greatest of them; null if there are none.
fn collect_times(info: CellInfo, times: Vec<Option<CellTimes>>) -> Option<Vec<u8>> {
    if times.is_empty() {
        return None;
    }
    if info == CellInfo::MaxWriteTime {
        let last = times.iter().flatten().map(|times| times.timestamp).max();
        return last.map(|last| last.to_be_bytes().to_vec());
    }
    let parts: Vec<Option<Vec<u8>>> =
        times.into_iter().map(|times| encode_info(info, times?)).collect();
    let list = Type::List(
        std::sync::Arc::new(cql::types::NativeType::Bigint.into()),
        cql::types::Frozenness::Yes,
    );
    value::join(&list, &parts).ok()
}

/// The value of a map's key, or the element of a set.
fn find_element(ty: &Type, bytes: &[u8], key: &[u8]) -> Option<Vec<u8>> {
    let parts = value::split(ty, bytes).ok()?;
    match ty {
        Type::Map(entry, _) => {
            let is_key = |pair: &&[Option<&[u8]>]| {
                let own = pair.first().copied().flatten();
                own.is_some_and(|own| value::compare(&entry.0, own, key).is_eq())
            };
            let pair = parts.chunks(2).find(is_key)?;
            pair.get(1).copied().flatten().map(<[u8]>::to_vec)
        }
        Type::Set(element, _) => {
            let mut own = parts.into_iter().flatten();
            own.find(|own| value::compare(element, own, key).is_eq()).map(<[u8]>::to_vec)
        }
        _ => None,
    }
}

/// The part of a set or map between two elements or keys, both inclusive.
fn slice(ty: &Type, bytes: &[u8], from: Option<&[u8]>, to: Option<&[u8]>) -> Option<Vec<u8>> {
    let parts = value::split(ty, bytes).ok()?;
    let (key_type, width) = match ty {
        Type::Map(entry, _) => (&entry.0, 2),
        Type::Set(element, _) => (&**element, 1),
        _ => return None,
    };
    let is_inside = |chunk: &&[Option<&[u8]>]| {
        let key = chunk.first().copied().flatten().unwrap_or_default();
        from.is_none_or(|from| value::compare(key_type, key, from).is_ge())
            && to.is_none_or(|to| value::compare(key_type, key, to).is_le())
    };
    let inside = parts.chunks(width).filter(is_inside).flatten();
    let parts: Vec<Option<Vec<u8>>> = inside.map(|part| part.map(<[u8]>::to_vec)).collect();
    value::join(ty, &parts).ok()
}

/// A collection, tuple or user type of these components. Unlike in writes, nulls are kept.
fn pack(ty: &Type, parts: Vec<Option<Vec<u8>>>) -> Computation {
    let parts = match ty {
        Type::Set(element, _) => sort_parts(element, 1, &parts)?,
        Type::Map(entry, _) => sort_parts(&entry.0, 2, &parts)?,
        Type::Vector(element, _) => {
            if let Some(at) = parts.iter().position(|part| part.as_ref().is_none_or(Vec::is_empty))
            {
                return Err(null_element_error(element, at, &parts));
            }
            parts
        }
        _ => parts,
    };
    value::join(ty, &parts).map(Some).map_err(failure::invalid_bytes)
}

/// Sorts by key and keeps the last of equal ones.
fn sort_parts(
    ty: &Type,
    width: usize,
    parts: &[Option<Vec<u8>>],
) -> Result<Vec<Option<Vec<u8>>>, Box<Refusal>> {
    if parts.iter().step_by(width).any(Option::is_none) {
        return Err(failure::refusal(ValueReason::NullListElement));
    }
    let mut chunks: Vec<&[Option<Vec<u8>>]> = parts.chunks(width).rev().collect();
    let key = |chunk: &[Option<Vec<u8>>]| chunk.first().cloned().flatten().unwrap_or_default();
    chunks.sort_by(|a, b| value::compare(ty, &key(a), &key(b)));
    chunks.dedup_by(|a, b| value::compare(ty, &key(a), &key(b)).is_eq());
    Ok(chunks.concat())
}

fn null_element_error(element: &Type, at: usize, parts: &[Option<Vec<u8>>]) -> Box<Refusal> {
    let buffer = |part: &Option<Vec<u8>>| match part {
        Some(bytes) => {
            let length = bytes.len();
            format!("java.nio.HeapByteBuffer[pos=0 lim={length} cap={length}]")
        }
        None => "null".to_owned(),
    };
    let given: Vec<String> = parts.iter().map(buffer).collect();
    failure::refusal(ComputationReason::NullInVector {
        position: at,
        ty: element.to_string(),
        elements: given.join(", "),
    })
}

/// Whether an expression contains an aggregate call.
pub(crate) fn contains_aggregate(expression: &Expression) -> bool {
    !aggregates(expression).is_empty()
}

/// The aggregate calls of an expression, in the order of evaluation.
pub fn aggregates(expression: &Expression) -> Vec<&Expression> {
    match expression {
        Expression::Call { function, .. } if function.is_aggregate() => vec![expression],
        Expression::Column(_) | Expression::Term(_) | Expression::CellInfo { .. } => Vec::new(),
        Expression::Call { arguments: parts, .. }
        | Expression::Collection { elements: parts, .. } => {
            parts.iter().flat_map(aggregates).collect()
        }
        Expression::Field(of, _)
        | Expression::Element { of, .. }
        | Expression::Slice { of, .. } => aggregates(of),
        Expression::Map { entries, .. } => entries
            .iter()
            .flat_map(|(k, v)| aggregates(k).into_iter().chain(aggregates(v)))
            .collect(),
        Expression::UserType { fields, .. } => {
            fields.iter().flat_map(|(_, value)| aggregates(value)).collect()
        }
    }
}
