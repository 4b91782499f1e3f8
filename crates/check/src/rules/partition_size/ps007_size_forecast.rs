//! PS007: when partitions exceed critical sizes.

use model::figures;
use schema::size::limits;

use crate::project::GrowthEnd;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ps007_size_forecast.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let (table, Some(size)) = (&facts.table, facts.volume.partition.as_ref()) else { return };
    // Partitions that roll over or expire soon have reached their final size.
    if !matches!(size.until, GrowthEnd::Never(_) | GrowthEnd::Retained(_)) {
        return;
    }
    let stages: Vec<(f64, f64, &str)> = limits::byte_limits()
        .filter_map(|stage| {
            let seconds = size.seconds_to(&facts.volume, stage.most)?;
            Some((stage.most, seconds, stage.name))
        })
        .collect();
    let (Some((bytes, seconds, _)), Some(first)) = (stages.first(), table.partition_key().first())
    else {
        return;
    };
    let message = format!(
        "Large partitions of {} exceed {} after {}.",
        table.name,
        figures::format_bytes(*bytes),
        figures::format_duration(*seconds)
    );
    let finding = reporter
        .report(project.key_location(facts, &first.name), message)
        .with_table(table)
        .confidence(size.confidence)
        .help(
            "split the partitions before then: a later migration has to read partitions that are slow to read",
        );
    for (bytes, seconds, name) in stages {
        let time = figures::format_duration(seconds);
        finding.note(format!("{} after {time}: {name}", figures::format_bytes(bytes)));
    }
    finding.notes.extend(size.notes(facts));
}
