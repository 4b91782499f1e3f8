//! [`Operation`]: the assignments of UPDATE and INSERT, and the targets of DELETE.

use cql::relation::ColumnPart;
use cql::statement::write::{Assignment, AssignmentOperation, DeleteTarget};
use cql::term::{Term, TermKind};
use cql::types::{Frozenness, NativeType, Type};
use cql::{ErrorCode, Span};

use crate::bind::context::{Context, Receiver};
use crate::bind::restrictions::receiver;
use crate::bind::term::{
    self, BoundTerm, field_receiver, index_receiver, key_receiver, value_receiver,
};
use crate::catalog::Table;
use crate::refusal::{WriteReason, refuse};
use crate::{Refusal, Result};

/// One operation on one column.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The column, as a position among the table's columns.
    pub column: usize,
    /// The operation with its operands.
    pub kind: OperationKind,
    /// Where it stands.
    pub span: Span,
}

/// An operation on a column.
#[derive(Clone, Debug)]
pub enum OperationKind {
    /// Replaces the whole value.
    Set(BoundTerm),
    /// Replaces a user type by a tuple literal, which the server prepares but fails to execute.
    SetTuple(BoundTerm),
    /// `c[key] = value`
    SetElement(BoundTerm, BoundTerm),
    /// `c.field = value`, the field by its position.
    SetField(usize, BoundTerm),
    /// `c = c + value`: elements, a counter's increment, or (with IF) a number or text.
    Add(BoundTerm),
    /// `c = c - value`: elements, a map's keys as a set, or a counter's decrement.
    Subtract(BoundTerm),
    /// `l = value + l`
    Prepend(BoundTerm),
    /// Deletes the whole value.
    Delete,
    /// `DELETE c[key]`
    DeleteElement(BoundTerm),
    /// `DELETE c.field`, the field by its position.
    DeleteField(usize),
}

impl OperationKind {
    /// The terms that are evaluated at execution.
    pub fn terms(&self) -> Vec<&BoundTerm> {
        match self {
            Self::Set(term)
            | Self::SetTuple(term)
            | Self::SetField(_, term)
            | Self::Add(term)
            | Self::Subtract(term)
            | Self::Prepend(term)
            | Self::DeleteElement(term) => vec![term],
            Self::SetElement(key, value) => vec![key, value],
            Self::Delete | Self::DeleteField(_) => Vec::new(),
        }
    }
}

/// The column of an operation, and its position in the text.
struct OperationTarget<'a> {
    receiver: Receiver,
    span: Span,
    /// The operation as messages print it.
    text: &'a dyn Fn() -> String,
}

impl OperationTarget<'_> {
    /// Refuses the operation, for a reason that names it and the column.
    fn refuse<T>(&self, reason: impl Fn(String, String) -> WriteReason) -> Result<T> {
        let reason = reason((self.text)(), self.receiver.name.to_string());
        refuse(reason, self.span)
    }

    /// Refuses an operation on a part of a column that is written as a whole.
    fn refuse_part<T>(&self, what: &'static str) -> Result<T> {
        self.refuse(|operation, column| WriteReason::PartOfColumn { operation, what, column })
    }

    /// Refuses an addition or subtraction that the column does not support.
    fn refuse_arithmetic<T>(&self, what: &'static str) -> Result<T> {
        self.refuse(|operation, column| WriteReason::Arithmetic { operation, what, column })
    }
}

/// Binds `column = value` of UPDATE and INSERT.
pub(super) fn bind_set(
    cx: &mut Context<'_>,
    table: &Table,
    column: usize,
    value: &Term,
) -> Result<OperationKind> {
    let receiver = receiver(table, &table.columns()[column]);
    let bound = term::prepare(cx, value, &receiver, None)?;
    if receiver.ty.is_counter() {
        let name = &receiver.name;
        let help = format!("write `{name} = {name} + 1`, or make it a bigint if it must be set");
        return Err(Refusal::new(WriteReason::SetCounter { column: name.to_string() }, value.span)
            .with_help(help)
            .into());
    }
    let is_user = matches!(receiver.ty, Type::User(..));
    Ok(if is_user && is_tuple(value) {
        OperationKind::SetTuple(bound)
    } else {
        OperationKind::Set(bound)
    })
}

fn is_tuple(value: &Term) -> bool {
    match &value.kind {
        TermKind::Tuple(_) => true,
        TermKind::TypeHint(hint) => is_tuple(&hint.1),
        _ => false,
    }
}

