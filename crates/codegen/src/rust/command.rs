//! Functions that write.

use crate::comment::describe_command;
use crate::program::{
    ApplicationResult, Cardinality, Command, CommandStep, Fetch, ReturnedRows, Send,
};

use super::condition::{print_all, print_condition};
use super::context::{RustContext, RustFunction, pascal, print_read_record};
use super::expression::{RustExpressions, text_code};
use super::fetch::RustFetch;
use super::query::{forms, print_head};
use super::read::print_read;
use super::repetition::print_loops;
use super::scope::{RustScope, RustStep};
use super::send::{print_batch, print_send};
use super::types::RustRecord;
use super::writer::RustWriter;

/// The texts of the functions that write.
#[derive(Debug)]
pub(super) struct RustCommands {
    /// Methods of the structure of functions.
    pub(super) methods: RustWriter,
    /// Structures of calls, and their methods.
    pub(super) calls: RustWriter,
}

/// A command while it is printed.
#[derive(Debug)]
pub(super) struct RustCommand {
    pub(super) function: RustFunction,
    /// The name of the structure of a call.
    pub(super) call: String,
    /// The rows that it returns.
    pub(super) result: Option<RustRecord>,
    pub(super) steps: Vec<RustStep>,
    /// Whether it runs others.
    pub(super) has_runs: bool,
}

impl RustCommand {
    /// The names that a command has, before any is printed: commands run each other.
    pub(super) fn new(context: &mut RustContext, command: &Command) -> Self {
        let base = pascal(&command.name);
        let function = context.add_function(&command.name, &command.parameters);
        let call = context.names.add("call", &format!("{base}Write"));
        let result = match &command.result {
            ApplicationResult::Rows(record, _) => {
                Some(context.add_row(&command.name, record, false))
            }
            _ => None,
        };
        let mut steps = Vec::new();
        for (at, step) in command.steps.iter().enumerate() {
            steps.push(match step {
                CommandStep::Read(fetch) => RustStep {
                    record: RustRecord::new(
                        context.names.add("row", &format!("{base}Read{at}")),
                        &fetch.statement.columns,
                        true,
                    ),
                    parents: fetch.parents.clone(),
                    rows: format!("self.step{at}"),
                },
                _ => RustStep::default(),
            });
        }
        let has_runs = command.steps.iter().any(|step| matches!(step, CommandStep::Run(_)));
        Self { function, call, result, steps, has_runs }
    }
}

/// A command, its names, and all others.
#[derive(Clone, Copy, Debug)]
pub(super) struct RustCommandPrinter<'c> {
    pub(super) command: &'c Command,
    pub(super) names: &'c RustCommand,
    pub(super) all: &'c [RustCommand],
    /// Whether a proof makes calls.
    pub(super) is_proof: bool,
}

