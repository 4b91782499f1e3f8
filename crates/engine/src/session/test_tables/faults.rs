//! `helenus.faults`: a row for each fault.

use std::time::Duration;

use cql::value::Value;

use super::row_change::TestRowChange;
use crate::error::{Error, Result};
use crate::node::test_hooks::{Fault, FaultKind, StatementClass, TestHooks};
use crate::session::system::TableRows;
use crate::session::system::bytes::{bigint, boolean, double, int, text};

/// The kinds of writes in errors.
const WRITE_TYPES: [&str; 8] =
    ["SIMPLE", "BATCH", "UNLOGGED_BATCH", "COUNTER", "BATCH_LOG", "CAS", "VIEW", "CDC"];

pub(super) fn change(hooks: &TestHooks, change: &TestRowChange) -> Result<()> {
    if change.is_deleted {
        hooks.faults.remove(&change.key);
        return Ok(());
    }
    hooks.faults.change(&change.key, |fault| {
        change.values.iter().try_for_each(|(column, value)| set(fault, column, value))
    })
}

/// Sets a field of a fault; null restores its default.
fn set(fault: &mut Fault, column: &str, value: &Value) -> Result<()> {
    match (column, value) {
        ("kind", Value::Text(name)) => fault.kind = find("kind", &FaultKind::NAMES, name)?,
        ("statement", Value::Text(name)) => {
            fault.statement = Some(find("statement", &StatementClass::NAMES, name)?);
        }
        ("write_type", Value::Text(name)) if !WRITE_TYPES.contains(&name.as_str()) => {
            return Err(unknown("write_type", name, WRITE_TYPES));
        }
        ("write_type", value) => fault.write_type = optional_text(value),
        ("keyspace_name", value) => fault.keyspace = optional_text(value),
        ("table_name", value) => fault.table = optional_text(value),
        ("message", value) => fault.message = optional_text(value),
        ("statement", _) => fault.statement = None,
        ("count", value) => fault.count = optional_int(value),
        ("received", value) => fault.received = optional_int(value),
        ("required", value) => fault.required = optional_int(value),
        ("delay_ms", value) => {
            let millis = u64::try_from(optional_int(value).unwrap_or(0)).unwrap_or(0);
            fault.delay = Duration::from_millis(millis);
        }
        ("probability", Value::Double(probability)) => {
            if !(0.0..=1.0).contains(probability) {
                return Err(Error::invalid("probability is a number from 0 to 1"));
            }
            fault.probability = *probability;
        }
        ("probability", _) => fault.probability = 1.0,
        ("applied", value) => fault.is_applied = *value == Value::Boolean(true),
        ("data_present", value) => fault.is_data_present = *value == Value::Boolean(true),
        ("hits", value) => fault.hits = if let Value::Bigint(hits) = value { *hits } else { 0 },
        _ => return Err(Error::invalid(format!("invalid value of {column}"))),
    }
    Ok(())
}

fn find<T: Copy, const N: usize>(column: &str, names: &[(&str, T); N], name: &str) -> Result<T> {
    let found = names.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    found.ok_or_else(|| unknown(column, name, names.each_ref().map(|(known, _)| *known)))
}

fn unknown<const N: usize>(column: &str, name: &str, known: [&str; N]) -> Error {
    Error::invalid(format!("{column} is one of {}, not '{name}'", known.join(", ")))
}

fn optional_text(value: &Value) -> Option<Box<str>> {
    match value {
        Value::Text(text) => Some(text.as_str().into()),
        _ => None,
    }
}

fn optional_int(value: &Value) -> Option<i32> {
    match value {
        Value::Int(number) => Some(*number),
        _ => None,
    }
}

pub(super) fn add_rows(hooks: &TestHooks, rows: &mut TableRows<'_>) {
    for (name, fault) in &hooks.faults.list() {
        let kind = find_name(&FaultKind::NAMES, fault.kind);
        let statement = fault.statement.map(|class| find_name(&StatementClass::NAMES, class));
        let delay = i32::try_from(fault.delay.as_millis()).unwrap_or(i32::MAX);
        let optional = [
            ("keyspace_name", fault.keyspace.as_deref().map(text)),
            ("table_name", fault.table.as_deref().map(text)),
            ("message", fault.message.as_deref().map(text)),
            ("write_type", fault.write_type.as_deref().map(text)),
            ("statement", statement.map(text)),
            ("count", fault.count.map(int)),
            ("received", fault.received.map(int)),
            ("required", fault.required.map(int)),
        ];
        let present = optional.into_iter().filter_map(|(column, value)| Some((column, value?)));
        let always = [
            ("name", text(name)),
            ("kind", text(kind)),
            ("probability", double(fault.probability)),
            ("delay_ms", int(delay)),
            ("applied", boolean(fault.is_applied)),
            ("data_present", boolean(fault.is_data_present)),
            ("hits", bigint(fault.hits)),
        ];
        rows.add(present.chain(always));
    }
}

fn find_name<T: Copy + PartialEq, const N: usize>(
    names: &[(&'static str, T); N],
    value: T,
) -> &'static str {
    names.iter().find(|(_, known)| *known == value).map_or("", |(name, _)| name)
}
