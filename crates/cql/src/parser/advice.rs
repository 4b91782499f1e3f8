//! Syntax errors at an unexpected token, with advice for common mistakes.

use super::cursor::Parser;
use crate::keyword::Keyword;
use crate::lexer::{Token, TokenKind};
use crate::spelling::find_nearest;
use crate::syntax_error::{Expectation, OffendingToken, SyntaxAdvice, SyntaxError, SyntaxReason};

/// An error at the next token.
pub(super) fn build_error(parser: &Parser<'_>, expected: Expectation) -> SyntaxError {
    let token = parser.token(0);
    let reason = lexical_reason(parser, token).unwrap_or_else(|| SyntaxReason::Unexpected {
        expected,
        found: offending_token(parser, token),
    });
    SyntaxError { reason, span: token.span, advice: advice(parser, expected) }
}

/// The unexpected token, for the message.
pub(super) fn offending_token(parser: &Parser<'_>, token: Token) -> OffendingToken {
    let text = parser.text(token);
    match token.kind {
        TokenKind::End => OffendingToken::EndOfText,
        TokenKind::Semicolon => OffendingToken::EndOfStatement,
        TokenKind::Keyword(keyword) if !keyword.is_name() => OffendingToken::Keyword(keyword),
        TokenKind::Integer | TokenKind::Float => OffendingToken::Number(text.into()),
        TokenKind::String | TokenKind::DollarString => OffendingToken::String(text.into()),
        TokenKind::QuotedName => OffendingToken::QuotedName(text.into()),
        _ => OffendingToken::Other(text.into()),
    }
}

/// The reason for a token that is incomplete or invalid.
fn lexical_reason(parser: &Parser<'_>, token: Token) -> Option<SyntaxReason> {
    if token.kind != TokenKind::Error {
        return None;
    }
    Some(match parser.text(token).as_bytes() {
        [b'\'', ..] => SyntaxReason::UnclosedString,
        [b'"', ..] => SyntaxReason::UnclosedQuotedName,
        [b'$', b'$', ..] => SyntaxReason::UnclosedDollarString,
        [b'/', b'*', ..] => SyntaxReason::UnclosedComment,
        [b'-', b'i' | b'I' | b'n' | b'N', ..] => SyntaxReason::SignedName,
        [first, ..] if first.is_ascii_hexdigit() || *first == b'-' => SyntaxReason::MalformedNumber,
        _ => return None,
    })
}

fn advice(parser: &Parser<'_>, expected: Expectation) -> Option<SyntaxAdvice> {
    let token = parser.token(0);
    let text = parser.text(token);
    lexical_advice(token, text)
        .or_else(|| sql_habit(parser, expected))
        .or_else(|| misspelling(token, text, expected))
        .or_else(|| wrong_quotes(token, text, expected))
        .or_else(|| keyword_as_name(token, text, expected))
        .or_else(|| missing_end(parser, expected))
}

fn lexical_advice(token: Token, text: &str) -> Option<SyntaxAdvice> {
    if token.kind != TokenKind::Error {
        return None;
    }
    Some(match text.as_bytes() {
        [b'\'', ..] => SyntaxAdvice::CloseString,
        [b'"', ..] => SyntaxAdvice::CloseQuotedName,
        [b'$', b'$', ..] => SyntaxAdvice::CloseDollarString,
        [b'/', b'*', ..] => SyntaxAdvice::CloseComment,
        [b'-', b'i' | b'I' | b'n' | b'N', ..] => SyntaxAdvice::SpaceAfterMinus,
        [b'`', ..] => SyntaxAdvice::QuoteNames,
        [b'!', ..] => SyntaxAdvice::WriteNotEqual,
        [b'&', ..] => SyntaxAdvice::WriteAnd,
        [b'|', ..] => SyntaxAdvice::NoConcatenation,
        [b'@' | b'#', ..] => SyntaxAdvice::CommentSigns,
        [b'$', ..] => SyntaxAdvice::MarkerSigns,
        _ => return None,
    })
}

