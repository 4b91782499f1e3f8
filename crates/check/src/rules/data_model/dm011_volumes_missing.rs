//! DM011: tables that grow, without figures.

use crate::facts::volumes::unbounded_growth;
use crate::{Check, Confidence, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("dm011_volumes_missing.md"), Check::Project(check));

/// The maximum number of names shown; the others are counted.
const NAMES_SHOWN: usize = 5;

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    // Without statements, DM010 asks for those first.
    if !project.has_queries() {
        return;
    }
    let says_nothing = |facts: &TableFacts| {
        let volume = &facts.volume;
        volume.rows.is_none()
            && volume.each.is_none()
            && volume.grows.is_none()
            && volume.partitions.is_none()
    };
    let is_told = |text: usize| project.texts.get(text).is_some_and(|text| text.is_reported);
    let unknown: Vec<&TableFacts> = project
        .tables
        .iter()
        .filter(|facts| facts.view.is_none() && is_told(facts.place.text) && says_nothing(facts))
        .filter(|facts| {
            unbounded_growth(project, facts)
                .is_some_and(|growth| growth.confidence < Confidence::High)
        })
        .collect();
    let Some(first) = unknown.first() else { return };
    let mut names: Vec<String> =
        unknown.iter().take(NAMES_SHOWN).map(|facts| facts.table.name.to_string()).collect();
    if unknown.len() > NAMES_SHOWN {
        names.push(format!("{} more", unknown.len() - NAMES_SHOWN));
    }
    reporter
        .report(first.place, format!("Partition sizes cannot be estimated: add volumes to {}.", names.join(", ")))
        .with_table(&first.table)
        .help("add a comment above the table: -- @rows 10M @retain 90d, and after a column of its partition key: -- @each 100/day");
}
