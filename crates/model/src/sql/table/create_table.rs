//! CREATE TABLE: its columns, constraints and directives.

use cql::Span;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::super::comments::StatementAnnotations;
use super::super::draft::ModelDraft;
use super::super::scan::SqlComment;
use super::super::source::SqlName;
use super::item::{
    self, TableItem, has_prefix, is_keyword, split_items, split_parentheses, token_span,
    tokens_span,
};
use super::{TableDeclaration, column};
use crate::directive::{self, Directive, DirectiveTarget};
use crate::id::IdList;

/// Reads a CREATE TABLE.
pub(in crate::sql) fn read_create(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
    remarks: StatementAnnotations,
    whole: Span,
) {
    let Some((name, rest)) = parse_header(tokens) else {
        let message = "the table name of CREATE TABLE is missing";
        draft.report("MF210", whole, message, "write CREATE TABLE name (column type, ...)");
        return;
    };
    let mut table = TableDeclaration::new(name);
    table.partition = has_prefix(rest, &["partition", "of"]);
    if table.partition {
        warn_partition(draft, &table.name);
    } else if let Some((inside @ [_, ..], rest)) = split_parentheses(rest) {
        report_unsupported(draft, &table.name, rest);
        read_body(draft, &mut table, inside, remarks, whole);
    } else {
        let message = format!("CREATE TABLE {} has no column list", table.name.text);
        let help = format!("write CREATE TABLE {} (column type, ...)", table.name.text);
        draft.report("MF210", table.name.span, message, help);
    }
    let tables = &mut draft.tables;
    if tables.positions.contains_key(&table.name.text) {
        let message = format!("table {} is created twice", table.name.text);
        draft.report("MF201", table.name.span, message, "remove or rename one of them");
        return;
    }
    tables.positions.insert(table.name.text.clone(), tables.list.next_id());
    tables.list.push(table);
}

/// Warns about a partition of another table: partitioning is decided by the design.
pub(super) fn warn_partition(draft: &mut ModelDraft, name: &SqlName) {
    let message = format!("{} is a partition of another table and is ignored", name.text);
    draft.warn("MF252", name.span, message, "remove it: partitions are chosen by the design");
}

/// The name, and the tokens after it.
fn parse_header(tokens: &[TokenWithSpan]) -> Option<(SqlName, &[TokenWithSpan])> {
    let table = tokens.iter().position(|token| is_keyword(token, "table"))?;
    parse_name(&tokens[table + 1..])
}

/// A name, optionally after IF [NOT] EXISTS or ONLY and qualified by a schema; and the tokens after
/// it.
pub(in crate::sql) fn parse_name(
    mut tokens: &[TokenWithSpan],
) -> Option<(SqlName, &[TokenWithSpan])> {
    for skipped in [&["if", "not", "exists"][..], &["if", "exists"], &["only"]] {
        if has_prefix(tokens, skipped) {
            tokens = &tokens[skipped.len()..];
        }
    }
    let mut last = None;
    while let [first, rest @ ..] = tokens {
        let Token::Word(word) = &first.token else { break };
        last = Some(SqlName::new(&word.clone().into_ident(first.span)));
        tokens = rest;
        match tokens {
            [period, rest @ ..] if period.token == Token::Period => tokens = rest,
            _ => break,
        }
    }
    Some((last?, tokens))
}

fn report_unsupported(draft: &mut ModelDraft, name: &SqlName, rest: &[TokenWithSpan]) {
    if let Some(token) = rest.iter().find(|token| is_keyword(token, "inherits")) {
        let message = format!("{} inherits columns from another table", name.text);
        let help = "list its columns, with a primary key that references that of the other table";
        draft.report("MF210", token_span(token), message, help);
    }
}

/// The columns and constraints.
fn read_body(
    draft: &mut ModelDraft,
    table: &mut TableDeclaration,
    inside: &[TokenWithSpan],
    remarks: StatementAnnotations,
    whole: Span,
) {
    let items = split_items(inside);
    let spans: Vec<Span> = items.iter().map(|item| tokens_span(item)).collect();
    let mut directives = distribute_directives(draft, table, &spans, remarks, whole);
    for (tokens, span) in items.into_iter().zip(&spans) {
        let directives = directives.next().unwrap_or_default();
        add_item(draft, table, tokens, *span, directives);
    }
}

/// Adds a column or a constraint.
pub(super) fn add_item(
    draft: &mut ModelDraft,
    table: &mut TableDeclaration,
    tokens: &[TokenWithSpan],
    span: Span,
    directives: Vec<Directive>,
) {
    draft.errors.extend(directive::duplicate_errors(&directives));
    if tokens.is_empty() {
        let message =
            format!("a column definition of {} is missing between two commas", table.name.text);
        draft.report("MF210", table.name.span, message, "remove the extra comma");
        return;
    }
    match item::parse_item(tokens, span) {
        Ok(TableItem::Column(definition)) => {
            column::add_column(draft, table, &definition, type_span(tokens, span), directives);
        }
        Ok(TableItem::Constraint(constraint)) => {
            column::add_constraint(draft, table, &constraint, span, directives);
        }
        Ok(TableItem::Clause(clause)) => {
            table.clauses.push(clause);
            let misplaced =
                directives.iter().filter_map(|it| it.placement_error(DirectiveTarget::Other));
            draft.errors.extend(misplaced);
        }
        Ok(TableItem::Like) => {
            let message =
                format!("{} copies the columns of another table with LIKE", table.name.text);
            draft.report("MF210", span, message, "list its columns");
        }
        Err(error) => {
            draft.errors.push(error);
            column::add_unread(table, tokens, directives);
        }
    }
}

/// Assigns each directive to the table or to the item before it; returns those of the items in
/// order.
fn distribute_directives(
    draft: &mut ModelDraft,
    table: &mut TableDeclaration,
    items: &[Span],
    remarks: StatementAnnotations,
    whole: Span,
) -> impl Iterator<Item = Vec<Directive>> + use<> {
    let mut of_items = vec![Vec::new(); items.len()];
    let mut of_table = remarks.above;
    for (comment, directive) in remarks.within {
        match find_item(items, &comment, whole) {
            Some(item) => of_items[item].push(directive),
            None if comment.own_line => {
                let message = format!("@{} is on a separate line", directive.kind.name());
                draft.errors.push(directive.location_error(message));
            }
            None => of_table.push(directive),
        }
    }
    for directive in &of_table {
        draft.errors.extend(directive.placement_error(DirectiveTarget::Table));
    }
    draft.errors.extend(directive::duplicate_errors(&of_table));
    table.directives = of_table;
    of_items.into_iter()
}

/// The item before the comment that ends, or continues, on its line; `None` after the end of the
/// statement.
fn find_item(items: &[Span], comment: &SqlComment, whole: Span) -> Option<usize> {
    if comment.own_line || comment.whole.start >= whole.end {
        return None;
    }
    let before = items.partition_point(|item| item.start < comment.whole.start);
    let item = before.checked_sub(1)?;
    (items[item].end > comment.line).then_some(item)
}

/// The place of a column's type: after its name.
fn type_span(tokens: &[TokenWithSpan], item: Span) -> Span {
    parse_name(&tokens[1..]).map_or(item, |(name, _)| name.span)
}
