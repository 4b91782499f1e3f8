//! PK015: reads that query every shard.

use model::figures;
use schema::access::Count;

use crate::facts::workload::{partition_count, read_rate, write_rate};
use crate::project::statement_title;
use crate::vocabulary::keys::is_shard;
use crate::{Check, Limit, Project, Reporter, RuleEntry, TableFacts};

const SHARDS: Limit =
    Limit::new("shards-per-read", 4.0).describe("number of shards read by one query");
const RATIO: Limit = Limit::new("shard-reads-per-write", 10.0)
    .describe("reads per write up to which many shards are justified");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk015_shard_fanout.md"), Check::Table(check))
        .with_limits(&[SHARDS, RATIO]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(at) = table.partition_key().iter().position(is_shard) else { return };
    let rates = read_rate(project, facts).zip(write_rate(project, facts));
    let Some((reads, writes)) = rates else { return };
    if reads <= reporter.limit(&RATIO) * writes {
        return;
    }
    for asked in facts.queries(project).filter(|asked| asked.shape.listed == [at]) {
        let partitions = asked.seen.read().and_then(|read| partition_count(read, asked.select));
        let shards = match partitions {
            Some(Count::Known(number)) => u32::try_from(number).ok().map(f64::from),
            Some(Count::Unknown) => facts.volume.distinct(at),
            None => None,
        };
        let Some(shards) = shards.filter(|shards| *shards > reporter.limit(&SHARDS)) else {
            continue;
        };
        let rate = asked.seen.rate().unwrap_or(reads);
        reporter
            .report(asked.seen.place, format!(
                "Each {} reads {} shards.",
                statement_title(project, asked.seen),
                figures::format_count(shards)
            ))
            .with_column(table, &table.partition_key()[at])
            .note(format!(
                "{} reads and {} writes: {} partition reads",
                figures::format_rate(reads),
                figures::format_rate(writes),
                figures::format_rate(rate * shards)
            ))
            .help("use fewer shards, or store the number of shards of each partition in a separate table");
    }
}
