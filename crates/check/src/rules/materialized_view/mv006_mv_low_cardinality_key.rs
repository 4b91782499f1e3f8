//! MV006: a view in a handful of partitions.

use model::figures;

use crate::facts::tables::{base_table, is_registry};
use crate::facts::volumes::column_cardinality;
use crate::vocabulary::ids::is_id;
use crate::{Check, Confidence, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const FEW: Limit = Limit::new("view-partitions-few", 100.0)
    .describe("number of partitions below which a materialized view has too few");
const ENOUGH: Limit = Limit::new("view-partitions-enough", 1_000.0)
    .describe("number of partitions at which a materialized view is well distributed");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("mv006_mv_low_cardinality_key.md"), Check::Table(check))
        .with_limits(&[FEW, ENOUGH]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let Some(base) = base_table(project, facts) else { return };
    if is_registry(base) {
        return;
    }
    let view = &facts.table;
    let (mut values, mut confidence) = (1.0, Confidence::High);
    for column in view.partition_key() {
        let Some(known) = column_cardinality(base, column) else { return };
        values *= known.values;
        confidence = confidence.min(known.confidence);
    }
    let severity = if values < reporter.limit(&FEW) {
        Severity::High
    } else if values < reporter.limit(&ENOUGH) {
        Severity::Medium
    } else {
        return;
    };
    // A view keyed by a state instead of an id has few partitions, whatever the column is called.
    if base.table.partition_key().iter().any(is_id) {
        confidence = confidence.max(Confidence::Medium);
    }
    let names: Vec<&str> = view.partition_key().iter().map(|column| &*column.name).collect();
    let names = names.join(", ");
    let message = format!(
        "{} groups the table into only {} partitions.",
        view.name,
        figures::format_count(values)
    );
    let Some(first) = view.partition_key().first() else { return };
    let finding = reporter.report(project.key_location(facts, &first.name), message);
    finding.with_column(view, first).severity(severity).confidence(confidence).help(format!(
        "create a separate table with a bucket in its partition key: PRIMARY KEY (({names}, bucket), ...)"
    ));
    if let Some(rows) = base.volume.rows {
        let each = figures::format_count(rows / values.max(1.0));
        finding.note(format!(
            "{} rows in {} partitions: {each} rows per partition",
            figures::format_count(rows),
            figures::format_count(values)
        ));
    }
}
