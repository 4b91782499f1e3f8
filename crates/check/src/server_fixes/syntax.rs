//! Syntax errors for which the parser's advice leaves a single correction.

use cql::relation::RelationKind;
use cql::statement::write::WriteKind;
use cql::syntax_error::{Expectation, SyntaxAdvice};
use cql::{Span, StatementKind, SyntaxReason, printer};

use super::{RefusalCause, RefusalContext, TextChange, strip_last_word, text_length};
use crate::statement_object::contains_span;

/// Corrects one token.
pub(super) fn correct_token(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let RefusalCause::Syntax(error) = refused.cause else { return None };
    let span = refused.span();
    let word = refused.text(span);
    let is_batch_end = matches!(
        error.reason,
        SyntaxReason::Unexpected { expected: Expectation::BatchStatement, .. }
    );
    if is_batch_end && ["end", "commit"].iter().any(|other| word.eq_ignore_ascii_case(other)) {
        return TextChange::new_safe(
            "end the batch with APPLY BATCH",
            vec![(span, "APPLY".to_owned())],
        );
    }
    match error.advice.as_ref()? {
        SyntaxAdvice::EndStatement => {
            let end = refused.previous?.span.end;
            let end = Span::new(end, end);
            TextChange::new_safe("end the statement", vec![(end, ";".to_owned())])
        }
        SyntaxAdvice::WriteKeyspace => {
            TextChange::new_safe("use KEYSPACE", vec![(span, "KEYSPACE".to_owned())])
        }
        SyntaxAdvice::NoTypeLength => remove_length(refused, span),
        SyntaxAdvice::SingleEqual => {
            TextChange::new_safe("use a single =", vec![(span, String::new())])
        }
        SyntaxAdvice::RemoveComma => {
            let before = refused.text_before(span.start).trim_end();
            let comma = text_length(before.strip_suffix(',')?);
            TextChange::new_safe(
                "remove the comma",
                vec![(Span::new(comma, comma + 1), String::new())],
            )
        }
        SyntaxAdvice::NoColumnWord => remove_column_word(refused, span),
        SyntaxAdvice::SingleQuotes { .. } if word.len() > 1 => {
            let inside = word.trim_matches('"').replace('\'', "''");
            TextChange::new_safe("use single quotes", vec![(span, format!("'{inside}'"))])
        }
        SyntaxAdvice::QuoteReserved { .. } => {
            let quoted = format!("\"{}\"", word.to_lowercase());
            TextChange::new_safe("quote the name", vec![(span, quoted)])
        }
        SyntaxAdvice::NotEqualInConditions if word == ">" => {
            let start = text_length(refused.text_before(span.start).strip_suffix('<')?);
            TextChange::new_safe("use !=", vec![(Span::new(start, span.end), "!=".to_owned())])
        }
        SyntaxAdvice::Misspelling { keyword } => {
            TextChange::new_unsafe("correct the keyword", vec![(span, keyword.to_string())])
        }
        _ => None,
    }
}

/// Removes the length of a type.
fn remove_length(refused: &RefusalContext<'_>, span: Span) -> Option<TextChange> {
    let rest = refused.text_after(span.start);
    let inside = rest.strip_prefix('(')?.split_once(')')?.0;
    let is_length = inside.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
    let whole = Span::new(span.start, span.start + text_length(inside) + 2);
    let edits = if is_length { vec![(whole, String::new())] } else { Vec::new() };
    TextChange::new_safe("remove the length", edits)
}

/// Removes the word COLUMN before a name.
fn remove_column_word(refused: &RefusalContext<'_>, span: Span) -> Option<TextChange> {
    let kept = strip_last_word(refused.text_before(span.start), "column");
    let kept = kept.or_else(|| {
        // In ADD COLUMN name type, the parser stops at the type.
        let before = refused.text_before(span.start).trim_end();
        let name = before.rfind(char::is_whitespace)?;
        strip_last_word(before.get(..name)?, "column")
    })?;
    let rest = refused.text_after(text_length(kept));
    let blanks = text_length(rest) - text_length(rest.trim_start());
    let end = text_length(kept) + blanks + text_length("column");
    let whole = Span::new(text_length(kept), end);
    TextChange::new_safe("remove COLUMN", vec![(whole, String::new())])
}

/// Rewrites `a BETWEEN x AND y` as two comparisons.
pub(super) fn rewrite_between(refused: &RefusalContext<'_>) -> Option<TextChange> {
    let mut relations = match &refused.statement.kind {
        StatementKind::Select(select) => select.relations.iter(),
        StatementKind::Update(update) => update.relations.iter(),
        StatementKind::Delete(delete) => delete.relations.iter(),
        StatementKind::Batch(batch) => {
            let here =
                batch.statements.iter().find(|one| contains_span(one.span, refused.span()))?;
            match &here.kind {
                WriteKind::Update(update) => update.relations.iter(),
                WriteKind::Delete(delete) => delete.relations.iter(),
                WriteKind::Insert(_) => return None,
            }
        }
        _ => return None,
    };
    let relation = relations.find(|relation| contains_span(relation.span, refused.span()))?;
    let RelationKind::Between(column, ends) = &relation.kind else { return None };
    let column = printer::identifier(&column.text);
    let (low, high) = (refused.text(ends.0.span), refused.text(ends.1.span));
    let text = format!("{column} >= {low} AND {column} <= {high}");
    TextChange::new_safe("use two comparisons", vec![(relation.span, text)])
}
