//! The program that runs the functions for a proof.

use crate::program::{ApplicationResult, Field, Record};

use super::PythonPrinter;
use super::code::{PythonExpression as Code, PythonWriter, quote};
use super::names::FunctionNames;
use super::types;

/// The text that is the same for all programs.
const DRIVER: &str = include_str!("../../templates/python/proof_driver.py");

impl PythonPrinter<'_> {
    /// `proof_driver.py`
    pub(super) fn print_proof_driver(&self) -> String {
        let mut text = DRIVER.replace("ACCESS_CLASS", &self.names.class);
        if !self.program.user_types.is_empty() {
            text = text.replace("from . import support\n", "from . import rows, support\n");
        }
        let mut writer = PythonWriter::new(0);
        writer.line("FUNCTIONS: dict[str, Function] = {}");
        for (at, query) in self.program.queries.iter().enumerate() {
            let names = self.names.query(at);
            let parameters = self.list_values(&query.parameters, &names);
            let columns = self.list_columns(&query.result, &names);
            let page = query.find_paging().map(|_| names.page.as_str());
            let function = (page, false, parameters, columns);
            Self::write_function(&mut writer, &query.name, &names, function);
        }
        for (at, command) in self.program.commands.iter().enumerate() {
            if command.derived {
                continue;
            }
            let names = self.names.command(at);
            let parameters = self.list_values(&command.parameters, &names);
            let columns = match &command.result {
                ApplicationResult::Rows(record, _) => self.list_columns(record, &names),
                _ => Vec::new(),
            };
            let function = (None, true, parameters, columns);
            Self::write_function(&mut writer, &command.name, &names, function);
        }
        let end = "\n\nif __name__ == \"__main__\":\n    asyncio.run(main())\n";
        format!("{}\n{text}\n\n{}{end}", self.header("#"), writer.finish())
    }

    fn write_function(
        writer: &mut PythonWriter,
        name: &str,
        names: &FunctionNames,
        (page, is_write, parameters, columns): (Option<&str>, bool, Vec<Code>, Vec<Code>),
    ) {
        let parts = vec![
            Code::Atom(quote(&names.complete)),
            page.map_or_else(|| Code::atom("None"), |name| Code::Atom(quote(name))),
            Code::atom(if is_write { "True" } else { "False" }),
            Code::Tuple(parameters),
            Code::Tuple(columns),
        ];
        let call = Code::Call("Function".to_owned(), parts);
        writer.open_statement(&format!("FUNCTIONS[{}] = ", quote(name)), &call);
    }

    fn list_values(
        &self,
        parameters: &[crate::program::Parameter],
        names: &FunctionNames,
    ) -> Vec<Code> {
        let fields = parameters.iter().map(|it| Field {
            name: it.name.clone(),
            ty: it.ty.clone(),
            nullable: it.nullable,
        });
        let fields: Vec<Field> = fields.collect();
        fields.iter().zip(&names.parameters).map(|(it, name)| self.value(it, name)).collect()
    }

    fn list_columns(&self, record: &Record, names: &FunctionNames) -> Vec<Code> {
        let fields = record.fields.iter().zip(&names.fields);
        fields.map(|(field, name)| self.value(field, name)).collect()
    }

    fn value(&self, field: &Field, name: &str) -> Code {
        let keep = || "support.keep".to_owned();
        let decoder = types::decoder(&self.names, &field.ty, false).unwrap_or_else(keep);
        let encoder = types::encoder(&self.names, &field.ty).unwrap_or_else(keep);
        let parts = vec![
            Code::Atom(quote(name)),
            Code::parse(&types::driver_type(&self.names, &field.ty)),
            Code::parse(&decoder),
            Code::parse(&encoder),
            Code::atom(if field.nullable { "True" } else { "False" }),
        ];
        Code::Call("Value".to_owned(), parts)
    }
}
