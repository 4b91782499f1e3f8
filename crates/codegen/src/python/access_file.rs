//! The file of functions.

use crate::program::{ClientSupply, DataType, Parameter};

use super::code::{PythonExpression as Code, PythonWriter, quote};
use super::commands::CommandPrinter;
use super::fetches::write_statement;
use super::names::FunctionNames;
use super::queries::QueryPrinter;
use super::{PythonPrinter, is_made, types};

impl PythonPrinter<'_> {
    /// `access.py`
    pub(super) fn print_access(&self) -> String {
        let queries: Vec<_> = self.query_printers();
        let commands: Vec<_> = self.command_printers();
        let mut writer = PythonWriter::new(0);
        for query in &queries {
            for (constant, fetch) in query.constants.iter().zip(&query.query.steps) {
                write_statement(&mut writer, constant, &query.query.name, &fetch.statement);
            }
        }
        for command in &commands {
            for (constant, statement) in command.statements() {
                write_statement(&mut writer, &constant, &command.command.name, statement);
            }
        }
        for query in &queries {
            query.write_maker(&mut writer);
        }
        for command in &commands {
            command.write_maker(&mut writer);
        }
        self.write_access_class(&mut writer, &queries, &commands);
        self.write_sync_class(&mut writer, &queries, &commands);
        format!("{}{}", self.print_access_head(), writer.finish())
    }

    pub(super) fn query_printers(&self) -> Vec<QueryPrinter<'_>> {
        let queries = self.program.queries.iter().enumerate();
        queries.map(|(at, query)| QueryPrinter::new(self, at, query)).collect()
    }

    pub(super) fn command_printers(&self) -> Vec<CommandPrinter<'_>> {
        let commands = self.program.commands.iter().enumerate();
        commands.map(|(at, command)| CommandPrinter::new(self, at, command)).collect()
    }

    fn print_access_head(&self) -> String {
        let queries = self.program.queries.iter().flat_map(|query| &query.parameters);
        let commands = self.program.commands.iter().flat_map(|command| &command.parameters);
        let imports = types::list_imports(queries.chain(commands).map(|it| &it.ty));
        let mut writer = PythonWriter::new(0);
        let text = format!("The functions of {}, with and without asyncio.", self.program.keyspace);
        writer.docstring(&[text]);
        writer.blank().line("from __future__ import annotations").blank();
        writer.line("import asyncio");
        for line in imports.lines_with(Some("from typing import Any")) {
            writer.line(line);
        }
        writer.blank();
        let has_rows = !self.program.queries.is_empty()
            || !self.program.user_types.is_empty()
            || self.program.commands.iter().any(|it| {
                !it.derived && matches!(it.result, crate::program::ApplicationResult::Rows(..))
            });
        writer.line(if has_rows { "from . import rows, support" } else { "from . import support" });
        let own = imports.own_names();
        if !own.is_empty() {
            writer.line(format!("from .support import {}", own.join(", ")));
        }
        writer.blank();
        format!("{}\n{}", self.header("#"), writer.finish())
    }

    fn write_access_class(
        &self,
        writer: &mut PythonWriter,
        queries: &[QueryPrinter<'_>],
        commands: &[CommandPrinter<'_>],
    ) {
        let class = &self.names.class;
        writer.definition(&format!("class {class}:"), |body| {
            body.docstring(&[
                format!("The functions of {}, for asyncio.", self.program.keyspace),
                String::new(),
                "Statements are prepared when they are first used.".to_owned(),
            ]);
            let parameters = [
                "self".to_owned(),
                "session: support.Session".to_owned(),
                "options: support.Options | None = None".to_owned(),
            ];
            body.function("def __init__", &parameters, "None", |body| {
                body.line("self._client = support.Client(session, options)");
            });
            self.write_connect(body);
            body.definition("async def close(self) -> None:", |body| {
                body.docstring(&["Closes the session and its cluster.".to_owned()]);
                body.line("await self._client.close()");
            });
            for query in queries {
                query.write(body);
            }
            for command in commands {
                command.write(body);
            }
        });
    }

    fn connect_parameters(&self, first: &str) -> Vec<String> {
        [
            first,
            "contact_points: support.Sequence[str] = (\"127.0.0.1\",)",
            "port: int = 9042",
            &format!("keyspace: str = {}", quote(&self.program.keyspace)),
            "user: str | None = None",
            "password: str | None = None",
            "options: support.Options | None = None",
            "**settings: Any",
        ]
        .map(str::to_owned)
        .to_vec()
    }

    fn write_connect(&self, body: &mut PythonWriter) {
        let class = &self.names.class;
        let parameters = self.connect_parameters("cls");
        body.function("@classmethod\nasync def connect", &parameters, class, |body| {
            body.docstring(&[
                "Connects; `settings` are those of the driver's `Cluster`.".to_owned()
            ]);
            body.line("loop = asyncio.get_running_loop()");
            let names = ["contact_points", "port", "keyspace", "user", "password", "settings"];
            let names = ["None", "support.connect"].into_iter().chain(names);
            let parts = names.map(Code::atom).collect();
            let run = Code::Call("loop.run_in_executor".to_owned(), parts);
            body.statement("session = ", run.into_awaited());
            body.line("return cls(session, options)");
        });
    }

    /// The class without asyncio.
    fn write_sync_class(
        &self,
        writer: &mut PythonWriter,
        queries: &[QueryPrinter<'_>],
        commands: &[CommandPrinter<'_>],
    ) {
        let class = self.sync_class();
        writer.definition(&format!("class {class}:"), |body| {
            body.docstring(&[
                format!("The functions of `{}` for code without asyncio.", self.names.class),
                String::new(),
                "They run in an event loop of their own; each waits for its result.".to_owned(),
            ]);
            self.write_sync_connection(body);
            for query in queries {
                let forms = query.forms();
                self.write_sync_forms(body, &forms);
            }
            for command in commands.iter().filter(|it| !it.command.derived) {
                let forms = command.forms();
                self.write_sync_forms(body, &forms);
            }
        });
    }

    /// The name of the class without asyncio.
    pub(super) fn sync_class(&self) -> String {
        let class = self.names.class.strip_suffix("Access").unwrap_or(&self.names.class);
        format!("{class}SyncAccess")
    }

    fn write_sync_connection(&self, body: &mut PythonWriter) {
        let (class, sync) = (&self.names.class, self.sync_class());
        let parameters = [
            "self".to_owned(),
            "session: support.Session".to_owned(),
            "options: support.Options | None = None".to_owned(),
        ];
        body.function("def __init__", &parameters, "None", |body| {
            body.line("self._loop = support.LoopThread()");
            body.line(format!("self._access = {class}(session, options)"));
        });
        let parameters = self.connect_parameters("cls");
        body.function("@classmethod\ndef connect", &parameters, &sync, |body| {
            body.docstring(&[
                "Connects; `settings` are those of the driver's `Cluster`.".to_owned()
            ]);
            let names = ["contact_points", "port", "keyspace", "user", "password", "settings"];
            let parts = names.map(Code::atom).to_vec();
            body.statement("session = ", Code::support("connect", parts));
            body.line("return cls(session, options)");
        });
        body.definition("def close(self) -> None:", |body| {
            body.docstring(&["Closes the session and its cluster.".to_owned()]);
            body.line("self._loop.run(self._access.close())");
            body.line("self._loop.close()");
        });
    }

    fn write_sync_forms(&self, body: &mut PythonWriter, forms: &[FunctionForm]) {
        for form in forms {
            let head = format!("def {}", form.name);
            body.function(&head, &form.parameters, &form.result, |body| {
                body.docstring(&[format!("See `{}.{}`.", self.names.class, form.name)]);
                let arguments = form.arguments.iter().map(Code::atom).collect();
                let call = Code::Call(format!("self._access.{}", form.name), arguments);
                let run = Code::Call("self._loop.run".to_owned(), vec![call]);
                body.statement(if form.result == "None" { "" } else { "return " }, run);
            });
        }
    }

    /// The parameters of a function with their types, after `self`.
    pub(super) fn list_parameters(
        &self,
        names: &FunctionNames,
        parameters: &[Parameter],
    ) -> Vec<String> {
        let typed =
            parameters.iter().zip(&names.parameters).map(|it| self.print_typed_parameter(it));
        std::iter::once("self".to_owned()).chain(typed).collect()
    }

    fn print_typed_parameter(&self, (parameter, name): (&Parameter, &String)) -> String {
        let ty = types::annotate(&self.names, &parameter.ty, false);
        let null = if parameter.nullable { " | None" } else { "" };
        format!("{name}: {ty}{null}")
    }

    /// The parameters of the form of a function that makes some itself.
    pub(super) fn list_given(
        &self,
        names: &FunctionNames,
        parameters: &[Parameter],
    ) -> (Vec<String>, Vec<String>) {
        let given = parameters.iter().zip(&names.parameters);
        let given: Vec<_> = given.filter(|(it, _)| !is_made(it.supply)).collect();
        let typed = given.iter().map(|it| self.print_typed_parameter(*it));
        let typed = std::iter::once("self".to_owned()).chain(typed).collect();
        (typed, given.into_iter().map(|(_, name)| name.clone()).collect())
    }

    /// The forms of a function.
    pub(super) fn list_forms(
        &self,
        names: &FunctionNames,
        parameters: &[Parameter],
        result: &str,
    ) -> Vec<FunctionForm> {
        let complete = FunctionForm {
            name: names.complete.clone(),
            parameters: self.list_parameters(names, parameters),
            arguments: names.parameters.clone(),
            result: result.to_owned(),
        };
        if names.complete == names.function {
            return vec![complete];
        }
        let (typed, arguments) = self.list_given(names, parameters);
        let short = FunctionForm {
            name: names.function.clone(),
            parameters: typed,
            arguments,
            result: result.to_owned(),
        };
        vec![short, complete]
    }

    /// Writes the form of a function that makes values itself, if there are any.
    pub(super) fn write_short_form(
        &self,
        writer: &mut PythonWriter,
        names: &FunctionNames,
        (parameters, result): (&[Parameter], &str),
        lines: &[String],
    ) -> bool {
        if !parameters.iter().any(|it| is_made(it.supply)) {
            return false;
        }
        let (typed, _) = self.list_given(names, parameters);
        writer.function(&format!("async def {}", names.function), &typed, result, |body| {
            body.docstring(lines);
            let uses_now = parameters.iter().any(|it| {
                matches!(it.supply, Some(ClientSupply::Now { .. }))
                    || is_made(it.supply) && it.ty == DataType::Timeuuid
            });
            if uses_now {
                body.line("now_ = self._client.options.clock()");
            }
            let values = parameters.iter().zip(&names.parameters);
            let values = values.map(|(it, name)| supply(it, name)).collect();
            let call = Code::Call(format!("self.{}", names.complete), values).into_awaited();
            body.statement(if result == "None" { "" } else { "return " }, call);
        });
        true
    }
}

/// A form of a function: what callers see.
#[derive(Clone, Debug)]
pub(super) struct FunctionForm {
    pub(super) name: String,
    pub(super) parameters: Vec<String>,
    pub(super) arguments: Vec<String>,
    pub(super) result: String,
}

/// The value that a function makes, or that it was given.
fn supply(parameter: &Parameter, name: &str) -> Code {
    match parameter.supply {
        Some(ClientSupply::NewId) => match parameter.ty {
            DataType::Timeuuid => Code::atom("support.new_timeuuid(now_)"),
            DataType::Text | DataType::Ascii => Code::atom("str(support.new_id())"),
            _ => Code::atom("support.new_id()"),
        },
        Some(ClientSupply::Now { months, days, millis }) => {
            let shift = [months.to_string(), days.to_string(), millis.to_string()];
            let parts = [Code::atom("now_")].into_iter().chain(shift.map(Code::Atom)).collect();
            let now = Code::support("shift_now", parts);
            match parameter.ty {
                DataType::Date => Code::support("today", vec![now]),
                DataType::Time => Code::support("time_of_day", vec![now]),
                DataType::Timeuuid => Code::support("new_timeuuid", vec![now]),
                _ => now,
            }
        }
        Some(ClientSupply::Caller) | None => Code::atom(name),
    }
}
