//! Counts, sums and averages: as counters where possible, otherwise computed from rows by the
//! client.
//!
//! A counter holds integers, cannot expire, and counts what was written rather than what exists:
//! `@exact` forbids it.

use cql::types::{NativeType, Type};
use model::dependency::Determinant;
use model::id::IdList;
use model::plan::{
    ColumnRole, Derivation, MappingReason, MappingRule, Note, PlannedColumn, PlannedTable,
};
use model::workload::{Column, OutputValue};

use super::columns;
use super::key::KeyBuilder;
use super::read_shape::ReadShape;
use crate::naming;

/// The counter table that serves a read, in which the columns of `clustered` are clustering
/// columns; or, as a clause, why rows have to be read instead.
pub(super) fn counter_table(
    shape: &ReadShape<'_>,
    clustered: &[Determinant],
) -> Result<Result<PlannedTable, String>, Box<Note>> {
    let counters = match counter_derivations(shape) {
        Ok(counters) => counters,
        Err(why) => return Ok(Err(why)),
    };
    let key = KeyBuilder::for_groups(shape, clustered)?;
    let mut table = columns::key_table(shape, key.columns)?;
    table.columns.extend(counters.into_iter().map(|derivation| {
        let text = match &derivation {
            Derivation::Count(_) => {
                "a counter stores the count, so that the query does not read the rows; with `@exact`, the rows would be counted"
            }
            _ => "a counter stores the sum, so that the query does not read the rows; with `@exact`, the rows would be summed",
        };
        PlannedColumn {
            name: String::new(),
            ty: Type::Native(NativeType::Counter),
            role: ColumnRole::Counter,
            derivation,
            reasons: vec![MappingReason {
                rule: MappingRule::Aggregate,
                read: shape.position,
                text: text.to_owned(),
            }],
        }
    }));
    naming::name_columns(&shape.dependencies, &shape.read.sources, &mut table.columns);
    Ok(Ok(table))
}

/// The counters that answer a read, each once; or, as a clause, why there are none.
fn counter_derivations(shape: &ReadShape<'_>) -> Result<Vec<Derivation>, String> {
    let mut counters = Vec::new();
    let mut add = |derivation: Derivation| {
        if !counters.contains(&derivation) {
            counters.push(derivation);
        }
    };
    for output in &shape.read.outputs {
        match output.value {
            OutputValue::Count(column) => add(Derivation::Count(column)),
            // A sum over no values is null, which only their number tells.
            OutputValue::Sum(column) | OutputValue::Average(column) => {
                check_sum(shape, column)?;
                add(Derivation::Count(shape.is_nullable(column).then_some(column)));
                add(Derivation::Sum(column));
            }
            OutputValue::Column(column) => check_in_key(shape, column)?,
            OutputValue::Least(_) | OutputValue::Greatest(_) => {
                return Err("a counter cannot hold a minimum or maximum".to_owned());
            }
            OutputValue::Exists => return Err("the query counts nothing".to_owned()),
        }
    }
    if counters.is_empty() {
        return Err("the query counts nothing".to_owned());
    }
    check_counters(shape)?;
    // A group is there as long as it has rows.
    if !shape.read.group.is_empty() && !counters.contains(&Derivation::Count(None)) {
        counters.push(Derivation::Count(None));
    }
    Ok(counters)
}

/// Whether counters may be used at all.
fn check_counters(shape: &ReadShape<'_>) -> Result<(), String> {
    if shape.read.exact {
        return Err("@exact requires an exact count".to_owned());
    }
    let entities = shape.read.sources.ids().map(|source| shape.dependencies.entity(source));
    if let Some(entity) = entities.into_iter().find(|entity| entity.retain.is_some()) {
        return Err(format!("rows of `{}` expire and counters cannot", entity.name));
    }
    let grouped = |column: Column| {
        shape.read.group.iter().any(|group| shape.dependencies.is_equal(*group, column))
    };
    // A range can only select whole groups; any other would need the rows.
    let ranged = columns::columns_compared(shape)
        .into_iter()
        .find(|column| !grouped(*column) && !shape.is_given(*column));
    if let Some(column) = ranged {
        let name = &shape.attribute(column).name;
        return Err(format!("a range on `{name}` selects rows within a group"));
    }
    Ok(())
}

/// Whether a counter can hold the sum of a column.
fn check_sum(shape: &ReadShape<'_>, column: Column) -> Result<(), String> {
    use NativeType::{Bigint, Int, Smallint, Tinyint};
    let attribute = shape.attribute(column);
    if attribute.exact {
        return Err(format!("@exact requires the exact sum of `{}`", attribute.name));
    }
    let whole = matches!(attribute.ty, Type::Native(Bigint | Int | Smallint | Tinyint));
    if !whole || attribute.counter {
        return Err(format!(
            "`{}` is not a plain integer, and a counter can sum only integers",
            attribute.name
        ));
    }
    Ok(())
}

/// A plain column can be in a counter table only as part of the key.
fn check_in_key(shape: &ReadShape<'_>, column: Column) -> Result<(), String> {
    let grouped = shape.read.group.iter().any(|group| shape.dependencies.is_equal(*group, column));
    if grouped || shape.is_given(column) {
        return Ok(());
    }
    Err(format!("`{}` is not a grouping column", shape.attribute(column).name))
}
