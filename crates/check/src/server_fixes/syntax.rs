//! Slips in the text itself, where the parser's advice leaves one thing to do.

use cql::relation::RelationKind;
use cql::statement::write::WriteKind;
use cql::syntax_error::{Expectation, SyntaxAdvice};
use cql::{Span, StatementKind, SyntaxReason, printer};

use super::{Change, RefusalCause, Refused, offset, without_last_word};
use crate::statement_object::holds;

/// Corrects one token.
pub(super) fn token(refused: &Refused<'_>) -> Option<Change> {
    let RefusalCause::Syntax(error) = refused.cause else { return None };
    let span = refused.span();
    let word = refused.written(span);
    let is_batch_end = matches!(
        error.reason,
        SyntaxReason::Unexpected { expected: Expectation::BatchStatement, .. }
    );
    if is_batch_end && ["end", "commit"].iter().any(|other| word.eq_ignore_ascii_case(other)) {
        return Change::safe("end the batch with APPLY BATCH", vec![(span, "APPLY".to_owned())]);
    }
    match error.advice.as_ref()? {
        SyntaxAdvice::EndStatement => {
            let end = refused.previous?.span.end;
            let end = Span::new(end, end);
            Change::safe("end the statement", vec![(end, ";".to_owned())])
        }
        SyntaxAdvice::WriteKeyspace => {
            Change::safe("write KEYSPACE", vec![(span, "KEYSPACE".to_owned())])
        }
        SyntaxAdvice::NoTypeLength => remove_length(refused, span),
        SyntaxAdvice::SingleEqual => Change::safe("write a single =", vec![(span, String::new())]),
        SyntaxAdvice::RemoveComma => {
            let before = refused.before(span.start).trim_end();
            let comma = offset(before.strip_suffix(',')?);
            Change::safe("remove the comma", vec![(Span::new(comma, comma + 1), String::new())])
        }
        SyntaxAdvice::NoColumnWord => remove_column_word(refused, span),
        SyntaxAdvice::SingleQuotes { .. } if word.len() > 1 => {
            let inside = word.trim_matches('"').replace('\'', "''");
            Change::safe("use single quotes", vec![(span, format!("'{inside}'"))])
        }
        SyntaxAdvice::QuoteReserved { .. } => {
            let quoted = format!("\"{}\"", word.to_lowercase());
            Change::safe("quote the name", vec![(span, quoted)])
        }
        SyntaxAdvice::NotEqualInConditions if word == ">" => {
            let start = offset(refused.before(span.start).strip_suffix('<')?);
            Change::safe("write !=", vec![(Span::new(start, span.end), "!=".to_owned())])
        }
        SyntaxAdvice::Misspelling { keyword } => {
            Change::doubtful("correct the word", vec![(span, keyword.to_string())])
        }
        _ => None,
    }
}

/// Removes the length of a type.
fn remove_length(refused: &Refused<'_>, span: Span) -> Option<Change> {
    let rest = refused.after(span.start);
    let inside = rest.strip_prefix('(')?.split_once(')')?.0;
    let is_length = inside.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ');
    let whole = Span::new(span.start, span.start + offset(inside) + 2);
    let edits = if is_length { vec![(whole, String::new())] } else { Vec::new() };
    Change::safe("leave out the length", edits)
}

/// Removes the word COLUMN before a name.
fn remove_column_word(refused: &Refused<'_>, span: Span) -> Option<Change> {
    let kept = without_last_word(refused.before(span.start), "column");
    let kept = kept.or_else(|| {
        // ADD COLUMN name type: the reader stumbles over the type.
        let before = refused.before(span.start).trim_end();
        let name = before.rfind(char::is_whitespace)?;
        without_last_word(before.get(..name)?, "column")
    })?;
    let rest = refused.after(offset(kept));
    let blanks = offset(rest) - offset(rest.trim_start());
    let end = offset(kept) + blanks + offset("column");
    let whole = Span::new(offset(kept), end);
    Change::safe("leave out COLUMN", vec![(whole, String::new())])
}

/// Writes `a BETWEEN x AND y` as two comparisons.
pub(super) fn between(refused: &Refused<'_>) -> Option<Change> {
    let mut relations = match &refused.statement.kind {
        StatementKind::Select(select) => select.relations.iter(),
        StatementKind::Update(update) => update.relations.iter(),
        StatementKind::Delete(delete) => delete.relations.iter(),
        StatementKind::Batch(batch) => {
            let here = batch.statements.iter().find(|one| holds(one.span, refused.span()))?;
            match &here.kind {
                WriteKind::Update(update) => update.relations.iter(),
                WriteKind::Delete(delete) => delete.relations.iter(),
                WriteKind::Insert(_) => return None,
            }
        }
        _ => return None,
    };
    let relation = relations.find(|relation| holds(relation.span, refused.span()))?;
    let RelationKind::Between(column, ends) = &relation.kind else { return None };
    let column = printer::identifier(&column.text);
    let (low, high) = (refused.written(ends.0.span), refused.written(ends.1.span));
    let text = format!("{column} >= {low} AND {column} <= {high}");
    Change::safe("write two comparisons", vec![(relation.span, text)])
}
