//! Functions that read.

use super::fetch::{TypescriptFetch, write_statement, write_values};
use super::layout::{TypescriptCode, TypescriptWriter, quote};
use super::names::TypescriptFunction;
use super::page::{argument, find_walk, parameter_list, write_page};
use super::scope::{TypescriptCurrent, TypescriptRow, TypescriptScope};
use super::stage::{TypescriptStages, find_aggregated_row};
use super::step::{list_fetches, write_step, write_step_interfaces};
use super::types::TypescriptTypes;
use crate::comment::describe_query;
use crate::program::{Cardinality, Expression, ExpressionKind, Fetch, Query, QueryLimit, Stage};

/// The parts of the file of the class.
#[derive(Debug, Default)]
pub(super) struct TypescriptFile {
    /// Interfaces of rows on their way.
    pub(super) interfaces: TypescriptWriter,
    /// The constants of statements.
    pub(super) statements: TypescriptWriter,
    /// The methods.
    pub(super) methods: TypescriptWriter,
}

/// A query while its function is written.
struct TypescriptQueryPrinter<'a> {
    query: &'a Query,
    function: &'a TypescriptFunction,
    scope: TypescriptScope<'a>,
    main: TypescriptFetch<'a>,
    row: TypescriptRow,
    aggregated: TypescriptRow,
    fetches: &'a [Option<&'a Fetch>],
}

/// The function of a query.
pub(super) fn write_query(
    file: &mut TypescriptFile,
    types: &TypescriptTypes<'_>,
    query: &Query,
    function: &TypescriptFunction,
) {
    for (at, fetch) in query.steps.iter().enumerate() {
        write_statement(&mut file.statements, function, &at.to_string(), &fetch.statement);
    }
    let fetches = list_fetches(&query.steps);
    let Some(fetch) = query.steps.get(query.main) else { return };
    let steps: Vec<TypescriptRow> = query
        .steps
        .iter()
        .enumerate()
        .map(|(at, it)| TypescriptRow::from_fetch(format!("{}Step{at}", function.private), it))
        .collect();
    let is_kept = |at: usize| at < query.main && !query.is_lazy(at);
    write_step_interfaces(&mut file.interfaces, types, &steps, &is_kept);
    let scope = TypescriptScope {
        types,
        function,
        parameters: &query.parameters,
        steps: &steps,
        repetitions: &[],
        current: TypescriptCurrent::None,
    };
    let row = TypescriptRow::new(format!("{}Fields", function.private), &query.row);
    let aggregated = find_aggregated_row(query, format!("{}Group", function.private));
    let main = TypescriptFetch {
        fetch,
        at: query.main,
        steps: &fetches,
        limit: Some(if query.limit == QueryLimit::None { "1" } else { "limit ?? 1" }),
        is_lookup: false,
    };
    let printer =
        TypescriptQueryPrinter { query, function, scope, main, row, aggregated, fetches: &fetches };
    if !printer.is_plain() {
        for shape in [&printer.row, &printer.aggregated] {
            super::step::write_row_interface(&mut file.interfaces, types, shape, &steps);
        }
    }
    printer.write(&mut file.methods);
}

