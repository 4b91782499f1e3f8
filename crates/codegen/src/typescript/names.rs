//! The identifiers of the generated code.

use std::collections::BTreeMap;

use crate::language::{GenerationOptions, Renaming};
use crate::naming::{NameCase, NameScope, find_package_change, to_case};
use crate::program::{
    AccessProgram, ApplicationResult, ClientSupply, Command, Field, Parameter, Query, Record,
};

/// Types that the code uses beside its own.
const TYPES: &[&str] = &[
    "Access",
    "Array",
    "BigInt",
    "Boolean",
    "Buffer",
    "Client",
    "Date",
    "Error",
    "Function",
    "Map",
    "Number",
    "Object",
    "Promise",
    "ReadonlyMap",
    "Record",
    "Set",
    "String",
    "Symbol",
    "Partial",
    "Pick",
    "Omit",
    "Readonly",
    "Required",
    "Exclude",
    "Extract",
    "AccessOptions",
    "Observer",
    "CallInfo",
    "CallEnd",
    "StatementInfo",
    "StatementEnd",
    "PageOfRows",
    "AccessError",
    "ConstraintViolation",
    "PartialWrite",
    "StatementError",
    "UnexpectedNull",
    "ValueOutOfRange",
    "InvalidToken",
    "OutcomeKind",
    "Infinity",
    "NaN",
];

/// Members that every object has, or that give an object a meaning.
pub(super) const MEMBERS: &[&str] = &[
    "constructor",
    "then",
    "toString",
    "toJSON",
    "valueOf",
    "toLocaleString",
    "hasOwnProperty",
    "isPrototypeOf",
    "propertyIsEnumerable",
];

/// A user type.
#[derive(Clone, Debug)]
pub(super) struct TypescriptUserType {
    /// Its interface.
    pub(super) name: String,
    /// Its properties.
    pub(super) fields: Vec<String>,
    /// Its fields in CQL.
    pub(super) record: Record,
}

/// The identifiers of a function.
#[derive(Clone, Debug)]
pub(super) struct TypescriptFunction {
    /// The method.
    pub(super) method: String,
    /// The method that takes the values that the other makes; `None` where it makes none.
    pub(super) full_method: Option<String>,
    /// The method that reads a page.
    pub(super) page_method: Option<String>,
    /// The type of all parameters; `None` without any.
    pub(super) parameters_type: Option<String>,
    /// The type of those that the caller gives, where the function makes others.
    pub(super) given_type: Option<String>,
    /// The properties of the parameters.
    pub(super) parameters: Vec<String>,
    /// The type of the rows.
    pub(super) row_type: String,
    /// The properties of the rows.
    pub(super) fields: Vec<String>,
    /// The last part of the names of private types and methods.
    pub(super) private: String,
}

/// All identifiers.
#[derive(Debug)]
pub(super) struct TypescriptNames {
    /// The package.
    pub(super) package: String,
    /// The class.
    pub(super) class: String,
    /// The user types, by their names in CQL.
    pub(super) user_types: BTreeMap<String, TypescriptUserType>,
    /// The functions that read.
    pub(super) queries: Vec<TypescriptFunction>,
    /// The functions that write.
    pub(super) commands: Vec<TypescriptFunction>,
    /// Names that could not be kept.
    pub(super) renamings: Vec<Renaming>,
}

struct NameScopes {
    types: NameScope<'static>,
    methods: NameScope<'static>,
    private: NameScope<'static>,
    renamings: Vec<Renaming>,
}

