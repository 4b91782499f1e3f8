//! Snapshots of one cluster from several sources, put together.

use super::Snapshot;
use super::histogram::Percentiles;
use super::node::Node;
use super::table::TableMeasurements;

impl Snapshot {
    /// Adds what another snapshot of the same cluster knows. Where both know a figure, this one's
    /// counts.
    pub fn merge(&mut self, other: Self) {
        self.cluster_name = self.cluster_name.take().or(other.cluster_name);
        self.collected_at_ms = self.collected_at_ms.or(other.collected_at_ms);
        self.schema = self.schema.take().or(other.schema);
        for (name, node) in other.nodes {
            match self.nodes.get_mut(&name) {
                Some(known) => merge_node(known, node),
                None => {
                    self.nodes.insert(name, node);
                }
            }
        }
        for (shape, statement) in other.statements {
            self.observe(shape, statement);
        }
        self.sources.extend(other.sources);
    }
}

/// Takes a figure from another source where it is missing.
macro_rules! fill {
    ($known:ident, $other:ident, $($field:ident),+ $(,)?) => {
        $(if $known.$field.is_none() { $known.$field = $other.$field; })+
    };
}

/// Adds the entries of another source that are missing.
macro_rules! extend {
    ($known:ident, $other:ident, $($field:ident),+ $(,)?) => {
        $(for (name, value) in $other.$field { $known.$field.entry(name).or_insert(value); })+
    };
}

fn merge_node(known: &mut Node, other: Node) {
    fill!(
        known,
        other,
        product,
        version,
        host_id,
        internode_address,
        datacenter,
        rack,
        state,
        schema_version,
        owns_percent,
        load_bytes,
        started_ms,
        uptime_seconds,
        heap_used_bytes,
        heap_max_bytes,
        exceptions,
        garbage_collection,
        clients,
        prepared_executed,
        regular_executed,
        partitions_per_logged_batch,
        partitions_per_unlogged_batch,
    );
    known.is_told_by_others &= other.is_told_by_others;
    extend!(known, other, settings, thread_pools, dropped, sstables, repaired_at_ms);
    extend!(known, other, links, pending_hints);
    known.peers.extend(other.peers);
    if known.tokens.is_empty() {
        known.tokens = other.tokens;
    }
    for (name, figures) in other.tables {
        match known.tables.get_mut(&name) {
            Some(table) => merge_table(table, figures),
            None => {
                known.tables.insert(name, figures);
            }
        }
    }
    if known.compaction.pending.is_none() {
        known.compaction = other.compaction;
    }
    // The events of one log must not count twice: the longer one counts.
    if other.log.lines > known.log.lines {
        known.log = other.log;
    }
}

fn merge_table(known: &mut TableMeasurements, other: TableMeasurements) {
    let both = [
        (&mut known.partition_bytes, other.partition_bytes),
        (&mut known.partition_cells, other.partition_cells),
        (&mut known.sstables_per_read, other.sstables_per_read),
        (&mut known.tombstones_per_read, other.tombstones_per_read),
        (&mut known.live_per_read, other.live_per_read),
    ];
    for (known, other) in both {
        match known.as_mut() {
            Some(known) => other.into_iter().for_each(|other| merge_percentiles(known, &other)),
            None => *known = other,
        }
    }
    fill!(
        known,
        other,
        reads,
        writes,
        read_latency,
        write_latency,
        scan_latency,
        coordinator_read_latency,
        coordinator_scan_latency,
        coordinator_write_latency,
        sstable_count,
        sstables_by_level,
        live_bytes,
        total_bytes,
        snapshot_bytes,
        partitions,
        ranges,
        mean_partition_bytes,
        compression_ratio,
        droppable_tombstone_ratio,
        percent_repaired,
        pending_compactions,
        dropped_mutations,
        bloom_filter_false_ratio,
    );
    known.largest_partitions.extend(other.largest_partitions);
    known.most_tombstones.extend(other.most_tombstones);
    known.hottest_partitions.extend(other.hottest_partitions);
}

fn merge_percentiles(known: &mut Percentiles, other: &Percentiles) {
    fill!(known, other, count, min, mean, p50, p75, p95, p98, p99, max);
    known.is_overflowed |= other.is_overflowed;
}
