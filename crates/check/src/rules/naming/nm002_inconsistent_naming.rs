//! NM002: names of two conventions.

use cql::{Name, StatementKind};

use crate::{Check, Confidence, Location, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("nm002_inconsistent_naming.md"), Check::Project(check));

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut camel: Vec<Location> = Vec::new();
    let mut snake: Vec<Location> = Vec::new();
    let mut plural: Vec<Location> = Vec::new();
    let mut singular: Vec<Location> = Vec::new();
    for seen in &project.statements {
        let Some(StatementKind::CreateTable(create)) = project.syntax(seen).map(|one| &one.kind)
        else {
            continue;
        };
        let place = |name: &Name| Location { text: seen.place.text, span: name.span };
        let names = create.columns.iter().map(|column| &column.name);
        for at in names.chain([&create.name.name]).map(place) {
            let written = project.text_at(at);
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
    report_minority(&camel, "camelCase", &snake, "snake_case", reporter);
    report_minority(&singular, "singular", &plural, "plural table names", reporter);
}

/// Reports the less frequent convention, at its first use.
fn report_minority(
    some: &[Location],
    word: &str,
    others: &[Location],
    other_word: &str,
    reporter: &mut Reporter<'_>,
) {
    let (fewer, more) = if some.len() <= others.len() { (some, others) } else { (others, some) };
    let Some(first) = fewer.first() else { return };
    reporter
        .report(*first, format!("Identifiers mix {word} and {other_word}."))
        .confidence(Confidence::Low)
        .note(format!("{} versus {}", fewer.len(), more.len()))
        .help("use one convention for the whole schema");
}

fn is_camel(written: &str) -> bool {
    let letters: Vec<char> = written.chars().collect();
    letters.windows(2).any(|pair| pair[0].is_lowercase() && pair[1].is_uppercase())
}
