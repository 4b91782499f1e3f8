//! Names in SQL texts that are written.

/// Words that `PostgreSQL` reserves, so that they are no names without quotes.
const RESERVED: &[&str] = &[
    "all",
    "analyse",
    "analyze",
    "and",
    "any",
    "array",
    "as",
    "asc",
    "asymmetric",
    "authorization",
    "between",
    "bigint",
    "binary",
    "bit",
    "boolean",
    "both",
    "case",
    "cast",
    "char",
    "check",
    "coalesce",
    "collate",
    "collation",
    "column",
    "concurrently",
    "constraint",
    "create",
    "cross",
    "current_date",
    "current_role",
    "current_time",
    "current_timestamp",
    "current_user",
    "default",
    "deferrable",
    "desc",
    "distinct",
    "do",
    "else",
    "end",
    "except",
    "exists",
    "false",
    "fetch",
    "float",
    "for",
    "foreign",
    "freeze",
    "from",
    "full",
    "grant",
    "group",
    "having",
    "ilike",
    "in",
    "initially",
    "inner",
    "int",
    "intersect",
    "interval",
    "into",
    "is",
    "isnull",
    "join",
    "lateral",
    "leading",
    "left",
    "like",
    "limit",
    "localtime",
    "natural",
    "not",
    "notnull",
    "null",
    "numeric",
    "offset",
    "on",
    "only",
    "or",
    "order",
    "outer",
    "overlaps",
    "placing",
    "primary",
    "references",
    "returning",
    "right",
    "select",
    "session_user",
    "similar",
    "some",
    "table",
    "then",
    "to",
    "true",
    "union",
    "unique",
    "user",
    "using",
    "values",
];

/// Further words that are safer in quotes.
const AMBIGUOUS: &[&str] = &[
    "key",
    "position",
    "row",
    "time",
    "timestamp",
    "trailing",
    "verbose",
    "when",
    "where",
    "window",
    "with",
    "precision",
    "real",
    "setof",
    "symmetric",
    "date",
];

/// A name as SQL writes it: in quotes if it is not a plain word in lower case.
pub fn quote(name: &str) -> String {
    let is_plain = name.starts_with(|sign: char| sign.is_ascii_lowercase() || sign == '_')
        && name
            .chars()
            .all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_')
        && !RESERVED.contains(&name)
        && !AMBIGUOUS.contains(&name);
    if is_plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// Names, quoted where needed, with commas between them.
pub fn list(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| quote(name)).collect();
    quoted.join(", ")
}

/// A text from elsewhere as part of a comment: on one line, and without what would be a directive.
pub fn comment_text(text: &str) -> String {
    let text: String =
        text.chars().map(|sign| if sign.is_control() { ' ' } else { sign }).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('@', "(at)")
}

#[cfg(test)]
mod tests {
    use super::{comment_text, quote};

    #[test]
    fn names_are_quoted_where_needed() {
        let cases =
            [("users", "users"), ("user", "\"user\""), ("Id", "\"Id\""), ("a\"b", "\"a\"\"b\"")];
        for (name, text) in cases {
            assert_eq!(quote(name), text);
        }
        assert_eq!(comment_text("a\n  @rows 5"), "a (at)rows 5");
    }
}
