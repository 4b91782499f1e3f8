//! The files around the code: module, README, schema.

use super::GoPrinter;
use super::format::follow;
use super::function::GoFunction;
use crate::language::GeneratedFile;
use crate::program::{ApplicationResult, Cardinality};

const README: &str = include_str!("../../templates/go/README.md");
const MODULE: &str = include_str!("../../templates/go/go.mod");

impl GoPrinter<'_> {
    /// `go.mod`
    pub(super) fn write_module(&self) -> GeneratedFile {
        let text = MODULE.replace("PACKAGE", &self.package);
        GeneratedFile {
            path: "go.mod".to_owned(),
            text: format!("{}\n\n{text}", self.header("//")),
        }
    }

    /// `schema.cql`
    pub(super) fn write_schema(&self) -> GeneratedFile {
        let mut text = format!("{}\n", self.header("--"));
        for statement in &self.program.schema {
            text.push('\n');
            text.push_str(statement.trim_end().trim_end_matches(';'));
            text.push_str(";\n");
        }
        GeneratedFile { path: "schema.cql".to_owned(), text }
    }

    /// `README.md`
    pub(super) fn write_readme(&self) -> GeneratedFile {
        let mut examples = String::new();
        for (query, function) in self.program.queries.iter().zip(&self.queries) {
            let result = match query.cardinality {
                Cardinality::One => "row, err := ",
                Cardinality::Many => "rows, err := ",
            };
            examples.push_str(&self.write_example(&query.name, function, result));
            if let Some(page) = &function.page {
                let arguments = self.write_arguments(function, true);
                let call = format!("access.{page}(ctx{arguments}, 100, \"\")");
                examples = examples + "```go\nrows, next, err := " + &call + "\n```\n\n";
            }
        }
        for (command, function) in self.program.commands.iter().zip(&self.commands) {
            if command.derived {
                continue;
            }
            let result = match &command.result {
                ApplicationResult::Nothing => "err := ",
                ApplicationResult::Applied => "applied, err := ",
                ApplicationResult::Rows(_, Cardinality::One) => "row, err := ",
                ApplicationResult::Rows(..) => "rows, err := ",
            };
            examples.push_str(&self.write_example(&command.name, function, result));
        }
        let text = README
            .replace("PACKAGE", &self.package)
            .replace("KEYSPACE_NAME", &self.program.keyspace)
            .replace("SOURCE", &self.program.source)
            .replace("EXAMPLES", examples.trim_end());
        let header = self.header("").replace("\n ", "\n").trim_start().to_owned();
        let text = format!("<!--\n{header}\n-->\n\n{}\n", text.trim_end());
        GeneratedFile { path: "README.md".to_owned(), text }
    }

    fn write_example(&self, name: &str, function: &GoFunction, result: &str) -> String {
        let arguments = self.write_arguments(function, false);
        format!("`{name}`:\n\n```go\n{result}access.{}(ctx{arguments})\n```\n\n", function.name)
    }

    /// Arguments of an example: the names of the parameters as variables.
    fn write_arguments(&self, function: &GoFunction, all: bool) -> String {
        let positions = function.positions(all);
        let parameters = positions.iter().filter_map(|at| function.parameters.get(*at));
        if let Some(ty) = function.struct_type(all) {
            let fields: Vec<String> = positions
                .iter()
                .filter_map(|at| {
                    let parameter = function.parameters.get(*at)?;
                    let field = function.parameter_fields.get(*at)?;
                    Some(format!("\t{field}: {},\n", parameter.variable))
                })
                .collect();
            return format!(", {}.{ty}{{\n{}}}", self.package, fields.concat());
        }
        follow(parameters.map(|parameter| parameter.variable.clone()))
    }
}
