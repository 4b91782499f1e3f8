//! NM001: names that must always be quoted.

use std::collections::BTreeMap;

use cql::printer::needs_quotes;
use cql::{Name, StatementKind};

use crate::project::Outcome;
use crate::{Asks, Category, Check, Place, Project, Reporter, Rule, Seen, Severity};

pub(super) static RULE: Rule = Rule {
    code: "NM001",
    name: "quoted-or-reserved-identifier",
    category: Category::Profile,
    severity: Severity::Low,
    asks: &[Asks::Schema],
    by_default: true,
    limits: &[],
    check: Check::Statement(check),
    page: include_str!("quoted_or_reserved_identifier.md"),
};

/// Names that a message lists.
const SHOWN: usize = 5;

fn check(project: &Project<'_>, seen: &Seen, found: &mut Reporter<'_>) {
    if matches!(seen.outcome, Outcome::Refused(_) | Outcome::Broken) {
        return;
    }
    let Some(statement) = project.syntax(seen) else { return };
    let names = names(&statement.kind);
    if names.is_empty() {
        return;
    }
    // What a template makes of a name nobody knows.
    let is_quoted = |name: &&Name| needs_quotes(&name.text) && !cql::is_template(&name.text);
    let quoted: Vec<&Name> = names.iter().copied().filter(is_quoted).collect();
    if let Some(first) = quoted.first() {
        let shown = quoted.iter().take(SHOWN).map(|name| format!("`{}`", name.text));
        let mut list = shown.collect::<Vec<_>>().join(", ");
        if quoted.len() > SHOWN {
            list = format!("{list} and {} more names", quoted.len() - SHOWN);
        }
        let message = format!("{list} must always be quoted.");
        let place = Place { text: seen.place.text, span: first.span };
        found.at(place, message).help(format!("write names in snake_case: {}", plain(&quoted)));
    }
    same_but_for_case(project, seen, &names, found);
}

/// The names that a statement brings into the schema.
fn names(kind: &StatementKind) -> Vec<&Name> {
    match kind {
        StatementKind::CreateKeyspace(create) => vec![&create.name],
        StatementKind::CreateTable(create) => {
            let columns = create.columns.iter().map(|column| &column.name);
            std::iter::once(&create.name.name).chain(columns).collect()
        }
        StatementKind::CreateView(create) => vec![&create.name.name],
        StatementKind::CreateType(create) => {
            let fields = create.fields.iter().map(|(name, _)| name);
            std::iter::once(&create.name.name).chain(fields).collect()
        }
        StatementKind::CreateIndex(create) => create.name.iter().collect(),
        _ => Vec::new(),
    }
}

/// How the names would be written without quotes.
fn plain(names: &[&Name]) -> String {
    let snake = |name: &&&Name| {
        let mut plain = String::new();
        let mut after_lower = false;
        for letter in name.text.chars() {
            if letter.is_uppercase() && after_lower {
                plain.push('_');
            }
            after_lower = letter.is_lowercase() || letter.is_ascii_digit();
            let kept = if letter.is_alphanumeric() { letter } else { '_' };
            plain.extend(kept.to_lowercase());
        }
        if needs_quotes(&plain) { format!("another word for {plain}") } else { plain }
    };
    names.iter().take(3).map(|name| snake(&name)).collect::<Vec<_>>().join(", ")
}

/// Two names of one table or type that only quotes tell apart.
fn same_but_for_case(
    project: &Project<'_>,
    seen: &Seen,
    names: &[&Name],
    found: &mut Reporter<'_>,
) {
    let mut known: BTreeMap<String, &Name> = BTreeMap::new();
    // Only quotes keep a letter large.
    let has_large = names.iter().any(|name| name.text.chars().any(char::is_uppercase));
    let members = names.iter().skip(1).copied().filter(|_| has_large);
    for name in members {
        if let Some(other) = known.insert(name.text.to_lowercase(), name) {
            let message = format!("`{}` and `{}` differ only by case.", other.text, name.text);
            let place = Place { text: seen.place.text, span: name.span };
            found.at(place, message).help("give one of them another name");
        }
    }
    let Some(StatementKind::CreateTable(create)) = project.syntax(seen).map(|one| &one.kind) else {
        return;
    };
    let keyspace = create.name.keyspace.as_ref().map(|name| &*name.text);
    let keyspace = keyspace.or(seen.keyspace.as_deref()).unwrap_or_default();
    let (name, lower) = (&create.name.name, create.name.name.text.to_lowercase());
    if *name.text != *lower && project.catalog.table(keyspace, &lower).is_some() {
        let message = format!("The tables `{}` and `{lower}` differ only by case.", name.text);
        let place = Place { text: seen.place.text, span: name.span };
        found.at(place, message).help("give one of them another name");
    }
}
