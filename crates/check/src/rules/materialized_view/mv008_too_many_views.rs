//! MV008: many views on one table.

use std::collections::BTreeMap;

use crate::{Check, Limit, Product, Project, Reporter, RuleEntry, Severity};

const VIEWS: Limit = Limit::new("views-per-table", 3.0)
    .describe("number of materialized views per table that is too high (2 on DSE and Astra)");
/// What DSE's and Astra's guardrails allow.
const GUARDRAIL_VIEWS: f64 = 2.0;

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mv008_too_many_views.md"), Check::Project(check))
        .with_limits(&[VIEWS]);

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut views: BTreeMap<(&str, &str), Vec<&crate::TableFacts>> = BTreeMap::new();
    for facts in &project.tables {
        if let Some(view) = &facts.view {
            let name = (&*facts.table.keyspace, &*view.base_table);
            views.entry(name).or_default().push(facts);
        }
    }
    let product = project.settings.target.product;
    let is_guarded = matches!(product, Product::Dse | Product::Astra);
    let (limit, severity) = if is_guarded {
        (GUARDRAIL_VIEWS.min(reporter.limit(&VIEWS)), Severity::Medium)
    } else {
        (reporter.limit(&VIEWS), Severity::Low)
    };
    for ((keyspace, name), views) in views {
        let count = u32::try_from(views.len()).unwrap_or(u32::MAX);
        let Some(base) = project.table(keyspace, name) else { continue };
        if f64::from(count) <= limit {
            continue;
        }
        let finding = reporter.report(base.place, format!("{name} has {count} views."));
        finding
            .with_table(&base.table)
            .severity(severity)
            .note(format!("each write to {name} reads the row and writes {count} views"))
            .help("drop views that no query needs, and share one view between reads with the same key");
        for view in views {
            finding.with_related(view.place, "a view of it");
        }
    }
}
