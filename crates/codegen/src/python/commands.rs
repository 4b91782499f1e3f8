//! Functions that write.

use crate::comment;
use crate::program::{
    ApplicationResult, BatchType, Cardinality, Command, CommandStep, Condition, Fetch, Refusal,
    Repetition, ReturnedRows, Run, Send, Statement,
};

use super::PythonPrinter;
use super::access_file::FunctionForm;
use super::code::{PythonExpression as Code, PythonWriter, quote};
use super::names::FunctionNames;
use super::scope::{PythonScope, name_found};

/// What is printed of one command.
pub(super) struct CommandPrinter<'a> {
    pub(super) printer: &'a PythonPrinter<'a>,
    pub(super) command: &'a Command,
    pub(super) names: FunctionNames,
    /// The steps that read.
    fetches: Vec<Option<&'a Fetch>>,
    /// The constants of the statements that read, by step.
    constants: Vec<String>,
}

impl<'a> CommandPrinter<'a> {
    pub(super) fn new(printer: &'a PythonPrinter<'a>, at: usize, command: &'a Command) -> Self {
        let names = printer.names.command(at);
        let fetches = command.steps.iter().map(|step| match step {
            CommandStep::Read(fetch) => Some(fetch),
            _ => None,
        });
        let fetches = fetches.collect();
        let constants =
            (0..command.steps.len()).map(|step| constant_name(&names, step, 0, false)).collect();
        Self { printer, command, names, fetches, constants }
    }

