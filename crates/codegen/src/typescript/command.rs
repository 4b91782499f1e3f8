//! Functions that write.

use super::fetch::{write_bounds, write_statement, write_turns, write_values};
use super::layout::{TypescriptCode, TypescriptWriter, quote};
use super::names::{TypescriptFunction, TypescriptNames};
use super::page::{argument, parameter_list};
use super::query::TypescriptFile;
use super::scope::{TypescriptCurrent, TypescriptRow, TypescriptScope};
use super::step::{write_step, write_step_interfaces};
use super::types::TypescriptTypes;
use crate::comment::describe_command;
use crate::program::{
    AccessProgram, ApplicationResult, BatchType, Cardinality, Command, CommandStep, Fetch, Refusal,
    Repetition, Run, Send, Walk,
};

/// A command while its function is written.
struct TypescriptCommandPrinter<'a> {
    program: &'a AccessProgram,
    names: &'a TypescriptNames,
    command: &'a Command,
    function: &'a TypescriptFunction,
    scope: TypescriptScope<'a>,
    fetches: &'a [Option<&'a Fetch>],
}

/// Whether a command is called: by callers, or by a command that is called.
pub(super) fn is_called(program: &AccessProgram, at: usize) -> bool {
    let mut seen = vec![false; program.commands.len()];
    let stated = program.commands.iter().enumerate().filter(|(_, command)| !command.derived);
    let mut left: Vec<usize> = stated.map(|(at, _)| at).collect();
    while let Some(next) = left.pop() {
        let Some(is_seen) = seen.get_mut(next).filter(|is_seen| !**is_seen) else { continue };
        *is_seen = true;
        let steps = program.commands.get(next).into_iter().flat_map(|command| &command.steps);
        left.extend(steps.filter_map(|step| match step {
            CommandStep::Run(run) => Some(run.command),
            _ => None,
        }));
    }
    seen.get(at).copied().unwrap_or(false)
}

/// The functions of a command.
pub(super) fn write_command(
    file: &mut TypescriptFile,
    types: &TypescriptTypes<'_>,
    program: &AccessProgram,
    names: &TypescriptNames,
    at: usize,
) {
    let (Some(command), Some(function)) = (program.commands.get(at), names.commands.get(at)) else {
        return;
    };
    write_statements(&mut file.statements, command, function);
    let fetches = command.steps.iter().map(|step| match step {
        CommandStep::Read(fetch) => Some(fetch),
        _ => None,
    });
    let fetches: Vec<Option<&Fetch>> = fetches.collect();
    let steps = fetches.iter().enumerate().map(|(at, fetch)| match fetch {
        Some(fetch) => TypescriptRow::from_fetch(format!("{}Step{at}", function.private), fetch),
        None => TypescriptRow::default(),
    });
    let steps: Vec<TypescriptRow> = steps.collect();
    let scope = TypescriptScope {
        types,
        function,
        parameters: &command.parameters,
        steps: &steps,
        repetitions: &[],
        current: TypescriptCurrent::None,
    };
    let printer =
        TypescriptCommandPrinter { program, names, command, function, scope, fetches: &fetches };
    let is_kept = |at: usize| fetches.get(at).is_some_and(Option::is_some);
    write_step_interfaces(&mut file.interfaces, types, &steps, &is_kept);
    if !command.derived {
        printer.write_public(&mut file.methods);
    }
    printer.write_private(&mut file.methods);
}

fn write_statements(
    writer: &mut TypescriptWriter,
    command: &Command,
    function: &TypescriptFunction,
) {
    let mut write_send = |at: String, send: &Send| {
        write_statement(writer, function, &at, &send.statement);
        if let Some(inverse) = &send.inverse {
            write_statement(writer, function, &format!("{at}Inverse"), &inverse.statement);
        }
    };
    for (at, step) in command.steps.iter().enumerate() {
        match step {
            CommandStep::Read(_) | CommandStep::Run(_) => {}
            CommandStep::Send(send) => write_send(at.to_string(), send),
            CommandStep::Batch { sends, .. } => {
                for (part, send) in sends.iter().enumerate() {
                    write_send(format!("{at}Part{part}"), send);
                }
            }
        }
    }
    for (at, step) in command.steps.iter().enumerate() {
        if let CommandStep::Read(fetch) = step {
            write_statement(writer, function, &at.to_string(), &fetch.statement);
        }
    }
}

