//! Functions that write.

use super::GoPrinter;
use super::fetch::GoStep;
use super::format::{GoLines, follow, quote, write_documentation, write_literal};
use super::function::{
    GoFunction, call_full, check_parameters, declare_statement, name_row, supply_parameters,
    unpack_parameters,
};
use super::scope::{GoRowType, GoScope};
use super::send::{enclose_turns, write_send, write_values};
use super::step::write_steps;
use crate::comment::describe_command;
use crate::program::{ApplicationResult, BatchType, Cardinality, Command, CommandStep, Run, Send};

/// What is needed to print a command.
pub(super) struct GoCommand<'p> {
    pub(super) printer: &'p GoPrinter<'p>,
    pub(super) command: &'p Command,
    pub(super) function: &'p GoFunction,
    /// The structs of the steps that read.
    pub(super) rows: Vec<Option<GoRowType>>,
    pub(super) steps: Vec<GoStep<'p>>,
}

impl<'p> GoCommand<'p> {
    pub(super) fn new(
        printer: &'p GoPrinter<'p>,
        command: &'p Command,
        function: &'p GoFunction,
    ) -> Self {
        let private = function.private();
        let fetch = |step: &'p CommandStep| match step {
            CommandStep::Read(fetch) => Some(fetch),
            _ => None,
        };
        let row = |(at, step): (usize, &'p CommandStep)| {
            let fetch = fetch(step)?;
            let name = format!("{private}Step{at}");
            Some(name_row(name, &fetch.statement.columns, fetch.parents.clone()))
        };
        let steps = command.steps.iter().enumerate().map(|(at, step)| GoStep {
            fetch: fetch(step),
            statement: format!("{private}Statement{at}"),
        });
        Self {
            printer,
            command,
            function,
            rows: command.steps.iter().enumerate().map(row).collect(),
            steps: steps.collect(),
        }
    }

    /// All declarations of the command.
    pub(super) fn write(&self) -> GoLines {
        let mut lines = GoLines::default();
        for (at, step) in self.command.steps.iter().enumerate() {
            lines.append(self.declare_statements(at, step));
        }
        for (row, step) in self.rows.iter().zip(&self.command.steps) {
            let (Some(row), CommandStep::Read(fetch)) = (row, step) else { continue };
            let parents: Vec<String> = row
                .parents
                .iter()
                .filter_map(|at| Some(self.rows.get(*at)?.as_ref()?.name.clone()))
                .collect();
            lines.append(self.printer.declare_row(row, &fetch.statement.columns, &parents));
        }
        if !self.command.derived {
            lines.append(self.write_function());
            if self.function.has_supplies() {
                lines.append(self.write_supplying());
            }
        }
        lines.append(self.write_run());
        lines
    }

    fn declare_statements(&self, at: usize, step: &CommandStep) -> GoLines {
        let name = self.statement(at);
        let mut lines = GoLines::default();
        let mut declare = |name: &str, send: &Send| {
            lines.append(declare_statement(name, &send.statement));
            if let Some(inverse) = &send.inverse {
                let name = format!("{name}Undo");
                lines.append(declare_statement(&name, &inverse.statement));
            }
        };
        match step {
            CommandStep::Read(fetch) => {
                return declare_statement(&name, &fetch.statement);
            }
            CommandStep::Send(send) => declare(&name, send),
            CommandStep::Batch { sends, .. } => {
                for (part, send) in sends.iter().enumerate() {
                    declare(&format!("{name}Part{part}"), send);
                }
            }
            CommandStep::Run(_) => {}
        }
        lines
    }

    /// The variable of the statement of a step.
    fn statement(&self, at: usize) -> String {
        self.steps.get(at).map(|step| step.statement.clone()).unwrap_or_default()
    }

    fn full_name(&self) -> &str {
        self.function.with.as_ref().unwrap_or(&self.function.name)
    }

    /// The results of the method: with names, and without.
    fn result_types(&self) -> (String, String) {
        match &self.command.result {
            ApplicationResult::Nothing => ("(err error)".to_owned(), "error".to_owned()),
            ApplicationResult::Applied => {
                ("(applied bool, err error)".to_owned(), "(bool, error)".to_owned())
            }
            ApplicationResult::Rows(_, cardinality) => {
                let row = &self.function.row;
                let ty = match cardinality {
                    Cardinality::One => format!("*{row}"),
                    Cardinality::Many => format!("[]{row}"),
                };
                (format!("(result {ty}, err error)"), format!("({ty}, error)"))
            }
        }
    }

    fn write_function(&self) -> GoLines {
        let name = self.full_name();
        let first = match &self.command.result {
            ApplicationResult::Nothing => format!("{name} runs this write."),
            ApplicationResult::Applied => {
                format!("{name} runs this write and tells whether it was applied.")
            }
            ApplicationResult::Rows(_, Cardinality::One) => {
                format!("{name} runs this write and returns its row, nil without one.")
            }
            ApplicationResult::Rows(..) => format!("{name} runs this write and returns its rows."),
        };
        let mut lines = GoLines::default();
        lines.add("").append(write_documentation(&first, &describe_command(self.command)));
        let mut body = GoLines::default();
        body.add(format!("ctx, c := a.begin(ctx, {})", quote(&self.command.name)));
        body.add("defer c.end(&err)");
        body.append(unpack_parameters(self.function, true));
        let (none, call) = match &self.command.result {
            ApplicationResult::Nothing => ("", "_, err = c.conclude("),
            ApplicationResult::Applied => ("false, ", "return c.conclude("),
            ApplicationResult::Rows(..) => ("nil, ", "_, err = c.conclude("),
        };
        body.append(check_parameters(self.function, none));
        let has_rows = !self.function.row.is_empty();
        if has_rows {
            body.add(format!("var rows []{}", self.function.row));
        }
        let rows = if has_rows { ", &rows" } else { "" };
        let running = if is_running_needed(self.command) { ", runningCommands{}" } else { "" };
        body.add(format!(
            "{call}a.run{}(ctx, c{running}{rows}{}))",
            self.function.name,
            self.function.arguments()
        ));
        match &self.command.result {
            ApplicationResult::Nothing => _ = body.add("return err"),
            ApplicationResult::Applied => {}
            ApplicationResult::Rows(_, Cardinality::One) => {
                body.add("if err != nil || len(rows) == 0 {").add("return nil, err").add("}");
                body.add("return &rows[0], nil");
            }
            ApplicationResult::Rows(..) => {
                body.add("if err != nil {").add("return nil, err").add("}");
                body.add("return rows, nil");
            }
        }
        lines.block(
            format!(
                "func (a *Access) {name}(ctx context.Context{}) {} {{",
                self.printer.write_parameters(self.function, true),
                self.result_types().0
            ),
            body,
            "}",
        );
        lines
    }

    fn write_supplying(&self) -> GoLines {
        let (name, with) = (&self.function.name, self.full_name());
        let mut lines = GoLines::default();
        lines.add("").comment(&format!("{name} is [Access.{with}] with new values for the rest."));
        let mut body = unpack_parameters(self.function, false);
        body.append(supply_parameters(self.function));
        body.append(call_full(self.function, &format!("return a.{with}")));
        lines.block(
            format!(
                "func (a *Access) {name}(ctx context.Context{}) {} {{",
                self.printer.write_parameters(self.function, false),
                self.result_types().1
            ),
            body,
            "}",
        );
        lines
    }

    fn scope(&'p self) -> GoScope<'p> {
        GoScope {
            types: &self.printer.types,
            parameters: &self.function.parameters,
            steps: &self.rows,
            turns: Vec::new(),
            current: None,
        }
    }

    /// The private method that does the work.
    fn write_run(&self) -> GoLines {
        let scope = self.scope();
        let mut later = GoLines::default();
        let mut groups: Vec<GoLines> = Vec::new();
        for (at, step) in self.command.steps.iter().enumerate() {
            groups.push(match step {
                CommandStep::Read(_) => GoLines::default(),
                CommandStep::Send(send) => write_send(&scope, send, &self.statement(at)),
                CommandStep::Batch { kind, sends, reason } => {
                    self.write_batch(&scope, at, (*kind, reason), sends)
                }
                CommandStep::Run(run) => self.write_run_step(&scope, run, at),
            });
        }
        later.append(self.write_returned(&scope));
        later.add("return w.finish()");
        for (at, lines) in groups.into_iter().enumerate().rev() {
            if matches!(self.command.steps.get(at), Some(CommandStep::Read(_))) {
                let fail = "return w.failed($, err)";
                later = write_steps(&self.steps, &[at], &scope, fail, later);
            } else {
                let mut all = lines;
                all.append(later);
                later = all;
            }
        }
        let mut body = GoLines::default();
        for check in &self.command.checks {
            let condition = scope.condition(&check.condition);
            // A parameter that cannot be null needs no check.
            if condition != "true" {
                body.add(format!("if !{condition} {{"));
                body.add(format!("return c.violation({})", quote(&check.sql))).add("}");
            }
        }
        body.add("w := &write{call: c}").append(later);
        self.declare_run(body)
    }

    fn declare_run(&self, body: GoLines) -> GoLines {
        let name = &self.function.name;
        let is_repeated = self
            .command
            .steps
            .iter()
            .any(|step| matches!(step, CommandStep::Send(send) if send.depends_on_read));
        let has_rows = !self.function.row.is_empty();
        let needs_running = is_running_needed(self.command);
        let mut head = "ctx context.Context, c *call".to_owned();
        let mut arguments = "ctx, c".to_owned();
        if needs_running {
            head.push_str(", running runningCommands");
            arguments.push_str(", running");
        }
        if has_rows {
            head = head + ", rows *[]" + &self.function.row;
            arguments.push_str(", rows");
        }
        head.push_str(&self.printer.write_all_parameters(self.function));
        arguments.push_str(&self.function.arguments());
        let mut lines = GoLines::default();
        lines.add("");
        if self.command.derived {
            lines.comment(&format!("run{name} is a part of other writes: {}.", self.command.name));
        }
        if is_repeated {
            let mut inside = GoLines::default();
            let run = write_literal("func() outcome", &format!("a.try{name}({arguments})"));
            inside.add(format!("return c.retry({run})"));
            lines.block(format!("func (a *Access) run{name}({head}) outcome {{"), inside, "}");
            lines.add("");
        }
        let verb = if is_repeated { "try" } else { "run" };
        lines.block(format!("func (a *Access) {verb}{name}({head}) outcome {{"), body, "}");
        lines
    }

    fn write_batch(
        &self,
        scope: &GoScope<'_>,
        at: usize,
        (kind, reason): (BatchType, &str),
        sends: &[Send],
    ) -> GoLines {
        let mut lines = GoLines::default();
        lines.comment(reason);
        lines.add(format!("var batch{at} []boundStatement"));
        for (part, send) in sends.iter().enumerate() {
            let statement = format!("{}Part{part}", self.statement(at));
            lines.append(enclose_turns(scope, &send.repetitions, &send.guards, |scope| {
                let (before, texts, condition) = write_values(scope, send);
                let mut inside = before;
                let line = format!(
                    "batch{at} = append(batch{at}, boundStatement{{{statement}, []any{{{}}}}})",
                    texts.join(", ")
                );
                match condition {
                    Some(condition) => {
                        inside.add(format!("if {condition} {{")).add(line).add("}");
                    }
                    None => _ = inside.add(line),
                }
                inside
            }));
        }
        let kind = match kind {
            BatchType::Logged => "gocql.LoggedBatch",
            BatchType::Unlogged => "gocql.UnloggedBatch",
            BatchType::Counter => "gocql.CounterBatch",
        };
        lines.add(format!("if end, ended := w.sendBatch(ctx, {kind}, batch{at}); ended {{"));
        lines.add("return end").add("}");
        lines
    }

    fn write_run_step(&self, scope: &GoScope<'_>, run: &Run, at: usize) -> GoLines {
        let (Some(command), Some(function)) = (
            self.printer.program.commands.get(run.command),
            self.printer.commands.get(run.command),
        ) else {
            return GoLines::default();
        };
        enclose_turns(scope, &run.repetitions, &run.guards, |scope| {
            let mut lines = GoLines::default();
            let mut names = Vec::new();
            for (argument, parameter) in run.arguments.iter().zip(&function.parameters) {
                let value = scope.convert(&scope.root(argument), &parameter.ty);
                let name = format!("argument{}", names.len());
                lines.add(format!("{name} := {}", value.to_field(parameter.nullable)));
                names.push(name);
            }
            let rows = format!("rows{at}");
            let has_rows = !function.row.is_empty();
            let mut passed = "ctx, c".to_owned();
            if is_running_needed(command) {
                passed.push_str(", running");
            }
            if has_rows {
                lines.add(format!("var {rows} []{}", function.row));
                passed = passed + ", &" + &rows;
            }
            let arguments = follow(names);
            let name = &function.name;
            let call =
                write_literal("func() outcome", &format!("a.run{name}({passed}{arguments})"));
            lines.add(format!("result := running.run(keyOf({}{arguments}), {call})", quote(name)));
            lines.add(format!(
                "if end, ended := w.include(ctx, {}, result, {}); ended {{",
                quote(&command.name),
                run.violation_ends
            ));
            lines.add("return end").add("}");
            if has_rows && !self.function.row.is_empty() {
                lines.append(self.copy_rows(command, function, &rows));
            } else if has_rows {
                lines.add(format!("_ = {rows}"));
            }
            enclose_alone(lines, run.repetitions.is_empty() && run.guards.is_empty())
        })
    }

    /// Adds the rows of a command that was run to those of this one.
    fn copy_rows(&self, command: &Command, function: &GoFunction, rows: &str) -> GoLines {
        let mut lines = GoLines::default();
        let (ApplicationResult::Rows(into, _), ApplicationResult::Rows(from, _)) =
            (&self.command.result, &command.result)
        else {
            return lines;
        };
        let base = self.scope();
        let mut inside = GoLines::default();
        inside.add(format!("var row {}", self.function.row));
        let pairs = into.fields.iter().zip(&from.fields);
        for ((into, from), (name, other)) in
            pairs.zip(self.function.fields.iter().zip(&function.fields))
        {
            let text = format!("item.{other}");
            let value = if from.nullable {
                super::scope::GoValue::print_stored(text, &from.ty)
            } else {
                super::scope::GoValue::plain(text, &from.ty)
            };
            let value = base.convert(&value, &into.ty);
            inside.add(format!("row.{name} = {}", value.to_field(into.nullable)));
        }
        inside.add("*rows = append(*rows, row)");
        lines.block(format!("for _, item := range {rows} {{"), inside, "}");
        lines
    }

    fn write_returned(&self, scope: &GoScope<'_>) -> GoLines {
        let (Some(returned), ApplicationResult::Rows(record, _)) =
            (&self.command.returned, &self.command.result)
        else {
            return GoLines::default();
        };
        enclose_turns(scope, &returned.repetitions, &returned.guards, |scope| {
            let mut lines = GoLines::default();
            lines.add(format!("var row {}", self.function.row));
            let fields = record.fields.iter().zip(&self.function.fields);
            for ((field, name), value) in fields.zip(&returned.values) {
                let value = scope.convert(&scope.root(value), &field.ty);
                lines.add(format!("row.{name} = {}", value.to_field(field.nullable)));
            }
            lines.add("*rows = append(*rows, row)");
            enclose_alone(lines, returned.repetitions.is_empty() && returned.guards.is_empty())
        })
    }
}

/// Whether the steps of a command run others, or it is run by others.
fn is_running_needed(command: &Command) -> bool {
    command.derived || command.steps.iter().any(|step| matches!(step, CommandStep::Run(_)))
}

/// A block of its own for code that declares variables and is not in a block already.
pub(super) fn enclose_alone(lines: GoLines, is_alone: bool) -> GoLines {
    if !is_alone {
        return lines;
    }
    let mut block = GoLines::default();
    block.block("{", lines, "}");
    block
}
