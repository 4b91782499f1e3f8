//! What columns are for, as their names tell: money, counts, files, what grows, what limits.

use cql::types::{NativeType, Type};
use schema::catalog::Column;

use crate::column_class::{lowercase, matches_any, native_type};

/// Whether one of the words of a name, between underscores, is one of these.
pub fn has_word(name: &str, words: &[&str]) -> bool {
    let name = lowercase(name);
    name.split('_').any(|word| words.contains(&word))
}

/// Whether a name says that ever more is added: histories, logs, messages.
pub fn is_growing_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "log",
        "logs",
        "history",
        "histories",
        "events",
        "activities",
        "messages",
        "visits",
        "changes",
        "audit",
        "audits",
        "timeline",
        "comments",
        "notifications",
        "readings",
        "clicks",
    ];
    /// What is called so is taken away again, or is few.
    const TRANSIENT: &[&str] =
        &["buffered", "pending", "current", "recent", "last", "active", "scheduled", "open"];
    has_word(name, WORDS) && !has_word(name, TRANSIENT)
}

/// Whether a table of that name holds choices: the events of a subscription are kinds of events.
pub fn is_choice_name(table: &str) -> bool {
    const WORDS: &[&str] = &[
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
    has_word(table, WORDS)
}

/// Whether a name says that there may be thousands: what a block, a transaction or a popular thing has.
pub fn is_crowd_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "txs",
        "transactions",
        "inputs",
        "outputs",
        "followers",
        "subscribers",
        "members",
        "participants",
        "likes",
        "viewers",
        "readers",
        "watchers",
        "purchases",
        "orders",
    ];
    has_word(name, WORDS)
}

/// Whether a name says that its order matters.
pub fn is_ordered_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "priorities",
        "order",
        "ordering",
        "ordered",
        "steps",
        "path",
        "route",
        "ranking",
        "ranks",
        "sequence",
        "queue",
        "playlist",
        "stack",
        "chain",
        "positions",
        "stages",
    ];
    has_word(name, WORDS)
}

/// Whether a name says that it is an amount of money.
pub fn is_money_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "price", "prices", "amount", "cost", "costs", "balance", "salary", "fee", "fees",
        "revenue", "payment", "wage", "tax", "vat", "subtotal",
    ];
    has_word(name, WORDS)
        || matches_any(name, &["total", "order_total", "invoice_total", "grand_total"])
}

/// Whether a count of that name must be exact: stock, quotas, limits, money, distinct visitors.
pub fn is_exact_count_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "stock",
        "inventory",
        "quota",
        "quotas",
        "limit",
        "limits",
        "attempts",
        "attempt",
        "remaining",
        "available",
        "availability",
        "seats",
        "tickets",
        "credit",
        "credits",
        "unique",
        "uniques",
        "distinct",
        "ledger",
        "budget",
        "allowance",
    ];
    is_money_name(name) || has_word(name, WORDS)
}

/// Whether a column counts something: a whole number, by its name.
pub fn is_count(column: &Column) -> bool {
    use NativeType::{Bigint, Int, Varint};
    const WORDS: &[&str] =
        &["count", "counter", "counts", "views", "likes", "hits", "visits", "clicks", "downloads"];
    matches!(native_type(&column.ty), Some(Bigint | Int | Varint))
        && (has_word(&column.name, WORDS)
            || matches_any(&column.name, &["num_*", "total_*", "*_total"]))
}

/// Whether a name says that it is a file: an image, a document, an attachment.
pub fn is_file_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "image",
        "img",
        "file",
        "content",
        "contents",
        "attachment",
        "picture",
        "photo",
        "logo",
        "avatar",
        "thumbnail",
        "video",
        "audio",
        "pdf",
        "document",
        "binary",
    ];
    has_word(name, WORDS)
}

/// Whether a name says that its value is short, though a blob: a hash, an identifier, a token.
pub fn is_digest_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "hash",
        "hashes",
        "id",
        "ids",
        "key",
        "keys",
        "token",
        "tokens",
        "digest",
        "digests",
        "checksum",
        "address",
        "addresses",
        "signature",
        "signatures",
        "fingerprint",
        "fingerprints",
        "checksums",
        "pubkey",
        "pubkeys",
        "mac",
    ];
    has_word(name, WORDS)
}

/// Whether the keys of a map of that name are made up by whoever writes it.
pub fn is_attributes_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "attributes",
        "attrs",
        "properties",
        "props",
        "metadata",
        "meta",
        "tags",
        "labels",
        "options",
        "settings",
        "fields",
        "extra",
        "extras",
        "params",
        "parameters",
        "headers",
    ];
    has_word(name, WORDS)
}

/// The type of the elements of a collection, of the values of a map.
pub fn element_type(ty: &Type) -> Option<&Type> {
    match ty {
        Type::List(element, _) | Type::Set(element, _) => Some(element),
        Type::Map(entry, _) => Some(&entry.1),
        _ => None,
    }
}

/// Whether a name says that there are a few at most: tags, addresses, roles.
pub fn is_bounded_name(name: &str) -> bool {
    const WORDS: &[&str] = &[
        "emails",
        "phones",
        "numbers",
        "addresses",
        "roles",
        "permissions",
        "genres",
        "categories",
        "languages",
        "authors",
        "keywords",
    ];
    has_word(name, WORDS) || is_attributes_name(name)
}
