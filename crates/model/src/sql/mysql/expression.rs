//! Operators and functions that `MySQL` writes differently, or that mean something else there.

use cql::Diagnostic;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::table::{is_keyword, split_items, split_parentheses, token_span};
use super::{keywords, replace};
use crate::diagnostics::error;

/// Functions of the current time, with the spelling of `PostgreSQL`.
const CLOCKS: &[(&str, &[&str])] = &[
    (
        "now()",
        &["now", "current_timestamp", "localtime", "localtimestamp", "sysdate", "utc_timestamp"],
    ),
    ("CURRENT_DATE", &["curdate", "current_date", "utc_date"]),
    ("CURRENT_TIME", &["curtime", "current_time", "utc_time"]),
];

/// Those that need no parentheses and are reserved words.
const BARE_CLOCKS: &[&str] =
    &["localtime", "localtimestamp", "utc_date", "utc_time", "utc_timestamp"];

/// Functions that have another name.
const RENAMED: &[(&str, &str)] = &[
    ("ifnull", "coalesce"),
    ("uuid", "uuid_generate_v1"),
    ("length", "octet_length"),
    ("lcase", "lower"),
    ("ucase", "upper"),
];

/// Functions that the client computes, and that `MySQL` computes differently: null where an argument
/// is.
const DIFFERENT: &[&str] = &["greatest", "least"];

const DIFFERENT_HELP: &str =
    "compute it in the application, from columns that the statement returns";

/// The tokens with all operators and functions rewritten.
pub(super) fn rewrite_expressions(
    tokens: &[TokenWithSpan],
) -> Result<Vec<TokenWithSpan>, Diagnostic> {
    let mut rewritten = Vec::with_capacity(tokens.len());
    let mut rest = tokens;
    while let [first, behind @ ..] = rest {
        rest = if let Some(behind) = rewrite_call(rest, &mut rewritten)? {
            behind
        } else {
            rewrite_token(first, behind, &mut rewritten)?;
            behind
        };
    }
    Ok(rewritten)
}

/// Rewrites one token.
fn rewrite_token(
    token: &TokenWithSpan,
    behind: &[TokenWithSpan],
    rewritten: &mut Vec<TokenWithSpan>,
) -> Result<(), Diagnostic> {
    let before = rewritten.last();
    let follows = |keyword: &str| before.is_some_and(|before| is_keyword(before, keyword));
    match &token.token {
        Token::StringConcat => rewritten.extend(keywords(token, "OR")),
        Token::Overlap => rewritten.extend(keywords(token, "AND")),
        Token::Spaceship => rewritten.extend(keywords(token, "IS NOT DISTINCT FROM")),
        Token::Div | Token::Mod | Token::Caret => return Err(different(token)),
        Token::Word(_) if is_keyword(token, "div") || is_keyword(token, "xor") => {
            return Err(different(token));
        }
        // Booleans are numbers.
        Token::Word(_) if is_keyword(token, "true") && !follows("is") && !follows("not") => {
            rewritten.push(replace(token, number("1")));
        }
        Token::Word(_) if is_keyword(token, "false") && !follows("is") && !follows("not") => {
            rewritten.push(replace(token, number("0")));
        }
        // The comparison by bytes is the one that Cassandra makes.
        Token::Word(_) if is_keyword(token, "binary") && is_operand(behind) && !follows("as") => {}
        Token::Word(_) if BARE_CLOCKS.iter().any(|it| is_keyword(token, it)) => {
            rewritten.extend(clock(token, find_clock(token).unwrap_or_default()));
        }
        _ => rewritten.push(token.clone()),
    }
    Ok(())
}

fn is_operand(behind: &[TokenWithSpan]) -> bool {
    behind.first().is_some_and(|next| matches!(next.token, Token::Word(_) | Token::Placeholder(_)))
}

fn number(digits: &str) -> Token {
    Token::Number(digits.to_owned(), false)
}

/// Rewrites the call that the tokens begin with: the tokens behind it; `None` where there is none to
/// rewrite.
fn rewrite_call<'t>(
    tokens: &'t [TokenWithSpan],
    rewritten: &mut Vec<TokenWithSpan>,
) -> Result<Option<&'t [TokenWithSpan]>, Diagnostic> {
    let [name, open, ..] = tokens else { return Ok(None) };
    if let Some(behind) = rewrite_interval(tokens, rewritten) {
        return Ok(Some(behind));
    }
    let Token::Word(word) = &name.token else { return Ok(None) };
    if word.quote_style.is_some() || open.token != Token::LParen {
        return Ok(None);
    }
    let Some((inside, behind)) = split_parentheses(&tokens[1..]) else { return Ok(None) };
    let lower = word.value.to_lowercase();
    let is_plain = inside.len() <= 1;
    match lower.as_str() {
        _ if find_clock(name).is_some() && is_plain => {
            rewritten.extend(clock(name, find_clock(name).unwrap_or_default()));
            return Ok(Some(behind));
        }
        "concat" => rewrite_concat(name, inside, rewritten)?,
        "if" if split_items(inside).len() == 3 => rewrite_if(name, inside, rewritten)?,
        "date_add" | "adddate" if is_shift(inside) => {
            rewrite_shift(name, Token::Plus, inside, rewritten)?;
        }
        "date_sub" | "subdate" if is_shift(inside) => {
            rewrite_shift(name, Token::Minus, inside, rewritten)?;
        }
        "match" if behind.first().is_some_and(|next| is_keyword(next, "against")) => {
            let help = "search by prefix (`LIKE 'x%'`), or use a search engine";
            return Err(error("MF321", token_span(name), "MATCH searches within texts", help));
        }
        function if DIFFERENT.contains(&function) => return Err(different(name)),
        function => {
            let Some((_, renamed)) = RENAMED.iter().find(|(own, _)| *own == function) else {
                return Ok(None);
            };
            rewritten.push(replace(name, Token::make_word(renamed, None)));
            return Ok(Some(&tokens[1..]));
        }
    }
    Ok(Some(behind))
}

