//! Rows that the server itself writes: roles, permissions, traces.

use std::borrow::Cow;
use std::sync::Arc;

use storage::deletion::NO_TTL;
use storage::{LivenessInfo, Mutation, PartitionUpdate};

use super::draft::RowDraft;
use super::operation::replace_value;
use super::times::WriteTimes;
use crate::error::{Error, Result};
use crate::node::Node;
use crate::node::handle::TableHandle;

/// A row of a table, as an INSERT would write it. `key` has the values of the primary key, `values` those of other
/// columns by their names; whole collections replace what there was, and none deletes.
pub(crate) fn build_insert(
    node: &Node,
    handle: &Arc<TableHandle>,
    key: &[&[u8]],
    values: &[(&str, Option<&[u8]>)],
    ttl: i32,
) -> Result<Mutation> {
    let (timestamp, now_seconds) = current_times(node);
    let liveness = match ttl {
        NO_TTL => LivenessInfo::new(timestamp),
        ttl => LivenessInfo::with_ttl(timestamp, ttl, now_seconds),
    };
    let (mut update, clustering) = split_key(handle, key)?;
    let mut draft = RowDraft::new(WriteTimes { timestamp, now_seconds, liveness }, values.len());
    draft.liveness = liveness;
    for (name, value) in values {
        let column = handle.definition.column_index(name);
        let found = column
            .and_then(|at| Some((handle.column_id(at)?, &handle.definition.columns().get(at)?.ty)));
        let Some((id, ty)) = found else { return Err(unknown_column(name)) };
        replace_value(node, &mut draft, id, ty, value.map(Cow::Borrowed))?;
    }
    let clustering: Vec<_> = clustering.iter().map(|value| Some(Cow::Borrowed(*value))).collect();
    update.rows.extend(draft.build(&handle.layout, &clustering));
    Ok(Mutation { table: handle.id, update })
}

fn current_times(node: &Node) -> (i64, i64) {
    (node.unique_micros(), node.clock.now_micros().div_euclid(1_000_000))
}

/// An empty update of the partition, and the clustering values.
fn split_key<'a>(
    handle: &TableHandle,
    key: &'a [&'a [u8]],
) -> Result<(PartitionUpdate, &'a [&'a [u8]])> {
    let columns = handle.definition.partition_key().len();
    let split = key.split_at_checked(columns);
    let found = split.and_then(|(own, rest)| Some((handle.partition_key(own)?, rest)));
    let (place, clustering) =
        found.ok_or_else(|| Error::server("a row of the server's own has no key"))?;
    Ok((PartitionUpdate::new(place), clustering))
}

fn unknown_column(name: &str) -> Error {
    Error::server(format!("a row of the server's own names the unknown column {name}"))
}
