//! Classes of columns by their types and names. Types speak louder than names.

use std::borrow::Cow;

use cql::types::{NativeType, Type};
use schema::catalog::{Column, Table};

/// The native type, if it is one.
pub fn native_type(ty: &Type) -> Option<NativeType> {
    match ty {
        Type::Native(native) => Some(*native),
        _ => None,
    }
}

fn has_type(column: &Column, types: &[NativeType]) -> bool {
    native_type(&column.ty).is_some_and(|ty| types.contains(&ty))
}

/// The name in lower case, which most are written in.
pub(crate) fn lowercase(name: &str) -> Cow<'_, str> {
    let is_lower = name.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
    if is_lower { Cow::Borrowed(name) } else { Cow::Owned(name.to_lowercase()) }
}

/// Whether a name is one of these words; `*` at either end of a word stands for anything.
pub fn matches_any(name: &str, words: &[&str]) -> bool {
    let name = lowercase(name);
    words.iter().any(|word| matches_pattern(name.as_bytes(), word.as_bytes()))
}

/// Whether a name is a word. Nearly all are told apart by their first or last letter, before any comparison.
fn matches_pattern(name: &[u8], word: &[u8]) -> bool {
    match word {
        [b'*', part @ .., b'*'] => name.windows(part.len().max(1)).any(|piece| piece == part),
        [b'*', end @ ..] => name.last() == end.last() && name.ends_with(end),
        [start @ .., b'*'] => name.first() == start.first() && name.starts_with(start),
        _ => name.len() == word.len() && name.first() == word.first() && name == word,
    }
}

/// Whether a column takes few values: a boolean or tinyint, or one whose name says so and whose type does not say otherwise.
pub fn is_low_cardinality(column: &Column) -> bool {
    use NativeType::{Ascii, Boolean, Int, Smallint, Text, Tinyint};
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
        "log_level",
        "severity",
        "country_code",
        "currency_code",
        "language_code",
        "*_rating",
    ];
    has_type(column, &[Boolean, Tinyint])
        || has_type(column, &[Ascii, Int, Smallint, Text])
            && (is_lookup_id(column) || !is_id(column) && matches_any(&column.name, WORDS))
}

/// Whether a column points into one of those short lists that every system has: `status_id int`.
fn is_lookup_id(column: &Column) -> bool {
    use NativeType::{Ascii, Int, Smallint, Text};
    const STEMS: &[&str] = &[
        "status", "state", "type", "kind", "level", "gender", "country", "lang", "language",
        "currency", "priority", "source",
    ];
    let name = lowercase(&column.name);
    let stem = name.strip_suffix("id").map(|stem| stem.trim_end_matches('_'));
    has_type(column, &[Ascii, Int, Smallint, Text])
        && stem.is_some_and(|stem| STEMS.contains(&stem))
}

/// Whether what a column says changes over time.
pub fn is_mutable(column: &Column) -> bool {
    const WORDS: &[&str] = &["is_*", "count", "version", "assignee", "rating", "valid", "deleted"];
    is_state(column) || matches_any(&column.name, WORDS) && !is_id(column)
}

/// Whether a column says how things stand now, so that each change of it moves the rows that have it in their key. Unlike
/// [`is_mutable`] it leaves out what may as well be part of an identity, such as a version.
pub fn is_state(column: &Column) -> bool {
    const WORDS: &[&str] =
        &["status", "state", "*_status", "*_state", "updated_*", "last_*", "modified*", "priority"];
    // A last name is no more mutable than a first one, and other states are countries.
    let is_name = matches_any(&column.name, &["last_name*", "*_id", "us_state", "home_state"]);
    matches_any(&column.name, WORDS) && !is_name || is_switch(column) || is_score(column)
}

/// Whether the state that a column names is a part of a country: there are other columns of an address beside it.
pub fn is_address_state(table: &Table, column: &Column) -> bool {
    const ADDRESS: &[&str] = &["country*", "city", "town", "zip*", "postal*", "street", "province"];
    matches_any(&column.name, &["state"])
        && table.columns().iter().any(|other| matches_any(&other.name, ADDRESS))
}

/// Whether a column is a flag that is switched: by its name.
fn is_switch(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "active",
        "enabled",
        "used",
        "done",
        "valid",
        "deleted",
        "read",
        "processed",
        "sent",
        "completed",
        "complete",
        "published",
        "archived",
        "open",
        "closed",
        "paid",
        "locked",
        "online",
        "available",
        "acknowledged",
        "expired",
        "resolved",
        "pending",
        "verified",
    ];
    let name = lowercase(&column.name);
    WORDS.contains(&name.strip_prefix("is_").unwrap_or(&name))
}

/// Whether a column is a number that goes up and down.
pub fn is_score(column: &Column) -> bool {
    matches_any(&column.name, &["score", "rank", "rating", "balance"])
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
        "created",
        "modified",
        "updated",
        "*_ts",
        "*timestamp*",
    ];
    has_type(column, &[Timestamp, Date, Time, Timeuuid])
        || has_type(column, &[Bigint, Int, Double, Decimal]) && matches_any(&column.name, WORDS)
}

