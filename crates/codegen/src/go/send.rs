//! Statements that write, in their loops.

use super::command::enclose_alone;
use super::expression::start_of_bucket;
use super::fetch::{enclose_loop, turn_of, write_header};
use super::format::{GoLines, follow, quote};
use super::scope::{GoForm, GoScope, GoTurn, GoValue};
use crate::program::{
    BucketWidth, Condition, DataType, Refusal, Repetition, RowReference, Send, Walk,
};

/// Code at each turn of repetitions at which the guards hold.
pub(super) fn enclose_turns<'p>(
    scope: &GoScope<'p>,
    repetitions: &[Repetition],
    guards: &[Condition],
    write: impl Fn(&GoScope<'p>) -> GoLines,
) -> GoLines {
    let mut inner = scope.clone();
    let mut headers = Vec::new();
    for (at, repetition) in repetitions.iter().enumerate() {
        headers.push(match repetition {
            Repetition::Buckets(walk) => Err(write_buckets(&inner, walk)),
            other => Ok(write_header(&inner, other)),
        });
        inner = inner.with_turn(turn_of(repetition, at));
    }
    let mut lines = write(&inner);
    let condition = inner.conditions(guards);
    if !condition.is_empty() {
        let mut guarded = GoLines::default();
        guarded.block(format!("if {condition} {{"), lines, "}");
        lines = guarded;
    }
    for (at, (header, repetition)) in headers.iter().zip(repetitions).enumerate().rev() {
        lines = match (header, repetition) {
            (Ok(header), _) => enclose_loop(header, at, lines),
            (Err(range), Repetition::Buckets(walk)) => {
                let turn = format!("turn{at}");
                let mut inside = GoLines::default();
                let mut head = format!("for range {range} {{");
                if lines.has_use(&turn) {
                    head = format!("for _, number{at} := range {range} {{");
                    let start = start_of_bucket(&format!("number{at}"), walk.width);
                    inside.add(format!("{turn} := {start}"));
                }
                inside.append(lines);
                let mut all = GoLines::default();
                all.block(head, inside, "}");
                all
            }
            (Err(_), _) => lines,
        };
    }
    lines
}

/// The values of a statement: what is done before, the values, and on what it depends whether it
/// is sent.
pub(super) fn write_values(
    scope: &GoScope<'_>,
    send: &Send,
) -> (GoLines, Vec<String>, Option<String>) {
    let mut before = GoLines::default();
    let (mut texts, mut needed) = (Vec::new(), Vec::new());
    for (at, binding) in send.values.iter().enumerate() {
        let value = scope.root(&binding.value);
        if !send.needs_all_values || value.form == GoForm::Plain {
            texts.extend(value.list_bound(binding.null_is_unset));
            continue;
        }
        let named = if value.is_simple() {
            value
        } else {
            let name = format!("value{at}");
            before.add(format!("{name} := {}", value.text));
            GoValue { text: name, ..value }
        };
        needed.push(named.print_presence_test());
        texts.extend(named.list_bound(false));
    }
    let condition = (!needed.is_empty()).then(|| needed.join(" && "));
    (before, texts, condition)
}

/// A statement at each of its turns.
pub(super) fn write_send(scope: &GoScope<'_>, send: &Send, statement: &str) -> GoLines {
    let lines = enclose_turns(scope, &send.repetitions, &send.guards, |scope| {
        let (before, texts, condition) = write_values(scope, send);
        let arguments = follow(texts);
        let mut inside = GoLines::default();
        if send.statement.conditional && send.refusal.is_some() {
            inside.add(format!("applied, err := c.executeIf(ctx, {statement}{arguments})"));
            inside.add("if err != nil {");
            inside.add(format!("return w.failed({statement}, err)")).add("}");
            inside.add("if !applied {");
            inside.add(format!(
                "return w.refuse(ctx, {}, {statement}.describe())",
                write_refusal(send)
            ));
            inside.add("}");
        } else {
            inside.add(format!("if err := c.execute(ctx, {statement}{arguments}); err != nil {{"));
            inside.add(format!("return w.failed({statement}, err)")).add("}");
        }
        inside.append(write_undo(scope, send, statement));
        let declares = send.statement.conditional && condition.is_none() || !before.is_empty();
        let mut all = before;
        match condition {
            Some(condition) => _ = all.block(format!("if {condition} {{"), inside, "}"),
            None => _ = all.append(inside),
        }
        let is_alone = send.repetitions.is_empty() && send.guards.is_empty();
        enclose_alone(all, is_alone && declares)
    });
    let mut commented = GoLines::default();
    commented.comment(&send.reason).append(lines);
    commented
}

/// Remembers the statement, and what undoes it.
fn write_undo(scope: &GoScope<'_>, send: &Send, statement: &str) -> GoLines {
    let mut lines = GoLines::default();
    let Some(inverse) = &send.inverse else {
        lines.add(format!("w.remember({statement}, nil)"));
        return lines;
    };
    let bound = inverse.values.iter().flat_map(|it| scope.root(&it.value).list_bound(false));
    let arguments = follow(bound);
    let mut inside = GoLines::default();
    inside.add(format!("return c.execute(ctx, {statement}Undo{arguments})"));
    lines.block(
        format!("w.remember({statement}, func(ctx context.Context) error {{"),
        inside,
        "})",
    );
    lines
}
fn write_refusal(send: &Send) -> String {
    let what = send.condition.as_deref().unwrap_or(&send.statement.cql);
    match send.refusal {
        Some(Refusal::Violation) => format!("c.violation({})", quote(what)),
        _ if send.depends_on_read => "outcome{result: stale}".to_owned(),
        _ => "outcome{result: Refused}".to_owned(),
    }
}

/// The numbers of the buckets of a write: its ends were read before.
fn write_buckets(scope: &GoScope<'_>, walk: &Walk) -> String {
    let number = |value: &GoValue| scope.bucket_number(value, walk.width).to_pointer();
    let now = GoValue::plain("c.access.now()", &DataType::Timestamp);
    let to = match (&walk.to, walk.width) {
        (Some(value), _) => number(&scope.root(value)),
        (None, BucketWidth::Range(_)) => "ptr(int64(math.MaxInt64))".to_owned(),
        (None, _) => number(&now),
    };
    let mut bounds: Vec<String> =
        walk.from.iter().map(|value| number(&scope.root(value))).collect();
    let is_range = matches!(walk.width, BucketWidth::Range(_));
    if let Some(millis) = walk.retention_ms.filter(|_| !is_range) {
        let text = format!("shiftTime(c.access.now(), 0, 0, -{millis})");
        bounds.push(number(&GoValue::plain(text, &DataType::Timestamp)));
    }
    let end = |name: &Option<String>| {
        let found = walk.ends.zip(name.as_ref());
        let Some((step, name)) = found else { return "nil".to_owned() };
        let ty = walk.width.data_type();
        let value = scope.column(&find_row(scope, step), name, &ty);
        match walk.width {
            BucketWidth::Range(_) => scope.convert(&value, &DataType::Bigint).to_pointer(),
            _ => number(&value),
        }
    };
    let bounds = follow(bounds);
    format!("listBuckets({to}, {}, {}{bounds})", end(&walk.oldest_column), end(&walk.newest_column))
}

/// The row of a step: that of a repetition over its rows, else the first.
fn find_row(scope: &GoScope<'_>, step: usize) -> RowReference {
    let found =
        scope.turns.iter().rposition(|turn| matches!(turn, GoTurn::Row(_, of) if *of == step));
    found.map_or(RowReference::First(step), |at| RowReference::Turn(at, Vec::new()))
}
