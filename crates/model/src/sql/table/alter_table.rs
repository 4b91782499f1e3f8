//! ALTER TABLE: additions are applied, removals are rejected, and the rest does not affect the
//! model.

use cql::Span;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::TokenWithSpan;

use super::super::draft::ModelDraft;
use super::super::source::SqlName;
use super::create_table::{self, add_item, warn_partition};
use super::item::{has_prefix, is_keyword, parse_tokens, split_items, tokens_span};
use super::{DefaultDeclaration, TableDeclaration, column};
use crate::directive::{Directive, DirectiveTarget};

/// Reads an ALTER TABLE.
pub(in crate::sql) fn read_alter(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
    directives: Vec<Directive>,
    whole: Span,
) {
    let Some((name, actions)) = create_table::parse_name(tokens.get(2..).unwrap_or_default())
    else {
        draft.report(
            "MF211",
            whole,
            "the table name of ALTER TABLE is missing",
            "write ALTER TABLE name ADD ...",
        );
        return;
    };
    let created = draft.tables.positions.get(&name.text).copied();
    let created = created.map(|position| draft.tables.list[position.index()].name.span.start);
    // A dump may begin with dropping what it is about to create.
    let drops_created = created.is_some_and(|created| created < whole.start);
    let mut actions = split_items(actions);
    actions
        .retain(|action| has_effect(action) && (drops_created || !has_prefix(action, &["drop"])));
    if actions.is_empty() {
        let misplaced =
            directives.iter().filter_map(|it| it.placement_error(DirectiveTarget::Other));
        return draft.errors.extend(misplaced);
    }
    let position = match draft.tables.find_table(&name) {
        Ok(position) => position,
        Err(error) => return draft.errors.push(error),
    };
    // The table is moved out of the draft while it changes, so that the rest of the draft can be
    // borrowed.
    let placeholder = TableDeclaration::new(name);
    let mut table = std::mem::replace(&mut draft.tables.list[position.index()], placeholder);
    let mut directives = Some(directives);
    for action in actions {
        let adds = has_prefix(action, &["add"]);
        let own = if adds { directives.take().unwrap_or_default() } else { Vec::new() };
        apply_action(draft, &mut table, action, own);
    }
    let left = directives.unwrap_or_default();
    draft.errors.extend(left.iter().filter_map(|it| it.placement_error(DirectiveTarget::Other)));
    draft.tables.list[position.index()] = table;
}

/// The action that restricts which rows a role sees.
const ROW_SECURITY: &[&str] = &["enable", "row", "level", "security"];

/// Whether the action changes the model.
fn has_effect(action: &[TokenWithSpan]) -> bool {
    let first = |keyword| has_prefix(action, &[keyword]);
    let column =
        parse_alter_column(action).is_some_and(|(_, change, _)| change != ColumnChange::Other);
    let secures = has_prefix(action, ROW_SECURITY);
    first("add") || first("drop") || first("rename") || first("attach") || column || secures
}

fn apply_action(
    draft: &mut ModelDraft,
    table: &mut TableDeclaration,
    action: &[TokenWithSpan],
    own: Vec<Directive>,
) {
    if has_prefix(action, &["add"]) {
        let added = &action[1..];
        let mut item = strip_keyword(added, "column").unwrap_or(added);
        if has_prefix(item, &["if", "not", "exists"]) {
            item = &item[3..];
        }
        // A constraint that is not validated yet still counts.
        if let [before @ .., not, valid] = item
            && is_keyword(not, "not")
            && is_keyword(valid, "valid")
        {
            item = before;
        }
        add_item(draft, table, item, tokens_span(item), own);
    } else if has_prefix(action, &["attach", "partition"]) {
        attach_partition(draft, action);
    } else if has_prefix(action, &["alter"]) {
        alter_column(draft, table, action);
    } else if has_prefix(action, ROW_SECURITY) {
        let message =
            format!("the row-level security of {} is not applied to the design", table.name.text);
        let help = "add the conditions of its policies to the statements: Cassandra has none";
        draft.warn("MF257", table.name.span, message, help);
    } else if has_prefix(action, &["drop"]) || has_prefix(action, &["rename"]) {
        let message =
            format!("ALTER TABLE {} drops or renames what is declared above", table.name.text);
        let help = format!("change CREATE TABLE {} instead", table.name.text);
        draft.report("MF211", tokens_span(action), message, help);
    }
}

