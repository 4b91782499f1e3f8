//! Triggers, which change what writes do.
//!
//! One that sets a column to the current time before each UPDATE is carried out by the UPDATE
//! itself: the assignment is added to it. A write that fires another trigger, itself or by a cascade,
//! is rejected, because nothing in Cassandra would do what the trigger does.

use std::collections::{BTreeSet, HashMap};

use cql::Span;
use sqlparser::ast::{
    Assignment, AssignmentTarget, FromTable, Ident, ObjectName, ObjectNamePart, OnConflict,
    OnConflictAction, OnInsert, Statement, TableFactor, TableObject, TableWithJoins,
};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::client_value::find_client_value;
use super::draft::ModelDraft;
use super::source::{NamedStatement, SqlName};
use super::{parse_expression, token};
use crate::concept::{ClientValue, Concept};
use crate::id::IdList;
use crate::workload::{DerivedPart, Workload, Write, WriteKind};

/// The function of the extension `moddatetime`, which sets the column that it is given.
const MODDATETIME: &str = "moddatetime";

const HELP: &str = "do in the application what the trigger does, as a write of its own, and remove \
                    the trigger";

/// The triggers of a file and their functions.
#[derive(Clone, Debug, Default)]
pub(super) struct TriggerDeclarations {
    triggers: Vec<TriggerDeclaration>,
    /// The functions that do nothing but set a column to the current time, with that column.
    time_setters: HashMap<String, String>,
}

/// A trigger.
#[derive(Clone, Debug)]
struct TriggerDeclaration {
    name: SqlName,
    table: String,
    events: Vec<TriggerEvent>,
    function: String,
    /// The first argument of the function, if it is a text.
    argument: Option<String>,
    /// It is run for each row before the row is stored, whatever the row contains.
    is_plain: bool,
    /// What a statement sets itself stays: `ON UPDATE CURRENT_TIMESTAMP`.
    yields: bool,
}

/// A change that fires a trigger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TriggerEvent {
    Insert,
    Update,
    Delete,
}

impl TriggerDeclarations {
    /// Reads a CREATE TRIGGER. One of another form is on a view or by TRUNCATE, which no write of a
    /// model file fires.
    pub(super) fn read_trigger(&mut self, tokens: &[TokenWithSpan]) {
        self.triggers.extend(parse_trigger(tokens));
    }

    /// Adds a trigger that sets a column to the current time, or does something else.
    pub(super) fn add_trigger(
        &mut self,
        name: SqlName,
        table: String,
        event: TriggerEvent,
        column: Option<String>,
    ) {
        let (function, is_plain) = (name.text.clone(), column.is_some());
        self.time_setters.extend(column.map(|column| (function.clone(), column)));
        let (events, argument, yields) = (vec![event], None, false);
        self.triggers.push(TriggerDeclaration {
            name,
            table,
            events,
            function,
            argument,
            is_plain,
            yields,
        });
    }

    /// Adds a column that each UPDATE sets to the current time, unless it sets it itself.
    pub(super) fn add_touch(&mut self, table: &str, column: &SqlName) {
        self.triggers.push(TriggerDeclaration {
            name: column.clone(),
            table: table.to_owned(),
            events: vec![TriggerEvent::Update],
            function: MODDATETIME.to_owned(),
            argument: Some(column.text.clone()),
            is_plain: true,
            yields: true,
        });
    }

    /// Reads a CREATE FUNCTION: one that sets a column to the current time is remembered.
    pub(super) fn read_function(&mut self, text: &str, words: &[Span], file: &str) {
        let lower = |word: &Span| word.text(file).to_lowercase();
        let behind = words.iter().map(lower).position(|word| word == "function");
        let names = behind.and_then(|at| words.get(at + 1..)).unwrap_or_default();
        let Some(name) = function_name(names, file) else { return };
        if let Some(column) = body_of(text).and_then(time_setter_column) {
            self.time_setters.insert(name, column);
        }
    }

    /// The column that a trigger sets to the current time, if it does nothing else.
    fn find_touched_column(&self, trigger: &TriggerDeclaration) -> Option<String> {
        let is_update = trigger.events == [TriggerEvent::Update];
        if !trigger.is_plain || !is_update {
            return None;
        }
        if trigger.function == MODDATETIME {
            return trigger.argument.clone();
        }
        self.time_setters.get(&trigger.function).cloned()
    }
}

/// Adds to the writes what triggers do, and rejects those that fire a trigger which cannot be
/// added.
pub(super) fn apply_triggers(draft: &mut ModelDraft, named: &mut [NamedStatement]) {
    let declared = std::mem::take(&mut draft.triggers);
    for statement in &mut *named {
        let Some((table, events)) = find_fired_events(&statement.statement) else { continue };
        let fires = |it: &&TriggerDeclaration| {
            it.table == table && it.events.iter().any(|event| events.contains(event))
        };
        for trigger in declared.triggers.iter().filter(fires) {
            let touched = declared.find_touched_column(trigger);
            let is_done = touched.is_some_and(|column| touch(statement, &column, trigger.yields));
            if !is_done {
                let (write, name) = (&statement.name, &trigger.name.text);
                let message = format!("{write} fires the trigger {name} of {table}");
                draft.report("MF369", statement.name_span, message, HELP);
            }
        }
    }
    draft.triggers = declared;
}

