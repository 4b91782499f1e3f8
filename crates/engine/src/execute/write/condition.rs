//! The evaluation of IF conditions on stored rows.

use std::borrow::Cow;
use std::cmp::Ordering;

use cql::relation::Operator;
use cql::types::{Frozenness, Type};
use cql::value;
use schema::bind::write::{BoundCondition, BoundPredicate, ConditionPart};
use storage::{Cell, ColumnId, Row};

use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::node::handle::TableHandle;
use crate::rows::live_row::pack;
use crate::rows::value::{TermValue, evaluate, split_parts};

/// Evaluates a condition on a row (the static row for static columns); without a row, all values
/// are null.
pub(super) fn evaluate_condition(
    execution: &Execution<'_>,
    handle: &TableHandle,
    row: Option<&Row>,
    condition: &BoundCondition,
) -> Result<bool> {
    let (Some(column), Some(id)) =
        (handle.definition.columns().get(condition.column), handle.column_id(condition.column))
    else {
        return Err(Error::server("the statement is bound to a different table"));
    };
    let now = execution.now_seconds();
    let cells = ColumnCells { row, column: id, now };
    let (operator, values) = match &condition.predicate {
        BoundPredicate::Compare(operator, term) => {
            (*operator, vec![evaluate(&execution.env(), term)?])
        }
        BoundPredicate::In(terms) => {
            let values = terms.iter().map(|term| evaluate(&execution.env(), term));
            (Operator::Eq, values.collect::<Result<Vec<_>>>()?)
        }
        BoundPredicate::InMarker(_) => (Operator::Eq, Vec::new()),
    };
    let is_whole = matches!(condition.part, ConditionPart::Whole);
    if is_whole && column.ty.is_collection() && column.ty.is_multi_cell() {
        return evaluate_collection(&column.ty, operator, &values, cells);
    }
    let (ty, current) = current_value(execution, &column.ty, &condition.part, cells)?;
    for value in &values {
        if compare_value(operator, ty, value, current.as_deref())? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The cells of a column in a row.
#[derive(Clone, Copy)]
struct ColumnCells<'a> {
    row: Option<&'a Row>,
    column: ColumnId,
    now: i64,
}

impl<'a> ColumnCells<'a> {
    fn live_cells(self) -> impl Iterator<Item = Cell<'a>> {
        let cells = self.row.into_iter().flat_map(Row::cells);
        cells.filter(move |cell| cell.column == self.column && cell.is_live(self.now))
    }

    /// The value of a single-cell column.
    fn value(self) -> Option<&'a [u8]> {
        self.live_cells().next().map(|cell| cell.value)
    }
}

/// The value that a condition is on, and the type that it is compared by.
fn current_value<'a>(
    execution: &Execution<'_>,
    ty: &'a Type,
    part: &ConditionPart,
    cells: ColumnCells<'a>,
) -> Result<(&'a Type, Option<Cow<'a, [u8]>>)> {
    match (part, ty) {
        (ConditionPart::Element(key), Type::Map(entry, frozen)) => {
            let TermValue::Bytes(key) = evaluate(&execution.env(), key)? else {
                return Err(Error::invalid("Invalid null value for map element access"));
            };
            let current = match (frozen, cells.value()) {
                (Frozenness::No, _) => find_by_key(&entry.0, &key, cells),
                (Frozenness::Yes, Some(bytes)) => find_in_map(ty, &entry.0, &key, bytes)?,
                (Frozenness::Yes, None) => None,
            };
            // The server compares the values of a map by the type of its keys.
            Ok((&entry.0, current.map(Cow::Borrowed)))
        }
        (ConditionPart::Element(index), Type::List(element, frozen)) => {
            let TermValue::Bytes(index) = evaluate(&execution.env(), index)? else {
                return Err(Error::invalid("Invalid null value for list element access"));
            };
            let current = match (frozen, cells.value()) {
                (Frozenness::No, _) => {
                    let index = list_index(&index)?;
                    cells.live_cells().nth(index).map(|cell| Cow::Borrowed(cell.value))
                }
                (Frozenness::Yes, Some(bytes)) => {
                    let index = list_index(&index)?;
                    split_parts(ty, Cow::Borrowed(bytes))?.into_iter().nth(index).flatten()
                }
                (Frozenness::Yes, None) => None,
            };
            Ok((element, current))
        }
        (ConditionPart::Field(position), Type::User(user, frozen)) => {
            let field = user.fields.get(*position).map_or(ty, |(_, ty)| ty);
            let current = match (frozen, cells.value()) {
                (Frozenness::No, _) => {
                    let path = u16::try_from(*position).unwrap_or(u16::MAX).to_be_bytes();
                    let mut live = cells.live_cells();
                    live.find(|cell| cell.path == Some(&path)).map(|cell| Cow::Borrowed(cell.value))
                }
                (Frozenness::Yes, Some(bytes)) => {
                    split_parts(ty, Cow::Borrowed(bytes))?.into_iter().nth(*position).flatten()
                }
                (Frozenness::Yes, None) => None,
            };
            Ok((field, current))
        }
        (_, Type::User(_, Frozenness::No)) => {
            let live: Vec<_> = cells.live_cells().collect();
            Ok((ty, (!live.is_empty()).then(|| Cow::Owned(pack(ty, &live)))))
        }
        _ => Ok((ty, cells.value().map(Cow::Borrowed))),
    }
}