/// Advice for SQL that CQL does not have.
fn sql_habit(parser: &Parser<'_>, expected: Expectation) -> Option<SyntaxAdvice> {
    let token = parser.token(0);
    let word = parser.text(token).to_ascii_uppercase();
    let before = parser.position.checked_sub(1).and_then(|last| parser.tokens.get(last));
    sign_habit(parser, before.copied(), &word, expected)
        .or_else(|| query_habit(&word, expected))
        .or_else(|| schema_habit(parser, &word, expected))
        .or_else(|| trailing_comma(parser, before.map(|token| token.kind)))
}

fn sign_habit(
    parser: &Parser<'_>,
    before: Option<Token>,
    word: &str,
    expected: Expectation,
) -> Option<SyntaxAdvice> {
    let ended = expected == Expectation::StatementEnd;
    let kind = before.map(|token| token.kind);
    let last = before.map_or("", |token| parser.text(token));
    Some(match word {
        "=" if kind == Some(TokenKind::Equal) => SyntaxAdvice::SingleEqual,
        ">" if kind == Some(TokenKind::Less) && expected == Expectation::Value => {
            SyntaxAdvice::NotEqualInConditions
        }
        "NULL" if kind == Some(TokenKind::Keyword(Keyword::Is)) => SyntaxAdvice::NoIsNull,
        "," if ended && kind == Some(TokenKind::CloseParen) => SyntaxAdvice::OneRow,
        "," if ended && kind == Some(TokenKind::Integer) => SyntaxAdvice::NoOffset,
        "," if ended => SyntaxAdvice::OneAtATime,
        "*" if expected == Expectation::ColumnName => SyntaxAdvice::NoStar,
        "(" if expected == Expectation::DefinitionEnd && last.eq_ignore_ascii_case("key") => {
            SyntaxAdvice::NoForeignKeys
        }
        "(" if expected == Expectation::DefinitionEnd => SyntaxAdvice::NoTypeLength,
        _ if kind == Some(TokenKind::String) && parser.kind() == TokenKind::Identifier && ended => {
            SyntaxAdvice::DoubleQuoteInString
        }
        _ if parser.kind() == TokenKind::Integer
            && word.starts_with('-')
            && !expected.is_number() =>
        {
            SyntaxAdvice::BlankAfterMinus
        }
        "_" => SyntaxAdvice::NameStart,
        _ => return None,
    })
}

fn query_habit(word: &str, expected: Expectation) -> Option<SyntaxAdvice> {
    let ended = expected == Expectation::StatementEnd;
    Some(match word {
        "OR" => SyntaxAdvice::NoOr,
        "NOT" if expected.is_comparison() => SyntaxAdvice::NoNot,
        "JOIN" | "INNER" | "OUTER" | "LEFT" | "RIGHT" | "CROSS" | "FULL" if ended => {
            SyntaxAdvice::NoJoins
        }
        "OFFSET" => SyntaxAdvice::NoOffset,
        "HAVING" => SyntaxAdvice::NoHaving,
        "UNION" | "INTERSECT" | "EXCEPT" => SyntaxAdvice::NoSetOperations,
        "SELECT" if expected.is_value() => SyntaxAdvice::NoSubqueries,
        "BETWEEN" => SyntaxAdvice::TwoComparisons,
        "VALUES" if expected == Expectation::InsertBody => SyntaxAdvice::NameColumns,
        "TRANSACTION" | "COMMIT" | "ROLLBACK" | "START" => SyntaxAdvice::NoTransactions,
        "EXPLAIN" => SyntaxAdvice::NoExplain,
        "AS" if ended => SyntaxAdvice::NoTableAliases,
        _ => return None,
    })
}

