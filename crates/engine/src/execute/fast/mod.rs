//! The fast path of prepared statements that read or write a single row by its full key, which
//! clients send most.
//!
//! Everything that depends only on the statement is computed when it is prepared. The fast path
//! handles valid input only: for anything else (a null key, a value that does not fit, a wrong
//! number of values) it returns without an effect and leaves the statement to the general path,
//! which raises all errors. So both paths have the same results, and the fast path needs no error
//! texts.

mod select;
#[cfg(test)]
mod tests;
mod write;

use cql::Consistency;
use cql::types::Type;
use schema::access::AccessPlan;
use schema::bind::term::BoundTerm;
use schema::bind::{BoundKind, BoundStatement};
use schema::catalog::{Column, Replication};
use storage::DecoratedKey;

use crate::error::Result;
use crate::node::schema::Schema;
use crate::node::schema_lock::SchemaGuard;
use crate::request::{MarkerValue, MarkerValues, Parameters};
use crate::result::ResultMessage;

use select::FastSelect;
use write::FastWrite;

/// The maximum size of the values of a key.
const KEY_BYTES_MAX: usize = 65_535;

/// The fast path of a prepared statement.
#[derive(Clone, Debug)]
pub(crate) struct FastPath {
    way: FastStatement,
    /// The replication of the keyspace.
    replication: Replication,
}

/// The statements that have a fast path.
#[derive(Clone, Debug)]
enum FastStatement {
    /// INSERT or UPDATE of one row.
    Write(FastWrite),
    /// SELECT of one row.
    Read(FastSelect),
}

impl FastPath {
    /// Builds the fast path of a statement, if it has one.
    pub(crate) fn for_statement(
        schema: &Schema,
        plan: &AccessPlan,
        bound: &BoundStatement,
    ) -> Option<Self> {
        let (way, table) = match (plan, &bound.kind) {
            (AccessPlan::Write(plan), _) => {
                (FastStatement::Write(FastWrite::for_plan(schema, plan)?), &plan.table)
            }
            (AccessPlan::Read(plan), BoundKind::Select(select)) => {
                (FastStatement::Read(FastSelect::for_plan(schema, plan, select)?), &plan.table)
            }
            _ => return None,
        };
        let replication = schema.catalog.keyspace(&table.keyspace)?.replication.clone();
        Some(Self { way, replication })
    }

    /// Executes the statement on the schema for which the fast path was built; `None` leaves it to
    /// the general path, with nothing done.
    pub(crate) fn run(
        &self,
        schema: &SchemaGuard<'_>,
        parameters: &Parameters<'_>,
        markers: usize,
    ) -> Option<Result<ResultMessage>> {
        let values = match &parameters.values {
            MarkerValues::Positional(values) if values.len() == markers => &values[..],
            MarkerValues::None if markers == 0 => &[],
            _ => return None,
        };
        if !can_satisfy(parameters.consistency, &self.replication) {
            return None;
        }
        if parameters.tracing
            || parameters.paging_state.is_some()
            || schema.settings().authentication
        {
            return None;
        }
        match &self.way {
            FastStatement::Write(write) => write.run(schema, parameters, values),
            FastStatement::Read(read) => read.run(schema, parameters, values),
        }
    }
}

/// Whether a single node satisfies a consistency level: the keyspace has one replica.
fn can_satisfy(level: Consistency, replication: &Replication) -> bool {
    let mut copies = replication.options.iter();
    let has_one = match (copies.next(), copies.next()) {
        (Some((place, count)), None) => {
            matches!(&**place, "replication_factor" | "datacenter1") && &**count == "1"
        }
        _ => false,
    };
    matches!(level, Consistency::One | Consistency::LocalOne)
        || (has_one && matches!(level, Consistency::Quorum | Consistency::LocalQuorum))
}

/// The source of a value.
#[derive(Clone, Debug)]
enum ValueSource {
    Marker(usize),
    Constant(Box<[u8]>),
}

/// The value of a column.
#[derive(Clone, Debug)]
struct ColumnInput {
    source: ValueSource,
    ty: Type,
}

impl ColumnInput {
    fn from_term(term: &BoundTerm, ty: &Type) -> Option<Self> {
        let source = match term {
            BoundTerm::Marker(marker) => ValueSource::Marker(usize::try_from(*marker).ok()?),
            BoundTerm::Value(Some(bytes)) => ValueSource::Constant(bytes.clone()),
            _ => return None,
        };
        Some(Self { source, ty: ty.clone() })
    }

    /// The value; `None` if it does not fit the type.
    fn value<'a>(&'a self, values: &[MarkerValue<'a>]) -> Option<MarkerValue<'a>> {
        match &self.source {
            ValueSource::Constant(bytes) => Some(MarkerValue::Bytes(bytes)),
            ValueSource::Marker(marker) => match values.get(*marker)? {
                MarkerValue::Null => Some(MarkerValue::Null),
                MarkerValue::Unset => Some(MarkerValue::Unset),
                MarkerValue::Bytes(bytes) => {
                    cql::value::validate(&self.ty, bytes).ok().map(|()| MarkerValue::Bytes(bytes))
                }
            },
        }
    }

    /// The value of a key column; `None` if it is null or does not fit.
    fn bytes<'a>(&'a self, values: &[MarkerValue<'a>]) -> Option<&'a [u8]> {
        match self.value(values)? {
            MarkerValue::Bytes(bytes) => Some(bytes),
            MarkerValue::Null | MarkerValue::Unset => None,
        }
    }
}

/// The inputs of key columns.
fn key_inputs(terms: &[BoundTerm], columns: &[Column]) -> Option<Vec<ColumnInput>> {
    terms
        .iter()
        .zip(columns)
        .map(|(term, column)| ColumnInput::from_term(term, &column.ty))
        .collect()
}

/// The partition that the values name.
fn partition_key<'a>(key: &'a [ColumnInput], values: &[MarkerValue<'a>]) -> Option<DecoratedKey> {
    if let [single] = key {
        let bytes = single.bytes(values)?;
        let fits = !bytes.is_empty() && bytes.len() <= KEY_BYTES_MAX;
        return fits.then(|| DecoratedKey::new(bytes));
    }
    let parts: Vec<&[u8]> = key.iter().map(|part| part.bytes(values)).collect::<Option<_>>()?;
    let bytes = schema::partitioner::partition_key(&parts)?;
    (bytes.len() <= KEY_BYTES_MAX).then(|| DecoratedKey::new(&bytes))
}

/// The clustering values of the row.
fn clustering<'a>(
    key: &'a [ColumnInput],
    values: &[MarkerValue<'a>],
) -> Option<Vec<Option<&'a [u8]>>> {
    let parts: Vec<_> =
        key.iter().map(|part| part.bytes(values).map(Some)).collect::<Option<_>>()?;
    let size: usize = parts.iter().flatten().map(|part: &&[u8]| part.len()).sum();
    (size <= KEY_BYTES_MAX).then_some(parts)
}
