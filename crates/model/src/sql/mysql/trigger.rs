//! Triggers of `MySQL`, whose body is one statement or a block.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::source::SqlName;
use super::super::table::{is_keyword, parse_name};
use super::super::trigger::{TriggerDeclarations, TriggerEvent};

/// Reads `CREATE TRIGGER name BEFORE UPDATE ON table FOR EACH ROW body`. One that sets a column to the
/// current time is carried, like those of `PostgreSQL`.
pub(in crate::sql) fn read_trigger(triggers: &mut TriggerDeclarations, tokens: &[TokenWithSpan]) {
    let find = |from: usize, words: &[&str]| {
        (from..tokens.len()).find(|at| words.iter().any(|word| is_keyword(&tokens[*at], word)))
    };
    let parts = || {
        let (name, _) = parse_name(tokens.get(find(0, &["trigger"])? + 1..)?)?;
        let timing = find(0, &["before", "after"])?;
        let event = match () {
            () if is_keyword(tokens.get(timing + 1)?, "insert") => TriggerEvent::Insert,
            () if is_keyword(tokens.get(timing + 1)?, "update") => TriggerEvent::Update,
            () => TriggerEvent::Delete,
        };
        let (table, _) = parse_name(tokens.get(find(timing, &["on"])? + 1..)?)?;
        let body = tokens.get(find(timing, &["row"])? + 1..)?;
        let is_before_update =
            event == TriggerEvent::Update && is_keyword(&tokens[timing], "before");
        let column = is_before_update.then(|| find_touch(body)).flatten();
        Some((name, table, event, column))
    };
    if let Some((name, table, event, column)) = parts() {
        triggers.add_trigger(name, table.text, event, column);
    }
}

/// The column of a body that is `SET NEW.column = NOW()`, alone or in a block.
fn find_touch(body: &[TokenWithSpan]) -> Option<String> {
    let is_mark = |it: &&TokenWithSpan| {
        it.token == Token::SemiColon || is_keyword(it, "begin") || is_keyword(it, "end")
    };
    let statement: Vec<&TokenWithSpan> = body.iter().filter(|it| !is_mark(it)).collect();
    let [set, new, period, column, sign, clock, call @ ..] = statement.as_slice() else {
        return None;
    };
    let is_set = is_keyword(set, "set") && is_keyword(new, "new") && period.token == Token::Period;
    let is_clock = is_keyword(clock, "now") || is_keyword(clock, "current_timestamp");
    let is_call =
        call.iter().all(|it| matches!(it.token, Token::LParen | Token::RParen | Token::Number(..)));
    let is_assignment = matches!(sign.token, Token::Eq | Token::Assignment);
    let Token::Word(word) = &column.token else { return None };
    let name = SqlName::new(&word.clone().into_ident(column.span)).text;
    (is_set && is_clock && is_call && is_assignment).then_some(name)
}
