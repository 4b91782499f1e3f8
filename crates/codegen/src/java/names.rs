//! Identifiers of Java: of the package, its types, its functions and their parameters.

use std::collections::BTreeSet;

use crate::language::{GenerationOptions, Renaming};
use crate::naming::{NameCase, NameScope, find_package_change, split_words, to_case};
use crate::program::{AccessProgram, Field, Parameter, Record};

/// Words of the language, and methods that every object or record has.
const WORDS: &[&str] = &[
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "try",
    "void",
    "volatile",
    "while",
    "true",
    "false",
    "null",
    "yield",
    "clone",
    "equals",
    "finalize",
    "getClass",
    "hashCode",
    "notify",
    "notifyAll",
    "toString",
    "wait",
];

/// Names that the generated functions use beside those of parameters.
const LOCALS: &[&str] = &[
    "support",
    "statements",
    "call",
    "parent",
    "returned",
    "outcome",
    "why",
    "sent",
    "row",
    "rows",
    "found",
    "into",
    "order",
    "tasks",
    "writes",
    "runs",
    "walk",
    "now",
    "token",
    "pageSize",
    "combined",
    "rowGroup",
    "rowGroups",
    "firstRow",
    "keptRows",
    "finishedRun",
    "bucketNumber",
    "partSize",
    "pagingState",
    "pagePosition",
    "pagePart",
    "one",
    "other",
    "it",
];

/// Types that the generated code uses by their simple names.
const TYPES: &[&str] = &[
    "AccessException",
    "AccessObserver",
    "AccessOptions",
    "AccessSupport",
    "ArrayList",
    "BatchType",
    "BigDecimal",
    "BigInteger",
    "Boolean",
    "Byte",
    "ByteBuffer",
    "Class",
    "Clock",
    "Codecs",
    "Collection",
    "Collections",
    "Comparator",
    "CompletableFuture",
    "CompletionStage",
    "ConsistencyLevel",
    "ConstraintViolation",
    "CqlDuration",
    "CqlSession",
    "CqlVector",
    "Data",
    "DataTypes",
    "DefaultConsistencyLevel",
    "Double",
    "Enum",
    "Error",
    "Exception",
    "Float",
    "Function",
    "Group",
    "InetAddress",
    "Instant",
    "Integer",
    "List",
    "LocalDate",
    "LocalTime",
    "Long",
    "Map",
    "Math",
    "MicrometerAccessObserver",
    "Number",
    "Object",
    "Objects",
    "Optional",
    "Override",
    "Page",
    "PartialWrite",
    "ProofDriver",
    "Record",
    "Row",
    "Runnable",
    "Set",
    "Short",
    "Slf4jAccessObserver",
    "Statement",
    "Statements",
    "String",
    "StringBuilder",
    "Supplier",
    "System",
    "Thread",
    "Throwable",
    "TupleValue",
    "TypeCodec",
    "TypeCodecs",
    "UUID",
    "Values",
    "Void",
];

/// Numbered names of the generated functions and types: `turn0`, `rows1`.
const NUMBERED: [&str; 4] = ["turn", "rows", "Row", "parent"];
const NUMBERED_MAX: usize = 40;

/// The names of a program.
#[derive(Debug)]
pub(super) struct JavaNames {
    /// The package.
    pub(super) package: String,
    /// The class of the functions.
    pub(super) access: String,
    /// The functions that read.
    pub(super) queries: Vec<JavaFunctionName>,
    /// The functions that write.
    pub(super) commands: Vec<JavaFunctionName>,
    /// The user types, in their order.
    pub(super) user_types: Vec<String>,
    /// Names that could not be kept.
    pub(super) renamings: Vec<Renaming>,
}

/// The names of a function.
#[derive(Debug)]
pub(super) struct JavaFunctionName {
    /// Its method; those for asynchronous calls and pages have the same beginning.
    pub(super) method: String,
    /// The record of its rows.
    pub(super) row: String,
    /// The class of its run.
    pub(super) run: String,
    /// Its parameters.
    pub(super) parameters: Vec<String>,
}

/// Unique type names; files of names that differ in case only would be one file on some systems.
struct TypeScope<'a> {
    scope: NameScope<'a>,
    files: BTreeSet<String>,
}

impl TypeScope<'_> {
    fn add(&mut self, of: &str, name: &str) -> String {
        loop {
            let used = self.scope.add(of, name);
            if self.files.insert(used.to_lowercase()) {
                return used;
            }
        }
    }
}

/// Function names, of which the forms with a suffix are unique too.
struct FunctionScope<'a> {
    scope: NameScope<'a>,
    taken: BTreeSet<String>,
}