impl TypescriptQueryPrinter<'_> {
    /// Whether rows of the driver become results at once.
    fn is_plain(&self) -> bool {
        self.query.stages.is_empty() && self.main.fetch.parents.is_empty()
    }

    fn write(&self, writer: &mut TypescriptWriter) {
        let result = match self.query.cardinality {
            Cardinality::One => format!("Promise<m.{} | null>", self.function.row_type),
            Cardinality::Many => format!("Promise<m.{}[]>", self.function.row_type),
        };
        writer.blank();
        writer.comment(&describe_query(self.query));
        super::supply::write_short_form(writer, self.function, &self.query.parameters, &result);
        let method = self.function.full_method.as_ref().unwrap_or(&self.function.method);
        let parameters: Vec<String> = parameter_list(self.function).into_iter().collect();
        writer.head(method, &parameters, &result);
        writer.indent_lines(|writer| self.write_body(writer));
        writer.line("}");
        if self.function.page_method.is_some() {
            self.write_reader(writer);
            write_page(writer, &self.scope, self.query, &self.main);
        }
    }

    fn write_body(&self, writer: &mut TypescriptWriter) {
        let name = quote(&self.query.name);
        let is_paged = self.function.page_method.is_some();
        let (private, params) = (&self.function.private, argument(self.function));
        if is_paged && find_walk(self.query).is_none() {
            let body = format!("this.#read{private}(call, {params}null)");
            let first = format!("return this.#session.read({name}, ");
            writer.hand_over(&first, "(call)", &body, ");");
            return;
        }
        let first = format!("return this.#session.read({name}, async (call) => {{");
        writer.block(&first, "});", |writer| {
            self.write_limit(writer);
            if is_paged {
                self.main.write_streams(writer, &self.scope, "streams", &|writer| {
                    let read = format!("this.#read{private}(call, {params}turn0, null)");
                    writer.line(format!("const rows = await {read};"));
                    writer.line("return [rows];");
                });
                writer.line("return streams.flat();");
                return;
            }
            for at in (0..self.query.main).filter(|at| !self.query.is_lazy(*at)) {
                write_step(writer, &self.scope, self.fetches, at);
            }
            if self.is_plain() {
                self.write_plain(writer);
            } else {
                self.write_staged(writer);
            }
        });
    }

    fn write_limit(&self, writer: &mut TypescriptWriter) {
        let is_used = self.query.stages.contains(&Stage::Limit)
            || self.main.fetch.repetitions.iter().any(|repetition| {
                matches!(repetition, crate::program::Repetition::Buckets(walk) if walk.stops_at_limit)
            });
        match self.query.limit {
            QueryLimit::None => {}
            _ if !is_used => {}
            QueryLimit::Rows(rows) => writer.line(format!("const limit = h.toLimit({rows});")),
            QueryLimit::Parameter(at) => {
                let parameter = self.scope.parameter(at);
                writer.line(format!("const limit = h.toLimit({parameter});"));
            }
        }
    }

    /// The method that reads the rows of a statement, or a page of them.
    fn write_reader(&self, writer: &mut TypescriptWriter) {
        let mut parameters = vec!["call: h.Call".to_owned()];
        parameters.extend(parameter_list(self.function));
        if let Some(walk) = find_walk(self.query) {
            let ty = self.scope.types.name(&walk.width.data_type());
            parameters.push(format!("turn0: {ty}"));
        }
        parameters.push("page: h.Page | null".to_owned());
        let result = format!("Promise<m.{}[]>", self.function.row_type);
        writer.blank();
        writer.head(&format!("async #read{}", self.function.private), &parameters, &result);
        let position = writer.position();
        writer.indent_lines(|writer| {
            let scope = self.scope.with_repetitions(&self.main.fetch.repetitions);
            if self.is_plain() {
                self.write_found(writer, &scope, ", page");
                self.write_results(writer, "found");
            } else {
                let stages = self.write_rows(writer, &scope, ", page");
                self.write_results_of(writer, &stages);
            }
        });
        writer.indent_lines(|writer| {
            let mut names = vec!["turn0"];
            names.extend(self.function.parameters_type.as_ref().map(|_| "params"));
            for name in names {
                let is_there = name != "turn0" || find_walk(self.query).is_some();
                if is_there && !writer.has_word_since(position, name) {
                    writer.insert(position, &format!("void {name};"));
                }
            }
        });
        writer.line("}");
    }

    /// The rows of the statement, as the driver returns them.
    fn write_found(&self, writer: &mut TypescriptWriter, scope: &TypescriptScope<'_>, page: &str) {
        write_values(writer, scope, "key", &self.main.fetch.values);
        let statement = self.function.statement(&self.query.main.to_string());
        writer.line(format!("const found = await call.select({statement}, key{page});"));
    }

    /// The rows with their columns, after the stages that work on single rows.
    fn write_rows<'s>(
        &'s self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        page: &str,
    ) -> TypescriptStages<'s> {
        self.write_found(writer, scope, page);
        let columns = &self.main.fetch.statement.columns;
        let first = format!("const rows0 = found.map((raw): {} => ({{", self.row.name);
        let mut known = Vec::new();
        writer.block(&first, "}));", |writer| {
            for (field, property) in &self.row.columns {
                let own = columns.iter().find(|column| column.name == field.name);
                let parent = self.find_parent(&self.main.fetch.parents, &field.name);
                let value = match (own, parent) {
                    (Some(column), _) => scope.read_raw(column),
                    (None, Some(value)) => value,
                    (None, None) => "null".to_owned(),
                };
                if value != "null" {
                    known.push(field.name.clone());
                }
                writer.line(format!("{property}: {value},"));
            }
        });
        let mut stages = TypescriptStages {
            query: self.query,
            fetches: self.fetches,
            row: self.row.clone(),
            aggregated: self.aggregated.clone(),
            known,
            number: 0,
        };
        for stage in self.query.stages.iter().take(self.query.row_stages) {
            stages.write(writer, scope, stage);
        }
        stages
    }

    /// A column of a row under which the rows are read.
    fn find_parent(&self, parents: &[usize], column: &str) -> Option<String> {
        let repetitions = self.main.fetch.repetitions.iter().enumerate();
        let turns = repetitions.filter_map(|(at, repetition)| match repetition {
            crate::program::Repetition::Rows(step) => Some((at, *step)),
            _ => None,
        });
        let mut turns = turns.zip(parents);
        turns.find_map(|((at, step), _)| {
            self.find_path(step, column, &format!("turn{at}"), self.query.steps.len())
        })
    }

    fn find_path(&self, step: usize, column: &str, before: &str, depth: usize) -> Option<String> {
        let row = self.scope.steps.get(step).filter(|_| depth > 0)?;
        let is_direct = !before.contains('$');
        if let Some(property) = row.property(column) {
            return Some(if is_direct {
                format!("{before}.{property}")
            } else {
                format!("{before}?.{property} ?? null")
            });
        }
        row.parents.iter().enumerate().find_map(|(at, parent)| {
            let dot = if is_direct { "." } else { "?." };
            self.find_path(*parent, column, &format!("{before}{dot}${at}"), depth - 1)
        })
    }

    /// A query without stages: rows of the driver become results at once.
    fn write_plain(&self, writer: &mut TypescriptWriter) {
        let scope = self.scope.with_repetitions(&self.main.fetch.repetitions);
        let is_one = self.query.cardinality == Cardinality::One;
        if self.main.is_single() {
            if is_one {
                write_values(writer, &scope, "key", &self.main.fetch.values);
                let statement = self.function.statement(&self.query.main.to_string());
                writer.line(format!("const raw = await call.selectFirst({statement}, key);"));
                writer.block("if (raw === null) {", "}", |writer| writer.line("return null;"));
                let scope = scope.with_current(self.raw());
                writer.block("return {", "};", |writer| self.write_outputs(writer, &scope));
            } else {
                self.write_found(writer, &scope, "");
                self.write_results(writer, "found");
            }
            return;
        }
        self.main.write_streams(writer, &self.scope_of_main(), "streams", &|writer| {
            self.write_found(writer, &scope, "");
            self.write_outputs_of(writer, "const rows = found.map", "return [rows];");
        });
        writer.line("const results = streams.flat();");
        writer.line(if is_one { "return results[0] ?? null;" } else { "return results;" });
    }

    fn scope_of_main(&self) -> TypescriptScope<'_> {
        self.scope.with_repetitions(&self.main.fetch.repetitions)
    }

    fn raw(&self) -> TypescriptCurrent {
        TypescriptCurrent::Raw(self.main.fetch.statement.columns.clone())
    }

    /// The results of rows of the driver, typed.
    fn write_outputs_of(&self, writer: &mut TypescriptWriter, first: &str, last: &str) {
        let scope = self.scope.with_repetitions(&self.main.fetch.repetitions);
        // A column of a row under which it was read is no column of the driver's row.
        let scope = scope.with_current(self.raw());
        let head = format!("{first}((raw): m.{} => ({{", self.function.row_type);
        writer.block(&head, "}));", |writer| self.write_outputs(writer, &scope));
        writer.line(last);
    }

    fn write_staged(&self, writer: &mut TypescriptWriter) {
        let scope = self.scope_of_main();
        let mut stages = if self.main.is_single() {
            self.write_rows(writer, &scope, "")
        } else {
            let mut left = None;
            let known = std::cell::RefCell::new(&mut left);
            self.main.write_streams(writer, &scope, "streams", &|writer| {
                let stages = self.write_rows(writer, &scope, "");
                writer.line(format!("return [{}];", stages.rows()));
                **known.borrow_mut() = Some(stages);
            });
            let Some(mut stages) = left else { return };
            let next = self.query.stages.get(self.query.row_stages);
            let mut written = 0;
            stages.number = 0;
            if let Some(Stage::Merge(keys)) = next {
                let row = stages.row.clone();
                stages.write_order(writer, &self.scope.with_row("row", &row), keys);
                writer.line("const rows0 = h.merge(streams, order0);");
                written = 1;
            } else {
                writer.line("const rows0 = streams.flat();");
            }
            self.write_late_stages(writer, &mut stages, self.query.row_stages + written);
            self.write_results_of(writer, &stages);
            return;
        };
        self.write_late_stages(writer, &mut stages, self.query.row_stages);
        self.write_results_of(writer, &stages);
    }

    fn write_late_stages(
        &self,
        writer: &mut TypescriptWriter,
        stages: &mut TypescriptStages<'_>,
        from: usize,
    ) {
        for stage in self.query.stages.iter().skip(from) {
            stages.write(writer, &self.scope, stage);
        }
    }

    /// The results of the rows after the stages.
    fn write_results_of(&self, writer: &mut TypescriptWriter, stages: &TypescriptStages<'_>) {
        let scope = self.scope.with_row("row", &stages.row);
        let rows = stages.rows();
        match self.query.cardinality {
            Cardinality::One => {
                writer.line(format!("const row = {rows}[0];"));
                writer.block("if (row === undefined) {", "}", |it| it.line("return null;"));
                writer.block("return {", "};", |writer| self.write_outputs(writer, &scope));
            }
            Cardinality::Many => {
                let position = writer.position();
                writer.indent_lines(|writer| self.write_outputs(writer, &scope));
                let is_used = writer.has_word_since(position, "row");
                let row = if is_used { "row" } else { "" };
                writer.insert(position, &format!("return {rows}.map(({row}) => ({{"));
                writer.line("}));");
            }
        }
    }

    /// The results of rows of the driver.
    fn write_results(&self, writer: &mut TypescriptWriter, rows: &str) {
        let scope = self.scope.with_current(self.raw());
        let position = writer.position();
        writer.indent_lines(|writer| self.write_outputs(writer, &scope));
        let raw = if writer.has_word_since(position, "raw") { "raw" } else { "" };
        writer.insert(position, &format!("return {rows}.map(({raw}) => ({{"));
        writer.line("}));");
    }

    /// The properties of a result.
    fn write_outputs(&self, writer: &mut TypescriptWriter, scope: &TypescriptScope<'_>) {
        let outputs = self.query.result.fields.iter().zip(&self.query.outputs);
        for ((field, output), property) in outputs.zip(&self.function.fields) {
            let value = scope.value(output);
            let value = if field.nullable || is_never_null(self.query, output) {
                value
            } else {
                TypescriptCode::call(
                    "h.required",
                    vec![value, TypescriptCode::text(quote(&field.name))],
                )
            };
            writer.code(&format!("{property}: "), &value, ",");
        }
    }
}

/// Whether the type of a value has no null.
fn is_never_null(query: &Query, value: &Expression) -> bool {
    match &value.kind {
        ExpressionKind::Parameter(at) => {
            query.parameters.get(*at).is_some_and(|parameter| !parameter.nullable)
        }
        ExpressionKind::Turn(_) | ExpressionKind::IsNull(_) => true,
        _ => false,
    }
}
