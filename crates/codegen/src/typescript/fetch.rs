//! Statements that read, and the repetitions around statements.

use super::expression::bucket_width;
use super::layout::{TypescriptCode, TypescriptWriter};
use super::names::TypescriptFunction;
use super::scope::TypescriptScope;
use crate::program::{Expression, Fetch, Repetition, Statement, Walk};

/// What a statement is read for.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypescriptFetch<'a> {
    /// The statement.
    pub(super) fetch: &'a Fetch,
    /// Its position.
    pub(super) at: usize,
    /// All steps of the function that read, by their position: for the ends of buckets.
    pub(super) steps: &'a [Option<&'a Fetch>],
    /// The rows after which a walk may stop: an expression; `None`: it does not stop.
    pub(super) limit: Option<&'a str>,
    /// The repetition over rows has the current row as its only turn.
    pub(super) is_lookup: bool,
}

/// The constant of a statement.
pub(super) fn write_statement(
    writer: &mut TypescriptWriter,
    function: &TypescriptFunction,
    at: &str,
    statement: &Statement,
) {
    let first = format!("const {}: h.Statement = {{", function.statement(at));
    writer.block(&first, "};", |writer| {
        writer.line(format!("table: {},", super::layout::quote(&statement.table)));
        writer.text_property("cql", &super::layout::quote(&statement.cql));
        writer.line(format!("consistency: {},", consistency(&statement.consistency)));
        writer.line(format!("idempotent: {},", statement.idempotent));
    });
    writer.blank();
}

fn consistency(name: &str) -> String {
    let known = crate::naming::to_case(crate::naming::NameCase::Camel, name);
    format!("types.consistencies.{known}")
}

/// The values of a statement.
pub(super) fn write_values(
    writer: &mut TypescriptWriter,
    scope: &TypescriptScope<'_>,
    name: &str,
    values: &[Expression],
) {
    let values = TypescriptCode::Array(values.iter().map(|value| scope.bytes(value)).collect());
    if matches!(&values, TypescriptCode::Array(parts) if parts.is_empty()) {
        writer.line(format!("const {name}: Buffer[] = [];"));
        return;
    }
    writer.code(&format!("const {name} = "), &values, ";");
}

