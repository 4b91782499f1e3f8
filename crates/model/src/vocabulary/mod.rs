//! What the names of tables and columns have in common, wherever they are read: endings as data, and what names are without them.

mod singular;

pub use singular::to_singular;

/// Endings of the names of ids; the first that fits is taken.
const ID_ENDINGS: [&str; 2] = ["_id", "id"];

/// What a column is the id of, by its name: `manager` of `manager_id` and `managerid`, nothing of `id`. `None` for any other name.
pub fn id_stem(name: &str) -> Option<&str> {
    ID_ENDINGS.iter().find_map(|ending| name.strip_suffix(ending))
}

#[cfg(test)]
mod tests {
    use super::id_stem;

    #[test]
    fn endings_are_taken_off_once() {
        for (name, stem) in [
            ("manager_id", Some("manager")),
            ("managerid", Some("manager")),
            ("id", Some("")),
            ("_id", Some("")),
            ("idid", Some("id")),
            ("name", None),
        ] {
            assert_eq!(id_stem(name), stem, "{name}");
        }
    }
}
