//! [`OperationExecutor`]: turns an assignment or deletion of a column into cells, tombstones and
//! counter increments.

use std::borrow::Cow;

use cql::term::ArithmeticOperator;
use cql::types::{Frozenness, NativeType, Type};
use schema::bind::function::{Function, FunctionKind, FunctionName, SYSTEM, operator_name};
use schema::bind::term::BoundTerm;
use schema::bind::write::{Operation, OperationKind};
use storage::ColumnId;

use super::draft::RowDraft;
use super::list;
use super::prefetch::PriorRow;
use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::function;
use crate::node::Node;
use crate::node::handle::TableHandle;
use crate::rows::value::{TermValue, evaluate, split_parts};

/// Executes the operations on one row.
pub(super) struct OperationExecutor<'e, 'x> {
    pub(super) execution: &'e Execution<'x>,
    pub(super) handle: &'e TableHandle,
    /// The row before the statement, for operations that depend on stored values.
    pub(super) before: PriorRow<'e>,
}

impl OperationExecutor<'_, '_> {
    /// Executes an operation.
    pub(super) fn execute<'w>(
        &self,
        draft: &mut RowDraft<'w>,
        operation: &'w Operation,
    ) -> Result<()> {
        let column = operation.column;
        let (Some(definition), Some(id)) =
            (self.handle.definition.columns().get(column), self.handle.column_id(column))
        else {
            return Err(Error::server("the statement is bound to a different table"));
        };
        let target = TargetColumn { id, ty: &definition.ty };
        match &operation.kind {
            OperationKind::Set(term) | OperationKind::SetTuple(term) => {
                self.set(draft, target, term)
            }
            OperationKind::Add(term) => self.add(draft, target, term),
            OperationKind::Subtract(term) => self.subtract(draft, target, term),
            OperationKind::Prepend(term) => match evaluate(&self.execution.env(), term)? {
                TermValue::Bytes(bytes) => {
                    let elements = split_parts(target.ty, bytes)?;
                    list::prepend(self.execution.node, draft, id, elements);
                    Ok(())
                }
                TermValue::Null | TermValue::Unset => Ok(()),
            },
            OperationKind::SetElement(key, term) => self.set_element(draft, target, key, term),
            OperationKind::DeleteElement(key) => self.delete_element(draft, target, key),
            OperationKind::SetField(position, term) => {
                let path = Some(field_path(*position));
                match evaluate(&self.execution.env(), term)? {
                    TermValue::Bytes(value) => draft.put(id, path, value),
                    TermValue::Null => draft.delete(id, path),
                    TermValue::Unset => {}
                }
                Ok(())
            }
            OperationKind::DeleteField(position) => {
                draft.delete(id, Some(field_path(*position)));
                Ok(())
            }
            OperationKind::Delete => {
                if target.ty.is_multi_cell() {
                    draft.delete_elements(id, draft.times.deletion());
                } else {
                    draft.delete(id, None);
                }
                Ok(())
            }
        }
    }

    fn set<'w>(
        &self,
        draft: &mut RowDraft<'w>,
        column: TargetColumn<'_>,
        term: &'w BoundTerm,
    ) -> Result<()> {
        let value = match evaluate(&self.execution.env(), term)? {
            TermValue::Unset => return Ok(()),
            TermValue::Null => None,
            TermValue::Bytes(bytes) => Some(bytes),
        };
        replace_value(self.execution.node, draft, column.id, column.ty, value)
    }

    fn add<'w>(
        &self,
        draft: &mut RowDraft<'w>,
        column: TargetColumn<'_>,
        term: &'w BoundTerm,
    ) -> Result<()> {
        let value = evaluate(&self.execution.env(), term)?;
        if column.ty.is_counter() {
            if let TermValue::Bytes(value) = value {
                draft.increment(column.id, decode_increment(&value));
            }
            return Ok(());
        }
        if column.ty.is_collection() {
            let TermValue::Bytes(value) = value else { return Ok(()) };
            return put_elements(self.execution.node, draft, column, value);
        }
        let current = self.before.live_elements(draft, self.handle, column.id);
        let Some((_, current)) = current.first() else { return Ok(()) };
        let value = match value {
            TermValue::Bytes(value) => value,
            TermValue::Null => return Err(null_sum_error(column.ty)),
            TermValue::Unset => return Ok(()),
        };
        let sum = add_values(column.ty, current, &value, self.execution)?;
        draft.put(column.id, None, Cow::Owned(sum));
        Ok(())
    }

    fn subtract<'w>(
        &self,
        draft: &mut RowDraft<'w>,
        column: TargetColumn<'_>,
        term: &'w BoundTerm,
    ) -> Result<()> {
        let TermValue::Bytes(value) = evaluate(&self.execution.env(), term)? else { return Ok(()) };
        match column.ty {
            Type::List(..) => {
                let removed = split_parts(column.ty, value)?;
                for (path, value) in self.before.live_elements(draft, self.handle, column.id) {
                    if removed.iter().flatten().any(|element| **element == *value) {
                        draft.delete(column.id, Some(Cow::Owned(path)));
                    }
                }
            }
            Type::Map(entry, _) => {
                let keys = Type::Set(entry.0.clone().into(), Frozenness::Yes);
                for key in split_parts(&keys, value)? {
                    draft.delete(column.id, key);
                }
            }
            Type::Set(..) => {
                for element in split_parts(column.ty, value)? {
                    draft.delete(column.id, element);
                }
            }
            _ => draft.increment(column.id, decode_increment(&value).wrapping_neg()),
        }
        Ok(())
    }

    fn set_element<'w>(
        &self,
        draft: &mut RowDraft<'w>,
        column: TargetColumn<'_>,
        key: &'w BoundTerm,
        term: &'w BoundTerm,
    ) -> Result<()> {
        let (key, value) =
            (evaluate(&self.execution.env(), key)?, evaluate(&self.execution.env(), term)?);
        let is_list = matches!(column.ty, Type::List(..));
        let path = match key {
            TermValue::Bytes(index) if is_list => {
                let none = "Attempted to set an element on a list which is null";
                Cow::Owned(self.find_path(draft, column.id, &index, none)?)
            }
            TermValue::Bytes(key) => key,
            TermValue::Null if is_list => {
                return Err(Error::invalid("Invalid null value for list index"));
            }
            TermValue::Null => return Err(Error::invalid("Invalid null map key")),
            TermValue::Unset if is_list => {
                return Err(Error::invalid("Invalid unset value for list index"));
            }
            TermValue::Unset => return Err(Error::invalid("Invalid unset map key")),
        };
        match value {
            TermValue::Bytes(value) => draft.put(column.id, Some(path), value),
            TermValue::Null => draft.delete(column.id, Some(path)),
            TermValue::Unset => {}
        }
        Ok(())
    }

    fn delete_element<'w>(
        &self,
        draft: &mut RowDraft<'w>,
        column: TargetColumn<'_>,
        key: &'w BoundTerm,
    ) -> Result<()> {
        let path = match (evaluate(&self.execution.env(), key)?, column.ty) {
            (TermValue::Bytes(index), Type::List(..)) => {
                let none = "Attempted to delete an element from a list which is null";
                Cow::Owned(self.find_path(draft, column.id, &index, none)?)
            }
            (TermValue::Bytes(key), _) => key,
            (TermValue::Unset, Type::List(..)) => return Ok(()),
            (TermValue::Null, Type::List(..)) => {
                return Err(Error::invalid("Invalid null value for list index"));
            }
            (TermValue::Null, Type::Set(..)) => {
                return Err(Error::invalid("Invalid null set element"));
            }
            (TermValue::Null, _) => return Err(Error::invalid("Invalid null map key")),
            (TermValue::Unset, Type::Map(..)) => {
                return Err(Error::invalid("Invalid unset map key"));
            }
            (TermValue::Unset, _) => Cow::Borrowed(&[][..]),
        };
        draft.delete(column.id, Some(path));
        Ok(())
    }

    /// The path of the list's element at an index; `none` is the error for an empty list.
    fn find_path(
        &self,
        draft: &RowDraft<'_>,
        column: ColumnId,
        index: &[u8],
        none: &str,
    ) -> Result<Vec<u8>> {
        let index = <[u8; 4]>::try_from(index).map_or(0, i32::from_be_bytes);
        let elements = self.before.live_elements(draft, self.handle, column);
        if elements.is_empty() {
            return Err(Error::invalid(none));
        }
        let size = elements.len();
        let element = usize::try_from(index).ok().and_then(|at| elements.into_iter().nth(at));
        element.map(|(path, _)| path).ok_or_else(|| {
            Error::invalid(format!("List index {index} out of bound, list has size {size}"))
        })
    }
}

