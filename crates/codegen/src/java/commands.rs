//! Functions that write.

use super::command_runs::JavaCommandRun;
use super::comments::print_comment;
use super::context::{JavaContext, quote};
use super::names::JavaFunctionName;
use super::signatures::JavaSignature;
use crate::code_writer::CodeWriter;
use crate::comment::describe_command;
use crate::program::{ApplicationResult, Cardinality, Command};

/// The printer of a function that writes.
#[derive(Clone, Copy)]
pub(super) struct JavaCommandPrinter<'a> {
    pub(super) context: &'a JavaContext<'a>,
    pub(super) command: &'a Command,
    pub(super) name: &'a JavaFunctionName,
}

impl JavaCommandPrinter<'_> {
    const fn signature(&self) -> JavaSignature<'_> {
        let parameters = self.command.parameters.as_slice();
        JavaSignature { context: self.context, name: self.name, parameters }
    }

    /// The results of both forms, and how the asynchronous one is made.
    fn result(&self) -> (String, String, &'static str) {
        let row = &self.name.row;
        match &self.command.result {
            ApplicationResult::Nothing => {
                ("void".to_owned(), "Void".to_owned(), ".thenApply(finishedRun -> null)")
            }
            ApplicationResult::Applied => {
                let link = ".thenApply(AccessSupport.CommandRun::isApplied)";
                ("boolean".to_owned(), "Boolean".to_owned(), link)
            }
            ApplicationResult::Rows(_, Cardinality::One) => {
                let class = format!("Optional<{row}>");
                (class.clone(), class, ".thenApply(finishedRun -> finishedRun.toResult())")
            }
            ApplicationResult::Rows(_, Cardinality::Many) => {
                let class = format!("List<{row}>");
                (class.clone(), class, ".thenApply(finishedRun -> finishedRun.toResult())")
            }
        }
    }

    fn list_tags(&self, all: bool) -> Vec<String> {
        let mut tags = self.signature().list_tags(all);
        match &self.command.result {
            ApplicationResult::Nothing => {}
            ApplicationResult::Applied => {
                tags.push("@return whether it was applied; else nothing was changed".to_owned());
            }
            ApplicationResult::Rows(_, Cardinality::One) => {
                tags.push("@return the row, if there is one".to_owned());
            }
            ApplicationResult::Rows(_, Cardinality::Many) => {
                tags.push("@return the rows".to_owned());
            }
        }
        tags
    }

    /// All forms of the function.
    pub(super) fn print(&self, out: &mut CodeWriter) {
        let lines = describe_command(self.command);
        let sentence = format!("The write {{@code {}}}.", self.command.name);
        let (signature, method) = (self.signature(), &self.name.method);
        let (result, class, link) = self.result();
        for all in [false, true] {
            if !all && !signature.has_supply() {
                continue;
            }
            let mut tags = self.list_tags(all);
            let errors = [
                "@throws ConstraintViolation where a constraint is violated",
                "@throws PartialWrite where it stopped after steps that cannot be undone",
            ];
            let names = if all { signature.arguments() } else { signature.list_given_arguments() };
            let declared = signature.declare(all);
            let returns = if result == "void" { "" } else { "return " };
            tags.extend(errors.map(str::to_owned));
            print_comment(out, &sentence, &lines, &tags);
            out.block(format!("public {result} {method}({declared}) {{"), "}", |out| {
                out.line(format!("{returns}AccessSupport.await({method}Async({names}));"));
            });
            out.blank();
            let mut tags = self.list_tags(all);
            if result == "void" {
                tags.push("@return its end".to_owned());
            }
            let sentence = format!("The asynchronous form of {{@link #{method}}}.");
            print_comment(out, &sentence, &[], &tags);
            out.block(
                format!("public CompletionStage<{class}> {method}Async({declared}) {{"),
                "}",
                |out| {
                    if !all {
                        let arguments = signature.print_supplied(out);
                        out.line(format!("return {method}Async({arguments});"));
                        return;
                    }
                    signature.print_checks(out);
                    let function = quote(&self.command.name);
                    let comma = if names.is_empty() { "" } else { ", " };
                    out.line(format!("AccessSupport.Call call = support.call({function});"));
                    let run = format!("new {}(call, null{comma}{names})", self.name.run);
                    out.line(format!("return support.execute(call, () -> {run}){link};"));
                },
            );
            out.blank();
        }
    }

    /// The class of the run.
    pub(super) fn print_run_class(&self, out: &mut CodeWriter) {
        let signature = self.signature();
        JavaCommandRun { context: self.context, command: self.command, name: self.name, signature }
            .print(out);
    }
}
