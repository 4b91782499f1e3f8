//! Completion at the prompt: keywords, names of the schema, functions, types and files.

use std::cell::RefCell;

use cql::Keyword;
use cql::printer::identifier;
use cql::types::{NativeType, TYPES_OF_TYPES};
use rustyline::completion::Completer;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};
use schema::bind::function::FUNCTION_NAMES;

use super::ShellConnection;
use super::columns::{query_texts, quote_literal, table_columns};
use super::command_names::COMMANDS;
use super::command_words::{CommandWord, split_words};
use super::script::split_script;

/// The first words of statements, and words that follow BEGIN.
const STATEMENT_STARTS: [&str; 21] = [
    "SELECT", "INSERT", "UPDATE", "DELETE", "BEGIN", "APPLY", "USE", "CREATE", "ALTER", "DROP",
    "TRUNCATE", "GRANT", "REVOKE", "LIST", "DESCRIBE", "DESC", "ADD", "BATCH", "UNLOGGED",
    "COUNTER", "LOGGED",
];
const SCHEMA_OBJECTS: [&str; 15] = [
    "KEYSPACE",
    "TABLE",
    "TYPE",
    "INDEX",
    "CUSTOM",
    "MATERIALIZED",
    "FUNCTION",
    "AGGREGATE",
    "ROLE",
    "USER",
    "TRIGGER",
    "OR",
    "KEYSPACES",
    "TABLES",
    "TYPES",
];
const DESCRIBE_TARGETS: [&str; 17] = [
    "AGGREGATE",
    "AGGREGATES",
    "CLUSTER",
    "FULL",
    "FUNCTION",
    "FUNCTIONS",
    "INDEX",
    "KEYSPACE",
    "KEYSPACES",
    "MATERIALIZED",
    "ONLY",
    "SCHEMA",
    "TABLE",
    "TABLES",
    "TYPE",
    "TYPES",
    "VIEW",
];
const COPY_OPTIONS: [&str; 22] = [
    "BEGINTOKEN",
    "BOOLSTYLE",
    "DATETIMEFORMAT",
    "DECIMALSEP",
    "DELIMITER",
    "DOUBLEPRECISION",
    "ENDTOKEN",
    "ERRFILE",
    "ESCAPE",
    "FLOATPRECISION",
    "HEADER",
    "MAXINSERTERRORS",
    "MAXOUTPUTSIZE",
    "MAXPARSEERRORS",
    "MAXROWS",
    "NULL",
    "PAGESIZE",
    "QUOTE",
    "SKIPCOLS",
    "SKIPROWS",
    "THOUSANDSSEP",
    "TTL",
];

/// The names in the schema.
trait SchemaNames {
    fn keyspaces(&self) -> Vec<String>;
    /// The tables of a keyspace, or of the current one.
    fn tables(&self, keyspace: Option<&str>) -> Vec<String>;
    fn types(&self, keyspace: Option<&str>) -> Vec<String>;
    fn functions(&self, keyspace: Option<&str>) -> Vec<String>;
    fn columns(&self, keyspace: Option<&str>, table: &str) -> Vec<String>;
}

/// Completes the input at the prompt.
pub(super) struct PromptCompleter {
    session: RefCell<Box<dyn ShellConnection>>,
    keyspace: Option<String>,
    /// The input before the current line.
    before: String,
}

impl PromptCompleter {
    pub(crate) fn new(session: Box<dyn ShellConnection>) -> Self {
        Self { session: RefCell::new(session), keyspace: None, before: String::new() }
    }

    /// Sets the context of the next line.
    pub(crate) fn set_context(&mut self, keyspace: Option<&str>, before: &str) {
        self.keyspace = keyspace.map(str::to_owned);
        before.clone_into(&mut self.before);
    }

    fn first_values(&self, text: &str) -> Vec<String> {
        let rows = query_texts(&mut **self.session.borrow_mut(), text);
        rows.into_iter()
            .filter_map(|row| row.into_iter().next())
            .map(|name| identifier(&name))
            .collect()
    }

