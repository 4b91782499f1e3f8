//! Names of what takes few values, and of what changes.

use cql::types::NativeType;
use schema::catalog::Column;

use super::ids::{is_id, is_lookup_id};
use super::matcher::{lowercase, matches_any};
use super::types::has_type;

/// Statuses, kinds, countries, flags: what takes few values.
const LOW_CARDINALITY_PATTERNS: &[&str] = &[
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
    "protocol",
    "dc",
    "datacenter",
    "data_center",
    "platform",
    "sex",
    "tier",
    "mode",
    "direction",
    "visibility",
    "method",
    "http_method",
    "locale",
    "continent",
    "genre",
    "department",
    "industry",
    "sector",
    "weekday",
    "color",
    "colour",
    "*_role",
    "*_tier",
    "environment",
    "env",
    "is_*",
    "has_*",
    "enabled",
    "active",
    "flag",
    "day_of_week",
    "month",
    "hour",
    "*status",
    "status_*",
    "*_state",
    "*type",
    "*kind",
    "*category",
    "condition",
    "stage",
    "phase",
    "tag_key",
    "tagname",
    "tag_name",
    "label_name",
    "attribute_name",
    "property_name",
    "field_name",
    "log_level",
    "severity",
    "*_level",
    "country_code",
    "currency_code",
    "language_code",
    "*_rating",
];

/// What changes and may as well be part of an identity.
const MUTABLE_PATTERNS: &[&str] = &[
    "is_*",
    "count",
    "version",
    "assignee",
    "current_*",
    "stock",
    "quantity",
    "rating",
    "valid",
    "deleted",
];

/// What says how things stand now.
const STATE_PATTERNS: &[&str] = &[
    "status",
    "state",
    "*_status",
    "*_state",
    "condition",
    "updated_*",
    "last_*",
    "modified*",
    "priority",
];

/// A last name is no more mutable than a first one, and other states are countries.
const NOT_STATE_PATTERNS: &[&str] = &["last_name*", "*_id", "us_state", "home_state"];

/// Flags that are switched, with or without `is_` before them.
const SWITCH_WORDS: &[&str] = &[
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

/// Flags of what somebody switches on and off.
const ACTIVATION_WORDS: &[&str] = &["active", "enabled", "disabled"];

/// Numbers that go up and down.
const SCORE_PATTERNS: &[&str] = &[
    "score",
    "rank",
    "ranking",
    "rating",
    "balance",
    "points",
    "avg_*",
    "average*",
    "mean_*",
    "popularity",
];

/// Columns of a hand-made index that hold what rows are found by.
const INDEX_VALUE_PATTERNS: &[&str] = &["index_key", "index_value"];

/// What takes few values, as the first word of the name of a hand-made index.
const INDEXED_FEW_PATTERNS: &[&str] = &["state", "status", "type", "kind"];

/// Whether a column takes few values: a boolean or tinyint, or one whose name says so and whose type does not say otherwise.
pub(crate) fn is_low_cardinality(column: &Column) -> bool {
    use NativeType::{Ascii, Boolean, Int, Smallint, Text, Tinyint};
    has_type(column, &[Boolean, Tinyint])
        || has_type(column, &[Ascii, Int, Smallint, Text])
            && (is_lookup_id(column)
                || !is_id(column) && matches_any(&column.name, LOW_CARDINALITY_PATTERNS))
}

/// Whether what a column says changes over time.
pub(crate) fn is_mutable(column: &Column) -> bool {
    is_state(column) || matches_any(&column.name, MUTABLE_PATTERNS) && !is_id(column)
}

/// Whether a column says how things stand now, so that each change of it moves the rows that have it in their key. Unlike
/// [`is_mutable`] it leaves out what may as well be part of an identity, such as a version.
pub(crate) fn is_state(column: &Column) -> bool {
    let is_name = matches_any(&column.name, NOT_STATE_PATTERNS);
    let points = has_type(column, &[NativeType::Uuid, NativeType::Timeuuid]);
    !points
        && (matches_any(&column.name, STATE_PATTERNS) && !is_name
            || is_switch(column)
            || is_score(column))
}

/// Whether a column is a flag that is switched: by its name.
fn is_switch(column: &Column) -> bool {
    let name = lowercase(&column.name);
    SWITCH_WORDS.contains(&name.strip_prefix("is_").unwrap_or(&name))
}

/// Whether a column is a flag of what somebody switches on and off: accounts, rules, prices, and nothing that just happens.
pub(crate) fn is_activation(column: &Column) -> bool {
    let name = lowercase(&column.name);
    has_type(column, &[NativeType::Boolean])
        && ACTIVATION_WORDS.contains(&name.strip_prefix("is_").unwrap_or(&name))
}

/// Whether a column is a number that goes up and down.
pub(crate) fn is_score(column: &Column) -> bool {
    matches_any(&column.name, SCORE_PATTERNS)
}

/// Whether a table is a hand-made index whose name says that what it finds rows by takes few values: `index_key` of
/// `state_experiment_index`.
pub(crate) fn is_low_cardinality_index(table: &str, column: &Column) -> bool {
    let table = lowercase(table);
    let found_by = table.strip_suffix("_index").and_then(|rest| rest.split('_').next());
    matches_any(&column.name, INDEX_VALUE_PATTERNS)
        && found_by.is_some_and(|word| matches_any(word, INDEXED_FEW_PATTERNS))
}
