//! GR003: guardrails that the project already satisfies.

use std::collections::BTreeMap;

use crate::guardrails::{self, Guardrail, GuardrailKind};
use crate::{Check, Project, Reporter, RuleEntry};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("gr003_suggest_guardrails.md"), Check::Project(check));

/// Those worth setting, each with the mildest threshold that is worth it: what the makers of HCD
/// set for their services, or common advice.
const SUGGESTIONS: [(&str, f64); 12] = [
    ("allow_filtering", 1.0),
    ("columns_per_table", 50.0),
    ("fields_per_udt", 10.0),
    ("in_select_cartesian_product", 25.0),
    ("items_per_collection", 20.0),
    ("materialized_views_per_table", 2.0),
    ("partition_keys_in_select", 20.0),
    ("partition_size", 100.0 * 1_048_576.0),
    ("read_before_write_list_operations", 1.0),
    ("secondary_indexes_per_table", 10.0),
    ("simplestrategy", 1.0),
    ("uncompressed_tables_enabled", 1.0),
];

fn check(project: &Project<'_>, reporter: &mut Reporter<'_>) {
    let mut most: BTreeMap<&str, f64> = BTreeMap::new();
    for measure in guardrails::measure_project(project) {
        let value = most.entry(measure.guardrail).or_default();
        *value = value.max(measure.value);
    }
    let settings = project.settings;
    let worth =
        SUGGESTIONS.iter().filter_map(|(name, bound)| Some((guardrails::find(name)?, *bound)));
    let lines: Vec<String> = worth
        .filter(|(known, _)| {
            known.default_thresholds(settings.target) == Some(guardrails::Thresholds::OFF)
        })
        .filter(|(known, _)| known.server_thresholds(settings) == guardrails::Thresholds::OFF)
        .filter_map(|(known, bound)| setting_line(known, bound, most.get(known.name).copied()))
        .collect();
    let (Some(place), false) =
        (project.report_start(), lines.is_empty() || project.tables.is_empty())
    else {
        return;
    };
    reporter
        .report(place, "These guardrails can be enabled now, as nothing here violates them.")
        .help(format!("add to cassandra.yaml: {}", lines.join(", ")));
}

/// The setting, if nothing violates it.
fn setting_line(known: &Guardrail, bound: f64, most: Option<f64>) -> Option<String> {
    let most = most.unwrap_or_default();
    match known.kind {
        GuardrailKind::Switch(name) => (most == 0.0).then(|| format!("{name}: false")),
        _ if most > bound => None,
        GuardrailKind::MostBytes => {
            Some(format!("{}_warn_threshold: {}MiB", known.name, bound / 1_048_576.0))
        }
        _ => Some(format!("{}_fail_threshold: {bound}", known.name)),
    }
}