/// Whether a column of a partition key is a span of time.
pub fn is_time_bucket(column: &Column) -> bool {
    use NativeType::{Ascii, Bigint, Date, Int, Smallint, Text, Timestamp};
    /// Of whatever type, they are spans.
    const SPANS: &[&str] = &[
        "day",
        "hour",
        "week",
        "month",
        "year",
        "year_month",
        "*_bucket",
        "*_day",
        "*_hour",
        "*_week",
        "*_month",
        "time_slice",
        "window*",
        "*_window",
        "time_partition",
        "date_partition",
        "day_partition",
    ];
    /// As a timestamp they are moments.
    const WORDS: &[&str] = &["date", "*_date", "yyyymm*", "*yyyymm*", "dpart", "epoch*"];
    has_type(column, &[Date])
        || has_type(column, &[Text, Ascii, Int, Bigint, Smallint, Timestamp])
            && matches_any(&column.name, SPANS)
        || has_type(column, &[Text, Ascii, Int, Bigint, Smallint])
            && matches_any(&column.name, WORDS)
        || has_type(column, &[Bigint]) && matches_any(&column.name, &["partition"])
}

/// Whether a column of a partition key is a span of time: by itself, or as a timestamp of a day that finer times are sorted under.
pub fn is_time_span(table: &Table, column: &Column) -> bool {
    let is_day = has_type(column, &[NativeType::Timestamp])
        && matches_any(&column.name, &["*date", "*day", "*hour", "*week", "*month"]);
    is_time_bucket(column) || is_day && table.clustering().first().is_some_and(is_time)
}

/// The seconds that a span of time in a partition key lasts, where its type or name tells.
pub fn bucket_seconds(column: &Column) -> Option<f64> {
    const DAY: f64 = 86_400.0;
    const UNITS: &[(&str, f64)] = &[
        ("minute", 60.0),
        ("hour", 3_600.0),
        ("week", 7.0 * DAY),
        ("yyyymmdd", DAY),
        ("yyyymm", 30.0 * DAY),
        ("month", 30.0 * DAY),
        ("year", 365.0 * DAY),
        ("day", DAY),
        ("date", DAY),
    ];
    let name = lowercase(&column.name);
    let unit = UNITS.iter().find(|(word, _)| name.contains(word)).map(|(_, seconds)| *seconds);
    unit.filter(|_| is_time_bucket(column))
        .or_else(|| has_type(column, &[NativeType::Date]).then_some(DAY))
}

/// Whether a column of a partition key splits what would be one partition: a span of time, a shard.
pub fn is_bucket(column: &Column) -> bool {
    is_time_bucket(column) || is_shard(column)
}

/// Whether a column of a partition key is a shard: a number or a text that rows are dealt out by, and no span of time.
pub fn is_shard(column: &Column) -> bool {
    use NativeType::{Ascii, Bigint, Blob, Boolean, Int, Smallint, Text, Timeuuid, Tinyint, Uuid};
    const WORDS: &[&str] = &[
        "shard*",
        "*_shard",
        "*_shard_id",
        "bucket",
        "buckets",
        "bucket_id",
        "bucket_n*",
        "bucket_index",
        "*_hash_bucket",
        "slot",
        "split",
        "partition_nr",
        "partition_id",
        "*_prefix",
        "hash_*",
        "modulo",
        "partno",
    ];
    let numeric = has_type(column, &[Bigint, Int, Smallint, Tinyint]);
    let fits = numeric || has_type(column, &[Ascii, Blob, Text]);
    !is_time_bucket(column)
        && !has_type(column, &[Boolean, Uuid, Timeuuid])
        && (fits && matches_any(&column.name, WORDS)
            && !matches_any(&column.name, &["bucket_name", "shard_name"])
            // A group of texts is a group of people; one of numbers is a quotient.
            || numeric && matches_any(&column.name, &["*_group", "group"]))
}

/// Whether a column identifies something.
pub fn is_id(column: &Column) -> bool {
    use NativeType::{Ascii, Blob, Boolean, Text, Timeuuid, Uuid};
    const NO_IDS: &[&str] = &[
        "valid", "invalid", "*_valid", "paid", "*_paid", "unpaid", "void", "grid", "bid", "*_bid",
        "hybrid",
    ];
    has_type(column, &[Uuid, Timeuuid])
        || !has_type(column, &[Boolean])
            && matches_any(&column.name, &["*_id", "id", "*_uuid", "uuid", "*id"])
            && !matches_any(&column.name, NO_IDS)
            && !is_lookup_id(column)
        || has_type(column, &[Blob, Text, Ascii])
            && matches_any(&column.name, &["hash", "key", "*_hash", "*_key"])
}