impl FunctionScope<'_> {
    fn add(&mut self, of: &str, name: &str) -> String {
        const SUFFIXES: [&str; 4] = ["", "Async", "Page", "PageAsync"];
        loop {
            let used = self.scope.add(of, name);
            let forms = SUFFIXES.map(|suffix| format!("{used}{suffix}"));
            if forms.iter().all(|form| !self.taken.contains(form)) {
                self.taken.extend(forms);
                return used;
            }
        }
    }
}

/// The names of a program.
pub(super) fn list_names(program: &AccessProgram, options: &GenerationOptions) -> JavaNames {
    let base = options.package.as_deref().unwrap_or(&program.keyspace);
    let access = format!("{}Access", to_case(NameCase::Pascal, base));
    let numbered = list_numbered();
    let mut types: Vec<&str> = TYPES.to_vec();
    types.extend(numbered.iter().map(String::as_str));
    types.push(&access);
    let mut types = TypeScope {
        scope: NameScope::new(NameCase::Pascal, &types)
            .keep_exact(program.user_types.iter().map(|it| &it.name)),
        files: BTreeSet::from([access.to_lowercase()]),
    };
    let user_types =
        program.user_types.iter().map(|it| types.add("type", &it.name)).collect::<Vec<_>>();
    let scope = NameScope::new(NameCase::Camel, WORDS).keep_exact(program.list_function_names());
    let mut functions = FunctionScope { scope, taken: BTreeSet::new() };
    let mut renamings = Vec::new();
    let mut function = |kind: &str, name: &str, parameters: &[Parameter]| {
        let (parameters, more) = list_parameters(name, parameters);
        renamings.extend(more);
        JavaFunctionName {
            method: functions.add(kind, name),
            row: types.add(kind, &format!("{name} row")),
            run: types.add(kind, &format!("{name} run")),
            parameters,
        }
    };
    let queries = program.queries.iter();
    let queries = queries.map(|it| function("query", &it.name, &it.parameters)).collect();
    let commands = program.commands.iter();
    let commands = commands.map(|it| function("write", &it.name, &it.parameters)).collect();
    renamings.extend(functions.scope.renamings);
    renamings.extend(types.scope.renamings);
    let package = package_name(base);
    let usual: Vec<String> = base.split('.').map(|part| split_words(part).concat()).collect();
    renamings.extend(find_package_change(options, &usual.join("."), &package));
    JavaNames { package, access, queries, commands, user_types, renamings }
}

fn list_numbered() -> Vec<String> {
    let names = NUMBERED.into_iter();
    names.flat_map(|name| (0..NUMBERED_MAX).map(move |at| format!("{name}{at}"))).collect()
}

/// The names of the parameters of a function.
fn list_parameters(function: &str, parameters: &[Parameter]) -> (Vec<String>, Vec<Renaming>) {
    let numbered = list_numbered();
    let mut reserved: Vec<&str> = WORDS.to_vec();
    reserved.extend(LOCALS);
    reserved.extend(numbered.iter().map(String::as_str));
    let mut scope = NameScope::new(NameCase::Camel, &reserved)
        .keep_exact(parameters.iter().map(|parameter| &parameter.name));
    let of = format!("parameter of {function}");
    let names = parameters.iter().map(|it| scope.add(&of, &it.name)).collect();
    (names, scope.renamings)
}

/// The names of the fields of a record, and which could not be kept.
pub(super) fn list_fields(record: &Record) -> (Vec<String>, Vec<Renaming>) {
    let (names, renamings) = list_columns(&record.fields, &record.name);
    (names, renamings)
}

/// The names of columns.
pub(super) fn list_columns(fields: &[Field], of: &str) -> (Vec<String>, Vec<Renaming>) {
    let numbered = list_numbered();
    let mut reserved: Vec<&str> = WORDS.to_vec();
    reserved.extend(numbered.iter().map(String::as_str));
    let mut scope = NameScope::new(NameCase::Camel, &reserved)
        .keep_exact(fields.iter().map(|field| &field.name));
    let of = format!("column of {of}");
    let names = fields.iter().map(|field| scope.add(&of, &field.name)).collect();
    (names, scope.renamings)
}

/// A package: lower-case words, of which none is a word of the language. Dots divide it.
fn package_name(name: &str) -> String {
    let parts = name.split('.').map(|part| {
        let word = split_words(part).concat();
        let begins = word.starts_with(|first: char| first.is_ascii_alphabetic());
        if !begins {
            format!("n{word}")
        } else if WORDS.contains(&word.as_str()) {
            format!("{word}_")
        } else {
            word
        }
    });
    parts.collect::<Vec<_>>().join(".")
}

#[cfg(test)]
mod tests {
    use super::package_name;

    #[test]
    fn packages_are_words() {
        assert_eq!(package_name("com.example.Video_Store"), "com.example.videostore");
        assert_eq!(package_name("class"), "class_");
        assert_eq!(package_name("2fa"), "n2fa");
    }
}
