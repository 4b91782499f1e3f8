//! What may come next at a place.

use cql::Keyword;
use cql::printer::identifier;
use cql::types::{NativeType, TYPES_OF_TYPES};
use schema::bind::function::FUNCTION_NAMES;

use super::names::{BEFORE_TABLE, statement_table};
use super::segment::{StatementToken, statement_tokens};
use crate::Project;

/// A word that may come next.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Completion {
    /// What it is.
    pub kind: CompletionKind,
    /// What is written.
    pub label: String,
    /// What is said of it: the type of a column, the keyspace of a table.
    pub detail: String,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the words say it")]
pub enum CompletionKind {
    Column,
    Table,
    Keyspace,
    Type,
    Function,
    Keyword,
}

/// Words and signs behind which a column may stand.
const BEFORE_COLUMN: [&str; 12] =
    ["SELECT", "DISTINCT", "WHERE", "AND", "SET", "BY", "IF", ",", "(", "=", "DELETE", "KEY"];

/// What may come next at a place, without what does not go on as the word there begins.
pub fn completions(project: &Project<'_>, text: usize, offset: usize) -> Vec<Completion> {
    let Some(source) = project.texts.get(text).map(|text| text.text) else { return Vec::new() };
    let all = statement_tokens(source, offset);
    let begun = all.iter().position(|word| {
        (word.span.start as usize) < offset && offset <= word.span.end as usize && word.is_name()
    });
    let before =
        begun.unwrap_or_else(|| all.partition_point(|word| word.span.end as usize <= offset));
    let prefix =
        begun.map_or("", |at| source.get(all[at].span.start as usize..offset).unwrap_or_default());
    let mut found = candidates(project, &all, before);
    let wanted = prefix.trim_start_matches('"').to_lowercase();
    found.retain(|one| one.label.trim_start_matches('"').to_lowercase().starts_with(&wanted));
    found.sort();
    found.dedup();
    found
}

/// What may come behind the first words of a statement.
fn candidates(project: &Project<'_>, all: &[StatementToken<'_>], before: usize) -> Vec<Completion> {
    let last = before.checked_sub(1).and_then(|at| all.get(at));
    let Some(last) = last else { return keywords() };
    if last.text == "." {
        let keyspace = before.checked_sub(2).and_then(|at| all.get(at)).map(StatementToken::name);
        return tables(project, keyspace.as_deref());
    }
    if last.is_keyword("USE") || last.is_keyword("KEYSPACE") {
        return keyspaces(project);
    }
    let creates = all.first().is_some_and(|word| word.is_keyword("CREATE"));
    if BEFORE_TABLE.iter().any(|word| last.is_keyword(word))
        && !(creates && last.is_keyword("TABLE"))
    {
        let mut found = tables(project, None);
        found.extend(keyspaces(project));
        return found;
    }
    let opens = before.checked_sub(2).and_then(|at| all.get(at));
    let in_table = creates
        && all.get(1).is_some_and(|word| word.is_keyword("TABLE") || word.is_keyword("TYPE"));
    if in_table && last.is_name() && opens.is_some_and(|word| matches!(word.text, "(" | ",")) {
        return types(project);
    }
    let mut found = Vec::new();
    if BEFORE_COLUMN.iter().any(|word| last.is_keyword(word))
        && let Some(table) = statement_table(project, all)
    {
        found.extend(table.columns().iter().map(|column| Completion {
            kind: CompletionKind::Column,
            label: identifier(&column.name),
            detail: column.ty.to_string(),
        }));
        let functions = FUNCTION_NAMES.into_iter().map(|(name, _)| name.to_owned());
        found.extend(to_completions(functions, CompletionKind::Function, "function"));
    }
    found.extend(keywords());
    found
}

fn to_completions(
    words: impl Iterator<Item = String>,
    kind: CompletionKind,
    detail: &str,
) -> impl Iterator<Item = Completion> {
    words.map(move |label| Completion { kind, label, detail: detail.to_owned() })
}

fn keywords() -> Vec<Completion> {
    let words = Keyword::ALL.iter().map(|keyword| Completion {
        kind: CompletionKind::Keyword,
        label: keyword.text().to_uppercase(),
        detail: String::new(),
    });
    words.collect()
}

fn keyspaces(project: &Project<'_>) -> Vec<Completion> {
    let all = project.catalog.keyspaces.values().filter(|known| !known.system);
    all.map(|known| Completion {
        kind: CompletionKind::Keyspace,
        label: identifier(&known.name),
        detail: "keyspace".to_owned(),
    })
    .collect()
}

fn tables(project: &Project<'_>, keyspace: Option<&str>) -> Vec<Completion> {
    let all = project.catalog.keyspaces.values();
    let wanted = all.filter(|known| match keyspace {
        Some(name) => *known.name == *name,
        None => !known.system,
    });
    wanted
        .flat_map(|known| {
            let views = known.views.values().map(|view| &view.table);
            known.tables.values().chain(views).map(|table| Completion {
                kind: CompletionKind::Table,
                label: identifier(&table.name),
                detail: known.name.to_string(),
            })
        })
        .collect()
}

fn types(project: &Project<'_>) -> Vec<Completion> {
    let own = project.catalog.keyspaces.values().filter(|known| !known.system);
    let native = NativeType::ALL.into_iter().map(|native| native.name().to_owned());
    let made = TYPES_OF_TYPES.into_iter().map(|name| format!("{name}<>"));
    let mut found: Vec<Completion> =
        to_completions(native.chain(made), CompletionKind::Type, "type").collect();
    found.extend(own.flat_map(|known| {
        known.types.keys().map(|name| Completion {
            kind: CompletionKind::Type,
            label: identifier(name),
            detail: "user type".to_owned(),
        })
    }));
    found
}
