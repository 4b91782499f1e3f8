//! Recognises templates: CQL files with placeholders that another tool replaces before they run.

/// Whether a file is a template: by its name, `schema.cql.tmpl`, or by `${`, `{{name}}` or
/// `$NAME$`, which do not occur in CQL.
pub(crate) fn is_template(name: &str, text: &str) -> bool {
    let extension = name.rsplit('.').next().unwrap_or_default();
    extension.eq_ignore_ascii_case("tmpl")
        || text.contains("${")
        || text.split("{{").skip(1).any(is_braced_name)
        || text.match_indices('$').any(|(at, _)| is_between_dollars(text, at))
}

/// Whether the text after `{{` is that of `{{name}}`. A number instead of a name is an element of a
/// nested set.
fn is_braced_name(rest: &str) -> bool {
    let inside = rest.split_once("}}").map_or("", |(inside, _)| inside.trim());
    let is_plain =
        |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | '-');
    inside.starts_with(char::is_alphabetic) && inside.chars().all(is_plain)
}

/// Whether a `$` starts `$NAME$`; `$$` quotes a string.
fn is_between_dollars(text: &str, at: usize) -> bool {
    let (before, rest) = (&text[..at], &text[at + 1..]);
    let is_plain = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let after = rest.trim_start_matches(is_plain);
    after.len() < rest.len()
        && !before.ends_with('$')
        && after.starts_with('$')
        && !after.starts_with("$$")
}

#[cfg(test)]
mod tests {
    use super::is_template;

    #[test]
    fn templates_and_what_looks_like_one() {
        for (name, text) in [
            ("a.cql.tmpl", ""),
            ("a.cql", "CREATE TABLE ${ks}.t (a int PRIMARY KEY);"),
            ("a.cql", "CREATE TABLE {{ keyspace }}.t (a int PRIMARY KEY);"),
            ("a.cql", "CREATE TABLE $KEYSPACE$.t (a int PRIMARY KEY);"),
        ] {
            assert!(is_template(name, text), "{text}");
        }
        for text in [
            "INSERT INTO t (a, b) VALUES (1, {{1, 2}, {3}});",
            "CREATE FUNCTION f (a int) CALLED ON NULL INPUT RETURNS int LANGUAGE java AS $$return a;$$;",
            "SELECT $a FROM t;",
        ] {
            assert!(!is_template("a.cql", text), "{text}");
        }
    }
}
