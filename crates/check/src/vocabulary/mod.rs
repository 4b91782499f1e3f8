//! What names say: lists of words as data, and the heuristics that read them.
//!
//! The name of a list says how it is read: `_PATTERNS` are whole names with `*` at either end ([`matcher::matches_any`]),
//! `_WORDS` are words between underscores ([`matcher::has_word`]), `_STEMS` are names without the ending of an id.
//! Where a type tells more than a name it comes first. Nothing here knows a project.

pub(crate) mod collections;
pub(crate) mod descriptions;
pub(crate) mod entity_names;
pub(crate) mod files;
pub(crate) mod ids;
pub(crate) mod keys;
pub(crate) mod life_cycle;
pub(crate) mod matcher;
pub(crate) mod payloads;
pub(crate) mod people;
pub(crate) mod quantities;
pub(crate) mod status;
pub(crate) mod table_names;
pub(crate) mod tenants;
pub(crate) mod times;
pub(crate) mod translation;
pub(crate) mod types;
pub(crate) mod vendors;
pub(crate) mod work;

#[cfg(test)]
mod tests;
