//! What is only for tests, or runs once: names of files and keyspaces say so.

use crate::vocabulary::files::{has_test_word, is_migration_file};
use crate::{Environment, Location, Project};

/// Whether something is for tests and trials, where copies and durability do not matter: the check is told so, or the name of the
/// text or of the keyspace says so.
pub(crate) fn is_test_schema(project: &Project<'_>, place: Location, keyspace: &str) -> bool {
    let text = project.texts.get(place.text).map_or("", |text| text.name);
    project.settings.environment == Environment::Test
        || has_test_word(text)
        || has_test_word(keyspace)
}

/// Whether a place is in a program that changes a schema and what is stored, once: `migrations/Migration025.java`.
pub(crate) fn is_migration_program(project: &Project<'_>, place: Location) -> bool {
    let name = project.texts.get(place.text).map_or("", |text| text.name);
    project.is_program(place) && is_migration_file(name)
}
