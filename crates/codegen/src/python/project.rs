//! The files around the code: build file, package, schema, README.

use crate::program::{ApplicationResult, DataType, Parameter};

use super::PythonPrinter;
use super::access_file::FunctionForm;
use super::code::{PythonExpression as Code, PythonWriter, quote};

impl PythonPrinter<'_> {
    /// `pyproject.toml`
    pub(super) fn print_project(&self) -> String {
        let name = self.names.package.trim_end_matches('_').replace('_', "-");
        format!(
            r#"{}
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{name}"
version = "0.1.0"
description = "Data access for the keyspace {}"
readme = "README.md"
requires-python = ">=3.9"
dependencies = ["cassandra-driver>=3.29.3,<4"]

[project.optional-dependencies]
opentelemetry = ["opentelemetry-api>=1.27"]

[tool.setuptools.packages.find]
where = ["src"]

[tool.setuptools.package-data]
{} = ["py.typed"]

[tool.mypy]
strict = true

[tool.ruff]
target-version = "py39"
"#,
            self.header("#"),
            self.program.keyspace.replace(['"', '\\'], ""),
            self.names.package,
        )
    }

    /// `schema.cql`
    pub(super) fn print_schema(&self) -> String {
        let statements = self.program.schema.iter();
        let statements = statements.map(|it| format!("{};\n", it.trim_end().trim_end_matches(';')));
        format!("{}\n{}", self.header("--"), statements.collect::<Vec<_>>().join("\n"))
    }

    /// `__init__.py`
    pub(super) fn print_package(&self) -> String {
        let (class, sync) = (&self.names.class, self.sync_class());
        let mut writer = PythonWriter::new(0);
        writer.docstring(&[format!("Data access for the keyspace {}.", self.program.keyspace)]);
        writer.blank();
        let mut exports = vec![
            "AccessError",
            "ConstraintViolation",
            "FarTimestamp",
            "InvalidToken",
            "LoggingObserver",
            "Observer",
            "OpenTelemetryObserver",
            "Options",
            "Page",
            "PartialWrite",
            "StatementFailed",
            "Unrepresentable",
        ];
        writer.line("from . import rows");
        let classes = [class.as_str(), sync.as_str()].map(Code::atom).to_vec();
        writer.statement("from .access import ", Import(classes).into_code());
        let names = exports.iter().map(|it| Code::atom(*it)).collect();
        writer.statement("from .support import ", Import(names).into_code());
        exports.extend([class.as_str(), sync.as_str(), "rows"]);
        exports.sort_unstable();
        exports.dedup();
        writer.blank();
        let names = exports.iter().map(|it| Code::Atom(quote(it))).collect();
        writer.open_statement("__all__ = ", &Code::List(names));
        format!("{}\n{}", self.header("#"), writer.finish())
    }

    /// The line of the README that connects.
    fn print_connection(&self) -> String {
        let mut writer = PythonWriter::new(1);
        let parts = vec![
            Code::List(vec![quote("127.0.0.1").into()]),
            Code::atom("9042"),
            Code::keyword("options", Code::atom("options")),
        ];
        let call = Code::Call(format!("{}.connect", self.names.class), parts);
        writer.statement("access = ", call.into_awaited());
        writer.finish()
    }

    /// `README.md`
    pub(super) fn print_readme(&self) -> String {
        let (class, sync) = (&self.names.class, self.sync_class());
        let (package, keyspace) = (&self.names.package, &self.program.keyspace);
        let mut text = format!(
            "<!--\n{}-->\n\n# Data access for `{keyspace}`\n\n\
             Functions for every query and write of the model, typed, with asyncio and without, \
             on top of [`cassandra-driver`](https://pypi.org/project/cassandra-driver/).\n\n\
             ## Install and create the tables\n\n\
             ```sh\npip install .\ncqlsh -k {keyspace} -f schema.cql\n```\n\n\
             The keyspace must exist: its replication is a decision of the cluster.\n\n\
             ## Connect\n\n\
             ```python\nimport asyncio\n\nfrom {package} import {class}, LoggingObserver, Options, rows\n\n\n\
             async def main() -> None:\n    \
             options = Options(observer=LoggingObserver())\n\
             {}    \
             ...\n    await access.close()\n\n\nasyncio.run(main())\n```\n\n\
             `{class}(session, options)` takes a session of your own, which must be set up with \
             execution profiles (not with the settings of `Cluster` that they replace). \
             `{sync}` has the same functions without `await`.\n\n",
            self.header("").replace("\n ", "\n").trim_start(),
            self.print_connection(),
        );
        text.push_str("## Queries\n\n");
        for query in self.query_printers() {
            let (forms, parameters) = (query.forms(), &query.query.parameters);
            text.push_str(&describe(&query.query.name, "found = ", &forms, parameters));
        }
        text.push_str("## Writes\n\n");
        for command in self.command_printers().iter().filter(|it| !it.command.derived) {
            let prefix = match &command.command.result {
                ApplicationResult::Nothing => "",
                ApplicationResult::Applied => "applied = ",
                ApplicationResult::Rows(..) => "returned = ",
            };
            let (forms, parameters) = (command.forms(), &command.command.parameters);
            text.push_str(&describe(&command.command.name, prefix, &forms, parameters));
        }
        text.push_str(README_END);
        text
    }
}

