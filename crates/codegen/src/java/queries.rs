//! Functions that read.

use super::comments::print_comment;
use super::context::{JavaContext, quote};
use super::names::JavaFunctionName;
use super::query_runs::JavaQueryRun;
use super::signatures::JavaSignature;
use crate::code_writer::CodeWriter;
use crate::comment::describe_query;
use crate::program::{Cardinality, Query};

/// The printer of a function that reads.
#[derive(Clone, Copy)]
pub(super) struct JavaQueryPrinter<'a> {
    pub(super) context: &'a JavaContext<'a>,
    pub(super) query: &'a Query,
    pub(super) name: &'a JavaFunctionName,
}

/// Whether a query is one statement whose rows are the result.
pub(super) fn is_simple(query: &Query) -> bool {
    query.steps.len() == 1
        && query.main == 0
        && query.stages.is_empty()
        && query.steps.iter().all(|step| step.repetitions.is_empty())
}

impl JavaQueryPrinter<'_> {
    const fn signature(&self) -> JavaSignature<'_> {
        let parameters = self.query.parameters.as_slice();
        JavaSignature { context: self.context, name: self.name, parameters }
    }

    /// What the function returns.
    fn result(&self) -> String {
        let row = &self.name.row;
        match self.query.cardinality {
            Cardinality::One => format!("Optional<{row}>"),
            Cardinality::Many => format!("List<{row}>"),
        }
    }

    /// All forms of the function.
    pub(super) fn print(&self, out: &mut CodeWriter) {
        let lines = describe_query(self.query);
        let sentence = format!("The query {{@code {}}}.", self.query.name);
        let signature = self.signature();
        let returned = match self.query.cardinality {
            Cardinality::One => "@return the first row, if there is one",
            Cardinality::Many => "@return the rows",
        };
        let (result, method) = (self.result(), &self.name.method);
        for all in [false, true] {
            if !all && !signature.has_supply() {
                continue;
            }
            let mut tags = signature.list_tags(all);
            tags.push(returned.to_owned());
            let names = if all { signature.arguments() } else { signature.list_given_arguments() };
            let declared = signature.declare(all);
            print_comment(out, &sentence, &lines, &tags);
            out.block(format!("public {result} {method}({declared}) {{"), "}", |out| {
                out.line(format!("return AccessSupport.await({method}Async({names}));"));
            });
            out.blank();
            let sentence = format!("The asynchronous form of {{@link #{method}}}.");
            print_comment(out, &sentence, &[], &tags);
            out.block(
                format!("public CompletionStage<{result}> {method}Async({declared}) {{"),
                "}",
                |out| {
                    if all {
                        self.print_body(out);
                    } else {
                        let arguments = signature.print_supplied(out);
                        out.line(format!("return {method}Async({arguments});"));
                    }
                },
            );
            out.blank();
        }
        if self.query.find_paging().is_some() {
            self.print_page(out);
        }
    }

    fn print_body(&self, out: &mut CodeWriter) {
        let (signature, function) = (self.signature(), quote(&self.query.name));
        signature.print_checks(out);
        if is_simple(self.query) {
            let form = match self.query.cardinality {
                Cardinality::One => "queryFirst",
                Cardinality::Many => "queryAll",
            };
            let sent = self.print_simple_sent();
            let values = self.print_simple_values();
            out.line(format!("return support.{form}({function}, {sent}{values});"));
        } else {
            let run = self.print_run(&signature);
            out.line(format!("AccessSupport.Call call = support.call({function});"));
            out.line(format!("return support.observeRun(call, () -> {run}.run());"));
        }
    }

    fn print_run(&self, signature: &JavaSignature<'_>) -> String {
        let names = signature.arguments();
        let comma = if names.is_empty() { "" } else { ", " };
        format!("new {}(call{comma}{names})", self.name.run)
    }

    fn print_simple_sent(&self) -> String {
        let Some(step) = self.query.steps.first() else { return String::new() };
        let statement = self.run().scope().statement(&self.query.name, step);
        format!("{statement}, {}::read", self.name.row)
    }

    fn print_simple_values(&self) -> String {
        let values = self.query.steps.first().map(|step| step.values.as_slice());
        self.run().scope().print_values(values.unwrap_or_default())
    }

    /// The form that returns a page.
    fn print_page(&self, out: &mut CodeWriter) {
        let signature = self.signature();
        let (declared, names) = (signature.declare(true), signature.arguments());
        let (declared, names) = if names.is_empty() {
            (String::new(), String::new())
        } else {
            (format!("{declared}, "), format!("{names}, "))
        };
        let (row, method) = (&self.name.row, &self.name.method);
        let mut tags = signature.list_tags(true);
        tags.extend([
            "@param pageSize rows in the page".to_owned(),
            "@param token {@link Page#next} of the page before; null: the first page".to_owned(),
            "@return the rows, and where the next ones begin".to_owned(),
        ]);
        let parameters = format!("{declared}int pageSize, String token");
        print_comment(out, &format!("A page of {{@link #{method}}}."), &[], &tags);
        out.block(format!("public Page<{row}> {method}Page({parameters}) {{"), "}", |out| {
            out.line(format!(
                "return AccessSupport.await({method}PageAsync({names}pageSize, token));"
            ));
        });
        out.blank();
        let sentence = format!("The asynchronous form of {{@link #{method}Page}}.");
        print_comment(out, &sentence, &[], &tags);
        out.block(
            format!("public CompletionStage<Page<{row}>> {method}PageAsync({parameters}) {{"),
            "}",
            |out| {
                let function = quote(&self.query.name);
                signature.print_checks(out);
                out.line(format!("AccessSupport.Call call = support.call({function});"));
                if is_simple(self.query) {
                    out.line(format!(
                        "byte[] pagingState = AccessSupport.Position.read({function}, token).state();"
                    ));
                    let (sent, values) = (self.print_simple_sent(), self.print_simple_values());
                    let part = format!("support.part(call, {sent}, pageSize, pagingState{values})");
                    out.line(format!("return support.observe(call, {part}"));
                    out.line("        .thenApply(pagePart -> AccessSupport.page(call, pagePart)));");
                } else {
                    let run = self.print_run(&signature);
                    out.line(format!(
                        "return support.observeRun(call, () -> {run}.page(pageSize, token));"
                    ));
                }
            },
        );
        out.blank();
    }

    /// The class of the run, unless the query is one statement.
    pub(super) fn print_run_class(&self, out: &mut CodeWriter) {
        if !is_simple(self.query) {
            self.run().print(out);
        }
    }

    const fn run(&self) -> JavaQueryRun<'_> {
        JavaQueryRun { context: self.context, query: self.query, name: self.name }
    }

    /// The signature, for the class of the run.
    pub(super) const fn signature_of<'b>(
        context: &'b JavaContext<'b>,
        name: &'b JavaFunctionName,
        query: &'b Query,
    ) -> JavaSignature<'b> {
        JavaSignature { context, name, parameters: query.parameters.as_slice() }
    }
}