impl RustCommandPrinter<'_> {
    /// Prints the command.
    pub(super) fn print(&self, context: &mut RustContext, out: &mut RustCommands) {
        self.print_records(context, &mut out.calls);
        self.print_call(context, &mut out.calls);
        if !self.command.derived {
            self.print_methods(&mut out.methods);
        }
    }

    fn fetches(&self) -> impl Iterator<Item = (usize, &Fetch)> {
        self.command.steps.iter().enumerate().filter_map(|(at, step)| match step {
            CommandStep::Read(fetch) => Some((at, fetch)),
            _ => None,
        })
    }

    fn print_records(&self, context: &RustContext, out: &mut RustWriter) {
        for (at, fetch) in self.fetches() {
            let Some(step) = self.names.steps.get(at) else { continue };
            let parents = step.parents.iter().filter_map(|parent| self.names.steps.get(*parent));
            let parents: Vec<_> = parents.map(|parent| parent.record.name.clone()).collect();
            let read = fetch.statement.columns.len();
            print_read_record(out, &context.types, &step.record, read, &parents);
        }
    }

    /// The structure of a call, and its methods.
    fn print_call(&self, context: &mut RustContext, out: &mut RustWriter) {
        let names = self.names;
        out.blank().line(format!("/// A call of {}.", self.command.name));
        let visible = self.visibility();
        out.open(format!("{visible}struct {}<'a> {{", names.call)).line("core: &'a Core,");
        for (name, ty, _) in &names.function.parameters {
            out.line(format!("{name}: {ty},"));
        }
        for (at, _) in self.fetches() {
            if let Some(step) = names.steps.get(at) {
                out.line(format!("step{at}: Vec<Arc<{}>>,", step.record.name));
            }
        }
        if self.names.has_runs {
            out.line("running: Vec<DerivedCall>,");
        }
        if let Some(result) = &names.result {
            out.line(format!("rows: Vec<{}>,", result.name));
        }
        out.line("state: WriteState,").close("}").blank();
        out.open(format!("impl<'a> {}<'a> {{", names.call));
        self.print_new(out);
        if !self.command.derived {
            self.print_complete(out);
        }
        out.blank();
        self.print_run(out);
        self.print_attempt(context, out);
        let mut statements = Vec::new();
        for (at, fetch) in self.fetches() {
            statements.push((at, context.statements.add(&self.command.name, &fetch.statement)));
        }
        let scope = self.scope(context);
        for (at, fetch) in self.fetches() {
            print_read(out, &names.steps, at, fetch);
            let statement = statements.iter().find(|(of, _)| *of == at);
            let (Some((_, statement)), Some(step)) = (statement, names.steps.get(at)) else {
                continue;
            };
            let printed = RustFetch {
                at,
                fetch,
                statement,
                row: &step.record.name,
                limit: "None",
                is_kept: false,
            };
            printed.print(out, &scope, &[], &|_| None);
        }
        out.close("}");
    }

    fn scope<'a>(&self, context: &'a RustContext) -> RustScope<'a> {
        RustScope {
            types: &context.types,
            parameters: self.names.function.read("self."),
            steps: self.names.steps.clone(),
            turns: Vec::new(),
            current: None,
        }
    }

    /// The method that tries until the outcome is known.
    fn print_run(&self, out: &mut RustWriter) {
        let can_be_outdated = self.command.steps.iter().any(|step| match step {
            CommandStep::Send(send) => send.depends_on_read,
            _ => false,
        });
        out.open("async fn run(&mut self) -> Result<Outcome, AccessError> {");
        if can_be_outdated {
            out.open("for _ in 1..self.core.options.attempts {");
            out.line("let result = self.attempt().await;");
            out.line("let outcome = result.map_err(|error| self.state.interrupt(error))?;");
            out.open("if outcome != Outcome::Outdated {").line("return Ok(outcome);").close("}");
            out.line("self.state = WriteState::default();");
            if self.names.result.is_some() {
                out.line("self.rows.clear();");
            }
            out.close("}");
        }
        out.line("let result = self.attempt().await;");
        out.line("result.map_err(|error| self.state.interrupt(error))").close("}");
    }

    /// The method that runs the steps once.
    fn print_attempt(&self, context: &mut RustContext, out: &mut RustWriter) {
        out.blank().open("async fn attempt(&mut self) -> Result<Outcome, AccessError> {");
        // Statements are named before the scope borrows the types.
        let mut paths = Vec::new();
        for step in &self.command.steps {
            let sends: Vec<&Send> = match step {
                CommandStep::Send(send) => vec![send],
                CommandStep::Batch { sends, .. } => sends.iter().collect(),
                _ => Vec::new(),
            };
            let mut named = Vec::new();
            for send in sends {
                let path = context.statements.add(&self.command.name, &send.statement);
                let inverse = send.inverse.as_ref();
                let inverse =
                    inverse.map(|it| context.statements.add(&self.command.name, &it.statement));
                named.push((path, inverse));
            }
            paths.push(named);
        }
        let scope = self.scope(context);
        let mut printer = RustExpressions::new(&scope, out.depth());
        self.print_checks(&mut printer);
        for (at, (step, paths)) in self.command.steps.iter().zip(&paths).enumerate() {
            match step {
                CommandStep::Read(_) => {
                    printer.out.line(format!("self.step{at} = self.read{at}().await?;"));
                }
                CommandStep::Batch { kind, sends, reason } => {
                    print_batch(&mut printer, *kind, sends, paths, reason);
                }
                CommandStep::Send(send) => print_send(&mut printer, send, paths),
                CommandStep::Run(run) => self.print_derived(&mut printer, run),
            }
        }
        if let Some(returned) = &self.command.returned {
            self.print_returned(&mut printer, returned);
        }
        printer.out.line("Ok(self.state.finish())");
        out.append(&printer.into_state().text);
        out.close("}");
    }

    fn print_checks(&self, printer: &mut RustExpressions<'_, '_>) {
        for check in &self.command.checks {
            let code = print_condition(printer, &check.condition);
            let violation = format!("return Ok(Outcome::Violation({}));", text_code(&check.sql));
            match code.as_str() {
                "true" => {}
                "false" => _ = printer.out.open("if true {").line(violation).close("}"),
                code => {
                    let name = printer.bind(code);
                    printer.out.open(format!("if !{name} {{")).line(violation).close("}");
                }
            }
        }
    }

    /// The rows that the command returns itself.
    fn print_returned(&self, printer: &mut RustExpressions<'_, '_>, returned: &ReturnedRows) {
        let Some(result) = &self.names.result else { return };
        print_loops(printer, &returned.repetitions, 0, &mut |printer| {
            let guards = print_all(printer, &returned.guards);
            if guards != "true" {
                printer.out.open(format!("if {guards} {{"));
            }
            let mut fields = Vec::new();
            for (field, value) in result.fields.iter().zip(&returned.values) {
                let mut code = printer.option(value);
                if !field.nullable {
                    code = printer.call("require", &[code, text_code(&field.column)], "?");
                }
                fields.push(format!("{}: {code}", field.name));
            }
            printer.out.structure(&format!("let row = {}", result.name), &fields, ";");
            printer.out.line("self.rows.push(row);");
            if guards != "true" {
                printer.out.close("}");
            }
        });
    }

    /// The functions for callers.
    fn print_methods(&self, out: &mut RustWriter) {
        let comment = describe_command(self.command);
        let function = &self.names.function;
        let (returns, end) = match (&self.command.result, &self.names.result) {
            (ApplicationResult::Rows(_, Cardinality::One), Some(row)) => {
                (format!("Option<{}>", row.name), "Ok(rows.into_iter().next())")
            }
            (ApplicationResult::Rows(_, Cardinality::Many), Some(row)) => {
                (format!("Vec<{}>", row.name), "Ok(rows)")
            }
            (ApplicationResult::Applied, _) => ("bool".to_owned(), ""),
            _ => ("()".to_owned(), "Ok(())"),
        };
        let returns = format!("Result<{returns}, AccessError>");
        for is_full in forms(function) {
            print_head(out, function, is_full, &comment, &returns);
            if !is_full {
                function.print_supplies(out);
            }
            self.print_make(out);
            let call = "call.complete().await";
            match end {
                "" => _ = out.line(call),
                "Ok(())" => _ = out.line(format!("{call}?;")).line(end),
                rows => _ = out.line(format!("let (_, rows) = {call}?;")).line(rows),
            }
            out.close("}");
        }
    }

    /// The method that runs a call and tells what it came to.
    fn print_complete(&self, out: &mut RustWriter) {
        let (what, returns, end) = match &self.names.result {
            Some(row) => {
                (", and its rows", format!("(bool, Vec<{}>)", row.name), "Ok((is_applied, rows))")
            }
            None => ("", "bool".to_owned(), "self.state.conclude(outcome)"),
        };
        out.blank().line(format!("/// Whether it was applied{what}."));
        let tail = format!(" -> Result<{returns}, AccessError> {{");
        let visible = self.visibility();
        out.call(&format!("{visible}async fn complete"), &["mut self".to_owned()], &tail);
        out.deepen();
        out.open("let work = async {").line("let outcome = self.run().await?;");
        if self.names.result.is_some() {
            out.line("let is_applied = self.state.conclude(outcome)?;");
            out.line("let rows = if is_applied { self.rows } else { Vec::new() };");
        }
        out.line(end).close("};");
        out.assign("let name", &text_code(&self.command.name));
        out.line("observe(name, work).await").close("}");
    }

    /// What a proof uses of the structure of a call.
    const fn visibility(&self) -> &'static str {
        if self.is_proof && self.names.result.is_some() { "pub(crate) " } else { "" }
    }

    /// The method that makes the structure of a call.
    fn print_new(&self, out: &mut RustWriter) {
        let parameters = &self.names.function.parameters;
        let mut arguments = vec!["core: &'a Core".to_owned()];
        arguments.extend(parameters.iter().map(|(name, ty, _)| format!("{name}: {ty}")));
        let mut fields = vec!["core".to_owned()];
        fields.extend(parameters.iter().map(|(name, ..)| name.clone()));
        fields.extend(self.fetches().map(|(at, _)| format!("step{at}: Vec::new()")));
        if self.names.has_runs {
            fields.push("running: Vec::new()".to_owned());
        }
        if self.names.result.is_some() {
            fields.push("rows: Vec::new()".to_owned());
        }
        fields.push("state: WriteState::default()".to_owned());
        let visible = self.visibility();
        out.call(&format!("{visible}fn new"), &arguments, " -> Self {");
        out.deepen();
        out.structure("Self", &fields, "").close("}");
    }

    /// Makes a call.
    fn print_make(&self, out: &mut RustWriter) {
        let mut arguments = vec!["&self.core".to_owned()];
        arguments.extend(self.names.function.parameters.iter().map(|(name, ..)| name.clone()));
        out.call(&format!("let call = {}::new", self.names.call), &arguments, ";");
    }
}
