//! Statements that read, and the repetitions around statements.

use crate::program::{Fetch, Repetition, Statement, Walk};

use super::code::{PythonExpression as Code, PythonWriter, quote};
use super::scope::{PythonScope, name_found};
use super::types;
use super::values::width;

/// What the rows of a step become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowForm {
    /// Rows that later steps use.
    Found,
    /// Rows on which the stages of a query work.
    Staged,
}

/// The constant of a statement.
pub(super) fn write_statement(
    writer: &mut PythonWriter,
    constant: &str,
    query: &str,
    statement: &Statement,
) {
    let truth = |truth: bool| Code::atom(if truth { "True" } else { "False" });
    let mut parts = vec![
        Code::keyword("query", quote(query).into()),
        Code::keyword("table", quote(&statement.table).into()),
        Code::keyword("cql", quote(&statement.cql).into()),
        Code::keyword("consistency", quote(&statement.consistency).into()),
        Code::keyword("idempotent", truth(statement.idempotent)),
    ];
    if statement.conditional {
        parts.push(Code::keyword("conditional", truth(true)));
    }
    let call = Code::support("Statement", parts);
    writer.open_statement(&format!("{constant} = "), &call);
}

impl<'a> PythonScope<'a> {
    /// The values of a statement's markers.
    pub(super) fn list_bound_values(&self, fetch: &Fetch) -> Code {
        Code::Tuple(fetch.values.iter().map(|value| self.bound(value)).collect())
    }

    /// A step before the main one of a query, or of a command: its rows are kept.
    pub(super) fn write_step(
        self,
        writer: &mut PythonWriter,
        at: usize,
        fetch: &'a Fetch,
        constants: &[String],
    ) {
        let Some(constant) = constants.get(at) else { return };
        let name = name_found(at);
        let scope = self.with_repetitions(&fetch.repetitions);
        if fetch.repetitions.is_empty() {
            let values = scope.list_bound_values(fetch);
            let read = Code::Call("call_.fetch_turn".to_owned(), vec![constant.into(), values]);
            let mut parts = vec![read.into_awaited()];
            let columns = &fetch.statement.columns;
            let decoders: Vec<_> =
                columns.iter().map(|it| types::decoder(self.names, &it.ty, false)).collect();
            if decoders.iter().any(Option::is_some) {
                let keep = || "support.keep".to_owned();
                let decoders = decoders.into_iter().map(|it| Code::parse(&it.unwrap_or_else(keep)));
                parts.push(Code::Tuple(decoders.collect()));
            }
            writer.statement(&format!("{name} = "), Code::support("step_rows", parts));
            if fetch.optional {
                let empty = vec![name.as_str().into(), columns.len().to_string().into()];
                writer.statement(&format!("{name} = "), Code::support("or_nulls", empty));
            }
            return;
        }
        scope.write_functions(writer, at, fetch, RowForm::Found, constants);
        let reader = scope.reader(at, fetch, constant, None);
        if !fetch.optional {
            let reader_name = format!("reader_{at}_");
            writer.statement(&format!("{reader_name} = "), reader);
            writer.line(format!("{name} = await {reader_name}.rows()"));
            return;
        }
        let outer = match fetch.repetitions.first() {
            Some(Repetition::Rows(step)) => Code::Atom(name_found(*step)),
            _ => Code::atom("None"),
        };
        let width = Code::Atom(fetch.statement.columns.len().to_string());
        let read = Code::support("read_optional", vec![reader, outer, width]);
        writer.statement(&format!("{name} = "), read.into_awaited());
    }

    /// The reader of a step with repetitions; what `settle` gives is applied to the rows of each
    /// statement, until there are so many.
    pub(super) fn reader(
        &self,
        at: usize,
        fetch: &Fetch,
        constant: &str,
        settle: Option<(Code, Code)>,
    ) -> Code {
        let label = at.to_string();
        let levels = fetch.repetitions.iter().enumerate().map(|it| level(&label, it)).collect();
        let mut parts = vec![
            Code::atom("call_"),
            constant.into(),
            Code::List(levels),
            Code::Atom(format!("bind_{at}_")),
            Code::Atom(format!("make_{at}_")),
        ];
        if let Some((settle, limit)) = settle {
            parts.extend([settle, limit]);
        }
        Code::support("Reader", parts)
    }