    fn scope(&self) -> PythonScope<'_> {
        PythonScope {
            names: &self.printer.names,
            parameters: &self.command.parameters,
            parameter_names: &self.names.parameters,
            fetches: &self.fetches,
            repetitions: &[],
            row: None,
            is_raw: false,
        }
    }

    /// Its statements with the constants that hold them.
    pub(super) fn statements(&self) -> Vec<(String, &'a Statement)> {
        let mut statements = Vec::new();
        for (at, step) in self.command.steps.iter().enumerate() {
            let mut add = |send: &'a Send, number: usize| {
                let name = constant_name(&self.names, at, number, false);
                statements.push((name, &send.statement));
                if let Some(inverse) = &send.inverse {
                    let name = constant_name(&self.names, at, number, true);
                    statements.push((name, &inverse.statement));
                }
            };
            match step {
                CommandStep::Read(fetch) => {
                    statements.push((constant_name(&self.names, at, 0, false), &fetch.statement));
                }
                CommandStep::Send(send) => add(send, 0),
                CommandStep::Batch { sends, .. } => {
                    sends.iter().enumerate().for_each(|(number, send)| add(send, number));
                }
                CommandStep::Run(_) => {}
            }
        }
        statements
    }

    /// The function that makes a result of a returned row.
    pub(super) fn write_maker(&self, writer: &mut PythonWriter) {
        let ApplicationResult::Rows(record, _) = &self.command.result else { return };
        if self.command.derived {
            return;
        }
        let class = format!("rows.{}", self.names.record);
        let values = (0..record.fields.len()).map(|at| Code::Atom(format!("row_[{at}]")));
        let head = format!("def _make_{}", self.names.function);
        writer.function(&head, &["row_: support.Row".to_owned()], &class, |body| {
            body.statement("return ", Code::Call(class.clone(), values.collect()));
        });
    }

    /// The type of the result.
    pub(super) fn result(&self) -> String {
        match &self.command.result {
            ApplicationResult::Nothing => "None".to_owned(),
            ApplicationResult::Applied => "bool".to_owned(),
            ApplicationResult::Rows(_, Cardinality::One) => {
                format!("rows.{} | None", self.names.record)
            }
            ApplicationResult::Rows(_, Cardinality::Many) => {
                format!("list[rows.{}]", self.names.record)
            }
        }
    }

    /// The functions of the class.
    pub(super) fn write(&self, writer: &mut PythonWriter) {
        if !self.command.derived {
            self.write_public(writer);
        }
        let head = format!("async def _run_{}", self.names.function);
        let mut parameters = vec!["self".to_owned(), "write_: support.Write".to_owned()];
        let own = self.printer.list_parameters(&self.names, &self.command.parameters);
        parameters.extend(own.into_iter().skip(1));
        writer.function(&head, &parameters, "support.Outcome", |body| {
            if self.command.derived {
                let text = format!("{}: {}", self.command.name, self.command.documentation.sql);
                let lines: Vec<String> = text.lines().map(str::to_owned).collect();
                body.docstring(&lines);
            }
            self.write_steps(body);
        });
    }

    /// What callers see of it.
    pub(super) fn forms(&self) -> Vec<FunctionForm> {
        self.printer.list_forms(&self.names, &self.command.parameters, &self.result())
    }

    fn write_public(&self, writer: &mut PythonWriter) {
        let lines = comment::describe_command(self.command);
        let is_complete = self.printer.write_short_form(
            writer,
            &self.names,
            (&self.command.parameters, &self.result()),
            &lines,
        );
        let parameters = self.printer.list_parameters(&self.names, &self.command.parameters);
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
            body.call_block(&self.command.name, |body| self.write_run(body));
        });
    }

    fn write_run(&self, body: &mut PythonWriter) {
        let arguments = self.names.parameters.iter().map(Code::atom).collect();
        let parts = vec![
            Code::atom("call_"),
            Code::Atom(format!("self._run_{}", self.names.function)),
            Code::Tuple(arguments),
        ];
        let run = Code::support("write", parts).into_awaited();
        match &self.command.result {
            ApplicationResult::Nothing => _ = body.statement("", run),
            ApplicationResult::Applied => {
                body.statement("", run);
                body.line("return call_.outcome == support.APPLIED");
            }
            ApplicationResult::Rows(_, cardinality) => {
                body.statement("run_ = ", run);
                let make = Code::Atom(format!("_make_{}", self.names.function));
                let parts = vec![make, Code::atom("run_.rows")];
                let result = match cardinality {
                    Cardinality::One => Code::support("one", parts),
                    Cardinality::Many => {
                        let map = Code::Call("map".to_owned(), parts);
                        Code::Call("list".to_owned(), vec![map])
                    }
                };
                body.statement("return ", result);
            }
        }
    }

    fn write_steps(&self, body: &mut PythonWriter) {
        let scope = self.scope();
        for check in &self.command.checks {
            let required = check.find_required().map(|parameter| scope.value(parameter));
            let violation = if let Some(Code::Atom(name)) = required {
                format!("{name} is None")
            } else {
                body.statement("is_met_ = ", scope.condition(&check.condition));
                "not is_met_".to_owned()
            };
            body.block(&format!("if {violation}:"), |body| {
                let parts = vec![quote(&check.sql).into()];
                body.statement("return ", Code::Call("write_.violate".to_owned(), parts));
            });
        }
        if self.has_call() {
            body.line("call_ = write_.call");
        }
        for (at, step) in self.command.steps.iter().enumerate() {
            match step {
                CommandStep::Read(fetch) => {
                    scope.write_step(body, at, fetch, &self.constants);
                }
                CommandStep::Batch { kind, sends, .. } => self.write_batch(body, at, *kind, sends),
                CommandStep::Send(send) => self.write_send(body, at, send),
                CommandStep::Run(run) => self.write_run_step(body, at, run),
            }
        }
        if let Some(returned) = &self.command.returned {
            self.write_returned(body, returned);
        }
        body.line("return write_.finish()");
    }

    /// Whether a step reads, or has buckets up to now.
    fn has_call(&self) -> bool {
        let walks = |repetitions: &[Repetition]| {
            repetitions.iter().any(|it| matches!(it, Repetition::Buckets(_)))
        };
        let returned = self.command.returned.as_ref();
        returned.is_some_and(|it| walks(&it.repetitions))
            || self.command.steps.iter().any(|step| match step {
                CommandStep::Read(_) => true,
                CommandStep::Batch { sends, .. } => sends.iter().any(|it| walks(&it.repetitions)),
                CommandStep::Send(send) => walks(&send.repetitions),
                CommandStep::Run(run) => walks(&run.repetitions),
            })
    }

    /// Writes what is done at each turn at which the guards hold.
    fn write_turns(
        &self,
        body: &mut PythonWriter,
        label: &str,
        (repetitions, guards): (&'a [Repetition], &[Condition]),
        write: impl FnOnce(PythonScope<'_>, &mut PythonWriter),
    ) {
        let scope = self.scope().with_repetitions(repetitions);
        let guarded = |body: &mut PythonWriter| {
            let Some((first, rest)) = guards.split_first() else { return write(scope, body) };
            let holds = if rest.is_empty() {
                scope.condition(first)
            } else {
                let parts = guards.iter().map(|guard| scope.condition(guard)).collect();
                Code::Call("all".to_owned(), vec![Code::Tuple(parts)])
            };
            body.statement("holds_ = ", holds);
            body.block("if holds_:", |body| write(scope, body));
        };
        if repetitions.is_empty() {
            return guarded(body);
        }
        scope.write_turn_levels(body, label);
        let levels = scope.turn_levels(label);
        body.statement(&format!("turns_{label} = "), Code::support("turns", vec![levels]));
        body.block(&format!("for turn_ in turns_{label}:"), guarded);
    }

    fn write_batch(&self, body: &mut PythonWriter, at: usize, kind: BatchType, sends: &'a [Send]) {
        let is_plain = |send: &Send| {
            send.repetitions.is_empty() && send.guards.is_empty() && !send.needs_all_values
        };
        if sends.iter().all(is_plain) {
            let items = sends.iter().enumerate().map(|(number, send)| {
                let constant = constant_name(&self.names, at, number, false);
                Code::Tuple(vec![constant.into(), bind_send(self.scope(), send)])
            });
            body.statement(&format!("batch_{at}_ = "), Code::List(items.collect()));
        } else {
            self.write_chosen(body, at, sends);
        }
        let kind = match kind {
            BatchType::Logged => "support.LOGGED",
            BatchType::Unlogged => "support.UNLOGGED",
            BatchType::Counter => "support.COUNTER",
        };
        body.line(format!("await write_.send_batch({kind}, batch_{at}_)"));
    }

    /// The statements of a batch, of which some are left out or repeated.
    fn write_chosen(&self, body: &mut PythonWriter, at: usize, sends: &'a [Send]) {
        body.line(format!("batch_{at}_: list[tuple[support.Statement, support.Row]] = []"));
        for (number, send) in sends.iter().enumerate() {
            let label = format!("{at}_{number}_");
            let around = (send.repetitions.as_slice(), send.guards.as_slice());
            self.write_turns(body, &label, around, |scope, body| {
                let constant = constant_name(&self.names, at, number, false);
                let append = |values: Code| {
                    let item = Code::Tuple(vec![constant.into(), values]);
                    Code::Call(format!("batch_{at}_.append"), vec![item])
                };
                if send.needs_all_values {
                    let values = format!("values_{label}");
                    body.statement(&format!("{values} = "), bind_send(scope, send));
                    body.block(&format!("if support.is_complete({values}):"), |body| {
                        body.statement("", append(Code::Atom(values)));
                    });
                } else {
                    body.statement("", append(bind_send(scope, send)));
                }
            });
        }
    }

    fn write_send(&self, body: &mut PythonWriter, at: usize, send: &'a Send) {
        let label = format!("{at}_0_");
        let around = (send.repetitions.as_slice(), send.guards.as_slice());
        self.write_turns(body, &label, around, |scope, body| {
            let values = bind_send(scope, send);
            if send.needs_all_values {
                let name = format!("values_{label}");
                body.statement(&format!("{name} = "), values);
                body.block(&format!("if support.is_complete({name}):"), |body| {
                    self.write_sending(scope, body, at, (send, Code::Atom(name)));
                });
            } else {
                self.write_sending(scope, body, at, (send, values));
            }
        });
    }

    fn write_sending(
        &self,
        scope: PythonScope<'_>,
        body: &mut PythonWriter,
        at: usize,
        (send, values): (&Send, Code),
    ) {
        let constant = constant_name(&self.names, at, 0, false);
        let mut parts = vec![constant.into(), values];
        if let Some(refusal) = send.refusal {
            let refusal = match refusal {
                Refusal::Refused => "support.REFUSED",
                Refusal::Violation => "support.VIOLATION",
            };
            parts.push(Code::keyword("refusal", refusal.into()));
            let message = send.condition.as_deref().unwrap_or("a condition does not hold");
            parts.push(Code::keyword("message", quote(message).into()));
        }
        if send.depends_on_read {
            parts.push(Code::keyword("depends_on_read", Code::atom("True")));
        }
        if let Some(inverse) = &send.inverse {
            let name = constant_name(&self.names, at, 0, true);
            let pair = Code::Tuple(vec![name.into(), bind_send(scope, inverse)]);
            parts.push(Code::keyword("inverse", pair));
        }
        let call = Code::Call("write_.send".to_owned(), parts).into_awaited();
        write_ending(body, call, send.refusal.is_some());
    }

    fn write_run_step(&self, body: &mut PythonWriter, at: usize, run: &'a Run) {
        let label = format!("{at}_0_");
        let around = (run.repetitions.as_slice(), run.guards.as_slice());
        let names = self.printer.names.command(run.command);
        let name = self.printer.program.commands.get(run.command);
        let name = name.map(|command| command.name.as_str()).unwrap_or_default();
        self.write_turns(body, &label, around, |scope, body| {
            let arguments = run.arguments.iter().map(|value| scope.value(value)).collect();
            let parts = vec![
                Code::Atom(format!("self._run_{}", names.function)),
                quote(name).into(),
                Code::Tuple(arguments),
                Code::keyword(
                    "violation_ends",
                    Code::atom(if run.violation_ends { "True" } else { "False" }),
                ),
            ];
            let call = Code::Call("write_.run".to_owned(), parts).into_awaited();
            write_ending(body, call, true);
        });
    }

    fn write_returned(&self, body: &mut PythonWriter, returned: &'a ReturnedRows) {
        let around = (returned.repetitions.as_slice(), returned.guards.as_slice());
        self.write_turns(body, "returned_", around, |scope, body| {
            let values = returned.values.iter().map(|value| scope.value(value)).collect();
            let parts = vec![Code::Tuple(values)];
            body.statement("", Code::Call("write_.rows.append".to_owned(), parts));
        });
    }
}

impl PythonScope<'_> {
    /// The functions of the repetitions of a statement that writes.
    fn write_turn_levels(&self, body: &mut PythonWriter, label: &str) {
        let label = label.trim_end_matches('_');
        for (position, repetition) in self.repetitions.iter().enumerate() {
            let Repetition::Buckets(walk) = repetition else { continue };
            self.write_known_ends(body, label, position, walk);
        }
        self.write_levels(body, label, &[]);
    }

    fn write_known_ends(
        &self,
        body: &mut PythonWriter,
        label: &str,
        position: usize,
        walk: &crate::program::Walk,
    ) {
        let end = |column: &Option<String>| {
            let found = walk.ends.zip(column.as_deref());
            let Some((step, name)) = found else { return Code::atom("None") };
            let Some(at) = self.position(step, name) else { return Code::atom("None") };
            if let Some(row) = self.find_row(step, position) {
                return Code::Atom(format!("{row}.values[{at}]"));
            }
            let parts = vec![name_found(step).into(), at.to_string().into()];
            Code::support("first", parts)
        };
        let ends = Code::Tuple(vec![end(&walk.oldest_column), end(&walk.newest_column)]);
        let head = format!("def known_{label}_{position}_");
        let parameters = ["turn_: support.Turn".to_owned()];
        body.function(&head, &parameters, "tuple[Any, Any]", |body| {
            body.statement("return ", ends);
        });
    }

    /// The repetitions of a statement that writes.
    fn turn_levels(&self, label: &str) -> Code {
        let label = label.trim_end_matches('_');
        let levels = self.repetitions.iter().enumerate().map(|(position, it)| match it {
            Repetition::Buckets(_) => {
                let parts = [
                    format!("walk_{label}_{position}_"),
                    "call_.now".to_owned(),
                    format!("known_{label}_{position}_"),
                ];
                Code::support("buckets", parts.into_iter().map(Code::Atom).collect())
            }
            other => super::fetches::level(label, (position, other)),
        });
        Code::List(levels.collect())
    }
}

/// Sends, and ends the command where that decides its outcome.
fn write_ending(body: &mut PythonWriter, call: Code, can_end: bool) {
    if !can_end {
        body.statement("", call);
        return;
    }
    body.statement("outcome_ = ", call);
    body.block("if outcome_ is not None:", |body| {
        body.line("return outcome_");
    });
}

/// The values of a statement that writes.
fn bind_send(scope: PythonScope<'_>, send: &Send) -> Code {
    let values = send.values.iter().map(|binding| {
        let value = scope.bound(&binding.value);
        if binding.null_is_unset && !scope.is_never_null(&binding.value) {
            Code::support("unset", vec![value])
        } else {
            value
        }
    });
    Code::Tuple(values.collect())
}

/// The constant of a statement. Its last word is no word of a function, so that all differ.
fn constant_name(names: &FunctionNames, step: usize, number: usize, is_inverse: bool) -> String {
    let name = names.function.to_uppercase();
    let part = if number == 0 { String::new() } else { format!("P{}", number + 1) };
    let undo = if is_inverse { "UNDO" } else { "" };
    format!("_{name}_{undo}{}{part}", step + 1)
}
