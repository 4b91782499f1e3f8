//! Names of tables that say what they hold.

use super::matcher::{has_word, lowercase, matches_any};

/// What is worked off.
const QUEUE_WORDS: &[&str] = &[
    "queue",
    "job",
    "jobs",
    "task",
    "tasks",
    "outbox",
    "inbox",
    "pending",
    "work_item",
    "work_items",
    "dlq",
    "mailbox",
    "schedule",
];

/// Work, in two words.
const WORK_ITEM_PATTERNS: &[&str] = &["work_item*"];

/// What is measured or happens.
const EVENT_WORDS: &[&str] = &[
    "event",
    "events",
    "log",
    "logs",
    "metric",
    "metrics",
    "history",
    "measurement",
    "measurements",
    "reading",
    "readings",
    "activity",
    "activities",
    "audit",
    "auditlog",
    "timeline",
    "feed",
    "message",
    "messages",
    "comment",
    "comments",
];

/// Tables that find one thing by another, and locks.
const LOOKUP_PATTERNS: &[&str] =
    &["*_to_id", "*_to_uuid", "*_lookup", "*_look_up", "*_lock", "*_locks", "locks", "*_mutex"];

/// Small tables that every system has.
const REGISTRY_PATTERNS: &[&str] = &[
    "config",
    "configs",
    "*_config",
    "configuration",
    "configurations",
    "*_configuration",
    "setting",
    "settings",
    "*_settings",
    "meta",
    "metadata",
    "*_metadata",
    "*_metadata_info",
    "schema_migration*",
    "schema_version*",
    "schema_history",
    "migration",
    "migrations",
    "*_migration",
    "*_migrations",
    "databasechangelog*",
    "cluster",
    "clusters",
    "cluster_membership",
    "namespaces",
    "queues",
    "topics",
    "versions",
    "*_versions",
    "version",
    "*_version",
    "summary_statistics",
    "leader",
    "*_leader",
    "lease",
    "leases",
    "*_registry",
    "registry",
    "*_names",
    "feature_flags",
    "*_endpoints",
];

/// What somebody chooses among events.
const CHOICE_WORDS: &[&str] = &[
    "subscription",
    "subscriptions",
    "filter",
    "filters",
    "rule",
    "rules",
    "preference",
    "preferences",
    "webhook",
    "webhooks",
    "trigger",
    "triggers",
];

/// Whether the name of a table says that it is a queue.
pub(crate) fn is_queue_name(table: &str) -> bool {
    let name = lowercase(table);
    name.split('_').any(|word| QUEUE_WORDS.contains(&word))
        || matches_any(&name, WORK_ITEM_PATTERNS)
}

/// Whether a table holds what is measured or happens: its name says so.
pub(crate) fn is_event_name(table: &str) -> bool {
    lowercase(table).split('_').any(|word| EVENT_WORDS.contains(&word))
}

/// Whether a table only finds one thing by another, or holds locks: whatever time is in its key, its partitions are small.
pub(crate) fn is_lookup_name(table: &str) -> bool {
    matches_any(table, LOOKUP_PATTERNS)
}

/// Whether a table is a small one that every system has: settings, versions, lists of names.
pub(crate) fn is_registry_name(table: &str) -> bool {
    matches_any(table, REGISTRY_PATTERNS)
}

/// Whether a table of that name holds choices: the events of a subscription are kinds of events.
pub(crate) fn is_choice_name(table: &str) -> bool {
    has_word(table, CHOICE_WORDS)
}
