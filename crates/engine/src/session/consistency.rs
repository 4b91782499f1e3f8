//! Consistency levels: which of them a statement may have, and whether one node can meet them.

use schema::bind::Bound;
use schema::bind::select::BoundSelect;
use schema::bind::write::{BoundConditions, BoundWrite};
use schema::catalog::{Replication, Table};

use crate::error::{Detail, Error, Result};
use crate::execute::Execution;

const ANY: u16 = 0;
const ONE: u16 = 1;
const TWO: u16 = 2;
const THREE: u16 = 3;
const QUORUM: u16 = 4;
const ALL: u16 = 5;
const LOCAL_QUORUM: u16 = 6;
const EACH_QUORUM: u16 = 7;
const SERIAL: u16 = 8;
const LOCAL_SERIAL: u16 = 9;
const LOCAL_ONE: u16 = 10;

const UNAVAILABLE: u16 = 0x1000;

/// Whether a level asks for one replica, so that there is nothing to check but what conditions need.
fn is_plain(level: u16) -> bool {
    matches!(level, ONE | LOCAL_ONE)
}

/// Refuses levels that a statement must not have.
pub(crate) fn check_level(execution: &Execution<'_>, bound: &Bound) -> Result<()> {
    let level = execution.parameters.consistency;
    match bound {
        Bound::Select(_) if level == ANY => {
            Err(Error::invalid("ANY ConsistencyLevel is only supported for writes"))
        }
        Bound::Write(write) if !is_virtual(execution, &write.table) => check_write(level, write),
        _ => Ok(()),
    }
}

fn check_write(level: u16, write: &BoundWrite) -> Result<()> {
    if is_conditional(write) {
        return Ok(());
    }
    match level {
        ANY if write.table.is_counter() => Err(Error::invalid(format!(
            "Consistency level ANY is not yet supported for counter table {}",
            write.table.name
        ))),
        SERIAL | LOCAL_SERIAL if write.table.is_counter() => {
            Err(Error::invalid("Counter operations are inherently non-serializable"))
        }
        SERIAL | LOCAL_SERIAL => {
            Err(Error::invalid("You must use conditional updates for serializable writes"))
        }
        _ => Ok(()),
    }
}

/// Fails a statement that needs more replicas than the one there is.
pub(crate) fn check_replicas(execution: &Execution<'_>, bound: &Bound) -> Result<()> {
    let level = execution.parameters.consistency;
    match bound {
        Bound::Select(select) if !is_plain(level) && !is_virtual(execution, &select.table) => {
            check_read(execution, level, select)
        }
        Bound::Write(write) if is_conditional(write) => check_conditional(execution, &write.table),
        Bound::Write(write) if !is_virtual(execution, &write.table) => {
            check(execution, &write.table, level, level)
        }
        Bound::Batch(batch) => {
            if let Some(write) = batch.statements.iter().find(|one| is_conditional(one)) {
                return check_conditional(execution, &write.table);
            }
            let mut writes = batch.statements.iter();
            writes.try_for_each(|write| check(execution, &write.table, level, level))
        }
        _ => Ok(()),
    }
}

/// Reads of named partitions agree on them first, with a quorum.
fn check_read(execution: &Execution<'_>, level: u16, select: &BoundSelect) -> Result<()> {
    let told = match level {
        SERIAL if !select.restrictions.is_key_range => QUORUM,
        LOCAL_SERIAL if !select.restrictions.is_key_range => LOCAL_QUORUM,
        _ => level,
    };
    check(execution, &select.table, level, told)
}

fn check_conditional(execution: &Execution<'_>, table: &Table) -> Result<()> {
    let level = execution.parameters.consistency;
    let serial = execution.parameters.serial_consistency.unwrap_or(SERIAL);
    if !matches!(serial, SERIAL | LOCAL_SERIAL) {
        return Err(Error::invalid(
            "Invalid consistency for conditional update. Must be one of SERIAL or LOCAL_SERIAL",
        ));
    }
    if matches!(level, SERIAL | LOCAL_SERIAL) {
        return Err(Error::invalid(format!(
            "{} is not supported as conditional update commit consistency. Use ANY if you mean \"make sure it is accepted but I don't care how many replicas commit it for non-SERIAL reads\"",
            name(level)
        )));
    }
    let replication = replication(execution, table);
    if let Some(replication) = replication.filter(|one| level == EACH_QUORUM && !is_of_centres(one))
    {
        return Err(Error::invalid(format!(
            "consistency level EACH_QUORUM not compatible with replication strategy ({})",
            replication.class
        )));
    }
    check(execution, table, serial, if serial == SERIAL { QUORUM } else { LOCAL_QUORUM })
}

/// Fails if a level needs more than one replica; the level that is told may be another.
fn check(execution: &Execution<'_>, table: &Table, level: u16, told: u16) -> Result<()> {
    let factor = replication(execution, table).map_or(1, factor);
    let quorum = factor / 2 + 1;
    let required = match level {
        TWO => 2,
        THREE => 3,
        ALL => factor,
        QUORUM | LOCAL_QUORUM | EACH_QUORUM | SERIAL | LOCAL_SERIAL => quorum,
        _ => 1,
    };
    if required <= 1 {
        return Ok(());
    }
    // The server says so of each of its data centres, and mixes up the numbers.
    let of_centre =
        level == EACH_QUORUM && replication(execution, table).is_some_and(is_of_centres);
    let place = if of_centre { " in DC datacenter1" } else { "" };
    let message = format!("Cannot achieve consistency level {}{place}", name(told));
    let alive = i32::from(!of_centre);
    let detail = Detail::Unavailable { consistency: told, required, alive };
    Err(Error { detail, ..Error::new(UNAVAILABLE, message) })
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

fn is_of_centres(replication: &Replication) -> bool {
    replication.class.ends_with("NetworkTopologyStrategy")
}

/// How many replicas there should be.
fn factor(replication: &Replication) -> i32 {
    let factors = replication.options.values().filter_map(|factor| factor.parse::<i32>().ok());
    factors.max().unwrap_or(1)
}

pub(crate) fn name(level: u16) -> &'static str {
    match level {
        ANY => "ANY",
        TWO => "TWO",
        THREE => "THREE",
        QUORUM => "QUORUM",
        ALL => "ALL",
        LOCAL_QUORUM => "LOCAL_QUORUM",
        EACH_QUORUM => "EACH_QUORUM",
        SERIAL => "SERIAL",
        LOCAL_SERIAL => "LOCAL_SERIAL",
        LOCAL_ONE => "LOCAL_ONE",
        _ => "ONE",
    }
}
