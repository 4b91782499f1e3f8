//! IX005: an index query that returns many rows.

use model::figures::format_count;
use model::index_guide;

use crate::facts::volumes::column_cardinality;
use crate::project::query_shape::query_shape;

use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const MATCHES: Limit = Limit::new("index-matches", index_guide::ROWS_MAX)
    .describe("number of rows returned by an index query");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("ix005_index_large_result.md"), Check::Table(check))
        .with_limits(&[MATCHES]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let Some(rows) = facts.volume.rows else { return };
    for seen in facts.reads(project) {
        let (Some(read), Some(select)) = (seen.read(), project.select(seen)) else { continue };
        let Some(used) = read.index.as_ref().filter(|used| !used.within_partition) else {
            continue;
        };
        let asked = query_shape(&read.table, select);
        if read.limit.is_some() || !used.columns.iter().all(|at| asked.equal.contains(at)) {
            continue;
        }
        let names = used.columns.iter().filter_map(|at| read.table.columns().get(*at));
        let values: Option<Vec<_>> =
            names.map(|column| column_cardinality(facts, column)).collect();
        let Some(values) = values else { continue };
        let confidence = values.iter().map(|one| one.confidence).min().unwrap_or(Confidence::Low);
        let matches = rows / values.iter().map(|one| one.values).product::<f64>().max(1.0);
        if matches > reporter.limit(&MATCHES) {
            let is_rare = seen.rate().is_some_and(|rate| rate <= index_guide::READ_RATE_RARE);
            reporter
                .report(
                    project.select_location(seen),
                    format!("The index query returns about {} rows.", format_count(matches)),
                )
                .with_table(&facts.table)
                .severity(if is_rare { Severity::Info } else { Severity::Medium })
                .confidence(confidence)
                .note(format!("{} rows in the table", format_count(rows)))
                .help("read them from a table for this query, page by page");
        }
    }
}