fn schema_habit(parser: &Parser<'_>, word: &str, expected: Expectation) -> Option<SyntaxAdvice> {
    let in_columns = expected == Expectation::DefinitionEnd;
    let column_word = |back: usize| {
        let token = parser.position.checked_sub(back).and_then(|place| parser.tokens.get(place));
        token.is_some_and(|token| parser.text(*token).eq_ignore_ascii_case("column"))
    };
    let altered =
        parser.tokens.first().map(|token| token.kind) == Some(TokenKind::Keyword(Keyword::Alter));
    Some(match word {
        "NOT" if in_columns => SyntaxAdvice::NoNotNull,
        "AUTO_INCREMENT" | "AUTOINCREMENT" | "IDENTITY" if in_columns => {
            SyntaxAdvice::NoGeneratedNumbers
        }
        "DEFAULT" if in_columns => SyntaxAdvice::NoDefaults,
        "UNIQUE" => SyntaxAdvice::NoUnique,
        "FOREIGN" | "REFERENCES" | "CONSTRAINT" | "CHECK" => SyntaxAdvice::NoConstraints,
        "SCHEMA" | "DATABASE" => SyntaxAdvice::WriteKeyspace,
        "MODIFY" | "CHANGE" if altered => SyntaxAdvice::NoTypeChange,
        _ if altered && (column_word(1) || column_word(2)) => SyntaxAdvice::NoColumnWord,
        _ if expected == Expectation::Keyword(Keyword::Where)
            && matches!(parser.kind(), TokenKind::End | TokenKind::Semicolon) =>
        {
            SyntaxAdvice::AddWhere
        }
        _ => return None,
    })
}

fn trailing_comma(parser: &Parser<'_>, before: Option<TokenKind>) -> Option<SyntaxAdvice> {
    let closing = matches!(
        parser.kind(),
        TokenKind::CloseParen
            | TokenKind::CloseBracket
            | TokenKind::CloseBrace
            | TokenKind::Semicolon
            | TokenKind::End
            | TokenKind::Keyword(Keyword::From | Keyword::Where)
    );
    (before == Some(TokenKind::Comma) && closing).then_some(SyntaxAdvice::RemoveComma)
}

/// Advice for a word that is similar to one of the expected keywords.
fn misspelling(token: Token, text: &str, expected: Expectation) -> Option<SyntaxAdvice> {
    match token.kind {
        TokenKind::Identifier => {}
        TokenKind::Keyword(keyword) if keyword.is_name() => {}
        _ => return None,
    }
    let keyword =
        find_nearest(&text.to_ascii_uppercase(), expected.keywords().split_whitespace())?.into();
    Some(SyntaxAdvice::Misspelling { keyword })
}

fn wrong_quotes(token: Token, text: &str, expected: Expectation) -> Option<SyntaxAdvice> {
    match token.kind {
        TokenKind::QuotedName if expected.is_value() || expected.is_string() => {
            Some(SyntaxAdvice::SingleQuotes { text: text.trim_matches('"').into() })
        }
        TokenKind::String if expected.is_name() || expected == Expectation::Alias => {
            Some(SyntaxAdvice::DoubleQuotes { text: text.trim_matches('\'').into() })
        }
        TokenKind::Identifier if expected.is_value() => {
            Some(SyntaxAdvice::QuoteOrMark { text: text.into() })
        }
        _ => None,
    }
}

fn keyword_as_name(token: Token, text: &str, expected: Expectation) -> Option<SyntaxAdvice> {
    let TokenKind::Keyword(keyword) = token.kind else { return None };
    let name_wanted = expected.is_name()
        || expected.is_marker()
        || matches!(expected, Expectation::Alias | Expectation::Selectable);
    (name_wanted && !keyword.is_name())
        .then(|| SyntaxAdvice::QuoteReserved { keyword, name: text.to_lowercase().into() })
}

/// Advice for two statements without a semicolon between them.
fn missing_end(parser: &Parser<'_>, expected: Expectation) -> Option<SyntaxAdvice> {
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
    (expected == Expectation::StatementEnd && starts).then_some(SyntaxAdvice::EndPreviousStatement)
}
