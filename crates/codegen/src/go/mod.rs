//! Go with gocql 2.
//!
//! - `names`, `types`, `format`: identifiers, types, and the layout of `gofmt`.
//! - `scope`, `constant`, `expression`, `condition`: values.
//! - `fetch`, `step`, `stage`, `attach`, `group`, `query`, `page`: functions that read.
//! - `command`, `send`: functions that write.
//! - `function`, `record`: parameters, statements, structs.
//! - `support`: the part of the support file that a program needs.
//! - `project`, `proof_driver`: the other files.

mod attach;
mod command;
mod condition;
mod constant;
mod expression;
mod fetch;
mod format;
mod function;
mod group;
mod names;
mod page;
mod project;
mod proof_driver;
mod query;
mod record;
mod scope;
mod send;
mod stage;
mod step;
mod support;
mod types;

use self::format::{GoLines, write_imports};
use self::function::{GoFunction, name_parameters};
use self::names::{GoNameScope, name_package, to_private};
use self::types::GoTypes;
use crate::language::{
    GeneratedCode, GeneratedFile, GenerationOptions, Renaming, UnsupportedProgram,
};
use crate::naming::{find_package_change, split_words};
use crate::program::{AccessProgram, ApplicationResult};

/// The state while a program is printed.
#[derive(Debug)]
struct GoPrinter<'a> {
    program: &'a AccessProgram,
    options: &'a GenerationOptions,
    package: String,
    types: GoTypes,
    /// The names of the queries and commands, by their positions.
    queries: Vec<GoFunction>,
    commands: Vec<GoFunction>,
    renamings: Vec<Renaming>,
}

