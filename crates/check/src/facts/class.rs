//! Classes of columns by their types and names. Types speak louder than names.

use cql::types::{NativeType, Type};
use model::catalog::Column;

/// The native type, if it is one.
pub fn native(ty: &Type) -> Option<NativeType> {
    match ty {
        Type::Native(native) => Some(*native),
        _ => None,
    }
}

fn is(column: &Column, types: &[NativeType]) -> bool {
    native(&column.ty).is_some_and(|ty| types.contains(&ty))
}

/// The name in lower case.
fn lower(name: &str) -> String {
    name.to_lowercase()
}

/// Whether a name is one of these words; `*` at either end of a word stands for anything.
pub fn named(name: &str, words: &[&str]) -> bool {
    let name = lower(name);
    words.iter().any(|word| match (word.strip_prefix('*'), word.strip_suffix('*')) {
        (Some(_), Some(_)) => name.contains(word.trim_matches('*')),
        (Some(end), None) => name.ends_with(end),
        (None, Some(start)) => name.starts_with(start),
        (None, None) => name == *word,
    })
}

/// Whether a column takes few values: a boolean, or one whose name says so.
pub fn is_low_cardinality(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "status",
        "state",
        "type",
        "kind",
        "category",
        "level",
        "role",
        "gender",
        "country",
        "region",
        "lang",
        "language",
        "currency",
        "priority",
        "source",
        "is_*",
        "has_*",
        "enabled",
        "active",
        "flag",
        "day_of_week",
        "month",
        "hour",
        "*_status",
        "*_state",
        "*_type",
        "*_kind",
        "*_category",
    ];
    if is(column, &[NativeType::Boolean, NativeType::Tinyint]) {
        return true;
    }
    !is_id(column) && named(&column.name, WORDS)
}

/// Whether what a column says changes over time.
pub fn is_mutable(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "status",
        "state",
        "*_status",
        "*_state",
        "is_*",
        "enabled",
        "active",
        "used",
        "done",
        "updated_*",
        "last_*",
        "modified*",
        "score",
        "rank",
        "rating",
        "priority",
        "balance",
        "count",
        "version",
        "owner",
        "assignee",
    ];
    named(&column.name, WORDS)
}

/// Whether a column is a time: by its type, or a number by its name.
pub fn is_time(column: &Column) -> bool {
    use NativeType::{Bigint, Date, Decimal, Double, Int, Time, Timestamp, Timeuuid};
    const WORDS: &[&str] = &[
        "ts",
        "time",
        "*_at",
        "*_on",
        "*_time",
        "*_date",
        "epoch*",
        "when",
        "*_ts",
        "*timestamp*",
    ];
    is(column, &[Timestamp, Date, Time, Timeuuid])
        || is(column, &[Bigint, Int, Double, Decimal]) && named(&column.name, WORDS)
}

/// Whether a column of a partition key is a span of time.
pub fn is_time_bucket(column: &Column) -> bool {
    use NativeType::{Ascii, Bigint, Date, Int, Smallint, Text, Timestamp};
    const WORDS: &[&str] = &[
        "day",
        "date",
        "hour",
        "week",
        "month",
        "year",
        "year_month",
        "yyyymm*",
        "*_bucket",
        "*_day",
        "*_hour",
        "*_week",
        "*_month",
        "*_year",
        "*_date",
        "time_slice",
        "window*",
        "*_window",
        "dpart",
        "epoch*",
        "time_bucket",
        "*_partition",
    ];
    is(column, &[Date])
        || is(column, &[Text, Ascii, Int, Bigint, Smallint, Timestamp])
            && named(&column.name, WORDS)
        || is(column, &[Bigint]) && named(&column.name, &["partition"])
}

/// Whether a column of a partition key splits what would be one partition: a span of time, a shard.
pub fn is_bucket(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "shard*",
        "*_shard",
        "bucket*",
        "*_bucket",
        "slot",
        "split",
        "partition_nr",
        "partition_id",
        "*_group",
        "*_prefix",
        "hash_*",
        "*_hash_bucket",
        "modulo",
        "partno",
        "*_partition",
    ];
    is_time_bucket(column) || named(&column.name, WORDS)
}

/// Whether a column identifies something.
pub fn is_id(column: &Column) -> bool {
    use NativeType::{Ascii, Blob, Text, Timeuuid, Uuid};
    is(column, &[Uuid, Timeuuid])
        || named(&column.name, &["*_id", "id", "*_uuid", "*id"])
        || is(column, &[Blob, Text, Ascii])
            && named(&column.name, &["hash", "key", "*_hash", "*_key"])
}

/// Whether a column names whom rows belong to, of those that share a system.
pub fn is_tenant(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "tenant*",
        "org*",
        "realm*",
        "account*",
        "workspace*",
        "namespace*",
        "customer*",
        "project*",
    ];
    named(&column.name, WORDS)
}

/// Whether the name of a table says that it is a queue.
pub fn is_queue_name(table: &str) -> bool {
    const WORDS: &[&str] = &[
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
    let name = lower(table);
    name.split('_').any(|word| WORDS.contains(&word)) || named(&name, &["work_item*"])
}

/// Whether a table holds what is measured or happens: its name says so.
pub fn is_event_name(table: &str) -> bool {
    const WORDS: &[&str] = &[
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
    lower(table).split('_').any(|word| WORDS.contains(&word))
}