/// The column of an operation.
#[derive(Clone, Copy)]
struct TargetColumn<'a> {
    id: ColumnId,
    ty: &'a Type,
}

/// Replaces the whole value of a column; `None` is null. A multi-cell column is deleted as of one
/// microsecond before the write: at the same timestamp the deletion would cover the new elements.
pub(super) fn replace_value<'w>(
    node: &Node,
    draft: &mut RowDraft<'w>,
    id: ColumnId,
    ty: &Type,
    value: Option<Cow<'w, [u8]>>,
) -> Result<()> {
    if ty.is_multi_cell() {
        draft.delete_elements(id, draft.times.deletion_before());
        return value
            .map_or(Ok(()), |value| put_elements(node, draft, TargetColumn { id, ty }, value));
    }
    match value {
        Some(value) => draft.put(id, None, value),
        None => draft.delete(id, None),
    }
    Ok(())
}

/// Adds the elements of a collection, or the fields of a user type.
fn put_elements<'w>(
    node: &Node,
    draft: &mut RowDraft<'w>,
    column: TargetColumn<'_>,
    value: Cow<'w, [u8]>,
) -> Result<()> {
    let parts = split_parts(column.ty, value)?;
    match column.ty {
        Type::List(..) => list::append(node, draft, column.id, parts),
        Type::Map(..) => {
            let mut parts = parts.into_iter();
            while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                draft.put(column.id, key, value.unwrap_or_default());
            }
        }
        Type::User(..) => {
            for (position, part) in parts.into_iter().enumerate() {
                if let Some(value) = part {
                    draft.put(column.id, Some(field_path(position)), value);
                }
            }
        }
        _ => {
            for element in parts {
                draft.put(column.id, element, Cow::Borrowed(&[]));
            }
        }
    }
    Ok(())
}

