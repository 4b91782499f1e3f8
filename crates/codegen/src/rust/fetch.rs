//! Methods that read: one for each statement, and one for each walk over buckets.

use crate::program::{DataType, Fetch, Repetition, Walk};

use super::expression::{RustExpressions, bucket_width};
use super::repetition::{hand_on, print_bounds, print_loops, turn};
use super::scope::{RustScope, RustTurn};
use super::types::RustTypes;
use super::writer::RustWriter;

/// The most values that the driver takes as a tuple.
const TUPLE_MAX: usize = 16;

/// A step that reads, as methods print it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RustFetch<'f> {
    /// Its position.
    pub(super) at: usize,
    pub(super) fetch: &'f Fetch,
    /// The path of its statement.
    pub(super) statement: &'f str,
    /// The structure of its rows.
    pub(super) row: &'f str,
    /// The code of the rows after which a walk stops: an option of a number.
    pub(super) limit: &'f str,
    /// Whether a method `keep` works on its rows.
    pub(super) is_kept: bool,
}

/// The structure, the path of the statement and the step that reads the ends of buckets.
pub(super) type RustEnds<'e> = &'e dyn Fn(usize) -> Option<(String, String, &'e Fetch)>;

impl RustFetch<'_> {
    /// The turns, and their types.
    fn turns(&self, scope: &RustScope<'_>) -> Vec<(RustTurn, String)> {
        let repetitions = self.fetch.repetitions.iter().enumerate();
        repetitions.map(|(at, of)| turn(scope, at, of)).collect()
    }

    /// `&self, turn0: T0, turn1: T1`
    fn signature(&self, scope: &RustScope<'_>, count: usize) -> Vec<String> {
        let turns = self.turns(scope);
        let named =
            turns.iter().take(count).enumerate().map(|(at, (_, ty))| format!("turn{at}: {ty}"));
        std::iter::once("&self".to_owned()).chain(named).collect()
    }

    /// The scope with the first turns.
    fn scope<'a>(&self, scope: &RustScope<'a>, count: usize) -> RustScope<'a> {
        let mut scope = scope.clone();
        scope.turns = self.turns(&scope).into_iter().take(count).map(|(turn, _)| turn).collect();
        scope
    }

    /// All methods; the code that calls the first of them, which returns streams (or rows, without
    /// repetitions).
    pub(super) fn print(
        &self,
        out: &mut RustWriter,
        scope: &RustScope<'_>,
        copies: &[(String, String)],
        ends: RustEnds<'_>,
    ) {
        self.print_leaf(out, scope, copies);
        let repetitions = &self.fetch.repetitions;
        if repetitions.is_empty() {
            return;
        }
        self.print_collect(out, scope, 0);
        for (position, repetition) in repetitions.iter().enumerate() {
            if let Repetition::Buckets(walk) = repetition {
                self.print_walk(out, scope, position, walk, ends);
                self.print_collect(out, scope, position + 1);
            }
        }
    }

    /// The method of one statement.
    fn print_leaf(&self, out: &mut RustWriter, scope: &RustScope<'_>, copies: &[(String, String)]) {
        let count = self.fetch.repetitions.len();
        let scope = self.scope(scope, count);
        let head = format!("async fn fetch{}", self.at);
        let tail = format!(" -> Result<Vec<{}>, AccessError> {{", self.row);
        out.blank();
        out.call(&head, &self.signature(&scope, count), &tail);
        let mut printer = RustExpressions::new(&scope, out.depth() + 1);
        let values = print_values(&mut printer, self.fetch, self.statement);
        let read = format!("self.core.fetch(statement, {values}).await");
        let is_plain = copies.is_empty() && self.fetch.parents.is_empty() && !self.is_kept;
        if is_plain {
            printer.out.line(read);
        } else {
            let needs_change = !(copies.is_empty() && self.fetch.parents.is_empty());
            let mutable = if needs_change { "mut " } else { "" };
            printer
                .out
                .assign(&format!("let {mutable}rows: Vec<{}>", self.row), &format!("{read}?"));
            if needs_change {
                printer.out.open("for row in &mut rows {");
                self.print_copies(&mut printer, copies);
                printer.out.close("}");
            }
            printer.out.line(if self.is_kept { "self.keep(rows).await" } else { "Ok(rows)" });
        }
        out.append(&printer.into_state().text);
        out.line("}");
    }

    /// What a row remembers of the rows under which it was read.
    fn print_copies(&self, printer: &mut RustExpressions<'_, '_>, copies: &[(String, String)]) {
        for (field, code) in copies {
            printer.out.assign(&format!("row.{field}"), code);
        }
        if copies.is_empty() {
            let rows = self.fetch.repetitions.iter().enumerate();
            let rows = rows.filter(|(_, of)| matches!(of, Repetition::Rows(_)));
            for (parent, (at, _)) in rows.enumerate() {
                printer.out.line(format!("row.parent{parent} = Some(Arc::clone(&turn{at}));"));
            }
        }
    }

    /// The streams of the turns from a position on, up to the next walk.
    fn print_collect(&self, out: &mut RustWriter, scope: &RustScope<'_>, from: usize) {
        let repetitions = &self.fetch.repetitions;
        let is_walk = |of: &Repetition| matches!(of, Repetition::Buckets(_));
        let rest = repetitions.get(from..).unwrap_or_default();
        let to = rest.iter().position(is_walk).map_or(repetitions.len(), |at| from + at);
        let inner = if to == repetitions.len() {
            format!("self.fetch{}", self.at)
        } else {
            format!("self.walk{}_{to}", self.at)
        };
        let whole = self.scope(scope, to);
        let scope = self.scope(scope, from);
        let handed: Vec<String> = whole.turns.iter().map(hand_on).collect();
        out.blank();
        out.call(
            &format!("async fn collect{}_{from}", self.at),
            &self.signature(&scope, from),
            &format!(" -> Result<Vec<Vec<{}>>, AccessError> {{", self.row),
        );
        let mut printer = RustExpressions::new(&scope, out.depth() + 1);
        if from == to {
            let call = format!("{inner}({}).await", handed.join(", "));
            let is_leaf = to == repetitions.len();
            printer.out.line(if is_leaf { format!("Ok(vec![{call}?])") } else { call });
        } else {
            printer.out.line("let mut turns = Vec::new();");
            let tuple = if handed.len() == 1 {
                handed.join("")
            } else {
                format!("({})", handed.join(", "))
            };
            print_loops(
                &mut printer,
                repetitions.get(from..to).unwrap_or_default(),
                from,
                &mut |nested| {
                    nested.out.call("turns.push", std::slice::from_ref(&tuple), ";");
                },
            );
            let names: Vec<String> = (0..to).map(|at| format!("turn{at}")).collect();
            let names = names.join(", ");
            let pattern = if to == 1 { names.clone() } else { format!("({names})") };
            printer.out.line(format!("let run = |{pattern}| {inner}({names});"));
            printer.out.line("let concurrency = self.core.options.concurrency;");
            let end = "run_all(concurrency, turns, run).await";
            if to == repetitions.len() {
                printer.out.line(end);
            } else {
                printer.out.line(format!("Ok(join_streams({end}?))"));
            }
        }
        out.append(&printer.into_state().text);
        out.line("}");
    }

    /// A walk over buckets.
    fn print_walk(
        &self,
        out: &mut RustWriter,
        scope: &RustScope<'_>,
        position: usize,
        walk: &Walk,
        ends: RustEnds<'_>,
    ) {
        let scope = self.scope(scope, position);
        let handed: Vec<String> = scope.turns.iter().map(hand_on).collect();
        let width = bucket_width(walk.width);
        let found = walk.ends.and_then(ends);
        if let Some((row, statement, fetch)) = &found {
            self.print_ends(out, &scope, position, (row, statement, fetch));
        }
        out.blank();
        out.call(
            &format!("async fn walk{}_{position}", self.at),
            &self.signature(&scope, position),
            &format!(" -> Result<Vec<Vec<{}>>, AccessError> {{", self.row),
        );
        let mut printer = RustExpressions::new(&scope, out.depth() + 1);
        let (from, to) = print_bounds(&mut printer, walk);
        let none = "Vec::new()";
        let ends_call = format!("self.ends{}_{position}({}).await?", self.at, handed.join(", "));
        let writer = &mut printer.out;
        print_ends_known(writer, &from, &to, none);
        let field = |column: &Option<String>| {
            let step = scope.steps.get(walk.ends?)?;
            step.record.field(column.as_ref()?).map(|field| field.name.clone())
        };
        let oldest = field(&walk.oldest_column).filter(|_| found.is_some());
        if let (Some(oldest), Some(newest)) = (&oldest, field(&walk.newest_column)) {
            writer.line(format!("let Some(ends) = {ends_call} else {{ return Ok(Vec::new()) }};"));
            writer.assign("let oldest", &format!("recorded_number(ends.{oldest}, {width})"));
            writer.assign("let newest", &format!("recorded_number(ends.{newest}, {width})"));
            writer.line("let (Some(oldest), Some(newest)) = (oldest, newest) else {");
            writer.line("    return Ok(Vec::new());").line("};");
            writer.line("let (from, to) = (from.max(Some(oldest)), to.min(newest));");
        }
        match oldest {
            Some(oldest) => {
                writer.open("let oldest = async {");
                writer.line(format!("let ends = {ends_call};"));
                let code = format!("ends.and_then(|ends| recorded_number(ends.{oldest}, {width}))");
                writer.assign("let oldest", &code).line("Ok(oldest)").close("};");
            }
            None => _ = writer.line("let oldest = async { Ok(None) };"),
        }
        self.print_walk_end(writer, walk, (position, &width, handed), scope.types);
        out.append(&printer.into_state().text);
        out.line("}");
    }

    /// Runs a walk whose ends are known.
    fn print_walk_end(
        &self,
        writer: &mut RustWriter,
        walk: &Walk,
        (position, width, handed): (usize, &str, Vec<String>),
        types: &RustTypes,
    ) {
        let limit = if walk.stops_at_limit { self.limit } else { "None" };
        writer.line(format!("let limit = {limit};"));
        writer.line("let concurrency = self.core.options.concurrency;");
        let fields = [
            format!("newest_first: {}", walk.newest_first),
            "limit".to_owned(),
            format!("ahead: {}", walk.ahead),
            "concurrency".to_owned(),
        ];
        writer.structure("let walk = Walk", &fields, ";");
        writer.open("let read = |number| {");
        let ty = types.name(&walk.width.data_type());
        writer.line(format!("let bucket = <{ty} as BucketStart>::from_number({width}, number);"));
        let arguments = [handed, vec!["bucket".to_owned()]].concat().join(", ");
        writer.line(format!("self.collect{}_{}({arguments})", self.at, position + 1)).close("};");
        writer.line("walk_buckets(walk, from, to, oldest, read).await");
    }

    /// The method that reads the recorded ends of the buckets.
    fn print_ends(
        &self,
        out: &mut RustWriter,
        scope: &RustScope<'_>,
        position: usize,
        (row, statement, fetch): (&str, &str, &Fetch),
    ) {
        out.blank();
        out.call(
            &format!("async fn ends{}_{position}", self.at),
            &self.signature(scope, position),
            &format!(" -> Result<Option<{row}>, AccessError> {{"),
        );
        let mut printer = RustExpressions::new(scope, out.depth() + 1);
        let values = print_values_or(&mut printer, fetch, statement, "None");
        printer.out.line(format!("self.core.fetch_one(statement, {values}).await"));
        out.append(&printer.into_state().text);
        out.line("}");
    }
}