/// Binds an assignment of UPDATE. Numbers and texts may be added to if the statement reads the row
/// anyway.
pub(super) fn bind_assignment(
    cx: &mut Context<'_>,
    table: &Table,
    column: usize,
    assignment: &Assignment,
    is_conditional: bool,
) -> Result<Operation> {
    let receiver = receiver(table, &table.columns()[column]);
    let text = || operation_text(&assignment.column.text, &assignment.operation);
    let target = OperationTarget { receiver, span: assignment.span, text: &text };
    let kind = match &assignment.operation {
        AssignmentOperation::Set(value) => bind_set(cx, table, column, value)?,
        AssignmentOperation::SetElement(key, value) => bind_set_element(cx, &target, key, value)?,
        AssignmentOperation::SetField(field, value) => {
            let position = field_position(&target, &field.text)?;
            let field = field_receiver(&target.receiver, position);
            let field = field.as_ref().unwrap_or(&target.receiver);
            OperationKind::SetField(position, term::prepare(cx, value, field, None)?)
        }
        AssignmentOperation::Add(value) => bind_add(cx, &target, value, is_conditional)?,
        AssignmentOperation::Subtract(value) => bind_subtract(cx, &target, value)?,
        AssignmentOperation::Prepend(value) => {
            let bound = term::prepare(cx, value, &target.receiver, None)?;
            match &target.receiver.ty {
                Type::List(_, Frozenness::No) => OperationKind::Prepend(bound),
                Type::List(_, Frozenness::Yes) => return target.refuse_part("frozen list column"),
                _ => return target.refuse_arithmetic("non list column"),
            }
        }
    };
    Ok(Operation { column, kind, span: assignment.span })
}

fn bind_set_element(
    cx: &mut Context<'_>,
    target: &OperationTarget<'_>,
    key: &Term,
    value: &Term,
) -> Result<OperationKind> {
    let column = &target.receiver;
    let of_key = match &column.ty {
        Type::List(_, Frozenness::No) => Some(index_receiver(column)),
        Type::Map(_, Frozenness::No) => key_receiver(column),
        Type::Set(_, Frozenness::No) => {
            return target
                .refuse(|operation, column| WriteReason::ElementOfSet { operation, column });
        }
        ty if ty.is_collection() => return target.refuse_part("frozen collection column"),
        _ => None,
    };
    let (Some(of_key), Some(of_value)) = (of_key, value_receiver(column)) else {
        return target
            .refuse(|operation, column| WriteReason::ElementOfPlain { operation, column });
    };
    let key = term::prepare(cx, key, &of_key, None)?;
    Ok(OperationKind::SetElement(key, term::prepare(cx, value, &of_value, None)?))
}

fn field_position(target: &OperationTarget<'_>, field: &str) -> Result<usize> {
    let Type::User(user, frozen) = &target.receiver.ty else {
        return target.refuse(|operation, column| WriteReason::FieldOfPlain { operation, column });
    };
    if *frozen == Frozenness::Yes {
        return target.refuse_part("frozen UDT column");
    }
    user.position(field).ok_or_else(|| unknown_field(&target.receiver, field, target.span).into())
}

fn unknown_field(column: &Receiver, field: &str, span: Span) -> Refusal {
    Refusal::new(
        WriteReason::UnknownTypeField { column: column.name.to_string(), field: field.to_string() },
        span,
    )
}

fn bind_add(
    cx: &mut Context<'_>,
    target: &OperationTarget<'_>,
    value: &Term,
    is_conditional: bool,
) -> Result<OperationKind> {
    match &target.receiver.ty {
        Type::Tuple(_) | Type::User(..) => return target.refuse_arithmetic("tuple column"),
        ty if !ty.is_collection() && is_conditional && !is_addable(ty) => {
            return target.refuse_arithmetic("non-numeric and non-text type");
        }
        ty if !ty.is_collection() && !is_conditional && !ty.is_counter() => {
            return refuse_arithmetic(target, is_addable(ty));
        }
        ty if ty.is_collection() && !ty.is_multi_cell() => {
            return target.refuse_part("frozen collection column");
        }
        _ => {}
    }
    let receiver = &target.receiver;
    let bound = match receiver.ty {
        Type::Map(..) => prepare_entries(cx, value, receiver, "map addition has to be a map")?,
        _ => term::prepare(cx, value, receiver, None)?,
    };
    Ok(OperationKind::Add(bound))
}

