//! The tables of `system` on indexes, views and sizes.

use schema::catalog::Keyspace;

use super::builder::TableRows;
use super::bytes::{bigint, boolean, text};
use crate::execute::Execution;
use crate::node::handle::TableHandle;

/// The ends of the ring and the node's token between them.
const TOKEN_RANGES: [(&str, &str); 2] =
    [("-9223372036854775808", "0"), ("0", "-9223372036854775808")];

/// `"IndexInfo"`: the indexes that are built, which is all of them. Its first column holds the
/// keyspace.
pub(super) fn add_index_info(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    for handle in execution.schema.tables().filter(|handle| !is_local(handle)) {
        for index in &handle.definition.indexes {
            rows.add([
                ("table_name", text(&handle.definition.keyspace)),
                ("index_name", text(&index.name)),
            ]);
        }
    }
}

/// `built_views`: all views are built.
pub(super) fn add_built_views(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    for view in execution.schema.tables().filter(|handle| handle.view.is_some()) {
        rows.add([
            ("keyspace_name", text(&view.definition.keyspace)),
            ("view_name", text(&view.definition.name)),
            ("status_replicated", boolean(true)),
        ]);
    }
}

/// `system_distributed.view_build_status`
pub(super) fn add_view_build_status(execution: &Execution<'_>, rows: &mut TableRows<'_>) {
    for view in execution.schema.tables().filter(|handle| handle.view.is_some()) {
        rows.add([
            ("keyspace_name", text(&view.definition.keyspace)),
            ("view_name", text(&view.definition.name)),
            ("host_id", execution.node.identity.host_id.0.to_vec()),
            ("status", text("SUCCESS")),
        ]);
    }
}

/// `size_estimates` and, with range types, `table_estimates`: partitions are assumed to be
/// distributed evenly.
pub(super) fn add_estimates(execution: &Execution<'_>, types: &[&str], rows: &mut TableRows<'_>) {
    for handle in execution.schema.tables().filter(|handle| !is_local(handle)) {
        let partitions = handle.rows.partition_count();
        let mean = handle.rows.byte_size().checked_div(partitions).unwrap_or(0);
        let number = |value: usize| bigint(i64::try_from(value).unwrap_or(i64::MAX));
        for range_type in types {
            for (start, end) in TOKEN_RANGES {
                rows.add([
                    ("keyspace_name", text(&handle.definition.keyspace)),
                    ("table_name", text(&handle.definition.name)),
                    ("range_type", text(range_type)),
                    ("range_start", text(start)),
                    ("range_end", text(end)),
                    ("mean_partition_size", number(mean)),
                    ("partitions_count", number(partitions.div_ceil(2))),
                ]);
            }
        }
    }
}

fn is_local(handle: &TableHandle) -> bool {
    Keyspace::is_local_system(&handle.definition.keyspace)
}
