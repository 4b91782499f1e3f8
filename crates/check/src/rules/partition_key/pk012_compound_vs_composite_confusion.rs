//! PK012: every query restricts the whole key, but the partition key is only its first column.

use model::figures;

use crate::facts::tables::is_registry;
use crate::project::query_shape::TableQuery;
use crate::remedies::NewKey;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const ROWS: Limit = Limit::new("needless-partition-rows", 1_000.0).describe(
    "rows per partition at which a partition whose rows are only read one by one should be split",
);

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk012_compound_vs_composite_confusion.md"), Check::Table(check))
        .with_limits(&[ROWS]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let (Some(first), Some(last)) = (table.partition_key().first(), table.clustering().last())
    else {
        return;
    };
    let asked: Vec<TableQuery<'_>> = facts.queries(project).collect();
    let key = table.primary_key().len();
    let gives_all = |asked: &TableQuery<'_>| (0..key).all(|at| asked.shape.equal.contains(&at));
    if table.is_view
        || asked.is_empty()
        || !asked.iter().all(gives_all)
        || !table.statics().is_empty()
        || is_registry(facts)
        || facts
            .own_writes(project)
            .any(|write| write.is_row_delete() && write.plan.rows.rows.is_none())
    {
        return;
    }
    let rows = facts.volume.partition.as_ref().map(|size| size.rows.large);
    let (severity, confidence) = match rows {
        Some(rows) if rows >= reporter.limit(&ROWS) => (Severity::Low, Confidence::High),
        // A further query could be one that lists a partition.
        None if asked.len() > 1 => (Severity::Info, Confidence::Medium),
        _ => return,
    };
    let mut new = NewKey::from_table(table);
    for column in table.clustering() {
        new = new.with_partition_column(&column.name);
    }
    let message = format!(
        "{} is partitioned by `{}` alone, but every query restricts the key up to `{}`.",
        table.name, first.name, last.name
    );
    let finding = reporter.report(project.key_location(facts, &first.name), message);
    finding
        .with_table(table)
        .severity(severity)
        .confidence(confidence)
        .help(format!("use {}, unless the rows of a partition need to be listed", new.clause()))
        .with_fix(project.rekey_fix(facts, &new, "make each row its own partition"));
    if let Some(rows) = rows {
        finding
            .note(format!("{} rows per partition, read one by one", figures::format_count(rows)));
    }
}
