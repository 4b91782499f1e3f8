//! `helenus.clock`: one row, whose changes move or stop the clock.

use std::ops::Range;

use cql::types::NativeType;
use cql::value::Value;
use storage::clock::Clock;

use super::row_change::TestRowChange;
use crate::error::{Error, Result};
use crate::function::shift_time;
use crate::node::Node;
use crate::node::test_hooks::TestHooks;
use crate::session::system::TableRows;
use crate::session::system::bytes::{bigint, boolean, text};

/// The key of the only row.
const KEY: &str = "local";
/// The years 1 to 9999, in microseconds since 1970. Ids and timestamps are computed from the time.
const YEARS: Range<i64> = -62_135_596_800_000_000..253_402_300_800_000_000;

pub(super) fn change(node: &Node, hooks: &TestHooks, change: &TestRowChange) -> Result<()> {
    if change.key != KEY {
        return Err(Error::invalid(format!("the key of helenus.clock is '{KEY}'")));
    }
    if change.is_deleted {
        reset(node, hooks);
        return Ok(());
    }
    let mut now = hooks.clock.now_micros();
    if let Some(Value::Timestamp(millis)) = change.value("now") {
        now = millis.saturating_mul(1_000);
    }
    if let Some(Value::Duration(duration)) = change.value("advance") {
        let millis = now.div_euclid(1_000).to_be_bytes();
        let moved = shift_time(NativeType::Timestamp, &millis, &duration.to_bytes(), false);
        let moved = moved.ok().and_then(|moved| Some(i64::from_be_bytes(moved.try_into().ok()?)));
        let moved =
            moved.ok_or_else(|| Error::invalid("advance has whole milliseconds, such as 90m"))?;
        now = moved.saturating_mul(1_000).saturating_add(now.rem_euclid(1_000));
    }
    let is_frozen = match change.value("frozen") {
        None => hooks.clock.is_frozen(),
        Some(value) => *value == Value::Boolean(true),
    };
    if !YEARS.contains(&now) {
        return Err(Error::invalid("the clock shows times of the years 1 to 9999"));
    }
    hooks.clock.set(now, is_frozen);
    node.forget_times();
    Ok(())
}

/// Returns to the machine's clock.
pub(super) fn reset(node: &Node, hooks: &TestHooks) {
    hooks.clock.reset();
    node.forget_times();
}

pub(super) fn add_row(hooks: &TestHooks, rows: &mut TableRows<'_>) {
    rows.add([
        ("key", text(KEY)),
        ("now", bigint(hooks.clock.now_micros().div_euclid(1_000))),
        ("frozen", boolean(hooks.clock.is_frozen())),
    ]);
}
