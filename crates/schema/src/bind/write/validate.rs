//! Checks of a bound write as a whole, before any value is looked at.

use super::{BoundWrite, condition};
use crate::Result;
use crate::bind::context::invalid;

/// The last step of preparing a write.
pub(super) fn prepared(write: &BoundWrite) -> Result<()> {
    if !write.is_conditional() {
        return Ok(());
    }
    if write.table.is_counter() {
        let message = "Conditional updates are not supported on counter tables";
        return Err(invalid("CN004", message, write.span)
            .with_help("keep the value in a bigint column to update it conditionally")
            .into());
    }
    match &write.using.timestamp {
        Some((_, span)) => Err(condition::custom_timestamp(*span).into()),
        None => Ok(()),
    }
}

/// What PREPARE refuses after that, and execution before it starts.
pub(super) fn write(write: &BoundWrite) -> Result<()> {
    let table = &write.table;
    let timestamp = write.using.timestamp.as_ref().map(|(_, span)| *span);
    let ttl = write.using.ttl.as_ref().map(|(_, span)| *span);
    let condition = write.is_conditional().then_some(write.span);
    let counter = table.is_counter();
    let is_virtual = table.is_virtual;
    let checks = [
        (counter, timestamp, "CN003", "Cannot provide custom timestamp for counter updates"),
        (counter, ttl, "CN003", "Cannot provide custom TTL for counter updates"),
        (table.is_view, Some(write.span), "QV031", "Cannot directly modify a materialized view"),
        (is_virtual, timestamp, "QV027", "Custom timestamp is not supported by virtual tables"),
        (is_virtual, ttl, "QV027", "Expiring columns are not supported by virtual tables"),
        (is_virtual, condition, "QV027", "Conditional updates are not supported by virtual tables"),
    ];
    for (applies, span, rule, message) in checks {
        if let (true, Some(span)) = (applies, span) {
            return Err(invalid(rule, message, span).into());
        }
    }
    Ok(())
}