    /// The values of a column of the schema tables for a keyspace.
    fn names(&self, column: &str, tables: &[&str], keyspace: Option<&str>) -> Vec<String> {
        let Some(keyspace) = keyspace.or(self.keyspace.as_deref()) else { return Vec::new() };
        let query = |table: &&str| {
            let keyspace = quote_literal(keyspace);
            self.first_values(&format!(
                "SELECT {column} FROM {table} WHERE keyspace_name = {keyspace}"
            ))
        };
        tables.iter().flat_map(query).collect()
    }
}

impl SchemaNames for PromptCompleter {
    fn keyspaces(&self) -> Vec<String> {
        let mut names = self.first_values("SELECT keyspace_name FROM system_schema.keyspaces");
        names
            .extend(self.first_values("SELECT keyspace_name FROM system_virtual_schema.keyspaces"));
        names
    }

    fn tables(&self, keyspace: Option<&str>) -> Vec<String> {
        let mut names = self.names(
            "table_name",
            &["system_schema.tables", "system_virtual_schema.tables"],
            keyspace,
        );
        names.extend(self.names("view_name", &["system_schema.views"], keyspace));
        names
    }

    fn types(&self, keyspace: Option<&str>) -> Vec<String> {
        self.names("type_name", &["system_schema.types"], keyspace)
    }

    fn functions(&self, keyspace: Option<&str>) -> Vec<String> {
        let mut names = self.names("function_name", &["system_schema.functions"], keyspace);
        names.extend(self.names("aggregate_name", &["system_schema.aggregates"], keyspace));
        names
    }

    fn columns(&self, keyspace: Option<&str>, table: &str) -> Vec<String> {
        let Some(keyspace) = keyspace.or(self.keyspace.as_deref()) else { return Vec::new() };
        let columns = table_columns(&mut **self.session.borrow_mut(), keyspace, table);
        columns.iter().map(|column| identifier(&column.name)).collect()
    }
}

impl Completer for PromptCompleter {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let (written, after) = line.split_at_checked(position).unwrap_or((line, ""));
        let text = format!("{}{written}", self.before);
        let (partial, found) = candidates(&text, after, self);
        Ok((position - partial, found))
    }
}

impl Helper for PromptCompleter {}
impl Hinter for PromptCompleter {
    type Hint = String;
}
impl Highlighter for PromptCompleter {}
impl Validator for PromptCompleter {}

/// The words that can continue a text, and the length of the partial word at its end.
fn candidates(text: &str, after: &str, names: &dyn SchemaNames) -> (usize, Vec<String>) {
    let statement = match split_script(text).last() {
        Some(piece)
            if text
                .get(piece.start + piece.text.len()..)
                .is_some_and(|rest| !rest.contains([';', '\n']) || !piece.is_complete) =>
        {
            text.get(piece.start..).unwrap_or_default()
        }
        _ => "",
    };
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let partial = statement.len() - statement.trim_end_matches(is_word).len();
    let (begun, partial_text) = statement.split_at(statement.len() - partial);
    let Some(begun) = split_words(begun) else {
        return file_candidates(statement);
    };
    let whole = split_words(&format!("{statement}{after}")).unwrap_or_else(|| begun.clone());
    let mut found: Vec<String> = next_words(&begun, &whole, names)
        .into_iter()
        .filter(|word| {
            word.get(..partial).is_some_and(|start| start.eq_ignore_ascii_case(partial_text))
        })
        .map(|word| match_case(partial_text, word))
        .collect();
    found.sort();
    found.dedup();
    (partial, found)
}

/// Keywords are completed in upper case, unless the user types lower case.
fn match_case(partial: &str, word: String) -> String {
    let is_keyword = word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    let is_lower_case = partial.chars().any(char::is_lowercase);
    if is_keyword && is_lower_case { word.to_lowercase() } else { word }
}

fn to_strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The types, with `<` where a type parameter follows.
fn types() -> Vec<String> {
    let native = NativeType::ALL.into_iter().map(|native| native.name().to_owned());
    let parameterised = TYPES_OF_TYPES.into_iter().map(|name| format!("{name}<"));
    native.chain(parameterised).chain(["varchar".to_owned()]).collect()
}