/// The package of a program.
pub(crate) fn generate(
    program: &AccessProgram,
    options: &GenerationOptions,
) -> Result<GeneratedCode, UnsupportedProgram> {
    types::check_types(program)?;
    let printer = GoPrinter::new(program, options);
    let access = printer.write_access();
    let rows = printer.write_rows();
    let support = support::select_support(&format!("{access}{rows}"));
    let mut files = vec![
        printer.finish_file("access.go", &access),
        printer.finish_file("rows.go", &rows),
        printer.finish_file("support.go", &support),
        printer.write_module(),
        printer.write_readme(),
        printer.write_schema(),
    ];
    if options.with_proof_driver {
        files.push(printer.write_proof_driver());
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(GeneratedCode { files, renamings: printer.renamings })
}

impl<'a> GoPrinter<'a> {
    fn new(program: &'a AccessProgram, options: &'a GenerationOptions) -> Self {
        let mut scope = GoNameScope::to_exported(support::list_names())
            .keep_exact(program.user_types.iter().map(|it| &it.name));
        let types = GoTypes::new(program, &mut scope);
        let mut methods =
            GoNameScope::to_exported(Vec::new()).keep_exact(program.list_function_names());
        let usual = options.package.as_ref().unwrap_or(&program.keyspace);
        let package = name_package(usual);
        let usual = split_words(usual).concat();
        let mut printer = Self {
            program,
            options,
            renamings: find_package_change(options, &usual, &package).into_iter().collect(),
            package,
            types,
            queries: Vec::new(),
            commands: Vec::new(),
        };
        for query in &program.queries {
            let name = methods.add("query", &query.name);
            printer.queries.push(GoFunction { name, ..GoFunction::default() });
        }
        for command in &program.commands {
            let name = methods.add("write", &command.name);
            printer.commands.push(GoFunction { name, ..GoFunction::default() });
        }
        printer.name_queries(&mut methods, &mut scope);
        printer.name_commands(&mut methods, &mut scope);
        printer.renamings.extend(methods.renamings);
        printer.renamings.extend(scope.renamings);
        printer
    }

    fn name_queries(&mut self, methods: &mut GoNameScope, scope: &mut GoNameScope) {
        for at in 0..self.queries.len() {
            let (Some(query), Some(mut function)) =
                (self.program.queries.get(at), self.queries.get(at).cloned())
            else {
                continue;
            };
            let exact = query.parameters.iter().map(|parameter| &parameter.name);
            let mut locals = self.local_scope().keep_exact(exact);
            name_parameters(&query.name, &query.parameters, &mut function, &mut locals);
            self.renamings.append(&mut locals.renamings);
            if query.find_paging().is_some() {
                function.page = Some(methods.add("pages of", &format!("{}_page", query.name)));
            }
            self.name_types(&query.name, &query.result.fields, &mut function, methods, scope);
            if let Some(slot) = self.queries.get_mut(at) {
                *slot = function;
            }
        }
    }

    fn name_commands(&mut self, methods: &mut GoNameScope, scope: &mut GoNameScope) {
        for at in 0..self.commands.len() {
            let (Some(command), Some(mut function)) =
                (self.program.commands.get(at), self.commands.get(at).cloned())
            else {
                continue;
            };
            let exact = command.parameters.iter().map(|parameter| &parameter.name);
            let mut locals = self.local_scope().keep_exact(exact);
            name_parameters(&command.name, &command.parameters, &mut function, &mut locals);
            self.renamings.append(&mut locals.renamings);
            let fields = match &command.result {
                ApplicationResult::Rows(record, _) => record.fields.as_slice(),
                _ => &[],
            };
            self.name_types(&command.name, fields, &mut function, methods, scope);
            if let Some(slot) = self.commands.get_mut(at) {
                *slot = function;
            }
        }
    }

    fn name_types(
        &mut self,
        name: &str,
        fields: &[crate::program::Field],
        function: &mut GoFunction,
        methods: &mut GoNameScope,
        scope: &mut GoNameScope,
    ) {
        if !fields.is_empty() {
            function.row = scope.add("rows of", &format!("{name}_row"));
            let mut names = GoNameScope::to_exported(Vec::new())
                .keep_exact(fields.iter().map(|field| &field.name));
            function.fields = fields
                .iter()
                .map(|field| names.add(&format!("column of {name}:"), &field.name))
                .collect();
            self.renamings.append(&mut names.renamings);
        }
        if function.has_supplies() {
            function.with = Some(methods.add("form with all values of", &format!("{name}_with")));
        }
        if function.struct_type(false).is_some() {
            function.given_type = scope.add("parameters of", &format!("{name}_params"));
        }
        if function.has_supplies() && function.struct_type(true).is_some() {
            function.all_type = scope.add("parameters of", &format!("{name}_with_params"));
        } else {
            function.all_type = function.given_type.clone();
        }
    }

    /// The scope of the variables of a function.
    fn local_scope(&self) -> GoNameScope {
        let functions = self.queries.iter().chain(&self.commands);
        let private = functions.flat_map(|function| {
            let name = to_private(&function.name);
            ["Item", "Step", "Group", "Statement"].map(|suffix| format!("{name}{suffix}"))
        });
        GoNameScope::local(support::list_names().into_iter().chain(private))
    }

    fn write_access(&self) -> String {
        let mut lines = GoLines::default();
        for (query, function) in self.program.queries.iter().zip(&self.queries) {
            lines.append(query::GoQuery::new(self, query, function).write());
        }
        for (command, function) in self.program.commands.iter().zip(&self.commands) {
            lines.append(command::GoCommand::new(self, command, function).write());
        }
        lines.finish()
    }

    /// A file with its header and imports.
    fn finish_file(&self, path: &str, code: &str) -> GeneratedFile {
        let code = code.trim_start_matches('\n');
        let mut text = format!("{}\n\npackage {}\n", self.header("//"), self.package);
        let imports = write_imports(code, &[]);
        if !imports.is_empty() {
            text.push('\n');
            text.push_str(imports.trim_end());
            text.push('\n');
        }
        if !code.is_empty() {
            text.push('\n');
            text.push_str(code);
        }
        GeneratedFile { path: path.to_owned(), text }
    }

    /// The comment that every file begins with.
    fn header(&self, mark: &str) -> String {
        format!(
            "{mark} Code generated by helenus. DO NOT EDIT.\n\
             {mark} Generated by helenus from {}; design {}. Do not edit: change the model and generate again.",
            self.program.source, self.options.design_hash
        )
    }
}
