//! IX008: many indexes on one table.

use schema::catalog::{Index, IndexClass};

use crate::{Check, Limit, Product, Project, Reporter, RuleEntry, Severity, TableFacts};

const LEGACY: Limit = Limit::new("indexes", 3.0).describe("number of legacy indexes per table");
const LEGACY_MANY: Limit = Limit::new("indexes-many", 5.0)
    .describe("number of legacy indexes per table at which the severity is high");
const SAI: Limit =
    Limit::new("sai-indexes", 5.0).describe("number of storage-attached indexes per table");
const SAI_MANY: Limit = Limit::new("sai-indexes-many", 10.0)
    .describe("number of storage-attached indexes per table at which the severity is high");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix008_too_many_indexes.md"), Check::Table(check)).with_limits(&[
        LEGACY,
        LEGACY_MANY,
        SAI,
        SAI_MANY,
    ]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let indexes = &facts.table.indexes;
    let is_sai = |index: &&Index| index.class == IndexClass::Sai;
    let attached = indexes.iter().filter(is_sai).count();
    let product = project.settings.target.product;
    for (number, is_attached) in [(attached, true), (indexes.len() - attached, false)] {
        let many = f64::from(u32::try_from(number).unwrap_or(u32::MAX));
        let severity = match (is_attached, product) {
            (true, _) if many > reporter.limit(&SAI_MANY) => Severity::High,
            (true, _) if many > reporter.limit(&SAI) => Severity::Low,
            (false, _) if many > reporter.limit(&LEGACY_MANY) => Severity::High,
            (false, _) if many > reporter.limit(&LEGACY) => Severity::Medium,
            (false, Product::Astra) if number > 1 => Severity::Low,
            _ => continue,
        };
        let kind = if is_attached { "storage-attached indexes" } else { "indexes" };
        let last = indexes.iter().rev().find(|index| is_sai(index) == is_attached);
        let place = last.map_or(facts.place, |index| project.index_location(facts, index));
        reporter
            .report(place, format!("{number} {kind} on {}.", facts.table.name))
            .with_table(&facts.table)
            .severity(severity)
            .with_related(facts.place, "the table")
            .help(
                "create tables for the most frequent queries, and drop the indexes that they used",
            );
    }
}
