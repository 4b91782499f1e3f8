//! The runs of writes: a class with a method for each step.

use super::comments::escape;
use super::context::{JavaContext, quote};
use super::expressions::{JavaCurrent, JavaScope};
use super::fetches::{JavaFetchKind, JavaFetchPrinter, list_steps, print_step_record};
use super::names::JavaFunctionName;
use super::signatures::JavaSignature;
use crate::code_writer::CodeWriter;
use crate::program::{
    ApplicationResult, BatchType, Cardinality, Command, CommandStep, Condition, Fetch, Refusal,
    Repetition, ReturnedRows, Run, Send,
};

/// The printer of the run of a write.
#[derive(Clone, Copy)]
pub(super) struct JavaCommandRun<'a> {
    pub(super) context: &'a JavaContext<'a>,
    pub(super) command: &'a Command,
    pub(super) name: &'a JavaFunctionName,
    pub(super) signature: JavaSignature<'a>,
}

impl JavaCommandRun<'_> {
    /// The class.
    pub(super) fn print(&self, out: &mut CodeWriter) {
        let fetches = self.command.steps.iter().map(|step| match step {
            CommandStep::Read(fetch) => Some(fetch),
            _ => None,
        });
        let steps = list_steps(fetches);
        let scope = JavaScope {
            context: self.context,
            parameters: &self.name.parameters,
            steps: &steps,
            repetitions: &[],
            current: JavaCurrent::Absent,
        };
        if self.command.derived {
            let sql = escape(&self.command.documentation.sql.replace('\n', " "));
            out.line(format!("/** A part of other writes: {sql} */"));
        } else {
            out.line(format!("/** A run of {{@link #{}}}. */", self.name.method));
        }
        let class = &self.name.run;
        out.block(
            format!("private final class {class} extends AccessSupport.CommandRun {{"),
            "}",
            |out| {
                self.print_state(out, &scope);
                self.print_run(out, &scope);
                for (at, step) in self.command.steps.iter().enumerate() {
                    self.print_step(out, scope, at, step);
                }
                if let Some(returned) = &self.command.returned {
                    self.print_returned(out, scope, returned);
                }
                self.print_result(out);
            },
        );
        out.blank();
    }

    fn list_reads(&self) -> Vec<usize> {
        let steps = self.command.steps.iter().enumerate();
        let reads = steps.filter(|(_, step)| matches!(step, CommandStep::Read(_)));
        reads.map(|(at, _)| at).collect()
    }

    /// The records, fields and constructor.
    fn print_state(&self, out: &mut CodeWriter, scope: &JavaScope<'_>) {
        let reads = self.list_reads();
        for at in &reads {
            print_step_record(out, scope, *at, JavaFetchKind::Kept);
        }
        let fields = self.signature.list_fields();
        for (class, name) in &fields {
            out.line(format!("private final {class} {name};"));
        }
        for at in &reads {
            out.line(format!("private List<Row{at}> rows{at} = List.of();"));
        }
        if !fields.is_empty() || !reads.is_empty() {
            out.blank();
        }
        let declared: String =
            fields.iter().map(|(class, name)| format!(", {class} {name}")).collect();
        let head = format!(
            "{}(AccessSupport.Call call, AccessSupport.CommandRun parent{declared}) {{",
            self.name.run
        );
        out.block(head, "}", |out| {
            let key: String = fields.iter().map(|(_, name)| format!(", {name}")).collect();
            let name = quote(&self.command.name);
            out.line(format!(
                "super({}.this.support, call, parent, {name}{key});",
                self.context.names.access
            ));
            for (_, name) in &fields {
                out.line(format!("this.{name} = {name};"));
            }
        });
        out.blank();
    }

    /// `run`: the checks, then the steps in order.
    fn print_run(&self, out: &mut CodeWriter, scope: &JavaScope<'_>) {
        out.line("@Override");
        out.block("CompletionStage<AccessSupport.Outcome> run() {", "}", |out| {
            for check in &self.command.checks {
                let violation = match check.find_required() {
                    Some(parameter) => format!("{} == null", scope.print(parameter)),
                    None => format!("!({})", scope.print_condition(&check.condition)),
                };
                out.block(format!("if ({violation}) {{"), "}", |out| {
                    out.line(format!("return violates({});", quote(&check.sql)));
                });
            }
            let mut steps: Vec<String> =
                (0..self.command.steps.len()).map(|at| format!("step{at}")).collect();
            if self.command.returned.is_some() {
                steps.push("returnRows".to_owned());
            }
            let Some((first, others)) = steps.split_first() else {
                out.line("return ended(AccessSupport.Outcome.CONTINUE);");
                return;
            };
            let links =
                others.iter().map(|step| format!("\n        .thenCompose(next(this::{step}))"));
            out.line(format!("return {first}(){};", links.collect::<String>()));
        });
        out.blank();
    }

    fn print_step(
        &self,
        out: &mut CodeWriter,
        scope: JavaScope<'_>,
        at: usize,
        step: &CommandStep,
    ) {
        match step {
            CommandStep::Read(fetch) => self.print_read(out, scope, at, fetch),
            CommandStep::Batch { kind, sends, reason } => {
                let kind = match kind {
                    BatchType::Logged => "LOGGED",
                    BatchType::Unlogged => "UNLOGGED",
                    BatchType::Counter => "COUNTER",
                };
                let send = format!("return sendBatch(BatchType.{kind}, writes);");
                self.print_sends(out, scope, at, sends, reason, &send);
            }
            CommandStep::Send(send) => {
                let sends = std::slice::from_ref(send);
                self.print_sends(out, scope, at, sends, &send.reason, "return sendEach(writes);");
            }
            CommandStep::Run(run) => self.print_run_step(out, scope, at, run),
        }
    }

    fn print_read(&self, out: &mut CodeWriter, scope: JavaScope<'_>, at: usize, fetch: &Fetch) {
        out.block(
            format!("private CompletionStage<AccessSupport.Outcome> step{at}() {{"),
            "}",
            |out| {
                out.block(format!("return read{at}().thenApply(found -> {{"), "});", |out| {
                    out.line(format!("rows{at} = found;"));
                    out.line("return AccessSupport.Outcome.CONTINUE;");
                });
            },
        );
        out.blank();
        let printer = JavaFetchPrinter {
            scope: JavaScope { repetitions: &fetch.repetitions, ..scope },
            function: &self.command.name,
            at,
            fetch,
            kind: JavaFetchKind::Kept,
            chain: &[],
            limit: None,
        };
        printer.print(out);
    }

    fn print_sends(
        &self,
        out: &mut CodeWriter,
        scope: JavaScope<'_>,
        at: usize,
        sends: &[Send],
        reason: &str,
        last: &str,
    ) {
        if !reason.is_empty() {
            out.line(format!("/** {} */", escape(reason)));
        }
        out.block(
            format!("private CompletionStage<AccessSupport.Outcome> step{at}() {{"),
            "}",
            |out| {
                out.line("List<AccessSupport.Write> writes = new ArrayList<>();");
                for send in sends {
                    let scope = JavaScope { repetitions: &send.repetitions, ..scope };
                    let add = |out: &mut CodeWriter| self.print_send(out, &scope, send);
                    print_turns(out, &scope, 0, &send.guards, &add);
                }
                out.line(last);
            },
        );
        out.blank();
    }

    /// Adds a statement to those that are sent.
    fn print_send(&self, out: &mut CodeWriter, scope: &JavaScope<'_>, send: &Send) {
        let values = scope.print_values(&list_values(send));
        let add = |out: &mut CodeWriter| {
            let statement = self.statement(send);
            let inverse = send.inverse.as_ref().map(|inverse| {
                let values = scope.print_values(&list_values(inverse));
                format!("AccessSupport.write({}{values})", self.statement(inverse))
            });
            let refusal = send.refusal.map(|refusal| print_refusal(refusal, send));
            let write = if inverse.is_none() && refusal.is_none() {
                format!("AccessSupport.write({statement}{values})")
            } else {
                let [refusal, inverse] =
                    [refusal, inverse].map(|it| it.unwrap_or_else(|| "null".to_owned()));
                format!(
                    "AccessSupport.writeIf(\n        {refusal},\n        {inverse},\n        \
                     {statement}{values})"
                )
            };
            out.line(format!("writes.add({write});"));
        };
        if send.needs_all_values {
            let values = values.trim_start_matches(", ");
            // The brackets of an array keep a single null from being taken for one.
            let condition = format!("AccessSupport.arePresent(new Object[] {{{values}}})");
            out.block(format!("if ({condition}) {{"), "}", add);
        } else {
            add(out);
        }
    }

    fn statement(&self, send: &Send) -> String {
        let types: Vec<_> = send.values.iter().map(|it| it.value.ty.clone()).collect();
        let unset = send.values.iter().enumerate();
        let unset = unset.filter(|(_, it)| it.null_is_unset).map(|(at, _)| at).collect();
        self.context.statement(&self.command.name, &send.statement, &types, unset)
    }

    fn print_run_step(&self, out: &mut CodeWriter, scope: JavaScope<'_>, at: usize, run: &Run) {
        let Some(name) = self.context.names.commands.get(run.command) else { return };
        let class = &name.run;
        out.block(
            format!("private CompletionStage<AccessSupport.Outcome> step{at}() {{"),
            "}",
            |out| {
                out.line(format!("List<Supplier<{class}>> runs = new ArrayList<>();"));
                let scope = JavaScope { repetitions: &run.repetitions, ..scope };
                let add = |out: &mut CodeWriter| {
                    let values = scope.print_values(&run.arguments);
                    out.line(format!("runs.add(() -> new {class}(call, this{values}));"));
                };
                print_turns(out, &scope, 0, &run.guards, &add);
                out.line(format!("return runEach(runs, {});", run.violation_ends));
            },
        );
        out.blank();
    }

    fn print_returned(&self, out: &mut CodeWriter, scope: JavaScope<'_>, rows: &ReturnedRows) {
        out.block("private CompletionStage<AccessSupport.Outcome> returnRows() {", "}", |out| {
            let scope = JavaScope { repetitions: &rows.repetitions, ..scope };
            let add = |out: &mut CodeWriter| {
                let values: Vec<_> = rows.values.iter().map(|value| scope.print(value)).collect();
                out.line(format!("returned.add(new Object[] {{{}}});", values.join(", ")));
            };
            print_turns(out, &scope, 0, &rows.guards, &add);
            out.line("return ended(AccessSupport.Outcome.CONTINUE);");
        });
        out.blank();
    }

    /// `toRow` and `toResult`, where rows are returned.
    fn print_result(&self, out: &mut CodeWriter) {
        let ApplicationResult::Rows(record, cardinality) = &self.command.result else { return };
        if self.command.derived {
            return;
        }
        let row = &self.name.row;
        let values = record.fields.iter().enumerate().map(|(at, field)| {
            let class = self.context.to_boxed(&field.ty);
            self.context.component(&format!("Values.<{class}>cast(values[{at}])"), field)
        });
        let values: Vec<_> = values.collect();
        out.block(format!("private static {row} toRow(Object... values) {{"), "}", |out| {
            out.line(format!("return new {row}({});", values.join(", ")));
        });
        out.blank();
        let (class, end) = match cardinality {
            Cardinality::One => ("Optional", ".findFirst()"),
            Cardinality::Many => ("List", ".toList()"),
        };
        out.block(format!("{class}<{row}> toResult() {{"), "}", |out| {
            let run = &self.name.run;
            out.line(format!("return returned.stream().map({run}::toRow){end};"));
        });
        out.blank();
    }
}

/// The loops of a statement, from a repetition on, and its guards.
fn print_turns(
    out: &mut CodeWriter,
    scope: &JavaScope<'_>,
    at: usize,
    guards: &[Condition],
    body: &dyn Fn(&mut CodeWriter),
) {
    let repetition: Option<&Repetition> = scope.repetitions.get(at);
    match repetition {
        Some(repetition) => {
            out.block(scope.print_loop(at, repetition), "}", |out| {
                print_turns(out, scope, at + 1, guards, body);
            });
        }
        None if guards.is_empty() => body(out),
        None => {
            out.block(format!("if ({}) {{", scope.print_guards(guards)), "}", body);
        }
    }
}

fn list_values(send: &Send) -> Vec<crate::program::Expression> {
    send.values.iter().map(|it| it.value.clone()).collect()
}

fn print_refusal(refusal: Refusal, send: &Send) -> String {
    let outcome = match refusal {
        Refusal::Refused => "REFUSED",
        Refusal::Violation => "VIOLATION",
    };
    let condition = quote(send.condition.as_deref().unwrap_or_default());
    format!(
        "new AccessSupport.Refusal(AccessSupport.Outcome.{outcome}, {condition}, {})",
        send.depends_on_read
    )
}
