//! Names of work that is handed out: queues, jobs, who has taken them, and when they are due.

use cql::types::NativeType;
use schema::catalog::Column;

use super::matcher::{has_word, matches_any};
use super::types::has_type;

/// What is taken from, whatever else stands in the name.
const QUEUE_WORDS: &[&str] = &[
    "queue",
    "queues",
    "outbox",
    "inbox",
    "dlq",
    "mailbox",
    "pending",
    "inflight",
    "unacked",
    "unprocessed",
    "unsent",
    "undelivered",
    "backlog",
    "todo",
    "workitem",
    "workitems",
];

/// What is taken from, in two words or run together.
const QUEUE_PATTERNS: &[&str] =
    &["work_item*", "*in_flight*", "*dead_letter*", "*deadletter*", "*queue", "*_to_process"];

/// Work, which may as well be described as handed out.
const WORK_WORDS: &[&str] = &[
    "job",
    "jobs",
    "task",
    "tasks",
    "schedule",
    "scheduled",
    "reminder",
    "reminders",
    "timer",
    "timers",
    "delayed",
    "available",
    "claimed",
    "leased",
    "waiting",
    "retry",
    "retries",
];

/// How things stand with what is worked off.
const WAITING_WORDS: &[&str] =
    &["available", "claimed", "leased", "waiting", "delayed", "ready", "retry", "queued"];

/// What is worked off.
const ITEM_WORDS: &[&str] =
    &["messages", "items", "jobs", "tasks", "emails", "deliveries", "requests"];

/// What is done about work.
const RECORD_WORDS: &[&str] = &[
    "log",
    "logs",
    "history",
    "event",
    "events",
    "result",
    "results",
    "config",
    "configs",
    "comment",
    "comments",
    "definition",
    "definitions",
    "stats",
    "metrics",
    "count",
    "counts",
    "counter",
    "counters",
    "archive",
    "archived",
    "completed",
    "template",
    "templates",
    "type",
    "types",
];

/// Columns that say who has taken a piece of work, how often, and until when.
const CLAIM_PATTERNS: &[&str] = &[
    "locked_*",
    "lock_*",
    "lease*",
    "claim*",
    "worker*",
    "*_worker",
    "*_worker_id",
    "owner",
    "owner_id",
    "assignee",
    "assigned_*",
    "attempt",
    "attempts",
    "*_attempts",
    "attempt_*",
    "retry*",
    "retries",
    "*_retries",
    "visible_*",
    "visibility*",
    "picked_*",
    "dequeued_*",
    "processed",
    "processed_*",
    "acked*",
    "dispatched*",
    "delivery_count",
    "consumer*",
    "max_retries",
];

/// Times at which something is to be done.
const DUE_PATTERNS: &[&str] = &[
    "due",
    "due_*",
    "trigger",
    "trigger_*",
    "fire_*",
    "fires_*",
    "run_at",
    "run_time",
    "run_after",
    "execute_*",
    "execution_time",
    "scheduled_*",
    "schedule_time",
    "schedule_at",
    "next_run*",
    "next_fire*",
    "next_attempt*",
    "next_retry*",
    "deliver_at",
    "delivery_time",
    "send_at",
    "publish_at",
    "process_at",
    "process_after",
    "wake_*",
    "wakeup*",
    "remind_*",
    "reminder_time",
    "visible_at",
    "visible_after",
    "visibility_*",
    "available_at",
    "not_before",
    "eta",
];

/// Whether the name of a table says that it is a queue, or work that is handed out.
pub(crate) fn is_queue_name(table: &str) -> bool {
    is_strict_queue_name(table) || has_word(table, WORK_WORDS)
}

/// Whether the name of a table says that it is a queue, and nothing else.
pub(crate) fn is_strict_queue_name(table: &str) -> bool {
    has_word(table, QUEUE_WORDS)
        || matches_any(table, QUEUE_PATTERNS)
        || has_word(table, WAITING_WORDS) && has_word(table, ITEM_WORDS)
}

/// Whether a table of that name holds what is known of work, and not the work.
pub(crate) fn is_work_record_name(table: &str) -> bool {
    has_word(table, RECORD_WORDS)
}

/// Whether a column says who has taken a piece of work, how often, or until when.
pub(crate) fn is_claim(column: &Column) -> bool {
    matches_any(&column.name, CLAIM_PATTERNS)
}

/// Whether a column is a time at which something is to be done.
pub(crate) fn is_due_time(column: &Column) -> bool {
    use NativeType::{Bigint, Int, Timestamp, Timeuuid};
    has_type(column, &[Timestamp, Timeuuid, Bigint, Int]) && matches_any(&column.name, DUE_PATTERNS)
}
