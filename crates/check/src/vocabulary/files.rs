//! Names of files and keyspaces that say what they are for.

use super::matcher::matches_any;

/// What is for tests.
const TEST_WORDS: &[&str] = &["test", "tests", "testing", "testdata", "fixture", "fixtures"];

/// Files and folders of migrations.
const MIGRATION_PATTERNS: &[&str] = &["migrat*", "*migration.*"];

/// Whether `test` is one of the words of a name: in `src/test/users.cql`, `brig_test`, `UserTest.java`, and neither in `latest` nor
/// before another word, as in `TestRunDao.java`, which is about runs of tests.
pub(crate) fn has_test_word(name: &str) -> bool {
    let mut word = String::new();
    let (mut last, mut is_capital) = (' ', false);
    for letter in name.chars().chain([' ']) {
        let continues = last.is_lowercase() && letter.is_uppercase();
        if !letter.is_ascii_alphabetic() || continues {
            if TEST_WORDS.contains(&word.as_str()) && !(continues && is_capital) {
                return true;
            }
            word.clear();
        }
        if word.is_empty() {
            is_capital = letter.is_uppercase();
        }
        if letter.is_ascii_alphabetic() {
            word.push(letter.to_ascii_lowercase());
        }
        last = letter;
    }
    false
}

/// Whether a file is one of a migration: by its name, or that of its folder.
pub(crate) fn is_migration_file(path: &str) -> bool {
    let mut parts = path.rsplit(['/', '\\']).take(2);
    parts.any(|part| matches_any(part, MIGRATION_PATTERNS))
}

#[cfg(test)]
mod tests {
    use super::has_test_word;

    #[test]
    fn names_that_say_test() {
        for name in ["brig_test", "src/test/users.cql", "UserTest.java", "test1", "Tests/a.cql"] {
            assert!(has_test_word(name), "{name}");
        }
        for name in
            ["latest", "contest_entries", "attestation", "schema.cql", "protest", "TestRunDao.java"]
        {
            assert!(!has_test_word(name), "{name}");
        }
    }
}