fn find_by_key<'a>(key_type: &Type, key: &[u8], cells: ColumnCells<'a>) -> Option<&'a [u8]> {
    let is_equal = |cell: &Cell<'_>| {
        cell.path.is_some_and(|path| value::compare(key_type, path, key) == Ordering::Equal)
    };
    cells.live_cells().find(is_equal).map(|cell| cell.value)
}

fn find_in_map<'a>(
    ty: &Type,
    key_type: &Type,
    key: &[u8],
    map: &'a [u8],
) -> Result<Option<&'a [u8]>> {
    let parts = value::split(ty, map).map_err(|error| Error::invalid(error.to_string()))?;
    let (entries, _) = parts.as_chunks::<2>();
    let is_equal = |entry: &&[Option<&[u8]>; 2]| {
        entry[0].is_some_and(|own| value::compare(key_type, own, key) == Ordering::Equal)
    };
    Ok(entries.iter().find(is_equal).and_then(|entry| entry[1]))
}

fn list_index(index: &[u8]) -> Result<usize> {
    let index = <[u8; 4]>::try_from(index).map_or(0, i32::from_be_bytes);
    usize::try_from(index)
        .map_err(|_| Error::invalid(format!("Invalid negative list index {index}")))
}

/// Compares a stored value with a given one. Null equals null and is unequal to everything else;
/// other operators on null are errors.
fn compare_value(
    operator: Operator,
    ty: &Type,
    given: &TermValue<'_>,
    current: Option<&[u8]>,
) -> Result<bool> {
    let given = match given {
        TermValue::Unset => return Err(Error::invalid("Invalid 'unset' value in condition")),
        TermValue::Null => {
            return match operator {
                Operator::Eq => Ok(current.is_none()),
                Operator::Neq => Ok(current.is_some()),
                _ => Err(null_comparison(operator)),
            };
        }
        TermValue::Bytes(given) => given,
    };
    let Some(current) = current else { return Ok(operator == Operator::Neq) };
    if matches!(operator, Operator::Contains | Operator::ContainsKey) {
        return contains(operator, ty, current, given);
    }
    Ok(is_satisfied(operator, value::compare(ty, current, given)))
}

fn null_comparison(operator: Operator) -> Error {
    Error::invalid(format!("Invalid comparison with null for operator \"{}\"", operator.text()))
}

fn is_satisfied(operator: Operator, order: Ordering) -> bool {
    match operator {
        Operator::Eq => order.is_eq(),
        Operator::Neq => order.is_ne(),
        Operator::Lt => order.is_lt(),
        Operator::Lte => order.is_le(),
        Operator::Gt => order.is_gt(),
        Operator::Gte => order.is_ge(),
        _ => false,
    }
}

