//! PS007: when partitions cross the sizes at which things go wrong.

use model::figures;
use schema::size::limits;

use crate::facts::partition_size;
use crate::project::Until;
use crate::{Asks, Category, Check, Project, Reporter, Rule, Severity, TableFacts};

pub(super) static RULE: Rule = Rule {
    code: "PS007",
    name: "size-forecast",
    category: Category::PartitionSize,
    severity: Severity::Info,
    asks: &[Asks::Schema, Asks::Volumes],
    by_default: true,
    limits: &[],
    check: Check::Table(check),
    page: include_str!("size_forecast.md"),
};

fn check(project: &Project<'_>, facts: &TableFacts, found: &mut Reporter<'_>) {
    let (table, Some(size)) = (&facts.table, partition_size(facts)) else { return };
    // What rolls over or expires soon is as large as it gets.
    if !matches!(size.until, Until::Never(_) | Until::Retained(_)) {
        return;
    }
    let stages: Vec<(f64, f64, &str)> = limits::of_bytes()
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
        "Large partitions of {} cross {} after {}.",
        table.name,
        figures::bytes(*bytes),
        figures::duration(*seconds)
    );
    let finding = found
        .at(project.key_place(facts, &first.name), message)
        .of_table(table)
        .confidence(size.confidence)
        .help(
            "split the partitions before then: after it, the migration reads what is slow to read",
        );
    for (bytes, seconds, name) in stages {
        let time = figures::duration(seconds);
        finding.note(format!("{} after {time}: {name}", figures::bytes(bytes)));
    }
    finding.notes.extend(size.notes(facts));
}
