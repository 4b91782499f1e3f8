//! Names of what identifies.

use cql::types::NativeType;
use model::vocabulary::{id_stem, to_singular};
use schema::catalog::Column;

use super::entity_names::entity_name;
use super::matcher::{lowercase, matches_any};
use super::types::has_type;

/// Words that end in the letters of an id and are none.
const NOT_ID_PATTERNS: &[&str] = &[
    "valid", "invalid", "*_valid", "paid", "*_paid", "unpaid", "void", "grid", "bid", "*_bid",
    "hybrid",
];

/// Names of ids of any type.
const ID_PATTERNS: &[&str] = &["*_id", "id", "*_uuid", "uuid", "*id"];

/// Names of texts and blobs that identify.
const KEY_PATTERNS: &[&str] = &["hash", "key", "*_hash", "*_key"];

/// What is listed once for a whole system: an id of it takes few values.
const LOOKUP_STEMS: &[&str] = &[
    "status", "state", "type", "kind", "level", "gender", "country", "lang", "language",
    "currency", "priority", "source",
];

/// Endings of names of ids; the first that fits is taken.
const OWN_ID_ENDINGS: &[&str] = &["_id", "_uuid", "_number", "_no", "id"];

/// Ids of the rows of a table, whatever it is called, without an ending.
const OWN_ID_PATTERNS: &[&str] = &["uuid", "confirm*"];

/// Stems of ids of the rows of a table, whatever it is called: what a confirmation is found by identifies what is confirmed.
const OWN_ID_STEM_PATTERNS: &[&str] = &["confirm*"];

/// Addresses, secrets and names of accounts: nearly every row has its own.
const NEAR_UNIQUE_PATTERNS: &[&str] = &[
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

/// What belongs to one person or thing alone.
const ADDRESS_PATTERNS: &[&str] = &[
    "email",
    "*_email",
    "email_address",
    "e_mail",
    "phone",
    "phone_number",
    "*_token",
    "token",
    "username",
    "ssn",
];

/// Numbers that are given out once.
const NUMBERING_PATTERNS: &[&str] = &[
    "*_number",
    "number",
    "*_no",
    "no_*",
    "numero*",
    "reference",
    "reference_*",
    "*_reference",
    "ref",
    "*_ref",
    "invoice*",
    "receipt*",
    "*_num",
    "serial*",
    "iban",
    "vin",
    "imei",
    "passport*",
    "license*",
    "sku",
    "barcode",
];

/// Names that things are called by.
const TITLE_PATTERNS: &[&str] = &["name", "title", "display_name", "full_name", "fullname"];

/// Whether a column is a number that is given out once.
pub(crate) fn is_numbering(column: &Column) -> bool {
    matches_any(&column.name, NUMBERING_PATTERNS)
}

/// Whether a column is the name that a thing is called by: most things have their own.
pub(crate) fn is_title(column: &Column) -> bool {
    has_type(column, &[NativeType::Text, NativeType::Ascii])
        && matches_any(&column.name, TITLE_PATTERNS)
}

/// Whether a column holds what belongs to one person or thing alone: an address, a secret, the name of an account.
pub(crate) fn is_address_of_one(column: &Column) -> bool {
    has_type(column, &[NativeType::Text, NativeType::Ascii])
        && matches_any(&column.name, ADDRESS_PATTERNS)
}

/// Whether a column identifies something.
pub(crate) fn is_id(column: &Column) -> bool {
    use NativeType::{Ascii, Blob, Boolean, Text, Timeuuid, Uuid};
    has_type(column, &[Uuid, Timeuuid])
        || !has_type(column, &[Boolean])
            && matches_any(&column.name, ID_PATTERNS)
            && !is_no_id_name(&column.name)
            && !is_lookup_id(column)
        || has_type(column, &[Blob, Text, Ascii]) && matches_any(&column.name, KEY_PATTERNS)
}

/// Whether a name ends in the letters of an id and is the name of none.
pub(crate) fn is_no_id_name(name: &str) -> bool {
    matches_any(name, NOT_ID_PATTERNS)
}

/// Whether a column points into one of those short lists that every system has: `status_id int`.
pub(super) fn is_lookup_id(column: &Column) -> bool {
    use NativeType::{Ascii, Int, Smallint, Text};
    let name = lowercase(&column.name);
    let stem = id_stem(&name).map(|stem| stem.trim_end_matches('_'));
    has_type(column, &[Ascii, Int, Smallint, Text])
        && stem.is_some_and(|stem| LOOKUP_STEMS.contains(&stem))
}

/// Whether a column identifies the rows of its table, and not something that they refer to: `id`, or the name of the table's own
/// thing (`order_id` in `orders_by_customer`).
pub(crate) fn is_own_id(table: &str, column: &Column) -> bool {
    let name = lowercase(&column.name);
    let stem = OWN_ID_ENDINGS.iter().find_map(|end| name.strip_suffix(end));
    let Some(stem) = stem.map(|stem| stem.trim_end_matches('_')) else {
        return matches_any(&name, OWN_ID_PATTERNS);
    };
    let table = lowercase(table);
    // What stands behind "by" is what rows are looked up by.
    let thing = entity_name(&table);
    stem.is_empty()
        || matches_any(stem, OWN_ID_STEM_PATTERNS)
        || to_singular(thing) == to_singular(stem)
        || thing.split('_').any(|word| to_singular(word) == to_singular(stem))
}

/// Whether nearly every row has its own value: what identifies, addresses and secrets.
pub(crate) fn is_near_unique(column: &Column) -> bool {
    is_id(column) || matches_any(&column.name, NEAR_UNIQUE_PATTERNS)
}