fn find_clock(token: &TokenWithSpan) -> Option<&'static str> {
    let clock = CLOCKS.iter().find(|(_, own)| own.iter().any(|it| is_keyword(token, it)));
    clock.map(|(spelling, _)| *spelling)
}

/// The tokens of a function of the current time.
fn clock(like: &TokenWithSpan, spelling: &str) -> Vec<TokenWithSpan> {
    let (name, call) = spelling.split_once('(').map_or((spelling, false), |(name, _)| (name, true));
    let parentheses = [Token::LParen, Token::RParen].into_iter().filter(|_| call);
    let tokens = std::iter::once(Token::make_keyword(name)).chain(parentheses);
    tokens.map(|token| replace(like, token)).collect()
}

/// `INTERVAL 1 DAY`, as `INTERVAL '1 day'`: the tokens behind it.
fn rewrite_interval<'t>(
    tokens: &'t [TokenWithSpan],
    rewritten: &mut Vec<TokenWithSpan>,
) -> Option<&'t [TokenWithSpan]> {
    let [interval, amount, unit, behind @ ..] = tokens else { return None };
    let (Token::Number(digits, _) | Token::SingleQuotedString(digits), Token::Word(unit)) =
        (&amount.token, &unit.token)
    else {
        return None;
    };
    if !is_keyword(interval, "interval") {
        return None;
    }
    let text = format!("{digits} {}", unit.value.to_lowercase());
    rewritten.push(interval.clone());
    rewritten.push(replace(amount, Token::SingleQuotedString(text)));
    Some(behind)
}

/// `CONCAT(a, b)`, as `(a || b)`: both are null where a part is.
fn rewrite_concat(
    like: &TokenWithSpan,
    inside: &[TokenWithSpan],
    rewritten: &mut Vec<TokenWithSpan>,
) -> Result<(), Diagnostic> {
    rewritten.push(replace(like, Token::LParen));
    for (position, part) in split_items(inside).into_iter().enumerate() {
        if position > 0 {
            rewritten.push(replace(like, Token::StringConcat));
        }
        rewritten.extend(rewrite_expressions(part)?);
    }
    rewritten.push(replace(like, Token::RParen));
    Ok(())
}

/// `IF(a, b, c)`, as `CASE WHEN a THEN b ELSE c END`.
fn rewrite_if(
    like: &TokenWithSpan,
    inside: &[TokenWithSpan],
    rewritten: &mut Vec<TokenWithSpan>,
) -> Result<(), Diagnostic> {
    let words = ["CASE WHEN", "THEN", "ELSE"];
    for (part, words) in split_items(inside).into_iter().zip(words) {
        rewritten.extend(keywords(like, words));
        rewritten.extend(rewrite_expressions(part)?);
    }
    rewritten.extend(keywords(like, "END"));
    Ok(())
}

/// Whether these are the arguments of `DATE_ADD(time, INTERVAL 1 DAY)`.
fn is_shift(inside: &[TokenWithSpan]) -> bool {
    matches!(split_items(inside)[..], [_, [first, ..]] if is_keyword(first, "interval"))
}

/// `DATE_ADD(time, interval)`, as `(time + interval)`.
fn rewrite_shift(
    like: &TokenWithSpan,
    sign: Token,
    inside: &[TokenWithSpan],
    rewritten: &mut Vec<TokenWithSpan>,
) -> Result<(), Diagnostic> {
    let items = split_items(inside);
    rewritten.push(replace(like, Token::LParen));
    rewritten.extend(rewrite_expressions(items.first().copied().unwrap_or_default())?);
    rewritten.push(replace(like, sign));
    rewritten.extend(rewrite_expressions(items.get(1).copied().unwrap_or_default())?);
    rewritten.push(replace(like, Token::RParen));
    Ok(())
}

/// The refusal of an operator or function that gives other results.
fn different(token: &TokenWithSpan) -> Diagnostic {
    let name = token.token.to_string().to_uppercase();
    let message = format!("{name} of MySQL gives other results than that of the client");
    error("MF391", token_span(token), message, DIFFERENT_HELP)
}