    /// The functions that a reader needs.
    pub(super) fn write_functions(
        &self,
        writer: &mut PythonWriter,
        at: usize,
        fetch: &'a Fetch,
        form: RowForm,
        constants: &[String],
    ) {
        self.write_levels(writer, &at.to_string(), constants);
        self.write_bind(writer, at, fetch);
        let parameters = ["found_: support.Row".to_owned(), "turn_: support.Turn".to_owned()];
        let head = format!("def make_{at}_");
        match form {
            RowForm::Found => {
                let made = self.print_found_row(fetch);
                writer.function(&head, &parameters, "support.Found", |body| {
                    body.statement("return ", made);
                });
            }
            RowForm::Staged => {
                let made = self.print_staged_row(at, fetch);
                writer.function(&head, &parameters, "list[Any]", |body| {
                    body.statement("return ", made);
                });
            }
        }
    }

    /// The function that binds the values of a step.
    pub(super) fn write_bind(&self, writer: &mut PythonWriter, at: usize, fetch: &Fetch) {
        let values = self.list_bound_values(fetch);
        let parameters = ["turn_: support.Turn".to_owned()];
        writer.function(&format!("def bind_{at}_"), &parameters, "support.Row", |body| {
            body.statement("return ", values);
        });
    }

    /// The functions that give the turns of repetitions.
    pub(super) fn write_levels(&self, writer: &mut PythonWriter, at: &str, constants: &[String]) {
        for (position, repetition) in self.repetitions.iter().enumerate() {
            let name = format!("{at}_{position}_");
            let values = match repetition {
                Repetition::Values(values, ty) => {
                    let values = values.iter().map(|value| self.value(value)).collect();
                    let parts = vec![Code::List(values), self.key_function(ty)];
                    Code::support("distinct", parts)
                }
                Repetition::Elements(array, ty) => {
                    Code::support("elements", vec![self.value(array), self.key_function(ty)])
                }
                Repetition::Buckets(walk) => {
                    self.write_walk(writer, &name, walk, constants);
                    continue;
                }
                Repetition::Shards(_) | Repetition::Rows(_) => continue,
            };
            let parameters = ["turn_: support.Turn".to_owned()];
            writer.function(&format!("def turns_{name}"), &parameters, "list[Any]", |body| {
                body.statement("return ", values);
            });
        }
    }

    fn write_walk(&self, writer: &mut PythonWriter, name: &str, walk: &Walk, constants: &[String]) {
        let bound = |bound: &Option<crate::program::Expression>| {
            bound.as_ref().map_or_else(|| Code::atom("None"), |bound| self.value(bound))
        };
        let bounds = Code::Tuple(vec![bound(&walk.from), bound(&walk.to)]);
        let parameters = ["turn_: support.Turn".to_owned()];
        writer.function(&format!("def bounds_{name}"), &parameters, "tuple[Any, Any]", |body| {
            body.statement("return ", bounds);
        });
        let ends = walk.ends.and_then(|step| Some((self.fetch(step)?, constants.get(step)?)));
        let ends = ends.map(|(fetch, constant)| {
            let head = format!("async def ends_{name}");
            writer.function(&head, &parameters, "tuple[Any, Any] | None", |body| {
                self.write_ends(body, walk, fetch, constant);
            });
            Code::Atom(format!("ends_{name}"))
        });
        let truth = |truth: bool| Code::atom(if truth { "True" } else { "False" });
        let retention = walk.retention_ms.map_or("None".to_owned(), |it| it.to_string());
        let parts = vec![
            Code::keyword("width", width(walk.width)),
            Code::keyword("newest_first", truth(walk.newest_first)),
            Code::keyword("bounds", Code::Atom(format!("bounds_{name}"))),
            Code::keyword("has_from", truth(walk.from.is_some())),
            Code::keyword("has_to", truth(walk.to.is_some())),
            Code::keyword("retention", retention.into()),
            Code::keyword("ends", ends.unwrap_or_else(|| Code::atom("None"))),
            Code::keyword("has_newest", truth(walk.newest_column.is_some())),
            Code::keyword("stops", truth(walk.stops_at_limit)),
            Code::keyword("ahead", walk.ahead.to_string().into()),
        ];
        writer.open_statement(&format!("walk_{name} = "), &Code::support("Walk", parts));
    }

    fn write_ends(&self, body: &mut PythonWriter, walk: &Walk, fetch: &Fetch, constant: &str) {
        // Its values see the repetitions around the walk.
        let values = self.list_bound_values(fetch);
        let read = Code::Call("call_.fetch_turn".to_owned(), vec![constant.into(), values]);
        body.statement("read_ = ", read.into_awaited());
        body.block("if not read_:", |body| {
            body.line("return None");
        });
        let end = |column: &Option<String>| {
            let columns = &fetch.statement.columns;
            let at = columns.iter().position(|it| Some(&it.name) == column.as_ref());
            let Some((at, field)) = at.and_then(|at| Some((at, columns.get(at)?))) else {
                return Code::atom("None");
            };
            let value = Code::Atom(format!("read_[0][{at}]"));
            match types::decoder(self.names, &field.ty, false) {
                Some(decoder) => Code::convert(&decoder, value),
                None => value,
            }
        };
        let ends = Code::Tuple(vec![end(&walk.oldest_column), end(&walk.newest_column)]);
        body.statement("return ", ends);
    }