/// The functions, with `(` where an argument follows.
fn functions() -> Vec<String> {
    let called = |(name, takes_arguments): (&str, bool)| {
        format!("{name}{}", if takes_arguments { "(" } else { "()" })
    };
    FUNCTION_NAMES.into_iter().map(called).chain(["blob_as_".to_owned()]).collect()
}

/// The first words of statements and commands.
fn first_words() -> Vec<String> {
    let commands = COMMANDS.iter().filter(|command| **command != "?");
    STATEMENT_STARTS.iter().chain(commands).map(|word| (*word).to_owned()).collect()
}

fn next_words(
    begun: &[CommandWord],
    whole: &[CommandWord],
    names: &dyn SchemaNames,
) -> Vec<String> {
    let Some(last) = begun.last() else { return first_words() };
    if *last == CommandWord::Mark('.') {
        let keyspace = begun.iter().rev().nth(1).and_then(CommandWord::as_name);
        let keyspace = keyspace.as_deref();
        return [names.tables(keyspace), names.types(keyspace), names.functions(keyspace)].concat();
    }
    let with_keyspaces = |mut words: Vec<String>| {
        words.extend(names.keyspaces().into_iter().map(|name| name + "."));
        words
    };
    let is_in = |words: &[&str]| words.iter().any(|word| last.is_keyword(word));
    if is_in(&["USE", "KEYSPACE"]) {
        return names.keyspaces();
    }
    if is_in(&["FROM", "INTO", "UPDATE", "TABLE", "TRUNCATE", "ON", "COPY", "VIEW", "EXISTS"]) {
        return with_keyspaces(names.tables(None));
    }
    if is_in(&["TYPE"]) {
        return with_keyspaces(names.types(None));
    }
    if is_in(&["FUNCTION", "AGGREGATE"]) {
        return with_keyspaces(names.functions(None));
    }
    if is_in(&["DESCRIBE", "DESC"]) && begun.len() == 1 {
        return [
            to_strings(&DESCRIBE_TARGETS),
            names.tables(None),
            with_keyspaces(names.keyspaces()),
        ]
        .concat();
    }
    if is_in(&["CONSISTENCY"]) {
        return cql::Consistency::ALL.map(|level| level.name().to_owned()).to_vec();
    }
    if is_in(&["TRACING", "EXPAND", "PAGING", "CAPTURE"]) {
        return to_strings(&["ON", "OFF"]);
    }
    if is_in(&["SHOW"]) {
        return to_strings(&["VERSION", "HOST", "SESSION", "REPLICAS"]);
    }
    if is_in(&["HELP"]) {
        return first_words();
    }
    if is_in(&["CREATE", "ALTER", "DROP"]) {
        return to_strings(&SCHEMA_OBJECTS);
    }
    statement_words(begun, whole, names)
}

fn statement_words(
    begun: &[CommandWord],
    whole: &[CommandWord],
    names: &dyn SchemaNames,
) -> Vec<String> {
    let first = |word: &str| begun.first().is_some_and(|first| first.is_keyword(word));
    let at = |back: usize| begun.iter().rev().nth(back);
    let is_mark = |word: Option<&CommandWord>, marks: &[char]| matches!(word, Some(CommandWord::Mark(mark)) if marks.contains(mark));
    let follows_field_name = (first("CREATE") && is_mark(at(1), &['(', ',']))
        || (first("ALTER") && at(1).is_some_and(|word| word.is_keyword("ADD")));
    let is_type = follows_field_name && at(0).is_some_and(|word| word.as_name().is_some());
    if is_type
        || is_mark(at(0), &['<'])
        || at(0).is_some_and(|word| word.is_keyword("AS")) && first("SELECT")
    {
        return [types(), names.types(None)].concat();
    }
    if first("COPY") && at(0).is_some_and(|word| word.is_keyword("WITH") || word.is_keyword("AND"))
    {
        return to_strings(&COPY_OPTIONS);
    }
    let keywords = || Keyword::ALL.iter().map(|keyword| keyword.text().to_owned());
    let mut candidates: Vec<String> = keywords().collect();
    if let Some((keyspace, table)) = statement_table(whole) {
        candidates.extend(names.columns(keyspace.as_deref(), &table));
    }
    if ["SELECT", "INSERT", "UPDATE", "DELETE"].into_iter().any(first) {
        candidates.extend(functions());
        candidates.extend(names.functions(None).into_iter().map(|name| name + "("));
    }
    candidates
}

