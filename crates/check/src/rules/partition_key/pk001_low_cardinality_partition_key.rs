//! PK001: a partition key with few values.

use cql::types::NativeType;
use model::figures;

use crate::facts::keys::constant_partition;
use crate::facts::tables::is_registry;
use crate::facts::volumes::partition_key_cardinality;
use crate::remedies::NewKey;
use crate::remedies::column_names;
use crate::rules::partition_size::ps006_bucket_too_coarse::propose_bucket;
use crate::vocabulary::times::is_time;
use crate::vocabulary::types::native_type;
use crate::{Check, Limit, Project, Reporter, RuleEntry, Severity, TableFacts};

const FEW: Limit = Limit::new("partition-keys-few", 100.0)
    .describe("number of partition key values below which a table has too few partitions");
const ENOUGH: Limit = Limit::new("partition-keys-enough", 1_000.0)
    .describe("number of partition key values at which a table is well distributed");

pub(super) const RULE: RuleEntry =
    RuleEntry::new(include_str!("pk001_low_cardinality_partition_key.md"), Check::Table(check))
        .with_limits(&[FEW, ENOUGH]);

fn check(project: &Project<'_>, facts: &TableFacts, reporter: &mut Reporter<'_>) {
    let table = &facts.table;
    let Some(keys) = partition_key_cardinality(facts) else { return };
    // Without clustering columns the table has no more rows than its key has values: it is small.
    let is_small = table.clustering().is_empty() || is_registry(facts);
    if table.is_view || is_small || keys.values >= 10.0 * reporter.limit(&ENOUGH) {
        return;
    }
    let [first, others @ ..] = table.partition_key() else { return };
    let is_boolean = others.is_empty() && native_type(&first.ty) == Some(NativeType::Boolean);
    if is_boolean || constant_partition(project, facts).is_some() {
        return;
    }
    let severity = if keys.values < reporter.limit(&FEW) {
        Severity::High
    } else if keys.values < reporter.limit(&ENOUGH) {
        Severity::Medium
    } else {
        Severity::Info
    };
    let key = column_names(table.partition_key());
    let message = format!(
        "Partition key `{key}` has only about {0} values, so {1} has {0} partitions regardless of the cluster size.",
        figures::format_count(keys.values),
        table.name
    );
    let has_time = table.clustering().first().is_some_and(is_time);
    let span = propose_bucket(project, reporter, facts);
    let (name, ty) = if has_time { (span.name, span.ty) } else { ("bucket", "int") };
    let new = NewKey::from_table(table).with_new_partition_column(table, name, ty);
    let help = format!(
        "add a column with many values, or a bucket, to the partition key: {}; every query must then restrict it too",
        new.clause()
    );
    let finding = reporter.report(project.key_location(facts, &first.name), message);
    finding.with_column(table, first).severity(severity).confidence(keys.confidence).help(help);
    if let Some(rows) = facts.volume.rows {
        let each = figures::format_count(rows / keys.values.max(1.0));
        finding.note(format!("{} rows: {each} per partition", figures::format_count(rows)));
    }
    finding.with_fix(project.rekey_fix(facts, &new, "split each partition"));
}
