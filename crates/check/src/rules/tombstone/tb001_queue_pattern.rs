//! TB001: a table that is used as a queue.

use crate::facts::workload::queue_evidence;
use crate::{Check, Project, Reporter, RuleEntry, TableFacts};

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("tb001_queue_pattern.md"), Check::Table(check));

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some((signs, confidence)) = queue_evidence(project, facts) else { return };
    let message =
        format!("{} is used as a queue: consumers read past every deleted row.", table.name);
    let finding = reporter
        .report(facts.place, message)
        .with_table(table)
        .confidence(confidence)
        .help(
            "use a message broker; or split the queue by time, ((queue, hour), id), with a TTL and TimeWindowCompactionStrategy, delete ranges below a watermark and read above it",
        );
    if let Some(read) = signs.oldest.or(signs.read) {
        finding.with_related(read.place, "this statement reads from the start");
    }
    if let Some(place) = signs.consumes {
        finding.with_related(place, "this statement removes rows");
    }
    finding.note(
        "nothing keeps two consumers from taking the same row, and nothing keeps the rows in the order of their arrival",
    );
    if signs.deletes_ranges {
        finding.note("rows are deleted by range, with one tombstone for many rows: keep that");
    }
    if signs.reads_above {
        finding.note("reads start at a lower bound and skip what is deleted below it: keep that");
    }
}