/// Names of an import: in brackets only where they do not fit the line.
struct Import(Vec<Code>);

impl Import {
    fn into_code(self) -> Code {
        let flat = self.0.iter().map(Code::flat).collect::<Vec<_>>().join(", ");
        if flat.len() <= 60 { Code::Atom(flat) } else { Code::Tuple(self.0) }
    }
}

/// What the README says about errors and options.
const README_END: &str = "## Errors

All errors are `AccessError`s with the name of the query and the statement that failed:

- `ConstraintViolation`: a check is not met or a key is taken; nothing was changed.
- `PartialWrite`: a condition did not hold after statements that cannot be undone; `applied` lists them.
- `StatementFailed`: the driver or the server refused a statement; the cause is the driver's error,
  and `applied` lists the statements of the same write that were applied before.
- `Unrepresentable`: a value does not fit its type, such as a number out of range.
- `InvalidToken`: the position of a page is of another query.

## Values

Timestamps are `datetime`s with a zone, UTC in rows; they have milliseconds. One before the year 1 or
after the year 9999 is a `FarTimestamp`, whose `milliseconds` are exact; in a session of your own, call
`support.accept_far_timestamps(session)` for them, or the driver fails. Dates are `datetime.date`,
and `cassandra.util.Date` before the year 1 and after the year 9999. Times of day are
`cassandra.util.Time` (nanoseconds), durations `cassandra.util.Duration`.

## Pages

Functions that end in `_page` return rows and a token, a text that may be stored: with it, the same
function returns the next page, also after a restart.
";

/// An example of a function.
fn describe(name: &str, prefix: &str, forms: &[FunctionForm], parameters: &[Parameter]) -> String {
    let Some(form) = forms.first() else { return String::new() };
    let arguments = form.arguments.iter().map(|name| {
        let at = forms.last().and_then(|last| last.arguments.iter().position(|it| it == name));
        let ty = at.and_then(|at| parameters.get(at)).map(|it| &it.ty);
        Code::keyword(name, ty.map_or("...", example).into())
    });
    let call = Code::Call(format!("access.{}", form.name), arguments.collect());
    let mut writer = PythonWriter::new(0);
    writer.statement(prefix, call.into_awaited());
    let name = name.replace(['\n', '`'], " ");
    format!("`{name}` returns `{}`:\n\n```python\n{}```\n\n", form.result, writer.finish())
}

/// A value of a type, as an example.
const fn example(ty: &DataType) -> &'static str {
    match ty {
        DataType::Ascii | DataType::Text => "\"...\"",
        DataType::Bigint
        | DataType::Counter
        | DataType::Int
        | DataType::Smallint
        | DataType::Tinyint
        | DataType::Varint => "1",
        DataType::Blob => "b\"...\"",
        DataType::Boolean => "True",
        DataType::Date => "date(2026, 1, 31)",
        DataType::Decimal => "Decimal(\"1.50\")",
        DataType::Double | DataType::Float => "1.5",
        DataType::Duration => "Duration(0, 1, 0)",
        DataType::Inet => "ip_address(\"192.0.2.1\")",
        DataType::Time => "Time(\"12:30:00\")",
        DataType::Timestamp => "datetime(2026, 1, 31, tzinfo=timezone.utc)",
        DataType::Timeuuid => "uuid1()",
        DataType::Uuid => "uuid4()",
        DataType::List(_) | DataType::Vector(..) => "[...]",
        DataType::Set(_) => "{...}",
        DataType::Map(..) => "{...: ...}",
        DataType::Tuple(_) | DataType::User(_) => "...",
    }
}
