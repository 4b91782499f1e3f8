//! Functions that read.

use crate::comment;
use crate::program::{Cardinality, Fetch, Query, Record, Repetition, Stage};

use super::PythonPrinter;
use super::access_file::FunctionForm;
use super::code::{PythonExpression as Code, PythonWriter};
use super::fetches::RowForm;
use super::names::FunctionNames;
use super::scope::PythonScope;
use super::stages::{StagePrinter, limit};

/// What is printed of one query.
pub(super) struct QueryPrinter<'a> {
    pub(super) printer: &'a PythonPrinter<'a>,
    pub(super) query: &'a Query,
    pub(super) names: FunctionNames,
    pub(super) constants: Vec<String>,
    pub(super) fetches: Vec<Option<&'a Fetch>>,
}

impl<'a> QueryPrinter<'a> {
    pub(super) fn new(printer: &'a PythonPrinter<'a>, at: usize, query: &'a Query) -> Self {
        let names = printer.names.query(at);
        let constants = (1..=query.steps.len())
            .map(|number| format!("_{}_{number}", names.function.to_uppercase()))
            .collect();
        let fetches = query.steps.iter().map(Some).collect();
        Self { printer, query, names, constants, fetches }
    }

    pub(super) fn scope(&self) -> PythonScope<'_> {
        PythonScope {
            names: &self.printer.names,
            parameters: &self.query.parameters,
            parameter_names: &self.names.parameters,
            fetches: &self.fetches,
            repetitions: &[],
            row: None,
            is_raw: false,
        }
    }

    /// Whether it is one statement, whose rows are returned as they are.
    fn is_direct(&self) -> bool {
        let [only] = &self.query.steps[..] else { return false };
        only.repetitions.is_empty() && self.query.stages.is_empty()
    }

    fn make_name(&self) -> String {
        format!("_make_{}", self.names.function)
    }

    /// The record of the rows after all stages.
    fn last_record(&self) -> &'a Record {
        let mut records = self.query.stages.iter().filter_map(|stage| match stage {
            Stage::Aggregate { record, .. } => Some(record),
            _ => None,
        });
        records.next_back().unwrap_or(&self.query.row)
    }

    /// The values of a result, from those of a row.
    fn list_made_values(&self) -> Vec<Code> {
        let direct = Record {
            name: String::new(),
            fields: self
                .query
                .steps
                .first()
                .map(|fetch| fetch.statement.columns.clone())
                .unwrap_or_default(),
        };
        let is_raw = self.is_direct();
        let record = if is_raw { &direct } else { self.last_record() };
        let scope = PythonScope { row: Some(record), is_raw, ..self.scope() };
        self.query.outputs.iter().map(|value| scope.value(value)).collect()
    }

    /// Whether a result has all values of a row as they are.
    fn is_kept(&self) -> bool {
        let columns = match &self.query.steps[..] {
            [only] if self.is_direct() => only.statement.columns.len(),
            _ => self.last_record().fields.len(),
        };
        let values = self.list_made_values();
        let is_same = |(at, value): (usize, &Code)| value.flat() == format!("row_[{at}]");
        values.len() == columns && values.iter().enumerate().all(is_same)
    }

    /// The function that makes a result of a row, where it is another than the row.
    pub(super) fn write_maker(&self, writer: &mut PythonWriter) {
        if self.is_kept() {
            return;
        }
        let class = format!("rows.{}", self.names.record);
        let head = format!("def {}", self.make_name());
        writer.function(&head, &["row_: support.Row".to_owned()], &class, |body| {
            body.statement("return ", Code::Call(class.clone(), self.list_made_values()));
        });
    }

    /// The type of the result.
    pub(super) fn result(&self) -> String {
        match self.query.cardinality {
            Cardinality::One => format!("rows.{} | None", self.names.record),
            Cardinality::Many => format!("list[rows.{}]", self.names.record),
        }
    }

    /// The functions of the class.
    pub(super) fn write(&self, writer: &mut PythonWriter) {
        let lines = comment::describe_query(self.query);
        let is_complete = self.printer.write_short_form(
            writer,
            &self.names,
            (&self.query.parameters, &self.result()),
            &lines,
        );
        let parameters = self.printer.list_parameters(&self.names, &self.query.parameters);
        let head = format!("async def {}", self.names.complete);
        writer.function(&head, &parameters, &self.result(), |body| {
            if is_complete {
                body.docstring(&[format!(
                    "Like `{}`, with all values given.",
                    self.names.function
                )]);
            } else {
                body.docstring(&lines);
            }
            self.write_call(body, |body| self.write_body(body));
        });
        if self.query.find_paging().is_some() {
            self.write_page(writer);
        }
    }

    /// What callers see of it.
    pub(super) fn forms(&self) -> Vec<FunctionForm> {
        let parameters = &self.query.parameters;
        let mut forms = self.printer.list_forms(&self.names, parameters, &self.result());
        if self.query.find_paging().is_some() {
            let (size, token) = &self.names.page_parameters;
            let mut typed = self.printer.list_parameters(&self.names, parameters);
            typed.extend([format!("{size}: int = 100"), format!("{token}: str | None = None")]);
            let mut arguments = self.names.parameters.clone();
            arguments.extend([size.clone(), token.clone()]);
            forms.push(FunctionForm {
                name: self.names.page.clone(),
                parameters: typed,
                arguments,
                result: format!("support.Page[rows.{}]", self.names.record),
            });
        }
        forms
    }

    fn write_call(&self, body: &mut PythonWriter, write: impl FnOnce(&mut PythonWriter)) {
        body.call_block(&self.query.name, write);
    }

    fn write_body(&self, body: &mut PythonWriter) {
        let Some(main) = self.query.steps.get(self.query.main) else { return };
        let rows = if self.is_direct() {
            let scope = self.scope();
            let is_sure = main.values.iter().all(|value| scope.is_never_null(value));
            let function = if is_sure { "call_.fetch" } else { "call_.fetch_turn" };
            let statement = self.constants.first().cloned().unwrap_or_default();
            let parts = vec![statement.into(), scope.list_bound_values(main)];
            body.statement("found_ = ", Code::Call(function.to_owned(), parts).into_awaited());
            "found_"
        } else {
            self.write_streams(body, main);
            self.write_stages(body);
            "kept_"
        };
        match self.query.cardinality {
            Cardinality::One => {
                body.block(&format!("for row_ in {rows}:"), |body| {
                    body.statement("return ", Code::parse(&self.make_row()));
                });
                body.line("return None");
            }
            Cardinality::Many => body.return_list(&self.make_row(), rows),
        }
    }

    /// The result of a row.
    fn make_row(&self) -> String {
        if self.is_kept() {
            format!("rows.{}(*row_)", self.names.record)
        } else {
            format!("{}(row_)", self.make_name())
        }
    }

    /// Reads the steps up to the main one, whose rows are `streams_`.
    fn write_streams(&self, body: &mut PythonWriter, main: &'a Fetch) {
        let scope = self.scope();
        for (at, fetch) in self.query.steps.iter().enumerate().take(self.query.main) {
            if !self.query.is_lazy(at) {
                scope.write_step(body, at, fetch, &self.constants);
            }
        }
        let at = self.query.main;
        let scope = scope.with_repetitions(&main.repetitions).with_row(&self.query.row);
        scope.write_functions(body, at, main, RowForm::Staged, &self.constants);
        let settles = self.query.row_stages > 0;
        if settles {
            self.write_settle(body);
        }
        let settle = Code::atom(if settles { "settle_" } else { "None" });
        let limit = limit(scope, self.query).unwrap_or_else(|| Code::atom("1"));
        let constant = self.constants.get(at).map(String::as_str).unwrap_or_default();
        let reader = scope.reader(at, main, constant, Some((settle, limit)));
        body.statement(&format!("reader_{at}_ = "), reader);
        body.line(format!("streams_ = await reader_{at}_.streams()"));
    }

    fn stages(&self) -> StagePrinter<'_> {
        StagePrinter {
            scope: self.scope(),
            query: self.query,
            constants: &self.constants,
            record: &self.query.row,
        }
    }

    /// The function that applies the stages of single rows.
    fn write_settle(&self, body: &mut PythonWriter) {
        let rows = "list[list[Any]]";
        let parameters = [format!("kept_: {rows}")];
        body.function("async def settle_", &parameters, rows, |body| {
            let mut stages = self.stages();
            for (number, stage) in self.query.stages.iter().enumerate() {
                if number < self.query.row_stages {
                    stages.write(body, number, stage);
                }
            }
            body.line("return kept_");
        });
    }

    /// Applies the other stages: the rows are `kept_`.
    fn write_stages(&self, body: &mut PythonWriter) {
        let rest = self.query.stages.iter().enumerate().skip(self.query.row_stages);
        let rest: Vec<_> = rest.collect();
        let is_merged = matches!(rest.first(), Some((_, Stage::Merge(_))));
        if !is_merged {
            body.line("kept_ = support.flatten(streams_)");
        }
        let mut stages = self.stages();
        for (place, (number, stage)) in rest.into_iter().enumerate() {
            // Rows that are one stream already are merged.
            if place == 0 || !matches!(stage, Stage::Merge(_)) {
                stages.write(body, number, stage);
            }
        }
    }

    fn write_page(&self, writer: &mut PythonWriter) {
        let mut parameters = self.printer.list_parameters(&self.names, &self.query.parameters);
        let (size, token) = &self.names.page_parameters;
        parameters.extend([format!("{size}: int = 100"), format!("{token}: str | None = None")]);
        let result = format!("support.Page[rows.{}]", self.names.record);
        let head = format!("async def {}", self.names.page);
        writer.function(&head, &parameters, &result, |body| {
            body.docstring(&[
                format!("A page of the rows of `{}`.", self.names.complete),
                String::new(),
                format!("`{token}` is that of the page before; the first page has none."),
            ]);
            self.write_call(body, |body| self.write_page_body(body, size, token));
        });
    }

    fn write_page_body(&self, body: &mut PythonWriter, size: &str, token: &str) {
        let at = self.query.main;
        let Some(main) = self.query.steps.get(at) else { return };
        let scope = self.scope().with_repetitions(&main.repetitions).with_row(&self.query.row);
        if self.is_direct() {
            scope.write_bind(body, at, main);
        } else {
            scope.write_functions(body, at, main, RowForm::Staged, &self.constants);
        }
        if self.query.row_stages > 0 {
            self.write_settle(body);
        }
        let parameters = ["found_: list[support.Row]".to_owned(), "turn_: support.Turn".to_owned()];
        let result = format!("list[rows.{}]", self.names.record);
        body.function("async def finish_", &parameters, &result, |body| {
            if self.is_direct() {
                return body.return_list(&self.make_row(), "found_");
            }
            body.line(format!("kept_ = [make_{at}_(row_, turn_) for row_ in found_]"));
            if self.query.row_stages > 0 {
                body.line("kept_ = await settle_(kept_)");
            }
            body.return_list(&self.make_row(), "kept_");
        });
        let walk = match &main.repetitions[..] {
            [Repetition::Buckets(_)] => format!("walk_{at}_0_"),
            _ => "None".to_owned(),
        };
        let constant = self.constants.get(at).cloned().unwrap_or_default();
        let parts = ["call_", &constant, &walk, &format!("bind_{at}_"), "finish_", size, token];
        let parts = parts.into_iter().map(Code::atom).collect();
        body.statement("return ", Code::support("read_page", parts).into_awaited());
    }
}
