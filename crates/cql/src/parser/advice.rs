//! What to say about a token that should not be there, and what to write instead.

use super::cursor::Parser;
use crate::diagnostic::Diagnostic;
use crate::keyword::Keyword;
use crate::lexer::{Token, TokenKind};
use crate::protocol::ErrorCode;
use crate::spelling::nearest;

/// The words that start a statement.
const STATEMENTS: &str = "SELECT INSERT UPDATE DELETE BEGIN USE TRUNCATE CREATE ALTER DROP GRANT REVOKE LIST DESCRIBE \
    CONSISTENCY SERIAL TRACING SOURCE PAGING EXPAND COPY LOGIN CAPTURE SHOW HELP";

/// Longer texts are cut in messages.
const SHOWN_MAX: usize = 40;

/// A diagnostic for the next token.
pub(super) fn unexpected(parser: &Parser<'_>, expected: &str) -> Diagnostic {
    let token = parser.token(0);
    let help = help(parser, expected);
    let message = match broken(parser, token) {
        Some(broken) => broken.to_owned(),
        None => format!("expected {expected}, found {}", describe(parser, token)),
    };
    let mut diagnostic = Diagnostic::refusal("SY001", ErrorCode::Syntax, message, token.span);
    diagnostic.help = help;
    diagnostic
}

/// A token in words.
pub(super) fn describe(parser: &Parser<'_>, token: Token) -> String {
    let text = parser.text(token);
    match token.kind {
        TokenKind::End => "the end of the text".to_owned(),
        TokenKind::Semicolon => "the end of the statement".to_owned(),
        TokenKind::Keyword(keyword) if !keyword.is_name() => {
            format!("the keyword {}", keyword.text())
        }
        TokenKind::Integer | TokenKind::Float => format!("the number {}", shown(text)),
        TokenKind::String | TokenKind::DollarString => format!("the string {}", shown(text)),
        TokenKind::QuotedName => format!("the name {}", shown(text)),
        _ => format!("`{}`", shown(text)),
    }
}

fn shown(text: &str) -> String {
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(SHOWN_MAX).collect();
    if characters.next().is_some() { format!("{start}...") } else { start }
}

