//! TO002: COMPACT STORAGE.

use crate::{Check, Location, Product, Project, Reporter, RuleEntry, Severity, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("to002_compact_storage.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(words) = project.creation(facts).and_then(|create| create.options.compact_storage)
    else {
        return;
    };
    if !table.is_compact() {
        return;
    }
    let place = Location { text: facts.place.text, span: words };
    let scylla = project.settings.target.product == Product::Scylla;
    reporter
        .report(place, format!("{} uses COMPACT STORAGE from the Thrift API: columns cannot be added, and most indexes cannot be created.", table.name))
        .with_table(table)
        .severity(if scylla { Severity::High } else { Severity::Medium })
        .help("create a table without COMPACT STORAGE and copy the rows; DROP COMPACT STORAGE is experimental");
}
