//! Names of what ends by itself, and of what somebody sets up.

use cql::types::NativeType;
use model::vocabulary::{id_stem, to_singular};
use schema::catalog::{Column, Table};

use super::ids::is_id;
use super::matcher::{has_word, lowercase, matches_any};
use super::types::has_type;

/// Times at which rows go.
const EXPIRY_PATTERNS: &[&str] =
    &["expires*", "expiry*", "expire*", "expiration*", "*_expiry", "*until"];

/// What proves something for a while, and is worthless afterwards.
const PROOF_WORDS: &[&str] = &[
    "token",
    "tokens",
    "session",
    "sessions",
    "cookie",
    "cookies",
    "challenge",
    "challenges",
    "nonce",
    "nonces",
    "otp",
    "otps",
    "captcha",
    "captchas",
    "verification",
    "verifications",
];

/// The few things that somebody sets up.
const CONFIGURATION_STEMS: &[&str] = &[
    "schedule",
    "rule",
    "policy",
    "profile",
    "template",
    "role",
    "plan",
    "config",
    "setting",
    "webhook",
    "integration",
    "definition",
    "group",
    "team",
    "room",
    "channel",
    "chat",
    "alarm",
    "folder",
    "list",
    "board",
    "project",
    "category",
];

/// What happens once and is over: its rows are few and come soon.
const SHORT_LIVED_STEMS: &[&str] = &[
    "trace",
    "span",
    "order",
    "request",
    "session",
    "transaction",
    "tx",
    "txn",
    "payment",
    "invoice",
    "booking",
    "reservation",
    "message",
    "event",
    "run",
    "execution",
    "workflow",
    "job",
    "task",
    "batch",
    "import",
    "export",
    "upload",
    "checkout",
    "cart",
    "ticket",
    "token",
    "call",
    "trip",
    "ride",
    "shipment",
    "delivery",
    "update",
    "build",
    "deployment",
    "incident",
    "game",
    "match",
];

/// Whether a time or id among the clustering columns adds no rows without end: it says when rows go, or names one of the few things
/// that somebody sets up.
pub(crate) fn is_bounded_column(column: &Column) -> bool {
    let name = lowercase(&column.name);
    let thing = id_stem(&name).map(|stem| stem.trim_end_matches('_'));
    let is_set_up = thing.and_then(|thing| thing.rsplit('_').next());
    matches_any(&name, EXPIRY_PATTERNS)
        || is_set_up.is_some_and(|thing| CONFIGURATION_STEMS.contains(&thing))
}

/// The column that says until when a row is worth something, in a table of what proves something for a while: tokens, sessions.
/// The name of the table or of its key says so.
pub(crate) fn find_expiry_of_proof(table: &Table) -> Option<&Column> {
    use NativeType::{Bigint, Date, Int, Timestamp};
    let is_proof = has_word(&table.name, PROOF_WORDS)
        || table.primary_key().iter().any(|column| has_word(&column.name, PROOF_WORDS));
    let is_expiry = |column: &&Column| {
        has_type(column, &[Bigint, Date, Int, Timestamp])
            && matches_any(&column.name, EXPIRY_PATTERNS)
    };
    table.columns().iter().find(is_expiry).filter(|_| is_proof)
}

/// Whether a table of that name holds the few things that somebody sets up.
pub(crate) fn is_set_up_name(table: &str) -> bool {
    CONFIGURATION_STEMS.contains(&&*to_singular(table))
}

/// Whether a column is called after something that happens once and is over.
pub(crate) fn is_short_lived_name(column: &Column) -> bool {
    let name = lowercase(&column.name);
    let stem = name.trim_end_matches("uuid").trim_end_matches("id").trim_end_matches('_');
    SHORT_LIVED_STEMS.contains(&stem.rsplit('_').next().unwrap_or(stem))
}

/// Whether a column is the id of something that ends by itself, or a secret that is given to one.
pub(crate) fn is_short_lived_id(column: &Column) -> bool {
    is_id(column) && is_short_lived_name(column) || is_secret(column)
}

/// Whether a thing of that name happens once and is over.
pub(crate) fn is_short_lived_thing(thing: &str) -> bool {
    SHORT_LIVED_STEMS.contains(&thing)
}

/// Whether a column is a token or a code that is given to one: what stands behind it in a key is a property of it.
fn is_secret(column: &Column) -> bool {
    const SECRETS: &[&str] = &["token", "*_token", "code", "*_secret", "nonce", "otp"];
    has_type(column, &[NativeType::Text, NativeType::Ascii, NativeType::Blob])
        && matches_any(&column.name, SECRETS)
}