/// Whether a column identifies the rows of its table, and not something that they refer to: `id`, or the name of the table's own
/// thing (`order_id` in `orders_by_customer`).
pub fn is_own_id(table: &str, column: &Column) -> bool {
    let name = lowercase(&column.name);
    let stem =
        ["_id", "_uuid", "_number", "_no", "id"].iter().find_map(|end| name.strip_suffix(end));
    let Some(stem) = stem.map(|stem| stem.trim_end_matches('_')) else {
        return matches_any(&name, &["uuid", "confirm*"]);
    };
    let table = lowercase(table);
    // What stands behind "by" is what rows are looked up by.
    let thing = table.split("_by_").next().unwrap_or_default();
    let singular = |word: &str| word.strip_suffix('s').unwrap_or(word).to_owned();
    stem.is_empty()
        || matches_any(stem, &["confirm*"])
        || singular(thing) == singular(stem)
        || thing.split('_').any(|word| singular(word) == singular(stem))
}

/// Whether a column describes and does not identify: names of people and places, days, and what takes few values.
pub fn is_descriptive(column: &Column) -> bool {
    use NativeType::{Ascii, Date, Text, Timestamp};
    const WORDS: &[&str] = &[
        "name", "*_name", "*name", "title", "city", "town", "street", "address", "place", "zip*",
        "postal*", "postcode", "country", "region",
    ];
    has_type(column, &[Date, Timestamp])
        || is_low_cardinality(column)
        || has_type(column, &[Text, Ascii])
            && matches_any(&column.name, WORDS)
            && !matches_any(
                &column.name,
                &["username", "user_name", "login_name", "screen_name", "hostname"],
            )
}

/// Whether nearly every row has its own value: what identifies, addresses and secrets.
pub fn is_near_unique(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "*email*",
        "*_mail",
        "*token",
        "*phone*",
        "url",
        "*_url",
        "uri",
        "*_uri",
        "*hash",
        "*checksum",
        "ssn",
        "isbn",
        "username",
        "user_name",
        "login",
        "slug",
    ];
    is_id(column) || matches_any(&column.name, WORDS)
}

/// Whether a column names whom rows belong to, of those that share a system.
pub fn is_tenant(column: &Column) -> bool {
    const WORDS: &[&str] = &[
        "account",
        "account_id",
        "accountid",
        "customer",
        "customer_id",
        "customerid",
        "project",
        "project_id",
        "projectid",
    ];
    is_tenant_id(column) || matches_any(&column.name, WORDS) && !is_low_cardinality(column)
}

/// Whether a column names a tenant in the strict sense: one of those that a system is shared by, each with all its data.
pub fn is_tenant_id(column: &Column) -> bool {
    const STEMS: &[&str] =
        &["tenant", "org", "organization", "organisation", "realm", "workspace", "namespace"];
    let name = lowercase(&column.name);
    let stem = name.strip_suffix("uuid").or_else(|| name.strip_suffix("id")).unwrap_or(&name);
    STEMS.contains(&stem.trim_end_matches('_'))
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
    let name = lowercase(table);
    name.split('_').any(|word| WORDS.contains(&word)) || matches_any(&name, &["work_item*"])
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
    lowercase(table).split('_').any(|word| WORDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use cql::types::NativeType;
    use schema::catalog::{Column, ColumnKind};

    use super::*;

    fn column(name: &str, ty: NativeType) -> Column {
        let (name, ty) = (name.into(), ty.into());
        let kind = ColumnKind::Partition;
        Column { name, ty, kind, position: 0, descending: false, mask: None }
    }

    #[test]
    fn types_speak_louder_than_names() {
        use NativeType::{Bigint, Boolean, Int, Text, Timestamp, Timeuuid, Uuid};
        for (name, ty, few, id, bucket) in [
            ("status", Text, true, false, false),
            ("status", Uuid, false, true, false),
            ("source_id", Text, true, false, false),
            ("source_id", Uuid, false, true, false),
            ("sourceId", Int, true, false, false),
            ("user_id", Text, false, true, false),
            ("valid", Boolean, true, false, false),
            ("paid", Text, false, false, false),
            ("shard_id", Int, false, true, true),
            ("address_id_group", Int, false, false, true),
            ("user_group", Text, false, false, false),
            ("bucket_label", Text, false, false, false),
            ("domain_partition", Int, false, false, false),
            ("partition", Bigint, false, false, true),
            ("day", Text, false, false, true),
            ("added_date", Timestamp, false, false, false),
            ("added_date", Text, false, false, true),
            ("album_year", Int, false, false, false),
            ("day", Timeuuid, false, true, false),
        ] {
            let column = column(name, ty);
            let found = (is_low_cardinality(&column), is_id(&column), is_bucket(&column));
            assert_eq!(found, (few, id, bucket), "{name} {ty:?}");
        }
    }

    #[test]
    fn own_ids_are_named_after_the_table() {
        use NativeType::{Text, Uuid};
        for (table, name, own) in [
            ("orders_by_customer", "order_id", true),
            ("orders_by_customer", "customer_id", false),
            ("reservations_by_guest", "confirm_number", true),
            ("reservations_by_guest", "room_number", false),
            ("users", "id", true),
        ] {
            let ty = if name.ends_with("number") { Text } else { Uuid };
            assert_eq!(is_own_id(table, &column(name, ty)), own, "{table} {name}");
        }
    }
}
