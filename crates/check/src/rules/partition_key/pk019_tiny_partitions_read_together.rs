//! PK019: small partitions that are always read together.

use cql::printer::identifier;
use model::figures;
use schema::access::Count;
use schema::catalog::Column;

use crate::facts::workload::partition_count;
use crate::project::query_shape::TableQuery;
use crate::vocabulary::ids::{is_id, is_own_id};
use crate::{Check, Limit, Project, Reporter, RuleEntry, TableFacts};

const ROW: Limit =
    Limit::new("tiny-row-bytes", 200.0).describe("size in bytes up to which a row is tiny");
const TOGETHER: Limit = Limit::new("tiny-rows-together", 10.0)
    .describe("number of single-row partitions read by one query");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk019_tiny_partitions_read_together.md"), Check::Table(check))
        .with_limits(&[ROW, TOGETHER]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let [key] = table.partition_key() else { return };
    let is_parent = |column: &&Column| is_id(column) && !is_own_id(&table.name, column);
    let Some(parent) = table.regulars().iter().find(is_parent) else { return };
    if table.is_view
        || !table.clustering().is_empty()
        || facts.volume.row_bytes > reporter.limit(&ROW)
    {
        return;
    }
    let together = |asked: &TableQuery<'_>| match partition_count(asked.seen.read()?, asked.select)?
    {
        Count::Known(number) => u32::try_from(number).ok().map(f64::from),
        Count::Unknown => None,
    };
    let counts: Option<Vec<f64>> = facts.queries(project).map(|asked| together(&asked)).collect();
    let least = counts.and_then(|counts| counts.into_iter().reduce(f64::min));
    let Some(least) = least.filter(|least| *least >= reporter.limit(&TOGETHER)) else { return };
    reporter
        .report(
            project.key_location(facts, &key.name),
            format!(
                "Related rows of {} are spread over {} partitions.",
                table.name,
                figures::format_count(least)
            ),
        )
        .with_column(table, key)
        .note(format!(
            "{} per row, one row per partition",
            figures::format_bytes(facts.volume.row_bytes)
        ))
        .help(format!(
            "group them by their parent: PRIMARY KEY (({}), {})",
            identifier(&parent.name),
            identifier(&key.name)
        ));
}