impl TypescriptFetch<'_> {
    /// The repetitions that the code has: not that over the current row.
    fn is_skipped(&self, repetition: &Repetition) -> bool {
        self.is_lookup && matches!(repetition, Repetition::Rows(_))
    }

    /// Whether there is a single turn.
    pub(super) fn is_single(&self) -> bool {
        self.fetch.repetitions.iter().all(|repetition| self.is_skipped(repetition))
    }

    /// The streams of rows: `leaf` writes what is done at each turn and returns the streams.
    pub(super) fn write_streams(
        &self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        name: &str,
        leaf: &dyn Fn(&mut TypescriptWriter),
    ) {
        self.write_level(writer, scope, 0, &format!("const {name} = "), leaf);
    }

    fn write_level(
        &self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        depth: usize,
        before: &str,
        leaf: &dyn Fn(&mut TypescriptWriter),
    ) {
        let Some(repetition) = self.fetch.repetitions.get(depth) else {
            leaf(writer);
            return;
        };
        if self.is_skipped(repetition) {
            self.write_level(writer, scope, depth + 1, before, leaf);
            return;
        }
        if let Repetition::Buckets(walk) = repetition {
            writer.block(&format!("{before}await call.walk({{"), "});", |writer| {
                self.write_walk(writer, scope, walk);
                self.write_turn(writer, "visit: async (", depth, "},", |writer| {
                    self.write_level(writer, scope, depth + 1, "return ", leaf);
                });
            });
            return;
        }
        // Several steps of one function may be repeated.
        let suffix = format!("{depth}Of{}", self.at);
        write_turns(writer, scope, repetition, &suffix);
        let first = format!("{before}await call.each(turns{suffix}, async (");
        self.write_turn(writer, &first, depth, "});", |writer| {
            self.write_level(writer, scope, depth + 1, "return ", leaf);
        });
    }

    /// A function of a turn, which has no parameter where it is not used.
    fn write_turn(
        &self,
        writer: &mut TypescriptWriter,
        first: &str,
        depth: usize,
        last: &str,
        write: impl FnOnce(&mut TypescriptWriter),
    ) {
        let position = writer.position();
        writer.indent_lines(write);
        let turn = format!("turn{depth}");
        let turn = if writer.has_word_since(position, &turn) { turn } else { String::new() };
        writer.insert(position, &format!("{first}{turn}) => {{"));
        writer.line(last);
    }

    fn write_walk(&self, writer: &mut TypescriptWriter, scope: &TypescriptScope<'_>, walk: &Walk) {
        write_bounds(writer, scope, walk);
        writer.line(format!("newestFirst: {},", walk.newest_first));
        let limit = self.limit.filter(|_| walk.stops_at_limit).unwrap_or("null");
        writer.line(format!("stopsAt: {limit},"));
        writer.line(format!("ahead: {},", walk.ahead.max(1)));
        writer.line(format!("readsEndsFirst: {},", walk.newest_column.is_some()));
        self.write_ends(writer, scope, walk);
    }

    /// The function that reads the recorded ends of the buckets.
    pub(super) fn write_ends(
        &self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        walk: &Walk,
    ) {
        let Some(at) = walk.ends else { return };
        let Some(fetch) = self.steps.get(at).copied().flatten() else { return };
        writer.block("ends: async () => {", "},", |writer| {
            write_values(writer, scope, "key", &fetch.values);
            let statement = scope.function.statement(&at.to_string());
            writer.line(format!("const raw = await call.selectFirst({statement}, key);"));
            writer.block("if (raw === null) {", "}", |writer| writer.line("return null;"));
            writer.block("return {", "};", |writer| {
                let read = |column: &Option<String>| {
                    let columns = &fetch.statement.columns;
                    let field = column
                        .as_ref()
                        .and_then(|name| columns.iter().find(|field| field.name == *name));
                    field.map_or_else(|| "null".to_owned(), |field| scope.read_raw(field))
                };
                writer.line(format!("oldest: {},", read(&walk.oldest_column)));
                writer.line(format!("newest: {},", read(&walk.newest_column)));
            });
        });
    }
}

/// The bounds of a walk.
pub(super) fn write_bounds(
    writer: &mut TypescriptWriter,
    scope: &TypescriptScope<'_>,
    walk: &Walk,
) {
    writer.line(format!("width: {},", bucket_width(walk.width)));
    if let Some(from) = &walk.from {
        writer.code("from: ", &scope.expression(from), ",");
    }
    if let Some(to) = &walk.to {
        writer.code("to: ", &scope.expression(to), ",");
    }
    if let Some(retention) = walk.retention_ms {
        writer.line(format!("retention: {retention},"));
    }
}

/// The turns of a repetition that is no walk, as `turns` with a suffix.
pub(super) fn write_turns(
    writer: &mut TypescriptWriter,
    scope: &TypescriptScope<'_>,
    repetition: &Repetition,
    at: &str,
) {
    match repetition {
        Repetition::Values(values, ty) => {
            let parts = values.iter().map(|value| scope.expression(value)).collect();
            writer.code(&format!("const values{at} = "), &TypescriptCode::Array(parts), ";");
            let codec = scope.types.codec(ty);
            writer.line(format!("const turns{at} = h.distinct({codec}, values{at});"));
        }
        Repetition::Elements(array, ty) => {
            let codec = TypescriptCode::text(scope.types.codec(ty));
            let turns = TypescriptCode::call("h.distinct", vec![codec, scope.expression(array)]);
            writer.code(&format!("const turns{at} = "), &turns, ";");
        }
        Repetition::Shards(count) => {
            writer.line(format!("const turns{at} = h.shards({count});"));
        }
        Repetition::Rows(step) => writer.line(format!("const turns{at} = step{step};")),
        Repetition::Buckets(_) => {}
    }
}