/// The path of a user type's field.
fn field_path<'a>(position: usize) -> Cow<'a, [u8]> {
    Cow::Owned(u16::try_from(position).unwrap_or(u16::MAX).to_be_bytes().to_vec())
}

/// Decodes the increment of a counter.
fn decode_increment(value: &[u8]) -> i64 {
    <[u8; 8]>::try_from(value).map_or(0, i64::from_be_bytes)
}

/// The sum of `v = v + 1` for a number or a text.
fn add_values(
    ty: &Type,
    current: &[u8],
    more: &[u8],
    execution: &Execution<'_>,
) -> Result<Vec<u8>> {
    let operator = ArithmeticOperator::Add;
    let function = Function {
        name: FunctionName { keyspace: SYSTEM.into(), name: operator_name(operator).into() },
        arguments: vec![ty.clone(), ty.clone()],
        returns: ty.clone(),
        kind: FunctionKind::Operator(operator),
    };
    let sum = function::call(&function, &[Some(current), Some(more)], &execution.env())?;
    Ok(sum.unwrap_or_default())
}

/// The error for adding null, on which the server fails with an exception.
fn null_sum_error(ty: &Type) -> Error {
    let is_text = matches!(ty, Type::Native(NativeType::Text | NativeType::Ascii));
    let what = if is_text { "append" } else { "value" };
    Error::server(format!(
        "java.lang.NullPointerException: Cannot invoke \"java.nio.ByteBuffer.remaining()\" because \"{what}\" is null"
    ))
}
