//! Names of classes, functions and parameters.

use std::collections::BTreeMap;

use crate::language::{GenerationOptions, Renaming};
use crate::naming::{NameCase, NameScope, find_package_change, to_case};
use crate::program::{AccessProgram, Field, Parameter, Record};

use super::modules::is_module;

/// Words of the language.
const KEYWORDS: [&str; 35] = [
    "False", "None", "True", "and", "as", "assert", "async", "await", "break", "class", "continue",
    "def", "del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
    "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while",
    "with", "yield",
];
/// Names that annotations and bodies use, so that nothing in a class may have them.
const USED: [&str; 20] = [
    "any",
    "all",
    "bool",
    "bytes",
    "datetime",
    "dict",
    "filter",
    "float",
    "frozenset",
    "int",
    "len",
    "list",
    "map",
    "rows",
    "self",
    "set",
    "str",
    "support",
    "tuple",
    "zip",
];
/// Names of the class itself.
const METHODS: [&str; 2] = ["close", "connect"];
/// Classes that the file of rows uses.
const CLASSES: [&str; 11] = [
    "Any", "False", "None", "True", "UUID", "Decimal", "CqlDate", "Duration", "Inet", "Time",
    "Record",
];

/// The names of a program.
#[derive(Clone, Debug)]
pub(super) struct PythonNames {
    /// The package.
    pub(super) package: String,
    /// The class of functions.
    pub(super) class: String,
    /// What stands before the names of the file of rows.
    pub(super) rows_prefix: &'static str,
    /// Names that could not be kept.
    pub(super) renamings: Vec<Renaming>,
    user_types: BTreeMap<String, (String, Vec<Field>)>,
    queries: Vec<FunctionNames>,
    commands: Vec<FunctionNames>,
}

/// The names of a function.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionNames {
    /// Its own.
    pub(super) function: String,
    /// The form that takes all parameters, where the function makes some.
    pub(super) complete: String,
    /// The form that returns a page.
    pub(super) page: String,
    /// The class of its rows.
    pub(super) record: String,
    /// Its parameters.
    pub(super) parameters: Vec<String>,
    /// The size of a page and the position, as parameters.
    pub(super) page_parameters: (String, String),
    /// The fields of its rows.
    pub(super) fields: Vec<String>,
}

/// The state while names are chosen.
struct NameChoice<'a> {
    functions: NameScope<'a>,
    classes: NameScope<'a>,
    renamings: Vec<Renaming>,
}

impl PythonNames {
    /// The names of a program in a package.
    pub(super) fn new(program: &AccessProgram, options: &GenerationOptions) -> Self {
        let reserved: Vec<&str> = KEYWORDS.into_iter().chain(USED).chain(METHODS).collect();
        let mut choice = NameChoice {
            functions: NameScope::new(NameCase::Snake, &reserved)
                .keep_exact(program.list_function_names()),
            classes: NameScope::new(NameCase::Pascal, &CLASSES)
                .keep_exact(program.user_types.iter().map(|it| &it.name))
                .keep_exact(program.list_function_names()),
            renamings: Vec::new(),
        };
        let user_types = program.user_types.iter().map(|record| {
            let class = choice.classes.add("type", &record.name);
            (record.name.clone(), (class, record.fields.clone()))
        });
        let user_types = user_types.collect();
        let queries: Vec<_> = program
            .queries
            .iter()
            .map(|it| choice.choose(&it.name, &it.parameters, Some(&it.result), "query"))
            .collect();
        let commands: Vec<_> = program
            .commands
            .iter()
            .map(|it| {
                let record = match &it.result {
                    crate::program::ApplicationResult::Rows(record, _) => Some(record),
                    _ => None,
                };
                choice.choose(&it.name, &it.parameters, record, "write")
            })
            .collect();
        let mut renamings = choice.renamings;
        renamings.extend(choice.functions.renamings);
        renamings.extend(choice.classes.renamings);
        let wanted = options.package.as_deref().unwrap_or(&program.keyspace);
        let usual = to_case(NameCase::Snake, wanted);
        let mut package = usual.clone();
        if KEYWORDS.contains(&usual.as_str()) || is_module(&usual) {
            package.push('_');
        }
        renamings.extend(find_package_change(options, &usual, &package));
        Self {
            class: format!("{}Access", to_case(NameCase::Pascal, &program.keyspace)),
            package,
            rows_prefix: "rows.",
            renamings,
            user_types,
            queries,
            commands,
        }
    }

    /// The same inside the file of rows.
    pub(super) fn to_row_scope(&self) -> Self {
        Self { rows_prefix: "", ..self.clone() }
    }

    /// The names of a query.
    pub(super) fn query(&self, at: usize) -> FunctionNames {
        self.queries.get(at).cloned().unwrap_or_default()
    }

    /// The names of a command.
    pub(super) fn command(&self, at: usize) -> FunctionNames {
        self.commands.get(at).cloned().unwrap_or_default()
    }

    /// The class of a user type.
    pub(super) fn user_type(&self, name: &str) -> &str {
        self.user_types.get(name).map(|it| it.0.as_str()).unwrap_or_default()
    }

    /// The fields of a user type.
    pub(super) fn user_fields(&self, name: &str) -> &[Field] {
        self.user_types.get(name).map(|it| it.1.as_slice()).unwrap_or_default()
    }

    /// The names of the fields of a record.
    pub(super) fn fields(record: &Record) -> (Vec<String>, Vec<Renaming>) {
        let reserved: Vec<&str> = KEYWORDS.into_iter().chain(USED).collect();
        let mut scope = NameScope::new(NameCase::Snake, &reserved)
            .keep_exact(record.fields.iter().map(|field| &field.name));
        let names = record
            .fields
            .iter()
            .map(|field| scope.add(&format!("{}: column", record.name), &field.name));
        let names = names.collect();
        (names, scope.renamings)
    }
}

impl NameChoice<'_> {
    fn choose(
        &mut self,
        name: &str,
        parameters: &[Parameter],
        record: Option<&Record>,
        of: &str,
    ) -> FunctionNames {
        let function = self.functions.add(of, name);
        let has_supply = parameters.iter().any(|it| super::is_made(it.supply));
        let complete = if has_supply {
            self.functions.add(of, &format!("{name}_with"))
        } else {
            function.clone()
        };
        let page = self.functions.add(of, &format!("{name}_page"));
        let reserved: Vec<&str> = KEYWORDS.into_iter().chain(USED).collect();
        let mut scope = NameScope::new(NameCase::Snake, &reserved)
            .keep_exact(parameters.iter().map(|parameter| &parameter.name));
        let names: Vec<String> = parameters
            .iter()
            .map(|parameter| scope.add(&format!("{name}: parameter"), &parameter.name))
            .collect();
        self.renamings.append(&mut scope.renamings);
        let page_parameters =
            (scope.add("parameter", "page_size"), scope.add("parameter", "token"));
        let (fields, renamed) = record.map(PythonNames::fields).unwrap_or_default();
        self.renamings.extend(renamed);
        FunctionNames {
            record: record.map(|_| self.classes.add(of, name)).unwrap_or_default(),
            function,
            complete,
            page,
            parameters: names,
            page_parameters,
            fields,
        }
    }
}
