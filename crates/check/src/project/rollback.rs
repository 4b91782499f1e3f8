//! Files that take migrations back.

/// Whether a file takes a migration back: `001_x.down.cql`, `U001__x.cql`.
pub fn is_rollback(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    lower.ends_with(".down.cql")
        || lower
            .strip_prefix('u')
            .is_some_and(|rest| rest.starts_with(|one: char| one.is_ascii_digit()))
}

/// The number of the migration that a file is, or takes back: `1` of `V1__a.cql`, `U1__a.cql`, `1_a.up.cql` and `1_a.down.cql`.
pub(crate) fn migration_number(name: &str) -> Option<String> {
    let digits = name.strip_prefix(['V', 'v', 'U', 'u']).unwrap_or(name);
    let end = digits.find(|one: char| !one.is_ascii_digit() && !matches!(one, '.' | '_' | '-'));
    let number = digits.get(..end.unwrap_or(digits.len()))?.trim_end_matches(['.', '_', '-']);
    (!number.is_empty()).then(|| number.to_owned())
}

#[cfg(test)]
mod tests {
    use super::{is_rollback, migration_number};

    #[test]
    fn a_file_and_what_takes_it_back_have_one_number() {
        for (up, down) in [("V1__a.cql", "U1__a.cql"), ("1_a.up.cql", "1_a.down.cql")] {
            assert!(!is_rollback(up) && is_rollback(down));
            assert_eq!(migration_number(up), migration_number(down));
        }
        assert_eq!(migration_number("20240101_1200_x.cql").as_deref(), Some("20240101_1200"));
        assert!(!is_rollback("users.cql"));
        assert_eq!(migration_number("users.cql"), None);
    }
}
