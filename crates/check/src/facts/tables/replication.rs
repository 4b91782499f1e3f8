//! How many copies a keyspace keeps.

use crate::Project;

/// Copies of every row, over all datacenters. A single copy says nothing, neither does a keyspace that is only taken for existing: such
/// schemas are written for one machine and run on many.
pub(crate) fn replica_count(project: &Project<'_>, keyspace: &str) -> Option<f64> {
    let options = &project.catalog.keyspace(keyspace)?.replication.options;
    let each = options.values().filter_map(|copies| {
        // `3/1`: three copies, one of which is transient.
        copies.split('/').next()?.trim().parse::<f64>().ok()
    });
    let copies: f64 = each.sum();
    (copies > 1.0).then_some(copies)
}
