//! Consistency levels: which ones a statement may have, and whether a single node satisfies them.

use cql::{Consistency, ErrorCode};
use schema::bind::BoundKind;
use schema::bind::select::BoundSelect;
use schema::bind::write::{BoundConditions, BoundWrite};
use schema::catalog::{Replication, Table};

use crate::error::{Error, ErrorDetail, Result};
use crate::execute::Execution;

/// Whether a level needs one replica, so that only conditional writes need a check.
fn is_single_replica(level: Consistency) -> bool {
    matches!(level, Consistency::One | Consistency::LocalOne)
}

/// Refuses levels that the statement does not support.
pub(crate) fn check_level(execution: &Execution<'_>, bound: &BoundKind) -> Result<()> {
    let level = execution.parameters.consistency;
    match bound {
        BoundKind::Select(_) if level == Consistency::Any => {
            Err(Error::invalid("ANY ConsistencyLevel is only supported for writes"))
        }
        BoundKind::Write(write) if !is_virtual(execution, &write.table) => {
            check_write(level, write)
        }
        _ => Ok(()),
    }
}

fn check_write(level: Consistency, write: &BoundWrite) -> Result<()> {
    if is_conditional(write) {
        return Ok(());
    }
    match level {
        Consistency::Any if write.table.is_counter() => Err(Error::invalid(format!(
            "Consistency level ANY is not yet supported for counter table {}",
            write.table.name
        ))),
        Consistency::Serial | Consistency::LocalSerial if write.table.is_counter() => {
            Err(Error::invalid("Counter operations are inherently non-serializable"))
        }
        Consistency::Serial | Consistency::LocalSerial => {
            Err(Error::invalid("You must use conditional updates for serializable writes"))
        }
        _ => Ok(()),
    }
}

/// Fails a statement that needs more replicas than the only one.
pub(crate) fn check_replicas(execution: &Execution<'_>, bound: &BoundKind) -> Result<()> {
    let level = execution.parameters.consistency;
    match bound {
        BoundKind::Select(select)
            if !is_single_replica(level) && !is_virtual(execution, &select.table) =>
        {
            check_read(execution, level, select)
        }
        BoundKind::Write(write) if is_conditional(write) => {
            check_conditional(execution, &write.table)
        }
        BoundKind::Write(write) if !is_virtual(execution, &write.table) => {
            check_required(execution, &write.table, level, level)
        }
        BoundKind::Batch(batch) => {
            if let Some(write) = batch.statements.iter().find(|write| is_conditional(write)) {
                return check_conditional(execution, &write.table);
            }
            let mut writes = batch.statements.iter();
            writes.try_for_each(|write| check_required(execution, &write.table, level, level))
        }
        _ => Ok(()),
    }
}

/// Serial reads of named partitions need a quorum first.
fn check_read(execution: &Execution<'_>, level: Consistency, select: &BoundSelect) -> Result<()> {
    let reported = match level {
        Consistency::Serial if !select.restrictions.is_key_range => Consistency::Quorum,
        Consistency::LocalSerial if !select.restrictions.is_key_range => Consistency::LocalQuorum,
        _ => level,
    };
    check_required(execution, &select.table, level, reported)
}

fn check_conditional(execution: &Execution<'_>, table: &Table) -> Result<()> {
    let level = execution.parameters.consistency;
    let serial = execution.parameters.serial_consistency.unwrap_or(Consistency::Serial);
    if !matches!(serial, Consistency::Serial | Consistency::LocalSerial) {
        return Err(Error::invalid(
            "Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL",
        ));
    }
    if matches!(level, Consistency::Serial | Consistency::LocalSerial) {
        return Err(Error::invalid(format!(
            "{} is not supported as conditional update commit consistency. Use ANY if you mean \"make sure it is accepted but I don't care how many replicas commit it for non-SERIAL reads\"",
            level.name()
        )));
    }
    let replication = replication(execution, table);
    if let Some(replication) = replication
        .filter(|replication| level == Consistency::EachQuorum && !is_network_topology(replication))
    {
        return Err(Error::invalid(format!(
            "consistency level EACH_QUORUM not compatible with replication strategy ({})",
            replication.class
        )));
    }
    check_required(
        execution,
        table,
        serial,
        if serial == Consistency::Serial { Consistency::Quorum } else { Consistency::LocalQuorum },
    )
}

/// Fails if a level needs more than one replica; the reported level may differ.
fn check_required(
    execution: &Execution<'_>,
    table: &Table,
    level: Consistency,
    reported: Consistency,
) -> Result<()> {
    let required = count_required_replicas(execution, table, level);
    if required <= 1 {
        return Ok(());
    }
    // The server reports this for each datacenter, and confuses the numbers.
    let of_centre = level == Consistency::EachQuorum
        && replication(execution, table).is_some_and(is_network_topology);
    let place = if of_centre { " in DC datacenter1" } else { "" };
    let message = format!("Cannot achieve consistency level {}{place}", reported.name());
    let alive = i32::from(!of_centre);
    let detail = ErrorDetail::Unavailable { consistency: reported, required, alive };
    Err(Error { detail, ..Error::new(ErrorCode::Unavailable, message) })
}

/// The number of replicas that must respond.
pub(crate) fn count_required_replicas(
    execution: &Execution<'_>,
    table: &Table,
    level: Consistency,
) -> i32 {
    let factor = replication(execution, table).map_or(1, replication_factor);
    let quorum = factor / 2 + 1;
    match level {
        Consistency::Two => 2,
        Consistency::Three => 3,
        Consistency::All => factor,
        Consistency::Quorum
        | Consistency::LocalQuorum
        | Consistency::EachQuorum
        | Consistency::Serial
        | Consistency::LocalSerial => quorum,
        _ => 1,
    }
}

fn is_conditional(write: &BoundWrite) -> bool {
    !matches!(write.conditions, BoundConditions::None)
}

fn is_virtual(execution: &Execution<'_>, table: &Table) -> bool {
    execution.schema.catalog.keyspace(&table.keyspace).is_some_and(|keyspace| keyspace.is_virtual)
}

fn replication<'a>(execution: &'a Execution<'_>, table: &Table) -> Option<&'a Replication> {
    execution.schema.catalog.keyspace(&table.keyspace).map(|keyspace| &keyspace.replication)
}

fn is_network_topology(replication: &Replication) -> bool {
    replication.class.ends_with("NetworkTopologyStrategy")
}

/// The total replication factor.
fn replication_factor(replication: &Replication) -> i32 {
    let factors = replication.options.values().filter_map(|factor| factor.parse::<i32>().ok());
    factors.max().unwrap_or(1)
}
