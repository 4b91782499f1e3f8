//! Names of tables that say what they hold.

use super::matcher::{has_word, matches_any};

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

/// What users produce all the time, and what is noted of anything else now and then.
const ACTIVITY_WORDS: &[&str] =
    &["event", "events", "log", "logs", "activity", "activities", "audit", "auditlog"];

/// What is sent, and what keeps it.
const MESSAGE_WORDS: &[&str] = &[
    "message",
    "messages",
    "tweets",
    "posts",
    "events",
    "emails",
    "mails",
    "archive",
    "archives",
    "transactions",
    "notifications",
];

/// What machines produce all the time.
const STREAM_WORDS: &[&str] = &[
    "metric",
    "metrics",
    "measurement",
    "measurements",
    "reading",
    "readings",
    "telemetry",
    "sample",
    "samples",
    "click",
    "clicks",
    "clickstream",
    "pageviews",
    "impressions",
    "timeseries",
    "datapoints",
];

/// Logs.
const LOG_PATTERNS: &[&str] =
    &["log", "logs", "*_log", "*_logs", "*access", "*requests", "*audit", "auditlog", "accesslog"];

/// What becomes of one thing over the years, a few times each.
const SLOW_HISTORY_WORDS: &[&str] = &[
    "ownership",
    "owners",
    "payments",
    "payment",
    "revisions",
    "versions",
    "approvals",
    "transfers",
    "assignments",
    "statuses",
    "amendments",
    "edits",
];

/// Sums over spans of time, which have one row for each by construction.
const SUMMARY_PATTERNS: &[&str] = &[
    "*stats*",
    "*statistic*",
    "*summar*",
    "*rollup*",
    "*aggregat*",
    "*hourly*",
    "*daily*",
    "*weekly*",
    "*monthly*",
    "*_rate*",
    "*snapshot*",
    "*latest*",
];

/// Sums, word for word: `count` is in accounts and countries, too.
const SUMMARY_WORDS: &[&str] = &["count", "counts", "counter", "counters"];

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
    "schema_migration*",
    "schema_version*",
    "schema_history",
    "schema_update*",
    "migration",
    "migrations",
    "*_migration",
    "*_migrations",
    "databasechangelog*",
    "cluster",
    "clusters",
    "namespaces",
    "queues",
    "topics",
    "versions",
    "*_versions",
    "version",
    "*_version",
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

/// Whether a table holds what is measured or happens: its name says so.
pub(crate) fn is_event_name(table: &str) -> bool {
    has_word(table, EVENT_WORDS)
}

/// Whether a table holds what machines produce all the time, by its name.
pub(crate) fn is_stream_name(table: &str) -> bool {
    has_word(table, STREAM_WORDS)
}

/// Whether a table holds messages, or keeps for ever what has happened, by its name.
pub(crate) fn is_message_name(table: &str) -> bool {
    has_word(table, MESSAGE_WORDS)
}

/// Whether a table holds what somebody does all the time, or what is noted of something else now and then, by its name.
pub(crate) fn is_activity_name(table: &str) -> bool {
    has_word(table, ACTIVITY_WORDS)
}

/// Whether a table is a log, by its name.
pub(crate) fn is_log_name(table: &str) -> bool {
    matches_any(table, LOG_PATTERNS)
}

/// Whether a table says what becomes of one thing over the years, by its name.
pub(crate) fn is_slow_history_name(table: &str) -> bool {
    has_word(table, SLOW_HISTORY_WORDS)
}

/// Whether a table holds sums over spans of time, by its name.
pub(crate) fn is_summary_name(table: &str) -> bool {
    matches_any(table, SUMMARY_PATTERNS) || has_word(table, SUMMARY_WORDS)
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
