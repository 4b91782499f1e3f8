//! Where a write goes: partitions, and rows or ranges of rows in them.

use std::borrow::Cow;
use std::cmp::Ordering;

use schema::access::{WriteKey, WriteTarget};
use schema::bind::restrictions::{Operand, Restriction};
use schema::bind::write::Rows;
use storage::{PartitionKey, Slice};

use super::PlannedWrite;
use crate::error::{Error, Result};
use crate::execute::Execution;
use crate::execute::select::slices::slices;
use crate::node::handle::TableHandle;
use crate::record::TargetRecord;
use crate::rows::value::{self, product};

/// Values of the first columns of a key.
type Prefix<'a> = Vec<Cow<'a, [u8]>>;

/// Which rows of its partitions a write is about.
#[derive(Debug)]
pub(super) enum Target<'a> {
    /// None is named: the whole partition, its static columns, or the one row of a table without clustering columns.
    Partition,
    /// Rows by their clustering values; null where a compact table has none.
    Rows(Vec<Vec<Option<Cow<'a, [u8]>>>>),
    /// Ranges of rows.
    Ranges(Vec<Slice>),
}

impl Target<'_> {
    /// As a recorder takes it.
    pub(super) fn record(&self) -> TargetRecord {
        match self {
            Self::Partition => TargetRecord::Partition,
            Self::Rows(rows) => TargetRecord::Rows(rows.len()),
            Self::Ranges(slices) => TargetRecord::Ranges(slices.len()),
        }
    }
}

/// The partitions that a write names, each once.
pub(super) fn partitions(
    execution: &Execution<'_>,
    handle: &TableHandle,
    PlannedWrite { write, plan }: PlannedWrite<'_>,
) -> Result<Vec<PartitionKey>> {
    let columns = handle.definition.partition_key().len();
    let mut keys = match (&plan.key, &write.rows) {
        (WriteKey::Where(keys), Rows::Where(clause)) => {
            products(execution, handle, clause.select(&keys.values))?
        }
        (WriteKey::Document, Rows::Key(key)) => {
            vec![document_key(execution, handle, key.iter().take(columns))?]
        }
        _ => Vec::new(),
    };
    // The server goes through them in the order of their values; of equal ones, as 1.0 and 1.00 are, it takes the first.
    keys.sort_by(|a, b| order(handle, a, b));
    keys.dedup_by(|later, first| order(handle, later, first).is_eq());
    let too_long = || Error::invalid("Key length is longer than maximum of 65535");
    let mut places = Vec::with_capacity(keys.len());
    for key in &keys {
        places.push(handle.partition_key(key).ok_or_else(too_long)?);
    }
    Ok(places)
}

/// The rows that a write names.
pub(super) fn rows<'a>(
    execution: &Execution<'_>,
    handle: &TableHandle,
    PlannedWrite { write, plan }: PlannedWrite<'a>,
) -> Result<Target<'a>> {
    let clustering = handle.definition.clustering().len();
    let is_whole = matches!(plan.target, WriteTarget::Statics | WriteTarget::Partition);
    if is_whole || clustering == 0 {
        return Ok(Target::Partition);
    }
    let keys = match &write.rows {
        Rows::Where(clause) if plan.target == WriteTarget::Range => {
            return slices(execution, handle, &plan.rows, clause).map(Target::Ranges);
        }
        Rows::Where(clause) => products(execution, handle, clause.select(&plan.rows.prefix))?,
        Rows::Key(key) => {
            let values = key.iter().skip(handle.definition.partition_key().len());
            vec![document_key(execution, handle, values)?]
        }
        Rows::Document { .. } => Vec::new(),
    };
    let mut rows: Vec<Vec<Option<Cow<'a, [u8]>>>> = Vec::with_capacity(keys.len());
    for key in keys {
        let mut row: Vec<_> = key.into_iter().map(Some).collect();
        row.resize(clustering, None);
        rows.push(row);
    }
    if rows.len() > 1 {
        let place = |row: &Vec<Option<Cow<'_, [u8]>>>| {
            handle.row_position(&row.iter().map(Option::as_deref).collect::<Vec<_>>())
        };
        rows.sort_by_cached_key(place);
        rows.dedup_by(|a, b| place(a) == place(b));
    }
    Ok(Target::Rows(rows))
}

/// The order of two partition keys by their values.
fn order(handle: &TableHandle, a: &[Cow<'_, [u8]>], b: &[Cow<'_, [u8]>]) -> Ordering {
    let columns = handle.definition.partition_key().iter();
    let pairs = columns.zip(a.iter().zip(b));
    let mut orders = pairs.map(|(column, (a, b))| cql::value::compare(&column.ty, a, b));
    orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
}

/// The key that a JSON document gives.
fn document_key<'a>(
    execution: &Execution<'_>,
    handle: &TableHandle,
    values: impl Iterator<Item = &'a Option<schema::bind::term::BoundTerm>>,
) -> Result<Prefix<'a>> {
    let name = &handle.definition.name;
    let given = values.flatten().map(|term| value::required(&execution.env(), term, name));
    given.collect()
}

/// All combinations of the values that restrictions give.
fn products<'a>(
    execution: &Execution<'_>,
    handle: &TableHandle,
    restrictions: impl Iterator<Item = &'a Restriction>,
) -> Result<Vec<Prefix<'a>>> {
    let mut keys: Vec<Prefix<'a>> = vec![Vec::new()];
    for restriction in restrictions {
        let choices = restriction.choices().iter();
        let choices = choices.map(|one| operand(execution, handle, restriction, one));
        keys = product(keys, &choices.collect::<Result<Vec<_>>>()?);
    }
    Ok(keys)
}

/// The values that an operand gives to the columns of its restriction.
fn operand<'a>(
    execution: &Execution<'_>,
    handle: &TableHandle,
    restriction: &Restriction,
    operand: &'a Operand,
) -> Result<Prefix<'a>> {
    let mut values = Vec::with_capacity(operand.terms().len());
    for (column, term) in restriction.columns.iter().zip(operand.terms()) {
        let name = handle.definition.columns().get(*column).map_or("", |column| &column.name);
        values.push(value::required(&execution.env(), term, name)?);
    }
    Ok(values)
}
