//! ALTER TABLE: what it adds counts, what it takes away is refused, and the rest says nothing about the model.

use cql::Span;
use sqlparser::tokenizer::TokenWithSpan;

use super::create::{self, add, partition};
use super::item::{is, places, split, starts};
use super::{Reading, Table, column};
use crate::directive::{Directive, Subject};

/// Reads an ALTER TABLE.
pub(in crate::sql) fn alter(
    reading: &mut Reading,
    tokens: &[TokenWithSpan],
    directives: Vec<Directive>,
    whole: Span,
) {
    let behind = tokens.get(2..).unwrap_or_default();
    let Some((name, actions)) = create::name(behind) else {
        reading.complain(
            "MF211",
            whole,
            "ALTER TABLE has no name",
            "write ALTER TABLE name ADD ...",
        );
        return;
    };
    let actions = split(actions);
    if !actions.iter().any(|action| says_something(action)) {
        let misplaced = directives.iter().filter_map(|it| it.misplaced(Subject::Other));
        return reading.complaints.extend(misplaced);
    }
    let position = match reading.tables.named(&name) {
        Ok(position) => position,
        Err(complaint) => return reading.complaints.push(complaint),
    };
    // The table is taken out while it changes, so that the rest of what is read can change with it.
    let placeholder = Table::new(name);
    let mut table = std::mem::replace(&mut reading.tables.list[position], placeholder);
    let mut directives = Some(directives);
    for action in actions {
        let adds = starts(action, &["add"]);
        let own = if adds { directives.take().unwrap_or_default() } else { Vec::new() };
        act(reading, &mut table, action, own);
    }
    let left = directives.unwrap_or_default();
    reading.complaints.extend(left.iter().filter_map(|it| it.misplaced(Subject::Other)));
    reading.tables.list[position] = table;
}

/// Whether the action changes the model.
fn says_something(action: &[TokenWithSpan]) -> bool {
    let first = |keyword| action.first().is_some_and(|token| is(token, keyword));
    first("add") || first("drop") || first("rename") || first("alter") || first("attach")
}

fn act(reading: &mut Reading, table: &mut Table, action: &[TokenWithSpan], own: Vec<Directive>) {
    if starts(action, &["add"]) {
        let skipped = 1 + usize::from(starts(&action[1..], &["column"]));
        let mut item = &action[skipped..];
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
        add(reading, table, item, places(item), own);
    } else if starts(action, &["attach", "partition"]) {
        attach(reading, action);
    } else if starts(action, &["alter"]) {
        alter_column(reading, table, action);
    } else if starts(action, &["drop"]) || starts(action, &["rename"]) {
        let message = format!("ALTER TABLE {} takes back what stands above", table.name.text);
        let help = format!("write CREATE TABLE {} as it is to be", table.name.text);
        reading.complain("MF211", places(action), message, help);
    }
}

/// `ATTACH PARTITION name FOR VALUES ...`
fn attach(reading: &mut Reading, action: &[TokenWithSpan]) {
    let Some((name, _)) = create::name(&action[2..]) else { return };
    match reading.tables.named(&name) {
        Ok(position) => {
            partition(reading, &name);
            reading.tables.list[position].partition = true;
        }
        Err(complaint) => reading.complaints.push(complaint),
    }
}

/// `ALTER COLUMN id SET NOT NULL`, `... SET DEFAULT nextval(...)`, `... ADD GENERATED ...`
fn alter_column(reading: &mut Reading, table: &mut Table, action: &[TokenWithSpan]) {
    let skipped = 1 + usize::from(starts(&action[1..], &["column"]));
    let Some((name, change)) = create::name(&action[skipped..]) else { return };
    let position = match table.column(&name) {
        Ok(position) => position,
        Err(complaint) => return reading.complaints.push(complaint),
    };
    if starts(change, &["set", "not", "null"]) {
        table.columns[position].not_null = true;
    } else if starts(change, &["drop", "not", "null"]) {
        table.columns[position].not_null = false;
    } else if starts(change, &["add", "generated"])
        || starts(change, &["set", "default", "nextval"])
    {
        column::counted_up(reading, &table.name, &table.columns[position].name);
    } else if starts(change, &["type"]) || starts(change, &["set", "data"]) {
        let message = format!("ALTER TABLE {} changes the type of {}", table.name.text, name.text);
        let help = format!("write the type in CREATE TABLE {}", table.name.text);
        reading.complain("MF211", places(action), message, help);
    }
}