/// Prints the statement and its values; the code of the values. Where one is null, the method
/// returns no rows.
pub(super) fn print_values(
    printer: &mut RustExpressions<'_, '_>,
    fetch: &Fetch,
    statement: &str,
) -> String {
    print_values_or(printer, fetch, statement, "Vec::new()")
}

pub(super) fn print_values_or(
    printer: &mut RustExpressions<'_, '_>,
    fetch: &Fetch,
    statement: &str,
    none: &str,
) -> String {
    let mut values = Vec::new();
    for expression in &fetch.values {
        let plain = match &expression.kind {
            crate::program::ExpressionKind::Parameter(at) => printer
                .scope
                .parameters
                .get(*at)
                .filter(|it| !it.nullable)
                .map(|it| it.code.clone()),
            crate::program::ExpressionKind::Turn(at) => match printer.scope.turns.get(*at) {
                Some(RustTurn::Value(name, _)) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        };
        if let Some(plain) = plain {
            values.push(format!("&{plain}"));
            continue;
        }
        let value = printer.value(expression);
        let is_option = value.is_option;
        let name = printer.bind(&value.code);
        if is_option {
            printer.out.open(format!("if {name}.is_none() {{"));
            printer.out.line(format!("return Ok({none});")).close("}");
        }
        values.push(if expression.ty == DataType::Counter {
            format!("to_counter({name})")
        } else {
            name
        });
    }
    printer.out.assign("let statement", &format!("&{statement}"));
    if values.is_empty() {
        return "()".to_owned();
    }
    if values.len() > TUPLE_MAX {
        printer.out.line("let mut bound = BoundText::new(statement);");
        for value in values {
            let value =
                value.strip_prefix('&').map_or(value.clone(), |it| format!("Some({it}.clone())"));
            printer.out.call("bound.add", &[value], ";");
        }
        return "bound.cells".to_owned();
    }
    if let [single] = values.as_slice() {
        printer.out.assign("let values", &format!("({single},)"));
    } else {
        printer.out.call("let values = ", &values, ";");
    }
    "values".to_owned()
}

/// Prints the bounds of a walk as variables.
pub(super) fn print_ends_known(out: &mut RustWriter, from: &str, to: &str, none: &str) {
    out.line(format!("let from: Option<i64> = {};", from.trim_end_matches("::<i64>")));
    match to.strip_prefix("Some(").and_then(|it| it.strip_suffix(')')) {
        Some(known) => out.line(format!("let to = {known};")),
        None => out.line(format!("let Some(to) = {to} else {{ return Ok({none}) }};")),
    };
}
