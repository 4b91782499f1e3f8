//! CREATE TABLE.

use cql::Span;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::comments::Remarks;
use super::super::draft::ModelDraft;
use super::super::scan::Comment;
use super::super::source::Name;
use super::item::{self, Item, is, parenthesized, place, places, split, starts};
use super::{Table, column};
use crate::directive::{self, Directive, Subject};
use crate::id::Numbered;

/// Reads a CREATE TABLE.
pub(in crate::sql) fn create(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
    remarks: Remarks,
    whole: Span,
) {
    let Some((name, behind)) = header(tokens) else {
        let message = "CREATE TABLE has no name";
        draft.report("MF210", whole, message, "write CREATE TABLE name (column type, ...)");
        return;
    };
    let mut table = Table::new(name);
    table.partition = starts(behind, &["partition", "of"]);
    if table.partition {
        partition(draft, &table.name);
    } else if let Some((inside @ [_, ..], behind)) = parenthesized(behind) {
        unsupported(draft, &table.name, behind);
        body(draft, &mut table, inside, remarks, whole);
    } else {
        let message = format!("CREATE TABLE {} does not list columns", table.name.text);
        let help = format!("write CREATE TABLE {} (column type, ...)", table.name.text);
        draft.report("MF210", table.name.span, message, help);
    }
    let tables = &mut draft.tables;
    if tables.positions.contains_key(&table.name.text) {
        let message = format!("table {} is created twice", table.name.text);
        draft.report("MF201", table.name.span, message, "keep one of them, or rename it");
        return;
    }
    tables.positions.insert(table.name.text.clone(), tables.list.next_id());
    tables.list.push(table);
}

/// A partition holds rows of another table: what Cassandra does with them is Helenus's to decide.
pub(super) fn partition(draft: &mut ModelDraft, name: &Name) {
    let message = format!("{} is a partition of another table and is not read", name.text);
    draft.warn("MF252", name.span, message, "leave it out: partitions are chosen by the design");
}

/// The name, and what stands behind it.
fn header(tokens: &[TokenWithSpan]) -> Option<(Name, &[TokenWithSpan])> {
    let table = tokens.iter().position(|token| is(token, "table"))?;
    name(&tokens[table + 1..])
}

/// A name, perhaps behind IF [NOT] EXISTS or ONLY, perhaps with a schema; and what stands behind it.
pub(super) fn name(mut tokens: &[TokenWithSpan]) -> Option<(Name, &[TokenWithSpan])> {
    for skipped in [&["if", "not", "exists"][..], &["if", "exists"], &["only"]] {
        if starts(tokens, skipped) {
            tokens = &tokens[skipped.len()..];
        }
    }
    let mut last = None;
    while let [first, rest @ ..] = tokens {
        let Token::Word(word) = &first.token else { break };
        last = Some(Name::new(&word.clone().into_ident(first.span)));
        tokens = rest;
        match tokens {
            [period, rest @ ..] if period.token == Token::Period => tokens = rest,
            _ => break,
        }
    }
    Some((last?, tokens))
}

fn unsupported(draft: &mut ModelDraft, name: &Name, behind: &[TokenWithSpan]) {
    if let Some(token) = behind.iter().find(|token| is(token, "inherits")) {
        let message = format!("{} inherits columns from another table", name.text);
        let help = "write its columns out, with a primary key that references the other table's";
        draft.report("MF210", place(token), message, help);
    }
}

/// The columns and constraints.
fn body(
    draft: &mut ModelDraft,
    table: &mut Table,
    inside: &[TokenWithSpan],
    remarks: Remarks,
    whole: Span,
) {
    let items = split(inside);
    let spans: Vec<Span> = items.iter().map(|item| places(item)).collect();
    let mut directives = distribute(draft, table, &spans, remarks, whole);
    for (tokens, span) in items.into_iter().zip(&spans) {
        let directives = directives.next().unwrap_or_default();
        add(draft, table, tokens, *span, directives);
    }
}

/// Adds a column or a constraint.
pub(super) fn add(
    draft: &mut ModelDraft,
    table: &mut Table,
    tokens: &[TokenWithSpan],
    span: Span,
    directives: Vec<Directive>,
) {
    draft.errors.extend(directive::duplicates(&directives));
    if tokens.is_empty() {
        let message = format!("a column of {} is missing between commas", table.name.text);
        draft.report("MF210", table.name.span, message, "take the extra comma away");
        return;
    }
    match item::item(tokens, span) {
        Ok(Item::Column(definition)) => {
            column::add_column(draft, table, &definition, type_place(tokens, span), directives);
        }
        Ok(Item::Constraint(constraint)) => {
            column::add_constraint(draft, table, &constraint, span, directives);
        }
        Ok(Item::Ignored) => {
            let misplaced = directives.iter().filter_map(|it| it.misplaced(Subject::Other));
            draft.errors.extend(misplaced);
        }
        Ok(Item::Like) => {
            let message = format!("{} takes its columns from another table", table.name.text);
            draft.report("MF210", span, message, "write its columns out");
        }
        Err(error) => {
            draft.errors.push(error);
            column::add_unread(table, tokens, directives);
        }
    }
}

/// Gives each directive to the table or to the item that it stands behind; the items' come out in their order.
fn distribute(
    draft: &mut ModelDraft,
    table: &mut Table,
    items: &[Span],
    remarks: Remarks,
    whole: Span,
) -> impl Iterator<Item = Vec<Directive>> + use<> {
    let mut of_items = vec![Vec::new(); items.len()];
    let mut of_table = remarks.above;
    for (comment, directive) in remarks.within {
        match item_of(items, &comment, whole) {
            Some(item) => of_items[item].push(directive),
            None if comment.own_line => {
                let message = format!("@{} stands on a line of its own", directive.kind.name());
                draft.errors.push(directive.elsewhere(message));
            }
            None => of_table.push(directive),
        }
    }
    for directive in &of_table {
        draft.errors.extend(directive.misplaced(Subject::Table));
    }
    draft.errors.extend(directive::duplicates(&of_table));
    table.directives = of_table;
    of_items.into_iter()
}

/// The item that ends, or goes on, on the line of the comment, before it; none behind the end of the statement.
fn item_of(items: &[Span], comment: &Comment, whole: Span) -> Option<usize> {
    if comment.own_line || comment.whole.start >= whole.end {
        return None;
    }
    let before = items.partition_point(|item| item.start < comment.whole.start);
    let item = before.checked_sub(1)?;
    (items[item].end > comment.line).then_some(item)
}

/// Where the type of a column stands: behind its name.
fn type_place(tokens: &[TokenWithSpan], item: Span) -> Span {
    name(&tokens[1..]).map_or(item, |(name, _)| name.span)
}
