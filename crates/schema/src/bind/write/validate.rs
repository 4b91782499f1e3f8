//! Checks of a bound write as a whole, before any value is evaluated.

use super::{BoundWrite, condition};
use crate::refusal::{ConditionReason, WriteReason, refuse};
use crate::{Refusal, Result};

/// The last step of preparing a write.
pub(super) fn check_prepared(write: &BoundWrite) -> Result<()> {
    if !write.is_conditional() {
        return Ok(());
    }
    if write.table.is_counter() {
        return Err(Refusal::new(ConditionReason::UpdatesOfCounters, write.span)
            .with_help("use a bigint column to update the value conditionally")
            .into());
    }
    match &write.using.timestamp {
        Some((_, span)) => Err(condition::custom_timestamp(*span).into()),
        None => Ok(()),
    }
}

/// The errors of PREPARE after that, and of execution before it starts.
pub(super) fn write(write: &BoundWrite) -> Result<()> {
    let table = &write.table;
    let timestamp = write.using.timestamp.as_ref().map(|(_, span)| *span);
    let ttl = write.using.ttl.as_ref().map(|(_, span)| *span);
    let condition = write.is_conditional().then_some(write.span);
    let counter = table.is_counter();
    let is_virtual = table.is_virtual;
    let checks = [
        (counter, timestamp, WriteReason::TimestampOfCounters),
        (counter, ttl, WriteReason::TtlOfCounters),
        (table.is_view, Some(write.span), WriteReason::IntoView),
        (is_virtual, timestamp, WriteReason::TimestampOfVirtual),
        (is_virtual, ttl, WriteReason::TtlOfVirtual),
        (is_virtual, condition, WriteReason::ConditionsOnVirtual),
    ];
    for (applies, span, reason) in checks {
        if let (true, Some(span)) = (applies, span) {
            return refuse(reason, span);
        }
    }
    Ok(())
}
