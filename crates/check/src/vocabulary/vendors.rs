//! Options and words that other versions and products accept.

use schema::refusal::{OptionReason, Reason};

use crate::{Product, Target};

/// Options of tables that Apache Cassandra 4.0 removed.
pub(crate) const REMOVED_IN_4: [&str; 2] = ["dclocal_read_repair_chance", "read_repair_chance"];

/// Options of tables that Apache Cassandra 3.0 and earlier removed.
pub(crate) const REMOVED_BEFORE_4: [&str; 3] =
    ["index_interval", "populate_io_cache_on_flush", "replicate_on_write"];

/// Options of tables and keyspaces that Scylla alone has.
const SCYLLA_OPTIONS: [&str; 7] = [
    "in_memory",
    "paxos_grace_seconds",
    "per_partition_rate_limit",
    "scylla_encryption_options",
    "synchronous_updates",
    "tablets",
    "tombstone_gc",
];

/// Options of tables and keyspaces that DSE alone has.
const DSE_OPTIONS: [&str; 3] = ["dse_edge_label_property", "dse_vertex_label_property", "nodesync"];

/// Options of tables and keyspaces that Amazon Keyspaces alone has.
const KEYSPACES_OPTIONS: [&str; 3] = ["autoscaling_settings", "custom_properties", "tags"];

/// Words of statements that only one product reads.
const VENDOR_SYNTAX: [(Product, &[&str]); 3] = [
    (Product::Dse, &["search index"]),
    (Product::Keyspaces, &["restore table"]),
    (Product::Scylla, &["bypass cache", "prune materialized view", "using timeout"]),
];

/// The product that an option of a table or keyspace belongs to, if it is none of Apache Cassandra's.
pub(crate) fn option_vendor(name: &str) -> Option<Product> {
    let of = [
        (Product::Scylla, &SCYLLA_OPTIONS[..]),
        (Product::Dse, &DSE_OPTIONS),
        (Product::Keyspaces, &KEYSPACES_OPTIONS),
    ];
    of.into_iter().find(|(_, options)| options.contains(&name)).map(|(product, _)| product)
}

/// Whether a statement that Apache Cassandra cannot read is one of the target's own.
pub(crate) fn is_vendor_syntax(target: Target, statement: &str) -> bool {
    let Some((_, words)) = VENDOR_SYNTAX.iter().find(|(product, _)| *product == target.product)
    else {
        return false;
    };
    let statement = statement.to_lowercase();
    let statement = statement.split_whitespace().collect::<Vec<_>>().join(" ");
    words.iter().any(|words| statement.contains(words))
}

/// Whether the target accepts an option or a list that Apache Cassandra 5.0 refuses; `written` is what it refuses.
pub(crate) fn is_accepted_by_target(target: Target, reason: &Reason, written: &str) -> bool {
    let rule = reason.rule();
    let is_unknown = matches!(reason, Reason::Option(OptionReason::Unknown { .. }));
    let is_twice = rule == "SV016" && !is_unknown;
    if target.is_apache_from((5, 0)) || is_twice {
        return false;
    }
    let name = written.split('=').next().unwrap_or_default().trim().to_lowercase();
    let name = name.trim_matches('"');
    match rule {
        "SV016" if REMOVED_IN_4.contains(&name) => !target.is_apache_from((4, 0)),
        "SV016" => match option_vendor(name) {
            // Astra says that it ignores what it does not know.
            Some(vendor) => vendor == target.product || target.product == Product::Astra,
            None => target.product == Product::Astra,
        },
        // The forks' own storage-attached indexes may answer lists of values.
        "QV034" => matches!(target.product, Product::Astra | Product::Dse),
        "SV017" => target.product == Product::Scylla && name == "cdc",
        "SV018" if written.contains("NullCompactionStrategy") => target.product == Product::Scylla,
        "SV018" => written.contains("DateTieredCompactionStrategy"),
        "SV019" => written.contains("sstable_compression") || written.contains("chunk_length_kb"),
        _ => false,
    }
}
