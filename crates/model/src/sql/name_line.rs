//! Name lines, in the syntax of sqlc: `-- name: UserByEmail :one`.

use cql::{Diagnostic, Span};

use super::source::Cardinality;
use crate::diagnostics::error;
use crate::directive::words::words;

/// A name line.
#[derive(Clone, Debug)]
pub struct NameLine {
    /// The name.
    pub name: String,
    /// The place of the name.
    pub span: Span,
    /// What the statement returns.
    pub cardinality: Cardinality,
}

const HELP: &str = "write the line as -- name: UserByEmail :one, with :one, :many or :exec";

/// The name line in a comment; `None` for any other comment.
///
/// sqlc's `name:` is in lower case and stands first; `pg_dump`'s `Name: users; Type: TABLE` is
/// something else.
pub fn read(file: &str, text: Span) -> Option<Result<NameLine, Diagnostic>> {
    let words = words(text.text(file), text.start);
    let first = words.first().filter(|word| word.text.starts_with("name:"))?;
    let wrong = |span, message: String| Err(error("MF009", span, message, HELP));
    Some(match &words[1..] {
        _ if first.text != "name:" => wrong(first.span, "a space is missing after name:".into()),
        [] => wrong(first.span, "the statement name is missing".into()),
        [name, ..] if !is_name(name.text) => {
            wrong(name.span, format!("{} is not a valid statement name", name.text))
        }
        [name] => {
            wrong(name.span, format!("{} is not followed by :one, :many or :exec", name.text))
        }
        [name, returns] => match parse_cardinality(returns.text) {
            Some(cardinality) => {
                Ok(NameLine { name: name.text.to_owned(), span: name.span, cardinality })
            }
            None => wrong(
                returns.span,
                format!(
                    "{} is followed by {} instead of :one, :many or :exec",
                    name.text, returns.text
                ),
            ),
        },
        [name, _, more, ..] => {
            wrong(more.span, format!("the name line of {} contains further text", name.text))
        }
    })
}

fn parse_cardinality(word: &str) -> Option<Cardinality> {
    match word {
        ":one" | ":batchone" => Some(Cardinality::One),
        ":many" | ":batchmany" => Some(Cardinality::Many),
        // What sqlc returns besides (the number of changed rows, a result of the driver) is no
        // part of the model.
        ":exec" | ":execrows" | ":execresult" | ":execlastid" | ":batchexec" | ":copyfrom" => {
            Some(Cardinality::Exec)
        }
        _ => None,
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(text: &str) -> Option<Result<NameLine, Diagnostic>> {
        read(text, Span::new(0, u32::try_from(text.len()).unwrap()))
    }

    #[test]
    fn names() {
        let text = " name: UserByEmail :one";
        let named = read_line(text).unwrap().unwrap();
        assert_eq!((named.name.as_str(), named.cardinality), ("UserByEmail", Cardinality::One));
        assert_eq!(named.span.text(text), "UserByEmail");
        assert_eq!(read_line("name: a :many").unwrap().unwrap().cardinality, Cardinality::Many);
        for word in [":exec", ":execrows", ":execresult", ":execlastid", ":batchexec", ":copyfrom"]
        {
            let named = read_line(&format!("name: a {word}")).unwrap().unwrap();
            assert_eq!(named.cardinality, Cardinality::Exec);
        }
        assert_eq!(read_line("name: a :batchone").unwrap().unwrap().cardinality, Cardinality::One);
    }

    #[test]
    fn other_comments() {
        for text in ["", "Name: users; Type: TABLE", "the name: x", "names :one", "@rate 5/s"] {
            assert!(read_line(text).is_none(), "{text}");
        }
    }

    #[test]
    fn incomplete_names() {
        for (text, place) in [
            ("name: UserByEmail", "UserByEmail"),
            ("name: UserByEmail :rows", ":rows"),
            ("name: User-By :one", "User-By"),
            ("name:User :one", "name:User"),
            ("name:", "name:"),
            ("name: A :one @rate 5/s", "@rate"),
        ] {
            let error = read_line(text).unwrap().unwrap_err();
            assert_eq!((error.rule, error.span.text(text)), ("MF009", place));
        }
    }
}