/// Rejects the writes whose cascades fire a trigger.
pub(super) fn check_cascades(draft: &mut ModelDraft, concept: &Concept, workload: &Workload) {
    let declared = std::mem::take(&mut draft.triggers);
    for write in workload.writes.iter().filter(|write| write.is_stated()) {
        let mut open = write.implies.clone();
        let mut seen = BTreeSet::new();
        while let Some(at) = open.pop() {
            let Some(part) = workload.writes.member(at).filter(|_| seen.insert(at)) else {
                continue;
            };
            open.extend(&part.implies);
            let Some((table, event)) = find_cascaded_event(concept, part) else { continue };
            let fires = |it: &&TriggerDeclaration| it.table == table && it.events.contains(&event);
            for trigger in declared.triggers.iter().filter(fires) {
                let (write_name, name) = (&write.name, &trigger.name.text);
                let message =
                    format!("{write_name} fires the trigger {name} of {table}: {}", part.name);
                draft.report("MF369", write.span, message, HELP);
            }
        }
    }
}

/// The table whose rows a cascade changes, and what it does to them.
fn find_cascaded_event<'c>(concept: &'c Concept, part: &Write) -> Option<(&'c str, TriggerEvent)> {
    let Some(DerivedPart::Referring { entity, .. }) = part.derived else { return None };
    let event = match part.kind {
        WriteKind::Delete(_) => TriggerEvent::Delete,
        _ => TriggerEvent::Update,
    };
    Some((concept.entities.member(entity)?.name.as_str(), event))
}

/// Adds `column = now()` to an UPDATE and to the DO UPDATE of an INSERT. A value that the statement
/// gives the column itself is replaced, as a trigger that does not yield overwrites it.
fn touch(named: &mut NamedStatement, column: &str, yields: bool) -> bool {
    let assignments = match &mut named.statement {
        Statement::Update(update) => &mut update.assignments,
        Statement::Insert(insert) => match &mut insert.on {
            Some(OnInsert::OnConflict(OnConflict {
                action: OnConflictAction::DoUpdate(update),
                ..
            })) => &mut update.assignments,
            _ => return true,
        },
        _ => return true,
    };
    let Ok(now) = parse_expression("now()") else { return false };
    let own = assignments.iter_mut().find(|it| target_column(it).as_deref() == Some(column));
    match own {
        Some(own) if yields || find_client_value(&own.value) == Some(ClientValue::Now) => {
            return true;
        }
        Some(own) => own.value = now,
        None => {
            let name = ObjectName(vec![ObjectNamePart::Identifier(Ident::with_quote('"', column))]);
            assignments.push(Assignment { target: AssignmentTarget::ColumnName(name), value: now });
        }
    }
    named.text = named.statement.to_string();
    // A parameter that only the replaced value had is none any more.
    let whole = Span::new(0, u32::try_from(named.text.len()).unwrap_or(u32::MAX));
    if let Ok(tokens) = token::tokenize(&named.text, whole, &[]) {
        named.placeholders = token::count_placeholders(&tokens);
    }
    true
}

/// The column that an assignment sets.
fn target_column(assignment: &Assignment) -> Option<String> {
    let AssignmentTarget::ColumnName(name) = &assignment.target else { return None };
    Some(SqlName::from_object_name(name)?.text)
}

/// The table that a write changes, and what it does to its rows.
fn find_fired_events(statement: &Statement) -> Option<(String, Vec<TriggerEvent>)> {
    let (name, events) = match statement {
        Statement::Insert(insert) => {
            let TableObject::TableName(name) = &insert.table else { return None };
            let is_upsert = matches!(
                &insert.on,
                Some(OnInsert::OnConflict(OnConflict {
                    action: OnConflictAction::DoUpdate(_),
                    ..
                }))
            );
            let update = is_upsert.then_some(TriggerEvent::Update);
            (name, [TriggerEvent::Insert].into_iter().chain(update).collect())
        }
        Statement::Update(update) => (table_name(&update.table)?, vec![TriggerEvent::Update]),
        Statement::Delete(delete) => {
            let (FromTable::WithFromKeyword(tables) | FromTable::WithoutKeyword(tables)) =
                &delete.from;
            (table_name(tables.first()?)?, vec![TriggerEvent::Delete])
        }
        _ => return None,
    };
    Some((SqlName::from_object_name(name)?.text, events))
}