/// What is wrong with a token that is cut short or unknown.
fn broken(parser: &Parser<'_>, token: Token) -> Option<&'static str> {
    if token.kind != TokenKind::Error {
        return None;
    }
    Some(match parser.text(token).as_bytes() {
        [b'\'', ..] => "the string is never closed",
        [b'"', ..] => "the quoted name is never closed",
        [b'$', b'$', ..] => "the string that starts with $$ is never closed",
        [b'/', b'*', ..] => "the comment is never closed",
        [b'-', b'i' | b'I' | b'n' | b'N', ..] => {
            "a minus sign directly before this name is read as a number"
        }
        [first, ..] if first.is_ascii_hexdigit() || *first == b'-' => {
            "this is neither a number nor a uuid"
        }
        _ => return None,
    })
}

fn help(parser: &Parser<'_>, expected: &str) -> Option<String> {
    let token = parser.token(0);
    let text = parser.text(token);
    broken_help(token, text)
        .or_else(|| habit(parser, expected))
        .or_else(|| misspelt(token, text, expected))
        .or_else(|| wrong_quotes(token, text, expected))
        .or_else(|| reserved(token, text, expected))
        .or_else(|| left_over(parser, expected))
}

fn broken_help(token: Token, text: &str) -> Option<String> {
    if token.kind != TokenKind::Error {
        return None;
    }
    let help = match text.as_bytes() {
        [b'\'', ..] => "close it with `'`, and write a quote inside a string twice: `''`",
        [b'"', ..] => "close it with `\"`",
        [b'$', b'$', ..] => "close it with `$$`",
        [b'/', b'*', ..] => "close it with `*/`",
        [b'-', b'i' | b'I' | b'n' | b'N', ..] => "put a space behind the minus sign",
        [b'`', ..] => {
            "names are quoted with `\"`, and need no quotes when they are plain lower-case words"
        }
        [b'!', ..] => "write `!=`",
        [b'&', ..] => "write AND",
        [b'|', ..] => {
            "there is no OR and no `||` in CQL: ask twice and join the answers in the client"
        }
        [b'@' | b'#', ..] => "comments start with `--`, `//` or `/*`; markers are `?` or `:name`",
        [b'$', ..] => {
            "markers are `?` or `:name`; with --templates placeholders such as ${x} are read"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

/// What someone who knows SQL writes here, and what CQL has instead.
fn habit(parser: &Parser<'_>, expected: &str) -> Option<String> {
    let token = parser.token(0);
    let word = parser.text(token).to_ascii_uppercase();
    let before = parser.position.checked_sub(1).and_then(|last| parser.tokens.get(last));
    let help = sign_habit(parser, before.copied(), &word, expected)
        .or_else(|| query_habit(&word, expected))
        .or_else(|| schema_habit(parser, &word, expected));
    match help {
        Some(help) => Some(help.to_owned()),
        None => trailing_comma(parser, before.map(|token| token.kind)),
    }
}

fn sign_habit(
    parser: &Parser<'_>,
    before: Option<Token>,
    word: &str,
    expected: &str,
) -> Option<&'static str> {
    let ended = expected == "the end of the statement";
    let kind = before.map(|token| token.kind);
    let last = before.map_or("", |token| parser.text(token));
    Some(match word {
        "=" if kind == Some(TokenKind::Equal) => "write a single `=`",
        ">" if kind == Some(TokenKind::Less) && expected == "a value" => {
            "write `!=`; only IF conditions and indexes know it"
        }
        "NULL" if kind == Some(TokenKind::Keyword(Keyword::Is)) => {
            "there is no IS NULL: an absent value cannot be searched for"
        }
        "," if ended && kind == Some(TokenKind::CloseParen) => {
            "an INSERT writes one row: write several"
        }
        "," if ended && kind == Some(TokenKind::Integer) => {
            "there is no OFFSET: page by the last clustering key, or with the driver's paging state"
        }
        "," if ended => "name one at a time",
        "*" if expected == "a column name" => {
            "leave out the `*`: without columns the whole row is meant"
        }
        "(" if expected == "`,` or `)`" && last.eq_ignore_ascii_case("key") => {
            "there are no foreign keys"
        }
        "(" if expected == "`,` or `)`" => "types have no length: write text, not varchar(20)",
        _ if kind == Some(TokenKind::String) && parser.kind() == TokenKind::Identifier && ended => {
            "write a quote inside a string twice: `''`"
        }
        _ if parser.kind() == TokenKind::Integer
            && word.starts_with('-')
            && !expected.contains("number") =>
        {
            "put a blank between the minus sign and the number: the sign is read as part of the number"
        }
        "_" => "a name starts with a letter, or is quoted with `\"`",
        _ => return None,
    })
}

fn query_habit(word: &str, expected: &str) -> Option<&'static str> {
    let ended = expected == "the end of the statement";
    Some(match word {
        "OR" => {
            "there is no OR: use IN for one column, or ask twice and join the answers in the client"
        }
        "NOT" if expected.contains("comparison") => {
            "there is no NOT here: ask for the values that are wanted"
        }
        "JOIN" | "INNER" | "OUTER" | "LEFT" | "RIGHT" | "CROSS" | "FULL" if ended => {
            "there are no joins: keep what is read together in one table"
        }
        "OFFSET" => {
            "there is no OFFSET: page by the last clustering key, or with the driver's paging state"
        }
        "HAVING" => "there is no HAVING: filter groups in the client",
        "UNION" | "INTERSECT" | "EXCEPT" => {
            "there are no set operations: ask twice and join the answers in the client"
        }
        "SELECT" if expected.contains("value") => {
            "there are no sub-queries: read first, then bind the values"
        }
        "BETWEEN" => "write `column >= low AND column <= high`",
        "VALUES" if expected == "`(` or JSON" => {
            "name the columns: INSERT INTO t (a, b) VALUES (1, 2)"
        }
        "TRANSACTION" | "COMMIT" | "ROLLBACK" | "START" => {
            "there are no transactions: a batch is applied as a whole, IF makes one write conditional"
        }
        "EXPLAIN" => "there is no EXPLAIN in CQL",
        "AS" if ended => "tables have no aliases",
        _ => return None,
    })
}

fn schema_habit(parser: &Parser<'_>, word: &str, expected: &str) -> Option<&'static str> {
    let in_columns = expected == "`,` or `)`";
    let column_word = |back: usize| {
        let token = parser.position.checked_sub(back).and_then(|place| parser.tokens.get(place));
        token.is_some_and(|token| parser.text(*token).eq_ignore_ascii_case("column"))
    };
    let altered =
        parser.tokens.first().map(|token| token.kind) == Some(TokenKind::Keyword(Keyword::Alter));
    Some(match word {
        "NOT" if in_columns => {
            "there is no NOT NULL: only the columns of the primary key must be given"
        }
        "AUTO_INCREMENT" | "AUTOINCREMENT" | "IDENTITY" if in_columns => {
            "there are no generated numbers: use uuid or timeuuid"
        }
        "DEFAULT" if in_columns => "there are no default values: write the value when inserting",
        "UNIQUE" => "there is no UNIQUE: make it a primary key, and insert with IF NOT EXISTS",
        "FOREIGN" | "REFERENCES" | "CONSTRAINT" | "CHECK" => {
            "there are no constraints between tables"
        }
        "SCHEMA" | "DATABASE" => "write KEYSPACE",
        "MODIFY" | "CHANGE" if altered => {
            "the type of a column cannot be changed: add another column"
        }
        _ if altered && (column_word(1) || column_word(2)) => "leave out COLUMN",
        _ if expected == "WHERE"
            && matches!(parser.kind(), TokenKind::End | TokenKind::Semicolon) =>
        {
            "rows are changed by their key: add WHERE with the primary key"
        }
        _ => return None,
    })
}

fn trailing_comma(parser: &Parser<'_>, before: Option<TokenKind>) -> Option<String> {
    let closing = matches!(
        parser.kind(),
        TokenKind::CloseParen
            | TokenKind::CloseBracket
            | TokenKind::CloseBrace
            | TokenKind::Semicolon
            | TokenKind::End
            | TokenKind::Keyword(Keyword::From | Keyword::Where)
    );
    (before == Some(TokenKind::Comma) && closing).then(|| "remove the comma before it".to_owned())
}

/// A word that is almost one of the keywords that could stand here.
fn misspelt(token: Token, text: &str, expected: &str) -> Option<String> {
    match token.kind {
        TokenKind::Identifier => {}
        TokenKind::Keyword(keyword) if keyword.is_name() => {}
        _ => return None,
    }
    let found = text.to_ascii_uppercase();
    let candidates = if expected == "a statement" { STATEMENTS } else { following(expected) };
    let words =
        candidates.split(|character: char| !character.is_ascii_uppercase() && character != '_');
    let best = nearest(&found, words.filter(|word| word.len() > 1))?;
    Some(format!("did you mean {best}?"))
}

/// The keywords that may follow, where the expectation is only told in words.
fn following(expected: &str) -> &str {
    match expected {
        "the end of the statement" => {
            "WHERE GROUP ORDER PER LIMIT ALLOW FILTERING AND WITH USING IF SET VALUES PRIMARY"
        }
        "`,` or `)`" => "STATIC PRIMARY MASKED",
        "a type" | "the name of a user type" => {
            "ASCII BIGINT BLOB BOOLEAN COUNTER DATE DECIMAL DOUBLE DURATION FLOAT INET INT SMALLINT TEXT TIME \
             TIMESTAMP TIMEUUID TINYINT UUID VARCHAR VARINT LIST SET MAP TUPLE VECTOR FROZEN KEY"
        }
        "a comparison such as `=`" => "IN CONTAINS LIKE IS",
        _ => expected,
    }
}

fn wrong_quotes(token: Token, text: &str, expected: &str) -> Option<String> {
    match token.kind {
        TokenKind::QuotedName if expected.contains("value") || expected.contains("string") => {
            let content = text.trim_matches('"');
            Some(format!("double quotes are for names: write '{}'", shown(content)))
        }
        TokenKind::String
            if expected.contains("name") && !expected.contains(":name")
                || expected == "an alias" =>
        {
            let content = text.trim_matches('\'');
            Some(format!("single quotes are for strings: write \"{}\"", shown(content)))
        }
        TokenKind::Identifier if expected.contains("value") => Some(format!(
            "a string needs single quotes: '{}'; a marker a colon: :{}",
            shown(text),
            shown(text)
        )),
        _ => None,
    }
}

fn reserved(token: Token, text: &str, expected: &str) -> Option<String> {
    let TokenKind::Keyword(keyword) = token.kind else { return None };
    let name_wanted = ["name", "alias", "a column"].iter().any(|wanted| expected.contains(wanted));
    (name_wanted && !keyword.is_name()).then(|| {
        format!(
            "{} is reserved; to use it as a name, quote it: \"{}\"",
            keyword.text(),
            text.to_lowercase()
        )
    })
}

/// Two statements on one line, or something that ends too early.
fn left_over(parser: &Parser<'_>, expected: &str) -> Option<String> {
    let starts = matches!(
        parser.kind(),
        TokenKind::Keyword(
            Keyword::Select
                | Keyword::Insert
                | Keyword::Update
                | Keyword::Delete
                | Keyword::Create
                | Keyword::Drop
        )
    );
    if expected.contains("end of the statement") && starts {
        return Some("end the statement before it with `;`".to_owned());
    }
    None
}
