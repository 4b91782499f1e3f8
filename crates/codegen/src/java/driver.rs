//! The program that calls the functions for a proof.

use super::context::{JavaContext, quote};
use super::names::JavaFunctionName;
use crate::code_writer::CodeWriter;
use crate::program::{ApplicationResult, Cardinality, Parameter, Record};

const TEMPLATE: &str = include_str!("../../templates/java/ProofDriver.java");

/// The text of the program.
pub(super) fn print_driver(context: &JavaContext<'_>) -> String {
    let mut cases = CodeWriter::new("    ");
    let mut pages = CodeWriter::new("    ");
    let mut calls = CodeWriter::new("    ");
    let mut number = 0;
    for (query, name) in context.program.queries.iter().zip(&context.names.queries) {
        cases.line(format!("case {} -> call{number}(args);", quote(&query.name)));
        let printer = CallPrinter { context, name, parameters: &query.parameters, number };
        printer.print(&mut calls, Some((&query.result, query.cardinality)));
        if query.find_paging().is_some() {
            pages.line(format!("case {} -> page{number}(args, size, token);", quote(&query.name)));
            printer.print_page(&mut calls, &query.result);
        }
        number += 1;
    }
    for (command, name) in context.program.commands.iter().zip(&context.names.commands) {
        if command.derived {
            continue;
        }
        cases.line(format!("case {} -> call{number}(args);", quote(&command.name)));
        let printer = CallPrinter { context, name, parameters: &command.parameters, number };
        let rows = match &command.result {
            ApplicationResult::Rows(record, cardinality) => Some((record, *cardinality)),
            _ => None,
        };
        printer.print(&mut calls, rows);
        number += 1;
    }
    let indent = |text: String, by: usize| {
        let lines = text.lines().map(|line| match line {
            "" => String::new(),
            line => format!("{}{line}", " ".repeat(by)),
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    let body = TEMPLATE
        .replace("@ACCESS@", &context.names.access)
        .replace("            @CASES@", &indent(cases.finish(), 12))
        .replace("            @PAGES@", &indent(pages.finish(), 12))
        .replace("    @CALLS@", &indent(calls.finish(), 4));
    body.replace("@HEADER@", &context.header).replace("@PACKAGE@", &context.names.package)
}

/// The printer of the call of a function.
struct CallPrinter<'a> {
    context: &'a JavaContext<'a>,
    name: &'a JavaFunctionName,
    parameters: &'a [Parameter],
    number: usize,
}

impl CallPrinter<'_> {
    /// The arguments, decoded.
    fn list_arguments(&self) -> Vec<String> {
        let parameters = self.parameters.iter().enumerate();
        let argument = |(at, parameter): (usize, &Parameter)| {
            let codec = self.context.codec(&parameter.ty);
            if parameter.nullable {
                format!("decode({codec}, args.get({at}))")
            } else {
                format!("required({codec}, args.get({at}), {})", quote(&parameter.name))
            }
        };
        parameters.map(argument).collect()
    }

    /// Adds the values of a row to the rows of the answer.
    fn print_row(&self, record: &Record) -> String {
        let (names, _) = super::names::list_fields(record);
        let values = record.fields.iter().zip(names).map(|(field, name)| {
            format!("encode({}, row.{name}())", self.context.codec(&field.ty))
        });
        let values: Vec<_> = values.collect();
        format!("rows.add(Arrays.asList(\n        {}))", values.join(",\n        "))
    }

    /// A call of the form that returns pages.
    fn print_page(&self, out: &mut CodeWriter, record: &Record) {
        let mut arguments = self.list_arguments();
        arguments.extend(["size".to_owned(), "token".to_owned()]);
        let (number, row) = (self.number, &self.name.row);
        let method =
            format!("private ProofPage page{number}(List<Object> args, int size, String token) {{");
        out.block(method, "}", |out| {
            let call =
                format!("access.{}Page({})", self.name.method, arguments.join(",\n        "));
            out.line(format!("Page<{row}> result = {call};"));
            out.line("List<List<String>> rows = new ArrayList<>();");
            out.line(format!("result.rows().forEach(row -> {});", self.print_row(record)));
            out.line("return new ProofPage(rows, result.next().orElse(null));");
        });
        out.blank();
    }

    fn print(&self, out: &mut CodeWriter, rows: Option<(&Record, Cardinality)>) {
        let arguments = self.list_arguments();
        let call = format!("access.{}({})", self.name.method, arguments.join(",\n        "));
        let method =
            format!("private List<List<String>> call{}(List<Object> args) {{", self.number);
        out.block(method, "}", |out| {
            let Some((record, cardinality)) = rows else {
                out.line(format!("{call};"));
                out.line("return List.of();");
                return;
            };
            let class = match cardinality {
                Cardinality::One => "Optional",
                Cardinality::Many => "List",
            };
            out.line("List<List<String>> rows = new ArrayList<>();");
            out.line(format!("{class}<{}> result = {call};", self.name.row));
            let each = match cardinality {
                Cardinality::One => "result.ifPresent",
                Cardinality::Many => "result.forEach",
            };
            out.line(format!("{each}(row -> {});", self.print_row(record)));
            out.line("return rows;");
        });
        out.blank();
    }
}