fn table_name(table: &TableWithJoins) -> Option<&ObjectName> {
    match &table.relation {
        TableFactor::Table { name, .. } => Some(name),
        _ => None,
    }
}

/// `CREATE TRIGGER name BEFORE event OR event ON table ... EXECUTE FUNCTION name(...)`
fn parse_trigger(tokens: &[TokenWithSpan]) -> Option<TriggerDeclaration> {
    let word_at = |at: usize| match &tokens.get(at)?.token {
        Token::Word(word) if word.quote_style.is_none() => Some(word.value.to_lowercase()),
        Token::Word(word) => Some(word.value.clone()),
        _ => None,
    };
    let find = |from: usize, wanted: &[&str]| {
        (from..tokens.len()).find(|at| word_at(*at).is_some_and(|it| wanted.contains(&it.as_str())))
    };
    let name_at = find(0, &["trigger"])? + 1;
    let timing = find(name_at + 1, &["before", "after", "instead"])?;
    let on = find(timing, &["on"])?;
    let execute = find(on, &["execute"])?;
    let event = |at: usize| match word_at(at)?.as_str() {
        "insert" => Some(TriggerEvent::Insert),
        "update" => Some(TriggerEvent::Update),
        "delete" => Some(TriggerEvent::Delete),
        _ => None,
    };
    let events: Vec<TriggerEvent> = (timing..on).filter_map(event).collect();
    // The last part of a name with a schema.
    let last_part = |mut at: usize| {
        while matches!(tokens.get(at + 1).map(|it| &it.token), Some(Token::Period)) {
            at += 2;
        }
        word_at(at).map(|word| (word, at))
    };
    let (table, _) = last_part(on + 1)?;
    let (function, function_at) = last_part(execute + 2)?;
    let argument = match tokens.get(function_at + 2).map(|it| &it.token) {
        Some(Token::SingleQuotedString(text)) => Some(text.clone()),
        Some(Token::Word(word)) => Some(word.value.clone()),
        _ => None,
    };
    let is_before = word_at(timing).is_some_and(|word| word == "before");
    let has_columns = find(timing, &["of"]).is_some_and(|at| at < on);
    let has_condition = find(on, &["when"]).is_some_and(|at| at < execute);
    let is_for_rows = find(on, &["row"]).is_some_and(|at| at < execute);
    let is_plain = is_before && is_for_rows && !has_columns && !has_condition;
    let span = token::byte_span(tokens.get(name_at)?.span)?;
    let name = SqlName { text: word_at(name_at)?, span };
    let yields = false;
    Some(TriggerDeclaration { name, table, events, function, argument, is_plain, yields })
}

/// The name of a function without its schema.
fn function_name(words: &[Span], file: &str) -> Option<String> {
    let [first, rest @ ..] = words else { return None };
    let is_schema = file.get(first.end as usize..).is_some_and(|rest| rest.starts_with('.'));
    let name = if is_schema { rest.first()? } else { first };
    Some(name.text(file).trim_matches('"').to_lowercase())
}

/// The body of a function between dollar signs.
fn body_of(text: &str) -> Option<&str> {
    let start = text.find('$')?;
    let tag_end = start + 1 + text.get(start + 1..)?.find('$')?;
    let tag = text.get(start..=tag_end)?;
    let body = text.get(tag_end + 1..)?;
    body.get(..body.find(tag)?)
}

/// The column of a body that is `BEGIN NEW.column = now(); RETURN NEW; END;`.
fn time_setter_column(body: &str) -> Option<String> {
    let whole = Span::new(0, u32::try_from(body.len()).ok()?);
    let tokens = token::tokenize(body, whole, &[]).ok()?;
    let mut statements = tokens.split(|token| token.token == Token::SemiColon);
    let [begin, new, period, column, sign, value @ ..] = statements.next()? else { return None };
    let [back, row] = statements.next()? else { return None };
    let [end] = statements.next()? else { return None };
    let has_shape = is_word(begin, "begin")
        && is_word(new, "new")
        && period.token == Token::Period
        && matches!(sign.token, Token::Eq | Token::Assignment)
        && is_word(back, "return")
        && is_word(row, "new")
        && is_word(end, "end")
        && statements.all(<[TokenWithSpan]>::is_empty);
    let Token::Word(column) = &column.token else { return None };
    let (first, last) = (value.first()?, value.last()?);
    let place = token::byte_span(first.span)?.union(token::byte_span(last.span)?);
    let value = parse_expression(place.text(body)).ok()?;
    let is_now = find_client_value(&value) == Some(ClientValue::Now);
    (has_shape && is_now).then(|| match column.quote_style {
        Some(_) => column.value.clone(),
        None => column.value.to_lowercase(),
    })
}

/// Whether a token is this word, without quotes.
fn is_word(token: &TokenWithSpan, wanted: &str) -> bool {
    matches!(&token.token, Token::Word(word)
        if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(wanted))
}
