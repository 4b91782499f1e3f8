//! Who is behind rows: everybody who uses a system, or one person by hand.

use schema::catalog::{Column, Table};

use super::purpose::has_word;
use crate::column_class;

/// The position of the clustering column that gathers everybody in one partition: users behind an experiment, a campaign, an application.
pub(super) fn audience_column(table: &Table) -> Option<usize> {
    /// What all users of a system may have to do with.
    const AUDIENCE_SUBJECTS: &[&str] = &[
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
    let is_stage = |column: &Column| AUDIENCE_SUBJECTS.contains(&&*entity_stem(column));
    let is_split =
        |column: &Column| column_class::is_bucket(column) || column_class::is_time(column);
    let key = table.partition_key();
    let stands_alone = !key.iter().any(|column| is_person(column) || is_split(column));
    let is_open = !table.is_view && !has_word(&table.name, PRIVILEGE_WORDS);
    let is_there = is_open && stands_alone && key.iter().any(is_stage);
    table.clustering().iter().position(|column| is_there && is_person(column))
}

/// Whether rows are what one person makes by hand, one at a time: few, even in years.
pub(crate) fn is_hand_entered(table: &Table) -> bool {
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
    has_word(&table.name, AUTHORED_WORDS) && table.partition_key().iter().any(is_person)
}

/// Whether a column identifies a person who uses the system.
fn is_person(column: &Column) -> bool {
    const PEOPLE: &[&str] =
        &["user", "customer", "visitor", "subscriber", "player", "viewer", "member", "author"];
    (column_class::is_id(column) || column_class::matches_any(&column.name, &["username", "user"]))
        && PEOPLE.contains(&entity_stem(column).as_str())
}

/// What a column is the id or name of: `app` of `app_name`, `user` of `userid`.
fn entity_stem(column: &Column) -> String {
    let name = column.name.to_lowercase();
    let ends = ["_uuid", "_name", "_id", "name", "id"];
    let stem = ends.iter().find_map(|end| name.strip_suffix(end)).unwrap_or(&name);
    stem.trim_end_matches('_').to_owned()
}