fn bind_subtract(
    cx: &mut Context<'_>,
    target: &OperationTarget<'_>,
    value: &Term,
) -> Result<OperationKind> {
    let column = &target.receiver;
    if !column.ty.is_collection() && !column.ty.is_counter() {
        return refuse_arithmetic(target, false);
    }
    if column.ty.is_collection() && !column.ty.is_multi_cell() {
        return target.refuse_part("frozen collection column");
    }
    let Type::Map(entry, _) = &column.ty else {
        return Ok(OperationKind::Subtract(term::prepare(cx, value, column, None)?));
    };
    let keys = Type::Set(entry.0.clone().into(), Frozenness::Yes);
    let keys = Receiver { ty: keys, ..column.clone() };
    let bound = prepare_entries(cx, value, &keys, "map substraction has to be a set")?;
    Ok(OperationKind::Subtract(bound))
}

/// Prepares what is added to or removed from a map. The server hides errors in the value, unless it
/// fails on them.
fn prepare_entries(
    cx: &mut Context<'_>,
    value: &Term,
    receiver: &Receiver,
    what: &str,
) -> Result<BoundTerm> {
    term::prepare(cx, value, receiver, None).map_err(|refusal| {
        if refusal.error() != ErrorCode::Invalid {
            return refusal;
        }
        let written = term::text_in(cx, value, &receiver.keyspace);
        Refusal::new(WriteReason::Operand { what: what.to_string(), written }, value.span).into()
    })
}

/// Refuses `v = v + 1` on a column that is not a counter.
fn refuse_arithmetic<T>(target: &OperationTarget<'_>, works_with_if: bool) -> Result<T> {
    let refusal = target.refuse_arithmetic("non counter column");
    refusal.map_err(|refusal: Box<Refusal>| {
        let way_out = if works_with_if {
            "use a counter column, or add an IF clause so that the row is read"
        } else {
            "use a counter column, or read the value and write the new one with an IF clause"
        };
        Box::new(refusal.with_help(way_out))
    })
}

/// Whether it is a number or a text.
fn is_addable(ty: &Type) -> bool {
    let Type::Native(native) = ty else { return false };
    native.is_number() || matches!(native, NativeType::Ascii | NativeType::Text)
}

/// An assignment as the server prints it; a prepend is printed with a minus.
fn operation_text(column: &str, operation: &AssignmentOperation) -> String {
    let text = term::text;
    match operation {
        AssignmentOperation::Set(value) => format!("{column} = {}", text(value)),
        AssignmentOperation::SetElement(key, value) => {
            format!("{column}[{}] = {}", text(key), text(value))
        }
        AssignmentOperation::SetField(field, value) => {
            format!("{column}.{} = {}", field.text, text(value))
        }
        AssignmentOperation::Add(value) => format!("{column} = {column} + {}", text(value)),
        AssignmentOperation::Subtract(value) => format!("{column} = {column} - {}", text(value)),
        AssignmentOperation::Prepend(value) => format!("{column} = {} - {column}", text(value)),
    }
}

/// Binds one target of DELETE.
pub(super) fn bind_deletion(
    cx: &mut Context<'_>,
    table: &Table,
    column: usize,
    target: &DeleteTarget,
) -> Result<Operation> {
    let receiver = receiver(table, &table.columns()[column]);
    let name = &receiver.name;
    let refuse = |reason: WriteReason| refuse(reason, target.span);
    let kind = match (&target.part, &receiver.ty) {
        (ColumnPart::Whole, _) => OperationKind::Delete,
        (ColumnPart::Element(_), ty) if !ty.is_collection() => {
            return refuse(WriteReason::DeleteElementOfPlain { column: name.to_string() });
        }
        (ColumnPart::Element(_), ty) if !ty.is_multi_cell() => {
            return refuse(WriteReason::DeleteElementOfFrozen { column: name.to_string() });
        }
        (ColumnPart::Element(key), ty) => {
            let element = match ty {
                Type::Set(..) => value_receiver(&receiver),
                Type::Map(..) => key_receiver(&receiver),
                _ => None,
            };
            let element = element.unwrap_or_else(|| index_receiver(&receiver));
            OperationKind::DeleteElement(term::prepare(cx, key, &element, None)?)
        }
        (ColumnPart::Field(field), Type::User(user, Frozenness::No)) => {
            let position = user.position(&field.text);
            let position =
                position.ok_or_else(|| unknown_field(&receiver, &field.text, target.span))?;
            OperationKind::DeleteField(position)
        }
        (ColumnPart::Field(_), Type::User(..)) => {
            return refuse(WriteReason::DeleteFieldOfFrozen { column: name.to_string() });
        }
        (ColumnPart::Field(_), _) => {
            return refuse(WriteReason::DeleteFieldOfPlain { column: name.to_string() });
        }
    };
    Ok(Operation { column, kind, span: target.span })
}