/// The table of a statement, with its keyspace if it is qualified.
fn statement_table(words: &[CommandWord]) -> Option<(Option<String>, String)> {
    let keywords = ["FROM", "INTO", "UPDATE", "TABLE", "COPY", "ON"];
    let at =
        words.iter().position(|word| keywords.iter().any(|keyword| word.is_keyword(keyword)))?;
    let name = words.get(at + 1)?.as_name()?;
    match (words.get(at + 2), words.get(at + 3).and_then(CommandWord::as_name)) {
        (Some(CommandWord::Mark('.')), Some(table)) => Some((Some(name), table)),
        _ => Some((None, name)),
    }
}

/// The files that complete the quoted path at the end of a SOURCE, CAPTURE or COPY command.
fn file_candidates(statement: &str) -> (usize, Vec<String>) {
    let commands = ["SOURCE", "CAPTURE", "COPY"];
    let word = statement.split_whitespace().next().unwrap_or_default();
    let Some((_, begun)) = statement.rsplit_once('\'') else { return (0, Vec::new()) };
    if !commands.iter().any(|command| command.eq_ignore_ascii_case(word)) {
        return (0, Vec::new());
    }
    let (folder, name) =
        begun.rsplit_once('/').map_or(("", begun), |(folder, name)| (folder, name));
    let directory = match folder {
        "" if begun.starts_with('/') => "/".to_owned(),
        "" => ".".to_owned(),
        folder => super::command::expand_home(&format!("{folder}/")),
    };
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let mut found: Vec<String> = entries
        .filter_map(|entry| {
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            let name = entry.file_name().into_string().ok()?;
            Some(if is_folder { name + "/" } else { name })
        })
        .filter(|entry| entry.starts_with(name))
        .collect();
    found.sort();
    (name.len(), found)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct SampleNames;

    impl SchemaNames for SampleNames {
        fn keyspaces(&self) -> Vec<String> {
            to_strings(&["shop", "system"])
        }
        fn tables(&self, keyspace: Option<&str>) -> Vec<String> {
            to_strings(if keyspace == Some("system") {
                &["local", "peers"]
            } else {
                &["items", "users"]
            })
        }
        fn types(&self, _: Option<&str>) -> Vec<String> {
            to_strings(&["address"])
        }
        fn functions(&self, _: Option<&str>) -> Vec<String> {
            Vec::new()
        }
        fn columns(&self, _: Option<&str>, table: &str) -> Vec<String> {
            to_strings(if table == "users" { &["id", "zipcode", "\"Name\""] } else { &[] })
        }
    }

    fn complete_text(text: &str) -> Vec<String> {
        candidates(text, "", &SampleNames).1
    }

    #[test]
    fn completions_depend_on_the_context() {
        assert_eq!(complete_text("SEL"), ["SELECT"]);
        assert_eq!(complete_text("SELECT 1; sel"), ["select"]);
        assert_eq!(complete_text("SELECT * FROM u"), ["users"]);
        assert_eq!(complete_text("SELECT * FROM system.l"), ["local"]);
        assert_eq!(complete_text("USE s"), ["shop", "system"]);
        assert_eq!(complete_text("CONSISTENCY Q"), ["QUORUM"]);
        assert_eq!(complete_text("CREATE TABLE t (a in"), ["inet", "int"]);
        assert_eq!(complete_text("SELECT * FROM users WHERE zip"), ["zipcode"]);
        assert_eq!(
            candidates("SELECT zip", " FROM users", &SampleNames),
            (3, to_strings(&["zipcode"]))
        );
        assert_eq!(complete_text("EXPAND ON\nUSE sh"), ["shop"]);
        assert_eq!(complete_text("SELECT 'not here"), [""; 0]);
        assert_eq!(complete_text("é"), [""; 0]);
    }
}