impl TypescriptCommandPrinter<'_> {
    fn write_public(&self, writer: &mut TypescriptWriter) {
        let row = &self.function.row_type;
        let result = match &self.command.result {
            ApplicationResult::Nothing => "Promise<void>".to_owned(),
            ApplicationResult::Applied => "Promise<boolean>".to_owned(),
            ApplicationResult::Rows(_, Cardinality::One) => format!("Promise<m.{row} | null>"),
            ApplicationResult::Rows(_, Cardinality::Many) => format!("Promise<m.{row}[]>"),
        };
        writer.blank();
        writer.comment(&describe_command(self.command));
        super::supply::write_short_form(writer, self.function, &self.command.parameters, &result);
        let method = self.function.full_method.as_ref().unwrap_or(&self.function.method);
        let parameters: Vec<String> = parameter_list(self.function).into_iter().collect();
        writer.head(&format!("async {method}"), &parameters, &result);
        writer.indent_lines(|writer| {
            let is_nothing = self.command.result == ApplicationResult::Nothing;
            let before = if is_nothing { "" } else { "const outcome = " };
            let first =
                format!("{before}await this.#session.write({}, ", quote(&self.command.name));
            writer.hand_over(&first, "(call)", &self.run_call("params"), ");");
            match &self.command.result {
                ApplicationResult::Nothing => {}
                ApplicationResult::Applied => writer.line("return outcome.kind === \"applied\";"),
                ApplicationResult::Rows(_, Cardinality::One) => {
                    writer.line("return outcome.rows[0] ?? null;");
                }
                ApplicationResult::Rows(_, Cardinality::Many) => {
                    writer.line("return outcome.rows;");
                }
            }
        });
        writer.line("}");
    }

    /// The call of the private function.
    fn run_call(&self, argument: &str) -> String {
        run_call(self.function, argument)
    }

    fn write_private(&self, writer: &mut TypescriptWriter) {
        writer.blank();
        if self.command.derived {
            let about = format!("`{}`, which other writes run.", self.command.name);
            writer.comment(&[about]);
        }
        let mut parameters = vec!["call: h.Call".to_owned()];
        parameters.extend(parameter_list(self.function));
        let row = self.row_type();
        let is_empty = self.command.steps.is_empty();
        let is_async = if is_empty { "" } else { "async " };
        let name = format!("{is_async}#run{}", self.function.private);
        writer.head(&name, &parameters, &format!("Promise<h.Outcome<{row}>>"));
        let position = writer.position();
        writer.indent_lines(|writer| {
            writer.line(format!("const write = new h.Write<{row}>(call);"));
            self.write_checks(writer, is_empty);
            for (at, step) in self.command.steps.iter().enumerate() {
                self.write_step(writer, at, step);
            }
            self.write_returned(writer);
            writer.line(if is_empty {
                "return Promise.resolve(write.end());"
            } else {
                "return write.end();"
            });
            let has_parameters = self.function.parameters_type.is_some();
            if has_parameters && !writer.has_word_since(position, "params") {
                writer.insert(position, "void params;");
            }
        });
        writer.line("}");
    }

    /// The type of the rows that it returns.
    fn row_type(&self) -> String {
        match &self.command.result {
            ApplicationResult::Rows(..) => format!("m.{}", self.function.row_type),
            _ => "never".to_owned(),
        }
    }

    fn write_checks(&self, writer: &mut TypescriptWriter, is_plain: bool) {
        let checks = self.command.checks.iter();
        let checks = checks.filter(|check| !self.scope.is_always_met(&check.condition));
        for (at, check) in checks.enumerate() {
            let sql = quote(&check.sql);
            let refused = format!("write.violate({sql})");
            let refused = if is_plain { format!("Promise.resolve({refused})") } else { refused };
            if let crate::program::Condition::IsMet(part) = &check.condition {
                let test = TypescriptCode::Arrow(
                    "(): boolean | null".to_owned(),
                    Box::new(self.scope.expression(part)),
                );
                writer.code(&format!("const check{at} = "), &test, ";");
                writer.line(format!("if (!h.isMet(check{at})) {{"));
            } else {
                let test = self.scope.condition(&check.condition);
                writer.code(&format!("const check{at} = "), &test, ";");
                writer.line(format!("if (!check{at}) {{"));
            }
            writer.line(format!("  return {refused};"));
            writer.line("}");
        }
    }

    fn write_step(&self, writer: &mut TypescriptWriter, at: usize, step: &CommandStep) {
        match step {
            CommandStep::Read(_) => {
                write_step(writer, &self.scope, self.fetches, at);
            }
            CommandStep::Batch { kind, sends, reason } => {
                write_remark(writer, reason);
                writer.line(format!("const batch{at}: h.BoundStatement[] = [];"));
                for (part, send) in sends.iter().enumerate() {
                    self.write_loops(writer, &send.repetitions, 0, &|writer| {
                        let name = format!("{at}Part{part}");
                        self.write_bound(writer, send, &name, &|writer, bound| {
                            writer.line(format!("batch{at}.push({bound});"));
                        });
                    });
                }
                let kind = match kind {
                    BatchType::Logged => "logged",
                    BatchType::Unlogged => "unlogged",
                    BatchType::Counter => "counter",
                };
                writer.line(format!("await write.batch(\"{kind}\", batch{at});"));
            }
            CommandStep::Send(send) => {
                write_remark(writer, &send.reason);
                self.write_loops(writer, &send.repetitions, 0, &|writer| {
                    self.write_bound(writer, send, &at.to_string(), &|writer, bound| {
                        self.write_send(writer, send, at, bound);
                    });
                });
            }
            CommandStep::Run(run) => {
                self.write_loops(writer, &run.repetitions, 0, &|writer| {
                    self.write_run(writer, run, at);
                });
            }
        }
    }

    /// Loops, and what is done at each turn.
    fn write_loops(
        &self,
        writer: &mut TypescriptWriter,
        repetitions: &[Repetition],
        depth: usize,
        leaf: &dyn Fn(&mut TypescriptWriter),
    ) {
        let Some(repetition) = repetitions.get(depth) else {
            leaf(writer);
            return;
        };
        let scope = self.scope.with_repetitions(repetitions);
        let is_outermost = depth == 0;
        let write = |writer: &mut TypescriptWriter| {
            if let Repetition::Buckets(walk) = repetition {
                self.write_buckets(writer, &scope, walk, depth);
            } else {
                write_turns(writer, &scope, repetition, &depth.to_string());
            }
            writer.line(format!("for (const turn{depth} of turns{depth}) {{"));
            let position = writer.position();
            writer.indent_lines(|writer| {
                self.write_loops(writer, repetitions, depth + 1, leaf);
                let turn = format!("turn{depth}");
                if !writer.has_word_since(position, &turn) {
                    writer.insert(position, &format!("void {turn};"));
                }
            });
            writer.line("}");
        };
        if is_outermost {
            // A block, so that the names of other loops do not collide.
            writer.block("{", "}", write);
        } else {
            write(writer);
        }
    }

    /// The buckets of a walk, whose recorded ends were read before.
    fn write_buckets(
        &self,
        writer: &mut TypescriptWriter,
        scope: &TypescriptScope<'_>,
        walk: &Walk,
        depth: usize,
    ) {
        let row = walk.ends.map(|step| (step, self.find_row(scope, step, depth)));
        let column = |name: &Option<String>| {
            let property = row.as_ref().zip(name.as_ref()).and_then(|((step, row), name)| {
                let property = scope.steps.get(*step)?.property(name)?;
                Some(format!("{row}?.{property} ?? null"))
            });
            property.unwrap_or_else(|| "null".to_owned())
        };
        writer.block(&format!("const walk{depth} = {{"), "};", |writer| {
            write_bounds(writer, scope, walk);
        });
        writer.block(&format!("const ends{depth} = {{"), "};", |writer| {
            writer.line(format!("oldest: {},", column(&walk.oldest_column)));
            writer.line(format!("newest: {},", column(&walk.newest_column)));
        });
        let now = "call.session.now()";
        writer
            .line(format!("const turns{depth} = h.listBuckets(walk{depth}, {now}, ends{depth});"));
    }

    /// The row of a step: that of a repetition around, else the first.
    fn find_row(&self, scope: &TypescriptScope<'_>, step: usize, depth: usize) -> String {
        let mut around = scope.repetitions.iter().enumerate().take(depth);
        let turn = around.rfind(|(_, it)| **it == Repetition::Rows(step));
        turn.map_or_else(|| format!("step{step}[0]"), |(at, _)| format!("turn{at}"))
    }

    /// A statement with its values, where it is sent at this turn.
    fn write_bound(
        &self,
        writer: &mut TypescriptWriter,
        send: &Send,
        at: &str,
        leaf: &dyn Fn(&mut TypescriptWriter, &str),
    ) {
        let scope = self.scope.with_repetitions(&send.repetitions);
        let write = |writer: &mut TypescriptWriter| {
            let value = |binding: &crate::program::SendBinding| {
                let codec = scope.types.codec(&binding.value.ty);
                let method = if binding.null_is_unset { "writeOrUnset" } else { "write" };
                TypescriptCode::call(format!("{codec}.{method}"), vec![scope.value(&binding.value)])
            };
            let values: Vec<TypescriptCode> = send.values.iter().map(value).collect();
            let ty = if values.is_empty() { ": Buffer[]" } else { "" };
            writer.code(&format!("const values{at}{ty} = "), &TypescriptCode::Array(values), ";");
            let statement = self.function.statement(at);
            let bound = format!("{{ statement: {statement}, values: values{at} }}");
            if send.needs_all_values && !send.values.is_empty() {
                let first = format!("if (!values{at}.includes(null)) {{");
                writer.block(&first, "}", |it| leaf(it, &bound));
            } else {
                leaf(writer, &bound);
            }
        };
        match scope.conditions(&send.guards) {
            None => write(writer),
            Some(guard) => {
                writer.code(&format!("const isSent{at} = "), &guard, ";");
                writer.block(&format!("if (isSent{at}) {{"), "}", write);
            }
        }
    }

    fn write_send(&self, writer: &mut TypescriptWriter, send: &Send, at: usize, bound: &str) {
        let Some(refusal) = send.refusal else {
            writer.line(format!("await write.send({bound});"));
            return;
        };
        writer.line(format!("const bound{at} = {bound};"));
        let scope = self.scope.with_repetitions(&send.repetitions);
        let inverse = if let Some(inverse) = &send.inverse {
            let values: Vec<_> =
                inverse.values.iter().map(|binding| binding.value.clone()).collect();
            write_values(writer, &scope, &format!("inverseKey{at}"), &values);
            let statement = self.function.statement(&format!("{at}Inverse"));
            writer.line(format!("const inverse{at} = h.bindAll({statement}, inverseKey{at});"));
            format!("inverse{at}")
        } else {
            "null".to_owned()
        };
        let first = format!("const stopped{at} = await write.send(bound{at}, {inverse}, {{");
        writer.block(&first, "});", |writer| {
            let kind = match refusal {
                Refusal::Refused => "refused",
                Refusal::Violation => "violation",
            };
            writer.line(format!("kind: \"{kind}\","));
            writer
                .text_property("condition", &quote(send.condition.as_deref().unwrap_or_default()));
            writer.line(format!("isStale: {},", send.depends_on_read));
        });
        write_stop(writer, at);
    }

    fn write_run(&self, writer: &mut TypescriptWriter, run: &Run, at: usize) {
        let scope = self.scope.with_repetitions(&run.repetitions);
        let (Some(command), Some(function)) =
            (self.program.commands.get(run.command), self.names.commands.get(run.command))
        else {
            return;
        };
        let write = |writer: &mut TypescriptWriter| {
            let mut key = Vec::new();
            if let Some(ty) = &function.parameters_type {
                writer.block(&format!("const given{at}: m.{ty} = {{"), "};", |writer| {
                    for (argument, name) in run.arguments.iter().zip(&function.parameters) {
                        writer.code(&format!("{name}: "), &scope.value(argument), ",");
                    }
                });
                for (parameter, name) in command.parameters.iter().zip(&function.parameters) {
                    let codec = scope.types.codec(&parameter.ty);
                    key.push(TypescriptCode::text(format!("{codec}.write(given{at}.{name})")));
                }
            }
            let ty = if key.is_empty() { ": Buffer[]" } else { "" };
            writer.code(&format!("const key{at}{ty} = "), &TypescriptCode::Array(key), ";");
            let name = quote(&command.name);
            let first = format!("const outcome{at} = await call.runOnce({name}, key{at}, ");
            writer.hand_over(&first, "()", &run_call(function, &format!("given{at}")), ");");
            if has_same_rows(&self.command.result, &command.result) {
                writer.line(format!("write.rows.push(...outcome{at}.rows);"));
            }
            let ends = run.violation_ends;
            let join = format!("write.join({name}, outcome{at}, {ends})");
            writer.line(format!("const stopped{at} = await {join};"));
            write_stop(writer, at);
        };
        match scope.conditions(&run.guards) {
            None => write(writer),
            Some(guard) => {
                writer.code(&format!("const isRun{at} = "), &guard, ";");
                writer.block(&format!("if (isRun{at}) {{"), "}", write);
            }
        }
    }

    fn write_returned(&self, writer: &mut TypescriptWriter) {
        let (Some(returned), ApplicationResult::Rows(record, _)) =
            (&self.command.returned, &self.command.result)
        else {
            return;
        };
        self.write_loops(writer, &returned.repetitions, 0, &|writer| {
            let scope = self.scope.with_repetitions(&returned.repetitions);
            let write = |writer: &mut TypescriptWriter| {
                writer.block("write.rows.push({", "});", |writer| {
                    let values = returned.values.iter().zip(&record.fields);
                    for ((value, field), name) in values.zip(&self.function.fields) {
                        let mut code = scope.value(value);
                        if !field.nullable {
                            let column = TypescriptCode::text(quote(&field.name));
                            code = TypescriptCode::call("h.required", vec![code, column]);
                        }
                        writer.code(&format!("{name}: "), &code, ",");
                    }
                });
            };
            match scope.conditions(&returned.guards) {
                None => write(writer),
                Some(guard) => {
                    writer.code("const isReturned = ", &guard, ";");
                    writer.block("if (isReturned) {", "}", write);
                }
            }
        });
    }
}

fn run_call(function: &TypescriptFunction, given: &str) -> String {
    let has_parameters = !argument(function).is_empty();
    let given = if has_parameters { format!(", {given}") } else { String::new() };
    format!("this.#run{}(call{given})", function.private)
}

fn write_stop(writer: &mut TypescriptWriter, at: usize) {
    writer.block(&format!("if (stopped{at} !== null) {{"), "}", |writer| {
        writer.line(format!("return stopped{at};"));
    });
}

/// Why a step is done, in a comment.
fn write_remark(writer: &mut TypescriptWriter, reason: &str) {
    for line in reason.lines().filter(|line| !line.trim().is_empty()) {
        writer.line(format!("// {}", line.trim()));
    }
}

/// Whether two commands return rows of the same columns.
fn has_same_rows(one: &ApplicationResult, other: &ApplicationResult) -> bool {
    match (one, other) {
        (ApplicationResult::Rows(one, _), ApplicationResult::Rows(other, _)) => {
            one.fields == other.fields
        }
        _ => false,
    }
}
