//! ALTER TABLE: what it adds counts, what it takes away is refused, and the rest says nothing about the model.

use cql::Span;
use sqlparser::tokenizer::TokenWithSpan;

use super::super::draft::ModelDraft;
use super::super::source::Name;
use super::create::{self, add, partition};
use super::item::{is, places, split, starts};
use super::{Table, column};
use crate::directive::{Directive, Subject};

/// Reads an ALTER TABLE.
pub(in crate::sql) fn alter(
    draft: &mut ModelDraft,
    tokens: &[TokenWithSpan],
    directives: Vec<Directive>,
    whole: Span,
) {
    let Some((name, actions)) = create::name(tokens.get(2..).unwrap_or_default()) else {
        draft.report("MF211", whole, "ALTER TABLE has no name", "write ALTER TABLE name ADD ...");
        return;
    };
    let created = draft.tables.positions.get(&name.text).copied();
    let created = created.map(|position| draft.tables.list[position.index()].name.span.start);
    // A dump may begin with taking away what it is about to create.
    let takes_back = created.is_some_and(|created| created < whole.start);
    let mut actions = split(actions);
    actions.retain(|action| says_something(action) && (takes_back || !starts(action, &["drop"])));
    if actions.is_empty() {
        let misplaced = directives.iter().filter_map(|it| it.misplaced(Subject::Other));
        return draft.errors.extend(misplaced);
    }
    let position = match draft.tables.named(&name) {
        Ok(position) => position,
        Err(error) => return draft.errors.push(error),
    };
    // The table is taken out while it changes, so that the rest of what is read can change with it.
    let placeholder = Table::new(name);
    let mut table = std::mem::replace(&mut draft.tables.list[position.index()], placeholder);
    let mut directives = Some(directives);
    for action in actions {
        let adds = starts(action, &["add"]);
        let own = if adds { directives.take().unwrap_or_default() } else { Vec::new() };
        act(draft, &mut table, action, own);
    }
    let left = directives.unwrap_or_default();
    draft.errors.extend(left.iter().filter_map(|it| it.misplaced(Subject::Other)));
    draft.tables.list[position.index()] = table;
}

/// Whether the action changes the model.
fn says_something(action: &[TokenWithSpan]) -> bool {
    let first = |keyword| starts(action, &[keyword]);
    let column = changed_column(action).is_some_and(|(_, change)| change != Change::Other);
    first("add") || first("drop") || first("rename") || first("attach") || column
}

fn act(draft: &mut ModelDraft, table: &mut Table, action: &[TokenWithSpan], own: Vec<Directive>) {
    if starts(action, &["add"]) {
        let added = &action[1..];
        let mut item = behind(added, "column").unwrap_or(added);
        if starts(item, &["if", "not", "exists"]) {
            item = &item[3..];
        }
        // A constraint that was not checked is still meant.
        if let [before @ .., not, valid] = item
            && is(not, "not")
            && is(valid, "valid")
        {
            item = before;
        }
        add(draft, table, item, places(item), own);
    } else if starts(action, &["attach", "partition"]) {
        attach(draft, action);
    } else if starts(action, &["alter"]) {
        alter_column(draft, table, action);
    } else if starts(action, &["drop"]) || starts(action, &["rename"]) {
        let message = format!("ALTER TABLE {} takes back what stands above", table.name.text);
        let help = format!("write CREATE TABLE {} as it is to be", table.name.text);
        draft.report("MF211", places(action), message, help);
    }
}

/// `ATTACH PARTITION name FOR VALUES ...`
fn attach(draft: &mut ModelDraft, action: &[TokenWithSpan]) {
    let Some((name, _)) = create::name(&action[2..]) else { return };
    match draft.tables.named(&name) {
        Ok(position) => {
            partition(draft, &name);
            draft.tables.list[position.index()].partition = true;
        }
        Err(error) => draft.errors.push(error),
    }
}

/// What stands behind the keyword that the tokens start with.
fn behind<'a>(tokens: &'a [TokenWithSpan], keyword: &str) -> Option<&'a [TokenWithSpan]> {
    starts(tokens, &[keyword]).then(|| &tokens[1..])
}

/// What an `ALTER COLUMN` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// `SET NOT NULL`
    NotNull,
    /// `DROP NOT NULL`
    Null,
    /// `SET DEFAULT nextval(...)` or `ADD GENERATED ...`
    CountedUp,
    /// `TYPE ...`
    Type,
    /// What says nothing about the model.
    Other,
}

/// The column of an `ALTER COLUMN`, and what happens to it.
fn changed_column(action: &[TokenWithSpan]) -> Option<(Name, Change)> {
    let altered = behind(action, "alter")?;
    let (name, change) = create::name(behind(altered, "column").unwrap_or(altered))?;
    let change = match change {
        change if starts(change, &["set", "not", "null"]) => Change::NotNull,
        change if starts(change, &["drop", "not", "null"]) => Change::Null,
        change if starts(change, &["add", "generated"]) => Change::CountedUp,
        change if starts(change, &["set", "default", "nextval"]) => Change::CountedUp,
        change if starts(change, &["type"]) || starts(change, &["set", "data"]) => Change::Type,
        _ => Change::Other,
    };
    Some((name, change))
}

fn alter_column(draft: &mut ModelDraft, table: &mut Table, action: &[TokenWithSpan]) {
    let Some((name, change)) = changed_column(action) else { return };
    let position = match table.column(&name) {
        Ok(position) => position,
        Err(error) => return draft.errors.push(error),
    };
    match change {
        Change::NotNull => table.columns[position.index()].not_null = true,
        Change::Null => table.columns[position.index()].not_null = false,
        Change::CountedUp => {
            column::counted_up(draft, &table.name, &table.columns[position.index()].name);
        }
        Change::Type => {
            let message =
                format!("ALTER TABLE {} changes the type of {}", table.name.text, name.text);
            let help = format!("write the type in CREATE TABLE {}", table.name.text);
            draft.report("MF211", places(action), message, help);
        }
        Change::Other => {}
    }
}
