//! What the functions of a program have in common while they are printed.

use crate::language::Renaming;
use crate::naming::{NameCase, NameScope, to_case};
use crate::program::{AccessProgram, ClientSupply, DataType, Parameter, Record};

use super::names::{KEYWORDS, METHOD_WORDS, PARAMETER_WORDS, TYPE_WORDS};
use super::scope::RustParameter;
use super::statements::RustStatements;
use super::types::{RustRecord, RustTypes};
use super::writer::RustWriter;

/// The state while a program is printed.
#[derive(Debug)]
pub(super) struct RustContext {
    pub(super) types: RustTypes,
    pub(super) statements: RustStatements,
    /// Names of structures.
    pub(super) names: NameScope<'static>,
    /// Names of functions.
    pub(super) methods: NameScope<'static>,
    /// The public structures of rows and user types.
    pub(super) rows: RustWriter,
    /// Their names.
    pub(super) row_names: Vec<String>,
    /// The functions that read.
    pub(super) queries: Vec<RustFunction>,
    /// The functions that write.
    pub(super) writes: Vec<RustFunction>,
    /// Names of parameters, columns and the package that could not be kept.
    pub(super) renamings: Vec<Renaming>,
}

/// A function, as its callers see it.
#[derive(Clone, Debug)]
pub(super) struct RustFunction {
    /// Its name in the model.
    pub(super) title: String,
    /// The name of the form without the values that it makes itself.
    pub(super) name: String,
    /// The name of the form with all parameters.
    pub(super) full_name: String,
    /// The name of the form that returns a page.
    pub(super) page_name: Option<String>,
    /// The parameters, with their names and types in Rust.
    pub(super) parameters: Vec<(String, String, Parameter)>,
}

impl RustContext {
    pub(super) fn new(program: &AccessProgram) -> Self {
        Self {
            types: RustTypes::default(),
            statements: RustStatements::new(),
            names: NameScope::new(NameCase::Pascal, TYPE_WORDS)
                .keep_exact(program.user_types.iter().map(|it| &it.name)),
            methods: NameScope::new(NameCase::Snake, KEYWORDS)
                .reserve(METHOD_WORDS)
                .keep_exact(program.list_function_names()),
            rows: RustWriter::new(0),
            row_names: Vec::new(),
            queries: Vec::new(),
            writes: Vec::new(),
            renamings: Vec::new(),
        }
    }

    /// The function of a query or command.
    pub(super) fn add_function(&mut self, title: &str, parameters: &[Parameter]) -> RustFunction {
        let mut scope = NameScope::new(NameCase::Snake, KEYWORDS)
            .reserve(PARAMETER_WORDS)
            .keep_exact(parameters.iter().map(|parameter| &parameter.name));
        let named = parameters.iter().map(|parameter| {
            let name = scope.add(&format!("{title}: parameter"), &parameter.name);
            let ty = self.types.field(&parameter.ty, parameter.nullable);
            (name, ty, parameter.clone())
        });
        let parameters: Vec<_> = named.collect();
        self.renamings.append(&mut scope.renamings);
        let name = self.methods.add("function", title);
        let is_made = parameters.iter().any(|(_, _, it)| is_made(it));
        let full_name = if is_made {
            self.methods.add("function", &format!("{title}With"))
        } else {
            name.clone()
        };
        RustFunction { title: title.to_owned(), name, full_name, page_name: None, parameters }
    }

    /// Adds a public structure.
    pub(super) fn add_row(&mut self, name: &str, record: &Record, is_read: bool) -> RustRecord {
        let name = self.names.add("row", &format!("{name}Row"));
        let made = RustRecord::new(name, &record.fields, false);
        self.renamings.extend(made.list_renamings(&record.name));
        self.row_names.push(made.name.clone());
        let out = &mut self.rows;
        out.blank().line(format!("/// A row of {}.", record.name));
        let derive = if is_read { ", DeserializeRow" } else { "" };
        out.line(format!("#[derive(Clone, Debug, PartialEq{derive})]"));
        if is_read {
            out.line("#[scylla(flavor = \"enforce_order\", skip_name_checks)]");
        }
        out.open(format!("pub struct {} {{", made.name));
        for field in &made.fields {
            out.line(format!("/// `{}`, of type `{}`.", field.column, field.ty));
            let ty = self.types.field(&field.ty, field.nullable);
            out.line(format!("pub {}: {ty},", field.name));
        }
        out.close("}");
        made
    }
}

