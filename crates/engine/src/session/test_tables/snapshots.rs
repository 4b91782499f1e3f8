//! `helenus.snapshots`: an INSERT takes a snapshot, `restored = true` returns to it.

use std::collections::BTreeMap;
use std::sync::{Arc, MutexGuard, PoisonError};

use cql::value::Value;
use storage::clock::Clock;

use super::row_change::TestRowChange;
use crate::error::{Error, Result};
use crate::node::Node;
use crate::node::test_hooks::{NamedSnapshot, TestHooks};
use crate::session::system::TableRows;
use crate::session::system::bytes::{bigint, boolean, text};

fn snapshots(hooks: &TestHooks) -> MutexGuard<'_, BTreeMap<Box<str>, NamedSnapshot>> {
    hooks.snapshots.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(super) fn change(node: &Node, hooks: &TestHooks, change: &TestRowChange) -> Result<()> {
    let name = change.key.as_str();
    if change.is_deleted {
        snapshots(hooks).remove(name);
        return Ok(());
    }
    match change.value("restored") {
        Some(Value::Boolean(true)) => restore(node, hooks, name),
        Some(_) => Err(Error::invalid("restored can only be set to true")),
        None => {
            let content = Arc::new(node.snapshot());
            let taken_at = hooks.clock.now_micros();
            let taken = NamedSnapshot { content, taken_at, is_restored: false };
            snapshots(hooks).insert(name.into(), taken);
            Ok(())
        }
    }
}

/// Returns to a snapshot, which stays: any number of tests can start from it.
fn restore(node: &Node, hooks: &TestHooks, name: &str) -> Result<()> {
    let content = snapshots(hooks).get_mut(name).map(|snapshot| {
        snapshot.is_restored = true;
        Arc::clone(&snapshot.content)
    });
    let unknown = || Error::invalid(format!("snapshot '{name}' does not exist"));
    node.restore(&*content.ok_or_else(unknown)?)
}

/// Forgets all snapshots.
pub(super) fn clear(hooks: &TestHooks) {
    snapshots(hooks).clear();
}

pub(super) fn add_rows(hooks: &TestHooks, rows: &mut TableRows<'_>) {
    for (name, snapshot) in &*snapshots(hooks) {
        rows.add([
            ("name", text(name)),
            ("taken_at", bigint(snapshot.taken_at.div_euclid(1_000))),
            ("restored", boolean(snapshot.is_restored)),
        ]);
    }
}
