//! The runs of queries of several steps or stages: a class with a method for each.

use std::collections::BTreeMap;

use super::context::JavaContext;
use super::expressions::{JavaCurrent, JavaScope, JavaStep};
use super::fetches::{JavaFetchKind, JavaFetchPrinter, list_steps, print_step_record};
use super::names::JavaFunctionName;
use super::queries::JavaQueryPrinter;
use super::stages::{JavaStagePrinter, map_fields, print_link, print_row_class, with_current};
use crate::code_writer::CodeWriter;
use crate::program::{Cardinality, Fetch, Query, QueryLimit, Record, Repetition, Stage};

/// The printer of the run of a query.
#[derive(Clone, Copy)]
pub(super) struct JavaQueryRun<'a> {
    pub(super) context: &'a JavaContext<'a>,
    pub(super) query: &'a Query,
    pub(super) name: &'a JavaFunctionName,
}

/// The rows of a query, before and after an aggregation.
struct RowShapes {
    data: BTreeMap<String, String>,
    groups: BTreeMap<String, String>,
    /// The stage that aggregates, and the record that it makes.
    aggregate: Option<(usize, Record)>,
}

impl<'a> JavaQueryRun<'a> {
    /// The scope of values that use parameters only.
    pub(super) fn scope(&self) -> JavaScope<'a> {
        JavaScope {
            context: self.context,
            parameters: &self.name.parameters,
            steps: &[],
            repetitions: &[],
            current: JavaCurrent::Absent,
        }
    }

    /// The class.
    pub(super) fn print(&self, out: &mut CodeWriter) {
        let steps = list_steps(self.query.steps.iter().map(Some));
        let shapes = self.list_shapes();
        let scope = JavaScope { steps: &steps, ..self.scope() };
        out.line(format!("/** A run of {{@link #{}}}. */", self.name.method));
        out.block(format!("private final class {} {{", self.name.run), "}", |out| {
            print_row_class(out, &scope, "Data", &self.query.row);
            if let Some((_, record)) = &shapes.aggregate {
                print_row_class(out, &scope, "Group", record);
            }
            self.print_state(out, &scope);
            self.print_run(out);
            self.print_steps(out, scope, &shapes);
            self.print_stages(out, scope, &shapes);
            self.print_result(out, scope, &shapes);
            if self.query.find_paging().is_some() {
                self.print_page(out, scope);
            }
        });
        out.blank();
    }

    fn list_shapes(&self) -> RowShapes {
        let aggregate = self.query.stages.iter().enumerate().find_map(|(at, stage)| match stage {
            Stage::Aggregate { record, .. } => Some((at, record.clone())),
            _ => None,
        });
        RowShapes {
            data: map_fields(&self.query.row),
            groups: aggregate.as_ref().map(|(_, it)| map_fields(it)).unwrap_or_default(),
            aggregate,
        }
    }

    /// The step is only asked for the ends of a walk.
    fn is_ends(&self, step: usize) -> bool {
        let repetitions = self.query.steps.iter().flat_map(|it| &it.repetitions);
        repetitions
            .into_iter()
            .any(|it| matches!(it, Repetition::Buckets(walk) if walk.ends == Some(step)))
    }

    /// The steps that run before the main one.
    fn list_first(&self) -> Vec<usize> {
        (0..self.query.main).filter(|step| !self.query.is_lazy(*step)).collect()
    }

    fn kind(&self, step: usize) -> Option<JavaFetchKind> {
        if step == self.query.main {
            return Some(JavaFetchKind::Main);
        }
        let is_attached = self
            .query
            .stages
            .iter()
            .any(|it| matches!(it, Stage::Attach { step: of, .. } if *of == step));
        if is_attached {
            return Some(JavaFetchKind::Attached);
        }
        (step < self.query.main && !self.is_ends(step)).then_some(JavaFetchKind::Kept)
    }

    /// The records, fields and constructor.
    fn print_state(&self, out: &mut CodeWriter, scope: &JavaScope<'_>) {
        for step in 0..self.query.steps.len() {
            if let Some(kind) = self.kind(step).filter(|kind| *kind != JavaFetchKind::Main) {
                print_step_record(out, scope, step, kind);
            }
        }
        let signature = JavaQueryPrinter::signature_of(self.context, self.name, self.query);
        let fields = signature.list_fields();
        out.line("private final AccessSupport.Call call;");
        for (class, name) in &fields {
            out.line(format!("private final {class} {name};"));
        }
        for step in self.list_first() {
            out.line(format!("private List<Row{step}> rows{step} = List.of();"));
        }
        out.blank();
        let declared: String =
            fields.iter().map(|(class, name)| format!(", {class} {name}")).collect();
        out.block(format!("{}(AccessSupport.Call call{declared}) {{", self.name.run), "}", |out| {
            out.line("this.call = call;");
            for (_, name) in &fields {
                out.line(format!("this.{name} = {name};"));
            }
        });
        out.blank();
    }

    pub(super) fn main(&self) -> Option<&'a Fetch> {
        self.query.steps.get(self.query.main)
    }

    /// `run`: the steps and stages in order.
    fn print_run(&self, out: &mut CodeWriter) {
        let row = &self.name.row;
        let result = match self.query.cardinality {
            Cardinality::One => format!("Optional<{row}>"),
            Cardinality::Many => format!("List<{row}>"),
        };
        let has_turns = self.main().is_some_and(|main| !main.repetitions.is_empty());
        let main = self.query.main;
        let main = if has_turns { format!("streams{main}()") } else { format!("send{main}()") };
        let mut calls = Vec::new();
        let firsts = self.list_first();
        for (at, step) in firsts.iter().enumerate() {
            let next = firsts.get(at + 1).map_or_else(|| main.clone(), |it| format!("read{it}()"));
            calls.push(format!(
                ".thenCompose(found -> {{\n    rows{step} = found;\n    return {next};\n}})"
            ));
        }
        let later = self.query.stages.iter().enumerate().skip(self.query.row_stages);
        let mut is_merged = !has_turns;
        for (at, stage) in later {
            let is_merge = matches!(stage, Stage::Merge(_));
            if is_merge && !is_merged {
                calls.push(format!(".thenApply(found -> AccessSupport.merge(found, order{at}()))"));
            } else if !is_merged {
                calls.push(".thenApply(found -> AccessSupport.flatten(found))".to_owned());
            }
            is_merged = true;
            if !is_merge {
                calls.push(print_link(at, stage));
            }
        }
        if !is_merged {
            calls.push(".thenApply(found -> AccessSupport.flatten(found))".to_owned());
        }
        calls.push(".thenApply(this::toResult)".to_owned());
        let start = firsts.first().map_or(main, |step| format!("read{step}()"));
        out.block(format!("CompletionStage<{result}> run() {{"), "}", |out| {
            out.line(format!("return {start}"));
            for (at, call) in calls.iter().enumerate() {
                let end = if at + 1 == calls.len() { ";" } else { "" };
                let call = call.replace('\n', "\n        ");
                out.line(format!("        {call}{end}"));
            }
        });
        out.blank();
    }

    pub(super) fn row_links(&self) -> Vec<String> {
        let stages = self.query.stages.iter().enumerate().take(self.query.row_stages);
        stages.map(|(at, stage)| print_link(at, stage)).collect()
    }

    /// LIMIT as a value.
    fn limit(&self) -> String {
        match self.query.limit {
            QueryLimit::None => "null".to_owned(),
            QueryLimit::Rows(rows) => format!("{}L", i64::try_from(rows).unwrap_or(i64::MAX)),
            QueryLimit::Parameter(at) => {
                self.name.parameters.get(at).cloned().unwrap_or_else(|| "null".to_owned())
            }
        }
    }

    fn print_steps(&self, out: &mut CodeWriter, scope: JavaScope<'_>, shapes: &RowShapes) {
        let (links, limit) = (self.row_links(), self.limit());
        for (at, fetch) in self.query.steps.iter().enumerate() {
            let Some(kind) = self.kind(at) else { continue };
            let scope = JavaScope { repetitions: &fetch.repetitions, ..scope };
            let scope = if kind == JavaFetchKind::Attached {
                with_current(scope, &shapes.data)
            } else {
                scope
            };
            let is_main = kind == JavaFetchKind::Main;
            let printer = JavaFetchPrinter {
                scope,
                function: &self.query.name,
                at,
                fetch,
                kind,
                chain: if is_main { &links } else { &[] },
                limit: is_main.then_some(limit.as_str()),
            };
            printer.print(out);
            if is_main {
                self.print_data(out, scope, fetch, shapes);
            }
        }
    }

    /// `toData`: the row on which the stages work, of a row of the main step and of the rows under
    /// which it was read.
    fn print_data(
        &self,
        out: &mut CodeWriter,
        scope: JavaScope<'_>,
        main: &Fetch,
        shapes: &RowShapes,
    ) {
        let turns = main.repetitions.iter().enumerate().filter_map(|(at, it)| match it {
            Repetition::Rows(step) => Some((at, *step)),
            _ => None,
        });
        let turns: Vec<_> = turns.collect();
        let declared: String =
            turns.iter().map(|(at, step)| format!(", Row{step} turn{at}")).collect();
        out.block(format!("private static Data toData(Row found{declared}) {{"), "}", |out| {
            out.line("Data row = new Data();");
            let mut known: Vec<String> = Vec::new();
            for (at, column) in main.statement.columns.iter().enumerate() {
                let Some(field) = shapes.data.get(&column.name) else { continue };
                if !known.contains(&column.name) {
                    let value = self.context.read_column("found", at, column);
                    out.line(format!("row.{field} = {value};"));
                    known.push(column.name.clone());
                }
            }
            for (at, step) in turns {
                let row = format!("turn{at}");
                print_parent(out, scope, shapes, &mut known, &row, step, scope.steps.len());
            }
            out.line("return row;");
        });
        out.blank();
    }

    fn print_stages(&self, out: &mut CodeWriter, scope: JavaScope<'_>, shapes: &RowShapes) {
        let limit = self.limit();
        let mut known = self.list_known();
        for (at, stage) in self.query.stages.iter().enumerate() {
            let after = shapes.aggregate.as_ref().filter(|(before, _)| at > *before);
            let (class, record, fields) = match after {
                Some((_, record)) => ("Group", record, &shapes.groups),
                None => ("Data", &self.query.row, &shapes.data),
            };
            let printer = JavaStagePrinter {
                scope: with_current(scope, fields),
                at,
                class,
                record,
                fields,
                groups: &shapes.groups,
                known: &known,
                limit: &limit,
            };
            printer.print(out, stage);
            if let Stage::Attach { step, .. } = stage {
                let columns = self.query.steps.get(*step).into_iter();
                let columns = columns.flat_map(|it| &it.statement.columns);
                known.extend(columns.map(|column| column.name.clone()));
            }
        }
    }

    /// The columns that rows have before any stage.
    fn list_known(&self) -> Vec<String> {
        let (mut known, mut steps) = (Vec::new(), vec![self.query.main]);
        let mut seen = 0;
        while let Some(step) = steps.get(seen).copied() {
            seen += 1;
            let Some(fetch) = self.query.steps.get(step) else { continue };
            known.extend(fetch.statement.columns.iter().map(|column| column.name.clone()));
            let new: Vec<_> =
                fetch.parents.iter().copied().filter(|it| !steps.contains(it)).collect();
            steps.extend(new);
        }
        known
    }

    /// `toRow` and `toResult`.
    fn print_result(&self, out: &mut CodeWriter, scope: JavaScope<'_>, shapes: &RowShapes) {
        let (class, fields) = match shapes.aggregate {
            Some(_) => ("Group", &shapes.groups),
            None => ("Data", &shapes.data),
        };
        let (scope, row) = (with_current(scope, fields), &self.name.row);
        out.block(format!("private {row} toRow({class} row) {{"), "}", |out| {
            let values = self.query.outputs.iter().zip(&self.query.result.fields);
            let values: Vec<_> = values
                .map(|(output, field)| self.context.component(&scope.print(output), field))
                .collect();
            out.line(format!("return new {row}("));
            out.line(format!("        {});", values.join(",\n        ")));
        });
        out.blank();
        match self.query.cardinality {
            Cardinality::One => {
                out.block(
                    format!("private Optional<{row}> toResult(List<{class}> rows) {{"),
                    "}",
                    |out| {
                        out.line("return rows.stream().findFirst().map(this::toRow);");
                    },
                );
            }
            Cardinality::Many => {
                out.block(
                    format!("private List<{row}> toResult(List<{class}> rows) {{"),
                    "}",
                    |out| {
                        out.line("return rows.stream().map(this::toRow).toList();");
                    },
                );
            }
        }
        out.blank();
    }
}

/// The columns of a row under which others were read.
fn print_parent(
    out: &mut CodeWriter,
    scope: JavaScope<'_>,
    shapes: &RowShapes,
    known: &mut Vec<String>,
    row: &str,
    step: usize,
    depth: usize,
) {
    let Some(Some(JavaStep { fetch, columns })) = scope.steps.get(step) else { return };
    for column in &fetch.statement.columns {
        let (Some(field), Some(from)) = (shapes.data.get(&column.name), columns.get(&column.name))
        else {
            continue;
        };
        if !known.contains(&column.name) {
            out.line(format!("row.{field} = Values.get({row}, Row{step}::{from});"));
            known.push(column.name.clone());
        }
    }
    for (at, parent) in fetch.parents.iter().enumerate().filter(|_| depth > 0) {
        let row = format!("Values.get({row}, Row{step}::parent{at})");
        print_parent(out, scope, shapes, known, &row, *parent, depth - 1);
    }
}
