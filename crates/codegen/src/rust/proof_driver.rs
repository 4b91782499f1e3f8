//! The program that runs the operations of a proof.

use crate::program::{ApplicationResult, Cardinality, DataType, Parameter, Query, Record};

use super::command::RustCommandPrinter;
use super::context::RustFunction;
use super::expression::text_code;
use super::types::{RustRecord, RustTypes};
use super::writer::RustWriter;

const TEMPLATE: &str = include_str!("../../templates/rust/proof.rs");

/// The calls of a proof.
#[derive(Debug)]
pub(super) struct RustProof<'p> {
    user_types: &'p [Record],
    arms: RustWriter,
}

impl<'p> RustProof<'p> {
    pub(super) const fn new(user_types: &'p [Record]) -> Self {
        Self { user_types, arms: RustWriter::new(2) }
    }

    /// Adds a query.
    pub(super) fn add_query(
        &mut self,
        query: &Query,
        function: &RustFunction,
        result: &RustRecord,
    ) {
        self.print_arguments(&query.name, function, &query.parameters);
        let names: Vec<String> =
            function.parameters.iter().map(|(name, ..)| name.clone()).collect();
        let names = [vec!["access".to_owned()], names].concat();
        if let Some(page) = &function.page_name {
            let out = &mut self.arms;
            out.open("if let Some((size, position)) = arguments.page {");
            let sized = [names.clone(), vec!["size".to_owned(), "position".to_owned()]].concat();
            out.call(&format!("let work = Access::{page}"), &sized, ";");
            out.line("let found = assert_send(work).await?;");
            out.open("for row in found.rows {");
            self.print_row(result, &query.result);
            self.arms.close("}").line("return Ok(ProofEnd::Page(found.position));").close("}");
        }
        let out = &mut self.arms;
        out.call(&format!("let work = Access::{}", function.full_name), &names, ";");
        out.line("let found = assert_send(work).await?;");
        out.open(match query.cardinality {
            Cardinality::One => "if let Some(row) = found {",
            Cardinality::Many => "for row in found {",
        });
        self.print_row(result, &query.result);
        self.arms.close("}").line("Ok(ProofEnd::Answer)").close("}");
    }

    /// Adds a command.
    pub(super) fn add_command(&mut self, printer: &RustCommandPrinter<'_>) {
        let (command, names) = (printer.command, printer.names);
        if command.derived {
            return;
        }
        self.print_arguments(&command.name, &names.function, &command.parameters);
        let given: Vec<String> =
            names.function.parameters.iter().map(|(name, ..)| name.clone()).collect();
        let out = &mut self.arms;
        let work = format!("let work = Access::{}", names.function.full_name);
        match (&command.result, &names.result) {
            (ApplicationResult::Rows(record, _), Some(result)) => {
                let given = [vec!["&access.core".to_owned()], given].concat();
                out.call(&format!("let call = crate::commands::{}::new", names.call), &given, ";");
                out.line("let work = call.complete();");
                out.line("let (is_applied, found) = assert_send(work).await?;");
                out.open("for row in found {");
                self.print_row(result, record);
                let out = &mut self.arms;
                out.close("}");
                out.line(
                    "Ok(ProofEnd::Outcome(if is_applied { \"applied\" } else { \"refused\" }))",
                );
            }
            (ApplicationResult::Applied, _) => {
                let given = [vec!["access".to_owned()], given].concat();
                out.call(&work, &given, ";");
                out.line("let is_applied = assert_send(work).await?;");
                out.line(
                    "Ok(ProofEnd::Outcome(if is_applied { \"applied\" } else { \"refused\" }))",
                );
            }
            _ => {
                let given = [vec!["access".to_owned()], given].concat();
                out.call(&work, &given, ";");
                out.line("assert_send(work).await?;");
                out.line("Ok(ProofEnd::Outcome(\"applied\"))");
            }
        }
        self.arms.close("}");
    }

    fn print_arguments(&mut self, title: &str, function: &RustFunction, of: &[Parameter]) {
        self.arms.open(format!("{} => {{", text_code(title)));
        for ((name, ..), parameter) in function.parameters.iter().zip(of) {
            let ty = self.print_type(&parameter.ty);
            self.arms.line(format!("let {name} = arguments.next(&{ty})?;"));
        }
    }

    /// The values of a row, in the order of the model.
    fn print_row(&mut self, row: &RustRecord, record: &Record) {
        self.arms.line("rows.begin();");
        for (field, of) in row.fields.iter().zip(&record.fields) {
            let ty = self.print_type(&of.ty);
            self.arms.line(format!("rows.add(&{ty}, &row.{})?;", field.name));
        }
    }

    /// A variable with the driver's type; its name.
    fn print_type(&mut self, ty: &DataType) -> String {
        let code = self.type_code(ty);
        let line = format!("let ty = {code};");
        if self.arms.can_fit(&line) && !code.contains("vec!") {
            self.arms.line(line);
        } else {
            self.arms.line("#[rustfmt::skip]").line(line);
        }
        "ty".to_owned()
    }

    fn type_code(&self, ty: &DataType) -> String {
        match ty {
            DataType::Counter => "native(NativeType::BigInt)".to_owned(),
            DataType::List(part) => format!("list({})", self.type_code(part)),
            DataType::Set(part) => format!("set({})", self.type_code(part)),
            DataType::Map(key, value) => {
                format!("map({}, {})", self.type_code(key), self.type_code(value))
            }
            DataType::Vector(part, count) => format!("vector({}, {count})", self.type_code(part)),
            DataType::Tuple(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.type_code(part)).collect();
                format!("ColumnType::Tuple(vec![{}])", parts.join(", "))
            }
            DataType::User(name) => {
                let user = self.user_types.iter().find(|user| user.name == *name);
                let fields = user.into_iter().flat_map(|user| &user.fields);
                let fields: Vec<_> = fields
                    .map(|field| format!("({:?}, {})", field.name, self.type_code(&field.ty)))
                    .collect();
                format!("user({name:?}, vec![{}])", fields.join(", "))
            }
            plain => {
                let code = RustTypes::driver_type(plain).unwrap_or_default();
                code.replace("ColumnType::Native(", "native(")
            }
        }
    }

    /// The file.
    pub(super) fn print(self, access: &str) -> String {
        let mut out = RustWriter::new(0);
        out.blank().line("async fn dispatch(");
        out.line("    access: &Access,").line("    call: &str,");
        out.line("    mut arguments: ProofArguments<'_>,").line("    rows: &mut ProofRows,");
        out.line(") -> Result<ProofEnd, ProofEnd> {").line("    match call {");
        out.append(&self.arms);
        out.line("        _ => Err(ProofFailure::new(\"protocol\", \"no such call\").into()),");
        out.line("    }").line("}");
        let head = TEMPLATE.replace(
            "use crate::support::{AccessError,",
            &format!("use crate::access::{access} as Access;\nuse crate::support::{{AccessError,"),
        );
        format!("{head}\n{}", out.finish())
    }
}
