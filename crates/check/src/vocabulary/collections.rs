//! Names of collections: how many elements they hold, and in which order.

use super::matcher::has_word;

/// What more is ever added to.
const GROWING_WORDS: &[&str] = &[
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
const TRANSIENT_WORDS: &[&str] =
    &["buffered", "pending", "current", "recent", "last", "active", "scheduled", "open"];

/// What a block, a transaction or a popular thing has by the thousand.
const CROWD_WORDS: &[&str] = &[
    "txs",
    "transactions",
    "inputs",
    "outputs",
    "followers",
    "subscribers",
    "members",
    "friends",
    "following",
    "attendees",
    "likes",
    "viewers",
    "readers",
    "watchers",
    "purchases",
    "orders",
];

/// What is read in its order.
const ORDERED_WORDS: &[&str] = &[
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

/// Maps whose keys are made up by whoever writes them.
const ATTRIBUTES_WORDS: &[&str] = &[
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

/// What there are a few of at most.
const BOUNDED_WORDS: &[&str] = &[
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

/// Whether a name says that ever more is added: histories, logs, messages.
pub(crate) fn is_growing_name(name: &str) -> bool {
    has_word(name, GROWING_WORDS) && !has_word(name, TRANSIENT_WORDS)
}

/// Whether a name says that there may be thousands: what a block, a transaction or a popular thing has.
pub(crate) fn is_crowd_name(name: &str) -> bool {
    has_word(name, CROWD_WORDS)
}

/// Whether a name says that its order matters.
pub(crate) fn is_ordered_name(name: &str) -> bool {
    has_word(name, ORDERED_WORDS)
}

/// Whether the keys of a map of that name are made up by whoever writes it.
pub(crate) fn is_attributes_name(name: &str) -> bool {
    has_word(name, ATTRIBUTES_WORDS)
}

/// Whether a name says that there are a few at most: tags, addresses, roles.
pub(crate) fn is_bounded_name(name: &str) -> bool {
    has_word(name, BOUNDED_WORDS) || is_attributes_name(name)
}
