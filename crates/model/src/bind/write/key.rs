//! The keys that a write names, as far as they are known before the execution.

use cql::Span;

use super::{BoundWrite, Rows};
use crate::Result;
use crate::bind::context::invalid;
use crate::bind::restrictions::{InList, Operand, Restriction, RestrictionKind};
use crate::bind::term::BoundTerm;
use crate::catalog::{Column, Table};

/// Partition keys and the sum of clustering values have at most this many bytes.
const MAX_KEY: usize = 65_535;
/// Of more keys than this, only the first ones are looked at.
const MAX_KEYS: usize = 4_096;

/// A value of a key column; `None` while it is not known.
pub(super) type KeyValue = Option<Box<[u8]>>;

/// Keys, as values by column. `None` if not even their number is known.
pub(super) type Keys = Option<Vec<Vec<KeyValue>>>;

/// The partition keys of a write, checked as the server checks them.
pub(super) fn partitions(write: &BoundWrite) -> Result<Keys> {
    let table = &write.table;
    let keys = match &write.rows {
        Rows::Where(restrictions) => {
            product(table, restrictions.partition.columns.restrictions.iter())?
        }
        Rows::Key(values) => from_values(table.partition_key(), values.iter(), write.span)?,
        Rows::Document { .. } => None,
    };
    for key in keys.iter().flatten() {
        check_partition(key, write.span)?;
    }
    Ok(keys)
}

/// The clustering values of a write that names rows; one empty one where it names none.
pub(super) fn clusterings(write: &BoundWrite) -> Result<Keys> {
    let table = &write.table;
    match &write.rows {
        Rows::Where(restrictions) => product(table, restrictions.clustering.restrictions.iter()),
        Rows::Key(values) => {
            let clustering = values.iter().skip(table.partition_key().len());
            from_values(table.clustering(), clustering, write.span)
        }
        Rows::Document { .. } => Ok(None),
    }
}

fn from_values<'a>(
    columns: &[Column],
    values: impl Iterator<Item = &'a Option<BoundTerm>>,
    span: Span,
) -> Result<Keys> {
    let mut key = Vec::with_capacity(columns.len());
    for (column, value) in columns.iter().zip(values) {
        let Some(value) = value else {
            let message = format!("Invalid unset value for column {}", column.name);
            return Err(invalid("QV028", message, span).into());
        };
        key.push(known(column, value, span)?);
    }
    Ok((key.len() == columns.len()).then(|| vec![key]))
}

fn known(column: &Column, value: &BoundTerm, span: Span) -> Result<KeyValue> {
    match value {
        BoundTerm::Value(None) => {
            let message = format!("Invalid null value in condition for column {}", column.name);
            Err(invalid("QV028", message, span).into())
        }
        BoundTerm::Value(Some(bytes)) => Ok(Some(bytes.clone())),
        _ => Ok(None),
    }
}

/// All combinations of what restrictions allow; ranges allow nothing that can be named.
fn product<'a>(table: &Table, restrictions: impl Iterator<Item = &'a Restriction>) -> Result<Keys> {
    let mut keys: Keys = Some(vec![Vec::new()]);
    for restriction in restrictions {
        let choices = choices(table, restriction)?;
        keys = match (keys, choices) {
            (Some(keys), Some(choices)) => Some(
                keys.iter()
                    .flat_map(|key| {
                        choices.iter().map(move |choice| [&key[..], &choice[..]].concat())
                    })
                    .take(MAX_KEYS)
                    .collect(),
            ),
            _ => None,
        };
    }
    Ok(keys)
}

fn choices(table: &Table, restriction: &Restriction) -> Result<Keys> {
    let one = |operand: &Operand| -> Result<Option<Vec<KeyValue>>> {
        let Operand::Terms(terms) = operand else { return Ok(None) };
        let columns = restriction.columns.iter().map(|column| &table.columns()[*column]);
        let values = columns.zip(terms).map(|(column, term)| known(column, term, restriction.span));
        Ok(Some(values.collect::<Result<_>>()?))
    };
    match &restriction.kind {
        RestrictionKind::Equal(operand) => Ok(one(operand)?.map(|key| vec![key])),
        RestrictionKind::In(InList::Values(operands)) => {
            let rows: Vec<Option<Vec<KeyValue>>> =
                operands.iter().map(one).collect::<Result<_>>()?;
            Ok(rows.into_iter().collect())
        }
        _ => Ok(None),
    }
}

fn total(key: &[KeyValue]) -> Option<usize> {
    key.iter().map(|value| value.as_ref().map(|bytes| bytes.len())).sum()
}

/// A partition key of several columns stores three more bytes for each.
fn check_partition(key: &[KeyValue], span: Span) -> Result<()> {
    let Some(values) = total(key) else { return Ok(()) };
    if key.len() == 1 && values == 0 {
        return Err(invalid("QV028", "Key may not be empty", span).into());
    }
    check_length(values, span)?;
    let frame = if key.len() == 1 { 0 } else { 3 * key.len() };
    check_length(values + frame, span)
}

/// Whether the values of a clustering key fit together.
pub(super) fn check_clustering(key: &[KeyValue], span: Span) -> Result<()> {
    total(key).map_or(Ok(()), |values| check_length(values, span))
}

fn check_length(length: usize, span: Span) -> Result<()> {
    if length <= MAX_KEY {
        return Ok(());
    }
    let message = format!("Key length of {length} is longer than maximum of {MAX_KEY}");
    Err(invalid("QV028", message, span).into())
}