impl TypescriptNames {
    /// The identifiers for a program.
    pub(super) fn new(program: &AccessProgram, options: &GenerationOptions) -> Self {
        let mut scopes = NameScopes {
            types: NameScope::new(NameCase::Pascal, TYPES)
                .keep_exact(program.user_types.iter().map(|it| &it.name)),
            methods: NameScope::new(NameCase::Camel, MEMBERS)
                .keep_exact(program.list_function_names()),
            private: NameScope::new(NameCase::Pascal, &[]),
            renamings: Vec::new(),
        };
        let package = options.package.as_deref().unwrap_or(&program.keyspace);
        let class = scopes.types.add("package", &format!("{package} access"));
        let user_types = program.user_types.iter().map(|record| {
            let name = scopes.types.add("type", &record.name);
            let fields = scopes.name_fields(&record.name, &record.fields);
            (record.name.clone(), TypescriptUserType { name, fields, record: record.clone() })
        });
        let user_types = user_types.collect();
        let queries = program.queries.iter().map(|query| scopes.name_query(query)).collect();
        let commands = program.commands.iter().map(|it| scopes.name_command(it)).collect();
        let mut renamings = scopes.types.renamings;
        renamings.extend(scopes.methods.renamings);
        renamings.extend(scopes.renamings);
        let package = to_case(NameCase::Snake, package).replace('_', "-");
        renamings.extend(find_package_change(options, &package, &package));
        Self { package, class, user_types, queries, commands, renamings }
    }
}

impl NameScopes {
    fn name_fields(&mut self, of: &str, fields: &[Field]) -> Vec<String> {
        let mut scope = NameScope::new(NameCase::Camel, MEMBERS)
            .keep_exact(fields.iter().map(|field| &field.name));
        let names =
            fields.iter().map(|field| scope.add(&format!("{of}: column"), &field.name)).collect();
        self.renamings.extend(scope.renamings);
        names
    }

    fn name_parameters(&mut self, of: &str, parameters: &[Parameter]) -> Vec<String> {
        let mut scope = NameScope::new(NameCase::Camel, MEMBERS)
            .keep_exact(parameters.iter().map(|parameter| &parameter.name));
        let names = parameters.iter();
        let names = names.map(|it| scope.add(&format!("{of}: parameter"), &it.name)).collect();
        self.renamings.extend(scope.renamings);
        names
    }

    fn name_query(&mut self, query: &Query) -> TypescriptFunction {
        let mut function = self.name_function(&query.name, &query.parameters, true);
        if query.find_paging().is_some() {
            let page = self.methods.add("page of", &format!("{} page", query.name));
            function.page_method = Some(page);
        }
        function.row_type = self.types.add("query", &format!("{} row", query.name));
        function.fields = self.name_fields(&query.name, &query.result.fields);
        function
    }

    fn name_command(&mut self, command: &Command) -> TypescriptFunction {
        let mut function = self.name_function(&command.name, &command.parameters, !command.derived);
        if let ApplicationResult::Rows(record, _) = &command.result {
            function.row_type = self.types.add("write", &format!("{} row", command.name));
            function.fields = self.name_fields(&command.name, &record.fields);
        }
        function
    }

    fn name_function(
        &mut self,
        name: &str,
        parameters: &[Parameter],
        is_public: bool,
    ) -> TypescriptFunction {
        let is_full = is_public && parameters.iter().any(is_made);
        let is_given = parameters.iter().any(|parameter| !is_made(parameter));
        let suffix = if is_full { "full params" } else { "params" };
        let parameters_type = (!parameters.is_empty())
            .then(|| self.types.add("function", &format!("{name} {suffix}")));
        let given_type =
            (is_full && is_given).then(|| self.types.add("function", &format!("{name} params")));
        let method = if is_public { self.methods.add("function", name) } else { String::new() };
        let full_method = is_full.then(|| self.methods.add("function", &format!("{name} with")));
        TypescriptFunction {
            method,
            full_method,
            page_method: None,
            parameters_type,
            given_type,
            parameters: self.name_parameters(name, parameters),
            row_type: "never".to_owned(),
            fields: Vec::new(),
            private: self.private.add("function", name),
        }
    }
}

/// Whether the function makes the value of a parameter.
pub(super) fn is_made(parameter: &Parameter) -> bool {
    matches!(parameter.supply, Some(ClientSupply::Now { .. } | ClientSupply::NewId))
}

impl TypescriptFunction {
    /// The constant of a statement.
    pub(super) fn statement(&self, at: &str) -> String {
        format!("{}Statement{at}", to_case(NameCase::Camel, &self.private))
    }
}
