//! Names of people, of what they all have to do with, and of what one of them makes.

use schema::catalog::{Column, Table};

use super::ids::is_id;
use super::matcher::{has_word, lowercase, matches_any};

/// Those who use a system.
const PERSON_STEMS: &[&str] = &[
    "user",
    "client",
    "customer",
    "visitor",
    "subscriber",
    "player",
    "viewer",
    "member",
    "author",
];

/// Names of those who use a system.
const PERSON_PATTERNS: &[&str] = &["username", "user"];

/// What all users of a system may have to do with.
const AUDIENCE_STEMS: &[&str] = &[
    "app",
    "application",
    "experiment",
    "campaign",
    "promotion",
    "segment",
    "cohort",
    "audience",
    "survey",
    "poll",
    "topic",
];

/// Those who gather around somebody or something: the most popular one has all of them.
const FOLLOWER_STEMS: &[&str] = &["follower", "subscriber", "fan"];

/// Those who do something at a place where others do it as well.
const ACTOR_STEMS: &[&str] = &[
    "bidder",
    "sender",
    "author",
    "buyer",
    "seller",
    "voter",
    "commenter",
    "reviewer",
    "visitor",
    "caller",
];

/// Places in the web.
const SITE_STEMS: &[&str] = &["domain", "site", "website", "host", "hostname"];

/// Addresses of their pages.
const PAGE_PATTERNS: &[&str] =
    &["url", "*_url", "uri", "*_uri", "path", "*_path", "url_path", "page*"];

/// Those who have a say are few.
const PRIVILEGE_WORDS: &[&str] = &[
    "role",
    "roles",
    "member",
    "members",
    "admin",
    "admins",
    "permission",
    "permissions",
    "owner",
    "owners",
    "access",
    "acl",
    "grants",
];

/// What one person makes by hand, one at a time.
const AUTHORED_WORDS: &[&str] = &[
    "feedback",
    "feedbacks",
    "rating",
    "ratings",
    "review",
    "reviews",
    "comment",
    "comments",
    "bookmark",
    "bookmarks",
    "favorites",
    "favourites",
    "address",
    "addresses",
    "videos",
    "posts",
    "photos",
    "uploads",
    "articles",
    "playlists",
    "reservations",
    "bookings",
    "appointments",
    "invoices",
    "invitation",
    "invitations",
];

/// Endings of columns that name something; the first that fits is taken.
const REFERENCE_ENDINGS: &[&str] = &["_uuid", "_name", "_id", "name", "id"];

/// Whether a column identifies a person who uses the system.
pub(crate) fn is_person(column: &Column) -> bool {
    (is_id(column) || matches_any(&column.name, PERSON_PATTERNS))
        && PERSON_STEMS.contains(&entity_stem(column).as_str())
}

/// Whether a column says something of a person who uses the system: `user_country`, `customer_age`.
pub(crate) fn is_property_of_person(column: &Column) -> bool {
    let name = lowercase(&column.name);
    let word = name.split('_').next().unwrap_or_default();
    name.contains('_') && PERSON_STEMS.contains(&word)
}

/// Whether a column identifies something that all users of a system may have to do with.
pub(crate) fn is_audience_subject(column: &Column) -> bool {
    AUDIENCE_STEMS.contains(&entity_stem(column).as_str())
}

/// Whether a column identifies one of those who do something where others do it as well.
pub(crate) fn is_actor(column: &Column) -> bool {
    is_id(column) && ACTOR_STEMS.contains(&entity_stem(column).as_str())
}

/// Whether a column identifies one of those who gather around somebody or something.
pub(crate) fn is_follower(column: &Column) -> bool {
    is_id(column) && FOLLOWER_STEMS.contains(&entity_stem(column).as_str())
}

/// Whether a column is the name of a place in the web that may have any number of pages.
pub(crate) fn is_site(column: &Column) -> bool {
    SITE_STEMS.contains(&entity_stem(column).as_str())
}

/// Whether a column is the address of a page.
pub(crate) fn is_page_address(column: &Column) -> bool {
    matches_any(&column.name, PAGE_PATTERNS)
}

/// Whether a table holds those who have a say, by its name.
pub(crate) fn is_privilege_name(table: &str) -> bool {
    has_word(table, PRIVILEGE_WORDS)
}

/// Whether rows are what one person makes by hand, one at a time: few, even in years.
pub(crate) fn is_hand_entered(table: &Table) -> bool {
    has_word(&table.name, AUTHORED_WORDS) && table.partition_key().iter().any(is_person)
}

/// What a column is the id or name of: `app` of `app_name`, `user` of `userid`.
fn entity_stem(column: &Column) -> String {
    let name = lowercase(&column.name);
    let stem = REFERENCE_ENDINGS.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    stem.trim_end_matches('_').to_owned()
}
