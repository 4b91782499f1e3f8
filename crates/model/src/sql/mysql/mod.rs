//! `MySQL`'s and `MariaDB`'s SQL, rewritten as `PostgreSQL`'s before it is parsed.
//!
//! Everything behind this module knows one dialect. What `MySQL` means differently is rewritten so
//! that it means the same, or warned about, or refused by name. Replaced tokens keep their places.
//!
//! - `lexicon` splits statements into tokens, and recognises comments that the database carries out.
//! - `expression` rewrites operators and functions; `statement` queries and writes; `table`, `item`,
//!   `column` and `column_type` the declarations of tables.
//! - `upsert` finds the key of ON DUPLICATE KEY UPDATE, once all tables are read; `trigger` reads
//!   triggers.
//! - `review` warns about what is compared and sorted differently, once all statements are resolved.

mod column;
mod column_type;
mod expression;
mod item;
mod lexicon;
mod review;
mod statement;
mod table;
mod trigger;
mod upsert;

pub(super) use lexicon::{executable_mark_length, tokenize};
pub(super) use review::warn_differences;
pub(super) use statement::rewrite_statement;
pub(super) use table::{rewrite_alter, rewrite_create, rewrite_index};
pub(super) use trigger::read_trigger;
pub(super) use upsert::find_conflict_keys;

use cql::Span;
use sqlparser::tokenizer::{Token, TokenWithSpan};

/// What declarations of `MySQL` say that those of `PostgreSQL` cannot.
#[derive(Clone, Debug, Default)]
pub(super) struct MysqlTraits {
    /// The columns of 64 bits without a sign.
    pub unsigned: Vec<(String, Span)>,
    /// The columns that each UPDATE sets to the current time.
    pub touched: Vec<(String, Span)>,
}

/// A token in the place of another one.
fn replace(like: &TokenWithSpan, token: Token) -> TokenWithSpan {
    TokenWithSpan::new(token, like.span)
}

/// Keywords in the place of a token.
fn keywords<'a>(
    like: &'a TokenWithSpan,
    words: &'a str,
) -> impl Iterator<Item = TokenWithSpan> + use<'a> {
    words.split(' ').map(|word| replace(like, Token::make_keyword(word)))
}
