//! What the names of tables and columns say of the things that tables hold.

use model::vocabulary::{id_stem, to_singular};

use super::translation::BY;

/// Keys that every table may have: they say nothing of what it holds.
const GENERIC_ID_NAMES: &[&str] = &["id", "key", "uuid"];

/// The name of what a table holds: `videos` of `videos_by_user`.
pub(crate) fn entity_name(table: &str) -> &str {
    let by = BY.iter().filter_map(|by| table.find(by)).min();
    by.and_then(|at| table.get(..at)).unwrap_or(table)
}

/// Whether a column has the name of a key that every table may have.
pub(crate) fn is_generic_id_name(column: &str) -> bool {
    GENERIC_ID_NAMES.contains(&column)
}

/// What a column points to, by its name: `user` of `user_id` and `userid`.
pub(crate) fn reference_stem(column: &str) -> &str {
    id_stem(column).unwrap_or(column).trim_end_matches('_')
}

/// Whether a table is called after a thing: `users`, `active_users` and `user_settings` after `user`.
pub(crate) fn is_named_after(table: &str, thing: &str) -> bool {
    let is_it = |word: &str| to_singular(word).starts_with(&to_singular(thing));
    thing.len() > 1 && (table == thing || table.split('_').any(is_it))
}
