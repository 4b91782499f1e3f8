//! The substitution of values in writes.

use cql::Span;
use cql::relation::Operator;
use cql::types::Type;
use cql::value;

use super::BindValue;
use super::restriction::restrictions;
use super::value::{ExecutionValues, unset_to_empty};
use crate::Result;
use crate::bind::term::BoundTerm;
use crate::bind::write::{
    BoundAttributes, BoundBatch, BoundCondition, BoundConditions, BoundPredicate, BoundWrite,
    ConditionPart, Operation, OperationKind, WriteRows, bind_document,
};
use crate::refusal::{ConditionReason, JsonReason, refuse};

/// A batch with values.
pub(super) fn batch(values: &ExecutionValues<'_>, from: &BoundBatch) -> Result<BoundBatch> {
    let statements = from.statements.iter().map(|statement| write(values, statement));
    Ok(BoundBatch {
        kind: from.kind,
        statements: statements.collect::<Result<_>>()?,
        using: using(values, &from.using)?,
    })
}

/// A write with values.
pub(super) fn write(values: &ExecutionValues<'_>, from: &BoundWrite) -> Result<BoundWrite> {
    let operations = from.operations.iter().map(|from| operation(values, from));
    let (rows, operations) = match &from.rows {
        WriteRows::Where(clause) => {
            let rows = WriteRows::Where(restrictions(values, clause)?.into());
            (rows, operations.collect::<Result<_>>()?)
        }
        // A JSON document has neither markers nor calls; its errors are raised after those of its
        // key.
        WriteRows::Key(key) => (WriteRows::Key(key.clone()), from.operations.clone()),
        WriteRows::Document { marker, default_unset } => {
            document(values, from, *marker, *default_unset)?
        }
    };
    Ok(BoundWrite {
        statement: from.statement,
        table: from.table.clone(),
        rows,
        operations,
        conditions: conditions(values, &from.conditions)?,
        using: using(values, &from.using)?,
        span: from.span,
    })
}

/// A JSON document that was sent for a marker; an unset one is empty.
fn document(
    values: &ExecutionValues<'_>,
    write: &BoundWrite,
    marker: u32,
    default_unset: bool,
) -> Result<(WriteRows, Vec<Operation>)> {
    let text = match (values.raw_value(marker), values.marker(marker)?) {
        (BindValue::Null, _) => {
            return refuse(JsonReason::Null, write.span);
        }
        (_, BoundTerm::Value(Some(bytes))) => String::from_utf8_lossy(&bytes).into_owned(),
        _ => String::new(),
    };
    bind_document(values.now_ms, &write.table, &text, default_unset, write.span)
}

fn operation(values: &ExecutionValues<'_>, from: &Operation) -> Result<Operation> {
    let term = |term: &BoundTerm| values.term(term);
    let kind = match &from.kind {
        OperationKind::Set(value) => OperationKind::Set(term(value)?),
        OperationKind::SetTuple(value) => OperationKind::SetTuple(term(value)?),
        OperationKind::SetElement(key, value) => {
            OperationKind::SetElement(term(key)?, term(value)?)
        }
        OperationKind::SetField(field, value) => OperationKind::SetField(*field, term(value)?),
        OperationKind::Add(value) => OperationKind::Add(term(value)?),
        OperationKind::Subtract(value) => OperationKind::Subtract(term(value)?),
        OperationKind::Prepend(value) => OperationKind::Prepend(term(value)?),
        OperationKind::Delete => OperationKind::Delete,
        OperationKind::DeleteElement(key) => OperationKind::DeleteElement(term(key)?),
        OperationKind::DeleteField(field) => OperationKind::DeleteField(*field),
    };
    Ok(Operation { column: from.column, kind, span: from.span })
}

/// An unset timestamp or TTL is none.
fn using(values: &ExecutionValues<'_>, from: &BoundAttributes) -> Result<BoundAttributes> {
    let part = |part: Option<&(BoundTerm, Span)>| -> Result<Option<(BoundTerm, Span)>> {
        let Some((term, span)) = part else { return Ok(None) };
        Ok(Some((values.term(term)?, *span)).filter(|(term, _)| *term != BoundTerm::Unset))
    };
    Ok(BoundAttributes { timestamp: part(from.timestamp.as_ref())?, ttl: part(from.ttl.as_ref())? })
}

fn conditions(values: &ExecutionValues<'_>, from: &BoundConditions) -> Result<BoundConditions> {
    let BoundConditions::All(conditions) = from else { return Ok(from.clone()) };
    let conditions = conditions.iter().map(|from| condition(values, from));
    Ok(BoundConditions::All(conditions.collect::<Result<_>>()?))
}

fn condition(values: &ExecutionValues<'_>, from: &BoundCondition) -> Result<BoundCondition> {
    let part = match &from.part {
        ConditionPart::Element(key) => ConditionPart::Element(unset_to_empty(values.term(key)?)),
        other => other.clone(),
    };
    let test = match &from.predicate {
        BoundPredicate::Compare(operator @ (Operator::Contains | Operator::ContainsKey), term) => {
            BoundPredicate::Compare(*operator, unset_to_empty(values.term(term)?))
        }
        BoundPredicate::Compare(operator, term) => {
            BoundPredicate::Compare(*operator, values.term(term)?)
        }
        BoundPredicate::In(terms) => {
            let terms = values.terms(terms)?.into_iter();
            BoundPredicate::In(terms.filter(|term| *term != BoundTerm::Unset).collect())
        }
        BoundPredicate::InMarker(marker) => BoundPredicate::In(list(values, *marker, from.span)?),
    };
    Ok(BoundCondition { column: from.column, part, predicate: test, span: from.span })
}

/// `IN ?`
fn list(values: &ExecutionValues<'_>, marker: u32, span: Span) -> Result<Vec<BoundTerm>> {
    let refuse = |reason: ConditionReason| refuse(reason, span);
    let bytes = match values.marker(marker)? {
        BoundTerm::Value(Some(bytes)) => bytes,
        BoundTerm::Unset => return refuse(ConditionReason::Unset),
        _ => return refuse(ConditionReason::NullList),
    };
    let Some(ty @ Type::List(..)) = values.ty(marker) else { return Ok(Vec::new()) };
    let parts = value::split(ty, &bytes).unwrap_or_default();
    Ok(parts.into_iter().map(|part| BoundTerm::Value(part.map(Into::into))).collect())
}