/// `ATTACH PARTITION name FOR VALUES ...`
fn attach_partition(draft: &mut ModelDraft, action: &[TokenWithSpan]) {
    let Some((name, _)) = create_table::parse_name(&action[2..]) else { return };
    match draft.tables.find_table(&name) {
        Ok(position) => {
            warn_partition(draft, &name);
            draft.tables.list[position.index()].partition = true;
        }
        Err(error) => draft.errors.push(error),
    }
}

/// The tokens after a leading keyword.
fn strip_keyword<'a>(tokens: &'a [TokenWithSpan], keyword: &str) -> Option<&'a [TokenWithSpan]> {
    has_prefix(tokens, &[keyword]).then(|| &tokens[1..])
}

/// What an `ALTER COLUMN` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ColumnChange {
    /// `SET NOT NULL`
    NotNull,
    /// `DROP NOT NULL`
    Null,
    /// `SET DEFAULT ...`
    Default,
    /// `DROP DEFAULT` or `DROP IDENTITY`
    NoDefault,
    /// `ADD GENERATED ... AS IDENTITY`
    Identity {
        /// `GENERATED ALWAYS`
        always: bool,
    },
    /// `TYPE ...`
    Type,
    /// Any other change, which does not affect the model.
    Other,
}

/// The column of an `ALTER COLUMN`, and what happens to it.
fn parse_alter_column(
    action: &[TokenWithSpan],
) -> Option<(SqlName, ColumnChange, &[TokenWithSpan])> {
    let altered = strip_keyword(action, "alter")?;
    let (name, tokens) =
        create_table::parse_name(strip_keyword(altered, "column").unwrap_or(altered))?;
    let change = match tokens {
        change if has_prefix(change, &["set", "not", "null"]) => ColumnChange::NotNull,
        change if has_prefix(change, &["drop", "not", "null"]) => ColumnChange::Null,
        change if has_prefix(change, &["add", "generated"]) => {
            ColumnChange::Identity { always: has_prefix(&change[2..], &["always"]) }
        }
        change if has_prefix(change, &["set", "default"]) => ColumnChange::Default,
        change if has_prefix(change, &["drop", "default"]) => ColumnChange::NoDefault,
        change if has_prefix(change, &["drop", "identity"]) => ColumnChange::NoDefault,
        change if has_prefix(change, &["type"]) || has_prefix(change, &["set", "data"]) => {
            ColumnChange::Type
        }
        _ => ColumnChange::Other,
    };
    Some((name, change, tokens))
}

fn alter_column(draft: &mut ModelDraft, table: &mut TableDeclaration, action: &[TokenWithSpan]) {
    let Some((name, change, tokens)) = parse_alter_column(action) else { return };
    let position = match table.find_column(&name) {
        Ok(position) => position,
        Err(error) => return draft.errors.push(error),
    };
    let column = &mut table.columns[position.index()];
    match change {
        ColumnChange::NotNull => column.not_null = true,
        ColumnChange::Null => column.not_null = false,
        ColumnChange::NoDefault => column.default = None,
        ColumnChange::Identity { always } => {
            (column.not_null, column.default) =
                (true, Some(DefaultDeclaration::Sequence { always }));
            column::warn_serial(draft, &table.name, &column.name);
        }
        ColumnChange::Default => {
            match parse_tokens(&tokens[2..], tokens_span(action), Parser::parse_expr) {
                Ok(default) => column::set_default(draft, &table.name, column, default),
                Err(error) => draft.errors.push(error),
            }
        }
        ColumnChange::Type => {
            let message =
                format!("ALTER TABLE {} changes the type of {}", table.name.text, name.text);
            let help = format!("declare the type in CREATE TABLE {}", table.name.text);
            draft.report("MF211", tokens_span(action), message, help);
        }
        ColumnChange::Other => {}
    }
}
