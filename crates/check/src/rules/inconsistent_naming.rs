//! NM002: names of two conventions.

use cql::{Name, StatementKind};

use crate::{Asks, Category, Check, Confidence, Place, Project, Reporter, Rule, Severity};

pub(super) static RULE: Rule = Rule {
    code: "NM002",
    name: "inconsistent-naming",
    category: Category::Profile,
    severity: Severity::Info,
    asks: &[Asks::Schema],
    by_default: false,
    limits: &[],
    check: Check::Project(check),
    page: include_str!("inconsistent_naming.md"),
};

fn check(project: &Project<'_>, found: &mut Reporter<'_>) {
    let mut camel: Vec<Place> = Vec::new();
    let mut snake: Vec<Place> = Vec::new();
    let mut plural: Vec<Place> = Vec::new();
    let mut singular: Vec<Place> = Vec::new();
    for seen in &project.statements {
        let Some(StatementKind::CreateTable(create)) = project.syntax(seen).map(|one| &one.kind)
        else {
            continue;
        };
        let place = |name: &Name| Place { text: seen.place.text, span: name.span };
        let names = create.columns.iter().map(|column| &column.name);
        for at in names.chain([&create.name.name]).map(place) {
            let written = project.written(at);
            if is_camel(written) {
                camel.push(at);
            } else if written.contains('_') {
                snake.push(at);
            }
        }
        let entity = create.name.name.text.split("_by_").next().unwrap_or_default();
        let list = if entity.ends_with('s') { &mut plural } else { &mut singular };
        list.push(place(&create.name.name));
    }
    tell(&camel, "camelCase", &snake, "snake_case", found);
    tell(&singular, "singular", &plural, "plural table names", found);
}

/// Tells of the fewer ones, at the first of them.
fn tell(some: &[Place], word: &str, others: &[Place], other_word: &str, found: &mut Reporter<'_>) {
    let (fewer, more) = if some.len() <= others.len() { (some, others) } else { (others, some) };
    let Some(first) = fewer.first() else { return };
    found
        .at(*first, format!("Identifiers mix {word} and {other_word}."))
        .confidence(Confidence::Low)
        .note(format!("{} against {}", fewer.len(), more.len()))
        .help("pick one convention for the whole schema");
}

fn is_camel(written: &str) -> bool {
    let letters: Vec<char> = written.chars().collect();
    letters.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
}
