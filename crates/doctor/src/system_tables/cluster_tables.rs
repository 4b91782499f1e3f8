//! The nodes, their settings, threads and clients.

use std::collections::BTreeMap;

use super::membership_tables::read_tokens;
use super::rows::{SystemRow, SystemRows};
use super::{RowReader, SystemQuery};
use crate::Snapshot;
use crate::snapshot::{ClientConnections, Node, Percentiles, Product, ServerVersion, ThreadPool};

pub(super) const QUERIES: &[SystemQuery] = &[
    SystemQuery {
        table: "system.local",
        cql: "SELECT * FROM system.local LIMIT 1",
        is_per_node: true,
        read: RowReader::Cluster(read_local),
    },
    SystemQuery {
        table: "system_views.settings",
        cql: "SELECT name, value FROM system_views.settings LIMIT 2000",
        is_per_node: true,
        read: RowReader::Node(read_settings),
    },
    SystemQuery {
        table: "system_views.thread_pools",
        cql: "SELECT * FROM system_views.thread_pools LIMIT 200",
        is_per_node: true,
        read: RowReader::Node(read_thread_pools),
    },
    SystemQuery {
        table: "system_views.clients",
        cql: "SELECT driver_name, driver_version, ssl_enabled FROM system_views.clients LIMIT 10000",
        is_per_node: true,
        read: RowReader::Node(read_clients),
    },
    SystemQuery {
        table: "system_views.cql_metrics",
        cql: "SELECT name, value FROM system_views.cql_metrics LIMIT 100",
        is_per_node: true,
        read: RowReader::Node(read_cql_metrics),
    },
    SystemQuery {
        table: "system_views.batch_metrics",
        cql: "SELECT * FROM system_views.batch_metrics LIMIT 10",
        is_per_node: true,
        read: RowReader::Node(read_batch_metrics),
    },
];

/// Words in the names of settings whose values are not kept.
const SECRETS: [&str; 4] = ["password", "secret", "keystore", "truststore"];

fn read_local(rows: &SystemRows, node: &str, snapshot: &mut Snapshot) {
    for row in rows.iter() {
        snapshot.cluster_name = row.text("cluster_name").or(snapshot.cluster_name.take());
        let known = snapshot.nodes.entry(node.to_owned()).or_default();
        known.datacenter = row.text("data_center");
        known.rack = row.text("rack");
        known.host_id = row.text("host_id");
        known.tokens = read_tokens(row);
        // The generation of a node's gossip is the second in which it started.
        known.started_ms =
            row.integer("gossip_generation").map(|second| second.saturating_mul(1_000));
        known.schema_version = row.text("schema_version");
        known.version = row.text("release_version").as_deref().and_then(ServerVersion::parse);
        known.product = Some(product(row));
    }
}

/// `ScyllaDB` has columns of its own, and calls itself release 3.0.8 of Cassandra.
fn product(row: SystemRow<'_>) -> Product {
    match row.value("supported_features") {
        Some(_) => Product::Scylla,
        None => Product::Cassandra,
    }
}

fn read_settings(rows: &SystemRows, node: &mut Node) {
    for row in rows.iter() {
        let Some((name, value)) = row.text("name").zip(row.text("value")) else { continue };
        if !SECRETS.iter().any(|word| name.contains(word)) {
            node.settings.insert(name, value);
        }
    }
}

fn read_thread_pools(rows: &SystemRows, node: &mut Node) {
    for row in rows.iter() {
        let Some(name) = row.text("name") else { continue };
        let pool = ThreadPool {
            active: row.count("active_tasks"),
            pending: row.count("pending_tasks"),
            completed: row.count("completed_tasks"),
            blocked: row.count("blocked_tasks"),
            all_time_blocked: row.count("blocked_tasks_all_time"),
        };
        node.thread_pools.insert(name, pool);
    }
}

fn read_clients(rows: &SystemRows, node: &mut Node) {
    let mut drivers: BTreeMap<String, u64> = BTreeMap::new();
    let mut unencrypted = 0;
    for row in rows.iter() {
        let name = row.text("driver_name").unwrap_or_else(|| "unknown driver".to_owned());
        let version = row.text("driver_version").unwrap_or_default();
        *drivers.entry(format!("{name} {version}").trim_end().to_owned()).or_default() += 1;
        unencrypted += u64::from(row.boolean("ssl_enabled") == Some(false));
    }
    let connections = rows.rows.len() as u64;
    node.clients = Some(ClientConnections { connections, unencrypted: Some(unencrypted), drivers });
}

fn read_cql_metrics(rows: &SystemRows, node: &mut Node) {
    for row in rows.iter() {
        let (Some(name), Some(value)) = (row.text("name"), row.number("value")) else { continue };
        match name.as_str() {
            "prepared_statements_executed" => node.prepared_executed = Some(whole(value)),
            "regular_statements_executed" => node.regular_executed = Some(whole(value)),
            _ => {}
        }
    }
}

fn read_batch_metrics(rows: &SystemRows, node: &mut Node) {
    for row in rows.iter() {
        let figures = Percentiles {
            p50: row.number("p50th"),
            p99: row.number("p99th"),
            max: row.number("max"),
            ..Percentiles::default()
        };
        match row.text("name").as_deref() {
            Some("partitions_per_logged_batch") => node.partitions_per_logged_batch = Some(figures),
            Some("partitions_per_unlogged_batch") => {
                node.partitions_per_unlogged_batch = Some(figures);
            }
            _ => {}
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the conversion saturates, and a count is not negative"
)]
fn whole(value: f64) -> u64 {
    value as u64
}
