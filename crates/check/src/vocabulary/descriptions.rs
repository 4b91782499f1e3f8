//! Names of what describes: people, places, addresses.

use cql::types::NativeType;
use schema::catalog::{Column, Table};

use super::matcher::matches_any;
use super::status::is_low_cardinality;
use super::types::has_type;

/// Names of people and places.
const DESCRIPTIVE_PATTERNS: &[&str] = &[
    "name", "*_name", "*name", "title", "city", "town", "street", "address", "place", "zip*",
    "postal*", "postcode", "country", "region",
];

/// Names that identify.
const IDENTIFYING_NAME_PATTERNS: &[&str] =
    &["username", "user_name", "login_name", "screen_name", "hostname"];

/// Columns of an address.
const ADDRESS_PATTERNS: &[&str] =
    &["country*", "city", "town", "zip*", "postal*", "street", "province"];

/// A part of a country, or how things stand.
const ADDRESS_STATE_PATTERNS: &[&str] = &["state"];

/// Whether a column describes and does not identify: names of people and places, days, and what takes few values.
pub(crate) fn is_descriptive(column: &Column) -> bool {
    use NativeType::{Ascii, Date, Text, Timestamp};
    has_type(column, &[Date, Timestamp])
        || is_low_cardinality(column)
        || has_type(column, &[Text, Ascii])
            && matches_any(&column.name, DESCRIPTIVE_PATTERNS)
            && !matches_any(&column.name, IDENTIFYING_NAME_PATTERNS)
}

/// Whether the state that a column names is a part of a country: there are other columns of an address beside it.
pub(crate) fn is_address_state(table: &Table, column: &Column) -> bool {
    matches_any(&column.name, ADDRESS_STATE_PATTERNS)
        && table.columns().iter().any(|other| matches_any(&other.name, ADDRESS_PATTERNS))
}
