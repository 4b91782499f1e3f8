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

/// The mutation of an INSERT. `key` has the values of the primary key, `values` those of other
/// columns by name; whole collections replace the stored ones, and `None` deletes.
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
        let column = column
            .and_then(|at| Some((handle.column_id(at)?, &handle.definition.columns().get(at)?.ty)));
        let Some((id, ty)) = column else { return Err(unknown_column(name)) };
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
    let split = split.and_then(|(values, rest)| Some((handle.partition_key(values)?, rest)));
    let (key, clustering) = split.ok_or_else(|| Error::server("an internal row has no key"))?;
    Ok((PartitionUpdate::new(key), clustering))
}

fn unknown_column(name: &str) -> Error {
    Error::server(format!("an internal row has the unknown column {name}"))
}