    /// A column of a step as the client uses it.
    fn print_decoded(&self, fetch: &Fetch, column: usize) -> Code {
        let value = Code::Atom(format!("found_[{column}]"));
        let ty = fetch.statement.columns.get(column).map(|field| &field.ty);
        match ty.and_then(|ty| types::decoder(self.names, ty, false)) {
            Some(decoder) => Code::convert(&decoder, value),
            None => value,
        }
    }

    /// The row of a step with the rows under which it was read.
    fn print_found_row(&self, fetch: &Fetch) -> Code {
        let columns = 0..fetch.statement.columns.len();
        let values = Code::Tuple(columns.map(|at| self.print_decoded(fetch, at)).collect());
        let mut parts = vec![values];
        let rows = fetch.repetitions.iter().enumerate();
        let rows = rows.filter(|(_, it)| matches!(it, Repetition::Rows(_)));
        let parents: Vec<Code> = rows.map(|(at, _)| Self::turn(at)).collect();
        if !parents.is_empty() {
            parts.push(Code::Tuple(parents));
        }
        Code::support("Found", parts)
    }

    /// The row on which the stages work.
    fn print_staged_row(&self, at: usize, fetch: &Fetch) -> Code {
        let fields = self.row.map(|row| row.fields.as_slice()).unwrap_or_default();
        let value = |name: &str| {
            if let Some(column) = self.position(at, name) {
                return self.print_decoded(fetch, column);
            }
            let rows = fetch.repetitions.iter().enumerate();
            let mut rows = rows.filter(|(_, it)| matches!(it, Repetition::Rows(_)));
            let found = rows.find_map(|(turn, _)| {
                self.find_column(turn, &mut Vec::new(), name, self.fetches.len())
            });
            found.unwrap_or_else(|| Code::atom("None"))
        };
        Code::List(fields.iter().map(|field| value(&field.name)).collect())
    }

    /// A column of the row of a repetition, or of those under which that row was read.
    fn find_column(
        &self,
        turn: usize,
        path: &mut Vec<usize>,
        name: &str,
        depth: usize,
    ) -> Option<Code> {
        let (row, step) = self.row_at(turn, path)?;
        if let Some(column) = self.position(step, name) {
            return Some(Code::Atom(format!("{row}.values[{column}]")));
        }
        let parents = self.fetch(step).filter(|_| depth > 0)?.parents.len();
        (0..parents).find_map(|parent| {
            path.push(parent);
            let found = self.find_column(turn, path, name, depth - 1);
            path.pop();
            found
        })
    }
}

/// A repetition in the list of a reader.
pub(super) fn level(at: &str, (position, repetition): (usize, &Repetition)) -> Code {
    match repetition {
        Repetition::Values(..) | Repetition::Elements(..) => {
            Code::Atom(format!("turns_{at}_{position}_"))
        }
        Repetition::Shards(count) => Code::Atom(format!("support.shards({count})")),
        Repetition::Rows(step) => Code::support("rows_of", vec![name_found(*step).into()]),
        Repetition::Buckets(_) => Code::Atom(format!("walk_{at}_{position}_")),
    }
}

impl PythonScope<'_> {
    /// The functions of a lookup for each row: its turns, and its values.
    pub(super) fn write_lookup(&self, writer: &mut PythonWriter, at: usize, fetch: &Fetch) {
        let row = "row_: list[Any]".to_owned();
        let result = "list[support.TurnLevel]";
        let values = self.list_bound_values(fetch);
        writer.function(&format!("def levels_{at}_"), std::slice::from_ref(&row), result, |body| {
            self.write_levels(body, &at.to_string(), &[]);
            let levels = fetch.repetitions.iter().enumerate().map(|it| match it.1 {
                Repetition::Rows(_) => Code::atom("support.once"),
                _ => level(&at.to_string(), it),
            });
            body.statement("return ", Code::List(levels.collect()));
        });
        let parameters = [row, "turn_: support.Turn".to_owned()];
        writer.function(&format!("def bind_{at}_"), &parameters, "support.Row", |body| {
            body.statement("return ", values);
        });
    }
}
