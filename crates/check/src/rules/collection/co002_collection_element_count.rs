//! CO002: collections of many elements.

use cql::types::Type;
use model::figures;

use crate::facts::tables::is_registry;
use crate::remedies::child_table;
use crate::severity::elements_severity;
use crate::vocabulary::collections::is_crowd_name;
use crate::vocabulary::types::element_type;
use crate::{
    Check, Confidence, Limit, Product, Project, Reporter, RuleEntry, Severity, TableFacts,
};

const SOME: Limit = Limit::new("collection-elements", 100.0)
    .describe("number of elements above which a collection should be a table (20 on Astra)");
const MANY: Limit = Limit::new("collection-elements-many", 1_000.0)
    .describe("number of elements above which a collection must be a table");
const TOO_MANY: Limit = Limit::new("collection-elements-too-many", 10_000.0)
    .describe("number of elements above which reads of a collection fail");
/// The number at which Astra warns.
const ASTRA: f64 = 20.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("co002_collection_element_count.md"), Check::Table(check))
        .with_limits(&[SOME, MANY, TOO_MANY]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    if facts.view.is_some() || is_registry(facts) {
        return;
    }
    let is_astra = project.settings.target.product == Product::Astra;
    let some = if is_astra { reporter.limit(&SOME).min(ASTRA) } else { reporter.limit(&SOME) };
    let steps = [some, reporter.limit(&MANY), reporter.limit(&TOO_MANY)];
    for (at, column) in table.columns().iter().enumerate() {
        if !column.ty.is_collection() {
            continue;
        }
        let name = &column.name;
        let (message, severity, confidence) = if let Some(items) = facts.volume.items(at) {
            let Some(severity) = elements_severity(items, steps) else { continue };
            let count = figures::format_count(items);
            (format!("`{name}` has {count} elements."), severity, Confidence::High)
        } else if is_crowd_name(name) && !column.is_primary_key() {
            // Elements with fields are entities.
            let has_fields =
                matches!(element_type(&column.ty), Some(Type::User(..) | Type::Tuple(_)));
            let confidence = if has_fields { Confidence::Medium } else { Confidence::Low };
            let message =
                format!("The number of elements of `{name}` is unbounded and may reach thousands.");
            (message, Severity::High, confidence)
        } else {
            continue;
        };
        let finding = reporter.report(project.column_location(facts, name), message);
        finding.with_column(table, column).severity(severity).confidence(confidence);
        if let Some(child) = child_table(table, column) {
            finding.help(format!("store each element as a row:\n{child}"));
        }
    }
}
