//! NM001: names that must always be quoted.

use std::collections::BTreeMap;

use cql::printer::is_quoting_needed;
use cql::{Name, StatementKind};

use crate::project::StatementOutcome;
use crate::{Check, Location, Project, ReplayedStatement, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("nm001_quoted_or_reserved_identifier.md"), Check::Statement(check));

/// The maximum number of names in a message.
const NAMES_SHOWN: usize = 5;

fn check(project: &Project<'_>, seen: &ReplayedStatement, reporter: &mut Reporter<'_>) {
    if matches!(seen.outcome, StatementOutcome::Refused(_) | StatementOutcome::Broken) {
        return;
    }
    let Some(statement) = project.syntax(seen) else { return };
    let names = definition_names(&statement.kind);
    if names.is_empty() {
        return;
    }
    // Names from templates are unknown.
    let is_quoted = |name: &&Name| is_quoting_needed(&name.text) && !cql::is_template(&name.text);
    let quoted: Vec<&Name> = names.iter().copied().filter(is_quoted).collect();
    if let Some(first) = quoted.first() {
        let shown = quoted.iter().take(NAMES_SHOWN).map(|name| format!("`{}`", name.text));
        let mut list = shown.collect::<Vec<_>>().join(", ");
        if quoted.len() > NAMES_SHOWN {
            list = format!("{list} and {} more names", quoted.len() - NAMES_SHOWN);
        }
        let message = format!("{list} must always be quoted.");
        let place = Location { text: seen.place.text, span: first.span };
        reporter
            .report(place, message)
            .help(format!("use snake_case names: {}", plain_names(&quoted)));
    }
    report_case_duplicates(project, seen, &names, reporter);
}

/// The names that a statement adds to the schema.
fn definition_names(kind: &StatementKind) -> Vec<&Name> {
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
fn plain_names(names: &[&Name]) -> String {
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
        if is_quoting_needed(&plain) { format!("a synonym of {plain}") } else { plain }
    };
    names.iter().take(3).map(|name| snake(&name)).collect::<Vec<_>>().join(", ")
}

/// Two names of one table or type that differ only by case.
fn report_case_duplicates(
    project: &Project<'_>,
    seen: &ReplayedStatement,
    names: &[&Name],
    reporter: &mut Reporter<'_>,
) {
    let mut known: BTreeMap<String, &Name> = BTreeMap::new();
    // Unquoted names are folded to lower case.
    let has_large = names.iter().any(|name| name.text.chars().any(char::is_uppercase));
    let members = names.iter().skip(1).copied().filter(|_| has_large);
    for name in members {
        if let Some(other) = known.insert(name.text.to_lowercase(), name) {
            let message = format!("`{}` and `{}` differ only by case.", other.text, name.text);
            let place = Location { text: seen.place.text, span: name.span };
            reporter.report(place, message).help("rename one of them");
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
        let place = Location { text: seen.place.text, span: name.span };
        reporter.report(place, message).help("rename one of them");
    }
}
