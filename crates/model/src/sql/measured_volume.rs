//! Measured volumes, as directives of the tables, columns and statements that state none themselves.

use std::mem::discriminant;

use cql::Span;
use sqlparser::tokenizer::Token;

use super::draft::ModelDraft;
use super::source::NamedStatement;
use super::table::TableDeclaration;
use super::{name_line, scan, token};
use crate::assumption::{Assumption, AssumptionTopic};
use crate::directive::quantity::spell;
use crate::directive::{Directive, DirectiveKind};
use crate::measurement::{MeasuredColumn, MeasuredStatement, Measurements};

/// Adds the measured volumes to a draft; what the files state stays.
pub(super) fn add_measurements(
    measured: &Measurements,
    draft: &mut ModelDraft,
    named: &mut [NamedStatement],
) {
    for position in 0..draft.tables.list.len() {
        let table = &mut draft.tables.list[position];
        let Some(found) = measured.table(&table.name.text) else { continue };
        let mut figures: Vec<String> = Vec::new();
        let own = found.directives();
        figures.extend(add(&mut table.directives, own, table.name.span).map(|it| spell_rows(&it)));
        let Some(rows) = found.rows else { continue };
        for column in &found.columns {
            figures.extend(add_to_column(measured, table, column, rows));
        }
        let (entity, span) = (table.name.text.clone(), table.name.span);
        if !figures.is_empty() {
            let topic = AssumptionTopic::Measured { subject: entity, figures };
            draft.assumptions.push(Assumption { topic, span });
        }
    }
    add_rates(&measured.statements, draft, named);
}

/// Adds the volumes of a column; what was added, for people.
fn add_to_column(
    measured: &Measurements,
    table: &mut TableDeclaration,
    found: &MeasuredColumn,
    rows: f64,
) -> Option<String> {
    let position = *table.positions.get(&found.name)?;
    let each = find_fan_out(measured, table, found, rows);
    let column = table.columns.get_mut(position.index())?;
    let ty = &column.ty.as_ref()?.ty;
    let mut kinds = found.directives(rows);
    kinds.retain(|kind| match kind {
        // The bytes of an array are those of all its elements.
        DirectiveKind::Bytes(_) => !ty.is_collection() && ty.value_length_if_fixed().is_none(),
        DirectiveKind::Items(_) => ty.is_collection(),
        _ => true,
    });
    kinds.extend(each);
    let added: Vec<String> =
        add(&mut column.directives, kinds, column.name.span).map(|it| spell_figure(&it)).collect();
    (!added.is_empty()).then(|| format!("{} {}", found.name, added.join(", ")))
}

/// `@each` of a column that refers to another table alone, unless the constraint states it.
fn find_fan_out(
    measured: &Measurements,
    table: &TableDeclaration,
    found: &MeasuredColumn,
    rows: f64,
) -> Option<DirectiveKind> {
    let is_it =
        |columns: &[super::source::SqlName]| matches!(columns, [one] if one.text == found.name);
    let mut references = table.references.iter().filter(|it| is_it(&it.columns));
    let reference = references.next()?;
    let is_stated = reference.directives.iter().any(|it| matches!(it.kind, DirectiveKind::Each(_)));
    if is_stated || references.next().is_some() || is_key(table, &found.name) {
        return None;
    }
    let parents = measured.table(&reference.target.text)?.rows?;
    found.fan_out(rows, parents).map(DirectiveKind::Each)
}

/// Whether each value of the column stands in one row.
fn is_key(table: &TableDeclaration, column: &str) -> bool {
    table.keys.iter().any(|key| {
        key.condition.is_none() && matches!(key.columns.as_slice(), [one] if one.text == column)
    })
}

/// Adds the directives whose kind is not there yet; those that were added.
fn add(
    present: &mut Vec<Directive>,
    kinds: Vec<DirectiveKind>,
    span: Span,
) -> impl Iterator<Item = DirectiveKind> + use<> {
    let mut added = Vec::new();
    for kind in kinds {
        if present.iter().all(|it| discriminant(&it.kind) != discriminant(&kind)) {
            present.push(Directive { kind: kind.clone(), span });
            added.push(kind);
        }
    }
    added.into_iter()
}