/// Whether a function makes the value of a parameter itself.
pub(super) const fn is_made(parameter: &Parameter) -> bool {
    matches!(parameter.supply, Some(ClientSupply::Now { .. } | ClientSupply::NewId))
}

impl RustFunction {
    /// `name: Type` of the parameters of a form.
    pub(super) fn signature(&self, is_full: bool) -> Vec<String> {
        let wanted = self.parameters.iter().filter(|(_, _, it)| is_full || !is_made(it));
        let named = wanted.map(|(name, ty, _)| format!("{name}: {ty}"));
        std::iter::once("&self".to_owned()).chain(named).collect()
    }

    /// The parameters as code reads them.
    pub(super) fn read(&self, prefix: &str) -> Vec<RustParameter> {
        let read = self.parameters.iter().map(|(name, _, parameter)| RustParameter {
            code: format!("{prefix}{name}"),
            nullable: parameter.nullable,
        });
        read.collect()
    }

    /// Prints the values that the function makes itself.
    pub(super) fn print_supplies(&self, out: &mut RustWriter) {
        let made: Vec<_> = self.parameters.iter().filter(|(_, _, it)| is_made(it)).collect();
        if made.is_empty() {
            return;
        }
        let needs_time = made.iter().any(|(_, _, it)| {
            matches!(it.supply, Some(ClientSupply::Now { .. })) || it.ty == DataType::Timeuuid
        });
        if needs_time {
            out.line("let moment = Moment::new(self.core.now());");
        }
        for (name, _, parameter) in made {
            let code = supply_code(parameter);
            let code = if parameter.nullable { format!("Some({code})") } else { code };
            out.assign(&format!("let {name}"), &code);
        }
    }
}

fn supply_code(parameter: &Parameter) -> String {
    let of_time = |moment: &str| match parameter.ty {
        DataType::Date => format!("{moment}.to_date()"),
        DataType::Time => format!("{moment}.to_time()"),
        DataType::Timeuuid => format!("{moment}.to_timeuuid()"),
        DataType::Bigint => format!("{moment}.to_timestamp().0"),
        _ => format!("{moment}.to_timestamp()"),
    };
    match parameter.supply {
        Some(ClientSupply::Now { months: 0, days: 0, millis: 0 }) => of_time("moment"),
        Some(ClientSupply::Now { months, days, millis }) => {
            of_time(&format!("moment.plus({months}, {days}, {millis})"))
        }
        _ if parameter.ty == DataType::Timeuuid => of_time("moment"),
        _ if matches!(parameter.ty, DataType::Text | DataType::Ascii) => {
            "Uuid::new_v4().to_string()".to_owned()
        }
        _ => "Uuid::new_v4()".to_owned(),
    }
}

/// The comment of a function: a sentence, and what the plan says.
pub(super) fn print_comment(out: &mut RustWriter, sentence: &str, lines: &[String]) {
    let mut comment = vec![sentence.to_owned(), String::new(), "```text".to_owned()];
    let text = lines.iter().map(|line| line.replace("```", "'''"));
    comment.extend(text);
    comment.push("```".to_owned());
    out.document(&comment);
}

/// The name of a structure of the program's own.
pub(super) fn pascal(name: &str) -> String {
    to_case(NameCase::Pascal, name)
}

/// The fields of columns, for a structure that is read.
pub(super) fn print_read_record(
    out: &mut RustWriter,
    types: &RustTypes,
    record: &RustRecord,
    read: usize,
    parents: &[String],
) {
    out.blank();
    out.line("#[derive(Clone, Debug, Default, DeserializeRow)]");
    out.line("#[scylla(flavor = \"enforce_order\", skip_name_checks)]");
    out.open(format!("struct {} {{", record.name));
    for (at, field) in record.fields.iter().enumerate() {
        if at >= read {
            out.line("#[scylla(skip)]");
        }
        out.line(format!("{}: {},", field.name, types.column(&field.ty)));
    }
    for (at, parent) in parents.iter().enumerate() {
        out.line("#[scylla(skip)]");
        out.line(format!("parent{at}: Option<Arc<{parent}>>,"));
    }
    out.close("}");
}