/// Whether a frozen collection contains a value or key.
fn contains(operator: Operator, ty: &Type, collection: &[u8], target: &[u8]) -> Result<bool> {
    let parts = value::split(ty, collection).map_err(|error| Error::invalid(error.to_string()))?;
    let is_equal = |ty: &Type, part: Option<&[u8]>| {
        part.is_some_and(|part| value::compare(ty, part, target) == Ordering::Equal)
    };
    Ok(match ty {
        Type::List(element, _) | Type::Set(element, _) => {
            parts.iter().any(|part| is_equal(element, *part))
        }
        Type::Map(entry, _) => {
            let of_keys = operator == Operator::ContainsKey;
            let ty = if of_keys { &entry.0 } else { &entry.1 };
            parts.iter().skip(usize::from(!of_keys)).step_by(2).any(|part| is_equal(ty, *part))
        }
        _ => false,
    })
}

/// Compares a multi-cell collection with whole collections.
fn evaluate_collection(
    ty: &Type,
    operator: Operator,
    values: &[TermValue<'_>],
    cells: ColumnCells<'_>,
) -> Result<bool> {
    let is_contains = matches!(operator, Operator::Contains | Operator::ContainsKey);
    let is_there = cells.live_cells().next().is_some();
    for value in values {
        let elements = match value {
            TermValue::Unset => return Err(Error::invalid("Invalid 'unset' value in condition")),
            TermValue::Null => None,
            TermValue::Bytes(bytes) if is_contains => {
                if contains_in_cells(ty, operator, bytes, cells) {
                    return Ok(true);
                }
                continue;
            }
            TermValue::Bytes(bytes) => Some(split_parts(ty, Cow::Borrowed(bytes))?),
        };
        let holds = match (elements.filter(|elements| !elements.is_empty()), operator) {
            (None, Operator::Eq) => !is_there,
            // The first value decides, even if there are several.
            (None, Operator::Neq) => return Ok(is_there),
            (None, _) if *value == TermValue::Null => return Err(null_comparison(operator)),
            (None, _) => {
                return Err(Error::invalid(format!(
                    "Invalid comparison with an empty {} for operator \"{}\"",
                    collection_kind(ty),
                    operator.text()
                )));
            }
            (Some(_), _) if !is_there => operator == Operator::Neq,
            (Some(elements), _) => is_satisfied(operator, compare_collection(ty, cells, &elements)),
        };
        if holds {
            return Ok(true);
        }
    }
    Ok(false)
}

fn collection_kind(ty: &Type) -> &'static str {
    match ty {
        Type::List(..) => "list",
        Type::Set(..) => "set",
        _ => "map",
    }
}

/// Whether a multi-cell collection contains a value or key.
fn contains_in_cells(ty: &Type, operator: Operator, target: &[u8], cells: ColumnCells<'_>) -> bool {
    let is_equal = |ty: &Type, own: &[u8]| value::compare(ty, own, target) == Ordering::Equal;
    let path_is = |ty: &Type, cell: &Cell<'_>| cell.path.is_some_and(|path| is_equal(ty, path));
    match ty {
        Type::Set(element, _) => cells.live_cells().any(|cell| path_is(element, &cell)),
        Type::List(element, _) => cells.live_cells().any(|cell| is_equal(element, cell.value)),
        Type::Map(entry, _) if operator == Operator::ContainsKey => {
            cells.live_cells().any(|cell| path_is(&entry.0, &cell))
        }
        Type::Map(entry, _) => cells.live_cells().any(|cell| is_equal(&entry.1, cell.value)),
        _ => false,
    }
}

/// Compares a stored collection with a given one: element by element, then the shorter one first.
fn compare_collection(
    ty: &Type,
    cells: ColumnCells<'_>,
    elements: &[Option<Cow<'_, [u8]>>],
) -> Ordering {
    let mut given = elements.iter().map(|part| part.as_deref().unwrap_or_default());
    for cell in cells.live_cells() {
        let path = cell.path.unwrap_or_default();
        let pairs: [Option<(&Type, &[u8])>; 2] = match ty {
            Type::Set(element, _) => [Some((element, path)), None],
            Type::List(element, _) => [Some((element, cell.value)), None],
            Type::Map(entry, _) => [Some((&entry.0, path)), Some((&entry.1, cell.value))],
            _ => [None, None],
        };
        for (ty, own) in pairs.into_iter().flatten() {
            let Some(given) = given.next() else { return Ordering::Greater };
            let order = value::compare(ty, own, given);
            if order.is_ne() {
                return order;
            }
        }
    }
    if given.next().is_some() { Ordering::Less } else { Ordering::Equal }
}
