//! What is only for tests, or runs once: names of files and keyspaces say so.

use crate::column_class::matches_any;
use crate::{Environment, Location, Project};

/// Whether something is for tests and trials, where copies and durability do not matter: the check is told so, or the name of the
/// text or of the keyspace says so.
pub fn is_test_schema(project: &Project<'_>, place: Location, keyspace: &str) -> bool {
    let text = project.texts.get(place.text).map_or("", |text| text.name);
    project.settings.environment == Environment::Test
        || has_test_word(text)
        || has_test_word(keyspace)
}

/// Whether a place is in a program that changes a schema and what is stored, once: `migrations/Migration025.java`.
pub fn is_migration_program(project: &Project<'_>, place: Location) -> bool {
    let name = project.texts.get(place.text).map_or("", |text| text.name);
    let mut parts = name.rsplit(['/', '\\']).take(2);
    project.is_program(place) && parts.any(|part| matches_any(part, &["migrat*", "*migration.*"]))
}

/// Whether `test` is one of the words of a name: in `src/test/users.cql`, `brig_test`, `UserTest.java`, and not in `latest`.
fn has_test_word(name: &str) -> bool {
    const WORDS: &[&str] = &["test", "tests", "testing", "testdata", "fixture", "fixtures"];
    let mut word = String::new();
    let mut last = ' ';
    for letter in name.chars().chain([' ']) {
        let starts = !letter.is_ascii_alphabetic() || last.is_lowercase() && letter.is_uppercase();
        if starts {
            if WORDS.contains(&word.as_str()) {
                return true;
            }
            word.clear();
        }
        if letter.is_ascii_alphabetic() {
            word.push(letter.to_ascii_lowercase());
        }
        last = letter;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_test_word;

    #[test]
    fn names_that_say_test() {
        for name in ["brig_test", "src/test/users.cql", "UserTest.java", "test1", "Tests/a.cql"] {
            assert!(has_test_word(name), "{name}");
        }
        for name in ["latest", "contest_entries", "attestation", "schema.cql", "protest"] {
            assert!(!has_test_word(name), "{name}");
        }
    }
}
