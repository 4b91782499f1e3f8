//! CN008: counters with too many increments.

use model::figures;
use schema::access::WriteEffect;

use crate::facts::workload::{hottest_share, is_write_to};
use crate::{Check, Limit, Project, Reporter, RuleEntry, TableFacts};

const RATE: Limit = Limit::new("counter-rate", 1_000.0)
    .describe("increments per second in one partition above which a counter is hot");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("cn008_hot_counter.md"), Check::Table(check)).with_limits(&[RATE]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(share) = hottest_share(facts).filter(|_| table.is_counter()) else { return };
    let counting = facts.writes(project).filter(|seen| {
        let mut writes = seen.writes();
        writes.any(|write| write.effect == WriteEffect::Count && is_write_to(write, table))
    });
    let all: f64 = counting.filter_map(crate::ReplayedStatement::rate).sum();
    let rate = all * share;
    if rate <= reporter.limit(&RATE) {
        return;
    }
    let Some(first) = table.partition_key().first() else { return };
    let (rate, all, part) =
        (figures::format_rate(rate), figures::format_rate(all), figures::format_share(share));
    reporter
        .report(
            project.key_location(facts, &first.name),
            format!("One partition of {} receives {rate} increments.", table.name),
        )
        .with_table(table)
        .note(format!("{all} increments in total, {part} of them in the hottest partition"))
        .help(
            "distribute the counts over shards and sum them up on read: PRIMARY KEY ((..., shard))",
        );
}
