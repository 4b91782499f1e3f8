//! The text of a model file: its schema statements, and its statements with values for their parameters.

/// A piece of SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'t> {
    Comment(&'t str),
    Quoted(&'t str),
    Parameter(&'t str),
    Semicolon,
    Other(&'t str),
}

/// The schema statements of a file, verbatim but for comments: everything that is no query and no write.
pub(super) fn schema_statements(text: &str) -> Vec<String> {
    let mut statements = Vec::new();
    let mut current = String::new();
    // The commands of psql in a dump (`\\restrict`) would forbid those of the script.
    let is_sql = |line: &&str| !line.starts_with('\\');
    let text = text.lines().filter(is_sql).collect::<Vec<_>>().join("\n");
    for piece in pieces(&text) {
        match piece {
            Piece::Comment(_) => current.push(' '),
            Piece::Semicolon => statements.push(std::mem::take(&mut current)),
            Piece::Quoted(part) | Piece::Parameter(part) | Piece::Other(part) => {
                current.push_str(part);
            }
        }
    }
    statements.push(current);
    let statements = statements.iter().map(|statement| statement.trim());
    statements.filter(|it| !it.is_empty() && !is_query(it)).map(str::to_owned).collect()
}

fn is_query(statement: &str) -> bool {
    let word = statement.split(|it: char| !it.is_alphanumeric()).next().unwrap_or_default();
    ["select", "insert", "update", "delete", "with"].contains(&word.to_lowercase().as_str())
}

/// A statement with literals in place of its parameters, which come in the order of their first use, and of its functions
/// that the client computes. `literal` is given the position of a parameter and whether it follows a concatenation, `computed`
/// the name of a function.
pub(super) fn bind_literals(
    sql: &str,
    literal: &dyn Fn(usize, bool) -> String,
    computed: &mut dyn FnMut(&str) -> Option<String>,
) -> String {
    let mut known: Vec<&str> = Vec::new();
    let mut out = String::new();
    let mut pieces = pieces(sql).peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Comment(_) => out.push(' '),
            Piece::Semicolon => out.push(';'),
            Piece::Other(word) if word.len() > 1 => match computed(&word.to_lowercase()) {
                Some(value) => {
                    out.push_str(&value);
                    if pieces.next_if_eq(&Piece::Other("(")).is_some() {
                        pieces.next_if_eq(&Piece::Other(")"));
                    }
                }
                None => out.push_str(word),
            },
            Piece::Quoted(part) | Piece::Other(part) => out.push_str(part),
            Piece::Parameter(mark) => {
                let position = known.iter().position(|name| *name == mark && mark != "?");
                let position = position.unwrap_or_else(|| {
                    known.push(mark);
                    known.len() - 1
                });
                out.push_str(&literal(position, out.trim_end().ends_with("||")));
            }
        }
    }
    out
}

fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let (piece, behind) = rest.split_at(piece_length(rest, first));
        rest = behind;
        Some(match first {
            _ if piece.starts_with("--") || piece.starts_with("/*") => Piece::Comment(piece),
            '\'' | '"' => Piece::Quoted(piece),
            ';' => Piece::Semicolon,
            '?' => Piece::Parameter(piece),
            ':' | '$' if piece.len() > 1 && piece != "::" && !piece.ends_with('$') => {
                Piece::Parameter(piece)
            }
            _ => Piece::Other(piece),
        })
    })
}

/// The length of the first piece of a text.
fn piece_length(text: &str, first: char) -> usize {
    let behind = &text[first.len_utf8()..];
    let until = |end: &str| behind.find(end).map_or(text.len(), |at| at + 1 + end.len());
    let is_word = |it: char| it.is_alphanumeric() || it == '_';
    let word = 1 + behind.find(|it| !is_word(it)).unwrap_or(behind.len());
    match first {
        '\'' | '"' => until(&first.to_string()),
        '-' if text.starts_with("--") => text.find('\n').unwrap_or(text.len()),
        '/' if text.starts_with("/*") => until("*/"),
        ':' if text.starts_with("::") => 2,
        '$' if text[word..].starts_with('$') => {
            let tag = &text[..=word];
            text[word..].find(tag).map_or(text.len(), |at| word + at + tag.len())
        }
        ':' | '$' => word,
        _ if is_word(first) => first.len_utf8() + word - 1,
        _ => first.len_utf8(),
    }
}

#[test]
fn parameters_become_literals_and_all_else_stays() {
    let text = "SELECT a::int, ':x', \"$1\" -- ?\n FROM t WHERE b = :b AND c = $2 AND d = now() AND e > :b || ?";
    let literal = |at, joined| format!("<{at}{}>", if joined { "j" } else { "" });
    let computed = |word: &str| (word == "now").then(|| "<n>".to_owned());
    let bound = bind_literals(text, &literal, &mut { computed });
    let expected = "SELECT a::int, ':x', \"$1\"  \n FROM t WHERE b = <0> AND c = <1> AND d = <n> AND e > <0> || <2j>";
    assert_eq!(bound, expected);
    let file = "-- name: x\nCREATE TABLE t (a int DEFAULT ';'); -- x;\n/* ; */ SELECT 1; create function f() $a$ ; $a$;";
    let kept = schema_statements(file);
    assert_eq!(kept, ["CREATE TABLE t (a int DEFAULT ';')", "create function f() $a$ ; $a$"]);
}