fn spell_rows(kind: &DirectiveKind) -> String {
    match kind {
        DirectiveKind::Rows(rows) => format!("{} rows", spell(rows.today)),
        other => spell_figure(other),
    }
}

fn spell_figure(kind: &DirectiveKind) -> String {
    match kind {
        DirectiveKind::Distinct(values) => format!("@distinct {}", spell(*values)),
        DirectiveKind::Bytes(bytes) => format!("@bytes {}", spell(*bytes)),
        DirectiveKind::Items(items) => format!("@items {}", spell(items.today)),
        DirectiveKind::Skew(exponent) => format!("@skew zipf {exponent}"),
        DirectiveKind::Each(each) => {
            format!("@each {} p99 {} max {}", spell(each.mean), spell(each.p99), spell(each.max))
        }
        other => format!("@{}", other.name()),
    }
}

/// Adds the measured rates of statements, found by the names that sqlc sends along, or by their text.
fn add_rates(measured: &[MeasuredStatement], draft: &mut ModelDraft, named: &mut [NamedStatement]) {
    if measured.is_empty() {
        return;
    }
    let known: Vec<(String, Option<String>, f64)> = measured
        .iter()
        .filter_map(|it| Some((normalize(&it.sql)?, find_name(&it.sql), it.rate)))
        .collect();
    let texts: Vec<Option<String>> = named.iter().map(|it| normalize(&it.text)).collect();
    for (statement, text) in named.iter_mut().zip(&texts) {
        let Some(text) = text else { continue };
        // Statements that differ in their constants alone cannot be told apart: each gets its share.
        let alike = texts.iter().flatten().filter(|other| *other == text).map(|_| 1.0);
        let alike: f64 = alike.sum();
        let rates = known.iter().filter_map(|(other, name, rate)| match name {
            Some(name) => (*name == statement.name).then_some(*rate),
            None => (other == text).then_some(rate / alike),
        });
        let rate: f64 = rates.sum();
        let kinds = if rate > 0.0 { vec![DirectiveKind::Rate(rate)] } else { Vec::new() };
        let span = statement.name_span;
        if add(&mut statement.directives, kinds, span).next().is_some() {
            let figures = vec![format!("{}/s", spell(rate))];
            let topic = AssumptionTopic::Measured { subject: statement.name.clone(), figures };
            draft.assumptions.push(Assumption { topic, span });
        }
    }
}

/// The name of `-- name: X :one` above a statement.
fn find_name(sql: &str) -> Option<String> {
    let scan = scan::scan(sql);
    let mut above = scan.pieces.first()?.above.iter();
    let line = above.find_map(|comment| name_line::read(sql, comment.text))?;
    line.ok().map(|line| line.name)
}

/// The words and signs of a statement, with `?` for parameters and constants alike.
fn normalize(sql: &str) -> Option<String> {
    let scan = scan::scan(sql);
    let piece = scan.pieces.first()?;
    let tokens = token::tokenize(sql, piece.span, &piece.within).ok()?;
    let (tokens, _) = super::sqlc::expand_macros(tokens, piece.span.text(sql), piece.span.start);
    let mut words: Vec<String> = Vec::with_capacity(tokens.len());
    let mut is_name = false;
    for found in &tokens {
        let is_parameter = std::mem::take(&mut is_name);
        match &found.token {
            Token::Colon => {
                is_name = true;
                words.push("?".to_owned());
            }
            Token::Word(_) if is_parameter => {}
            Token::Placeholder(_) | Token::Number(..) | Token::SingleQuotedString(_) => {
                words.push("?".to_owned());
            }
            Token::Word(word) if word.quote_style.is_none() => {
                words.push(word.value.to_lowercase());
            }
            Token::Word(word) => words.push(word.value.clone()),
            other => words.push(other.to_string()),
        }
    }
    Some(words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_the_same_but_for_constants() {
        let measured = "-- name: Open :many\nSELECT \"id\" FROM orders\nWHERE status = $1 LIMIT $2";
        let own = "select id from Orders where status = 'open' limit 20";
        assert_eq!(normalize(measured), normalize(own));
        assert_eq!(find_name(measured).as_deref(), Some("Open"));
        assert_eq!(normalize("a = :b"), normalize("a = $1"));
        assert_ne!(normalize("a = :b"), normalize("a < $1"));
    }
}
